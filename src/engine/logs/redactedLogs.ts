import type { Message } from "../../base/message.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { redaction, secretRule, defaultSecretPattern, type IsSecret } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { KeyBlocks } from "../../spark/keyBlocks.ts";
import type { ClusterError } from "../clusterError.ts";
import { readEffectiveConf } from "../driver/effectiveConf.ts";
import type { Connection } from "../ports/connection.ts";
import type { LogSource } from "../ports/logs.ts";
import { isTransient } from "../watch/retryPolicy.ts";
import { isAbort } from "../../base/isAbort.ts";

export type LogRule = Result<IsSecret, ClusterError>;

/**
 * Redacts the logs of a source. Requests the rule when a log is opened, and yields no line before the rule is loaded.
 * If the rule cannot be read, yields a failure.
 */
export function redactedLogs(logs: LogSource, rule: () => Promise<LogRule>): LogSource {
  return {
    async *readLog(request, signal) {
      const asked = rule();
      // Prevents an unhandled rejection. The await below reports the failure when a line arrives; without lines it is
      // irrelevant.
      asked.catch(() => undefined);
      const blocks = new KeyBlocks();
      for await (const item of logs.readLog(request, signal)) {
        if (item.kind === "failed") {
          yield item;
          continue;
        }
        const known = await asked;
        signal.throwIfAborted();
        if (!known.ok) {
          yield { kind: "failed", error: known.error };
          return;
        }
        yield { kind: "lines", take: () => redactLines(item.take(), known.value, blocks) };
      }
    },
  };
}

/**
 * Memoizes the first rule that `ask` returns. After an error result, the next call runs `ask` again. The rule must not
 * change, because resuming a log compares redacted lines.
 */
export function memoizeOnSuccess<Args extends readonly unknown[]>(
  ask: (...args: Args) => Promise<LogRule>,
): (...args: Args) => Promise<LogRule> {
  let asked: Promise<LogRule> | undefined;
  return async (...args) => {
    const mine = (asked ??= ask(...args));
    const rule = await mine;
    if (!rule.ok && asked === mine) asked = undefined;
    return rule;
  };
}

function redactLines(
  lines: readonly LogLine[],
  isSecret: IsSecret,
  blocks: KeyBlocks,
): readonly LogLine[] {
  let clean: LogLine[] | undefined;
  for (const [index, line] of lines.entries()) {
    const text = blocks.isInside(line.text) ? redaction : redactLine(line.text, isSecret);
    if (text !== line.text) (clean ??= [...lines])[index] = { ...line, text };
  }
  return clean ?? lines;
}

/**
 * The redaction pattern of an application. Undefined if no conf is readable; `pattern` is undefined if the conf sets
 * none.
 */
type OwnRule = Result<{ readonly pattern: string | undefined } | undefined, ClusterError>;

/** Stores the redaction patterns of applications across windows. */
export interface PatternMemory {
  patternOf(name: string): string | undefined;
  keep(name: string, pattern: string): void;
}

/**
 * Caches the redaction rules of applications. Reads each conf once, even if several logs are opened, and again after a
 * failure.
 */
export class LogRules {
  readonly asked = new Map<string, Promise<OwnRule>>();
  readonly memory: PatternMemory | undefined;
  readonly #told = new Set<string>();
  readonly #tell: (problem: Message) => void;

  /** `tell` is called with the problem of an invalid pattern, once per application. */
  constructor(memory?: PatternMemory, tell: (problem: Message) => void = () => undefined) {
    this.memory = memory;
    this.#tell = tell;
  }

  ruleOf(name: string, pattern: string | undefined): IsSecret {
    const rule = ruleOf(pattern);
    if (rule.problem !== undefined && !this.#told.has(name)) {
      this.#told.add(name);
      this.#tell(rule.problem);
    }
    return rule;
  }
}

/** Returns the key of an application's redaction rule. The key does not depend on the selected context. */
export function ruleNameOf(
  { context, server }: Pick<Connection, "context" | "server">,
  key: string,
): string {
  const scope = `${context}|`;
  return JSON.stringify([context, server, key.startsWith(scope) ? key.slice(scope.length) : key]);
}

/**
 * Returns the redaction rule in an application's conf; Spark's default if the conf sets none. If the conf is
 * unreadable, returns the remembered rule, or an error if a retry may succeed. So a known rule still applies after the
 * driver is deleted, also in windows opened later.
 */
export async function logRuleOf(
  rules: LogRules,
  name: string,
  connection: RuleConnection,
  driver: PodRecord | undefined,
): Promise<LogRule> {
  const { asked, memory } = rules;
  const remembered = (): LogRule => ok(rules.ruleOf(name, memory?.patternOf(name)));
  const asking = asked.get(name) ?? (driver && readOwnRule(connection, driver));
  if (asking === undefined) return remembered();
  asked.set(name, asking);
  const own = await asking;
  if (own.ok && own.value !== undefined) {
    const { pattern } = own.value;
    if (pattern !== undefined) memory?.keep(name, pattern);
    return ok(rules.ruleOf(name, pattern));
  }
  // Remove the cached failure, so that the next log reads the conf again.
  if (asked.get(name) === asking) asked.delete(name);
  return own.ok ? remembered() : own;
}

type RuleConnection = Pick<Connection, "objects" | "pages" | "server">;

/** Reads the pattern from the conf of a driver. Returns an error only if a retry may succeed. */
async function readOwnRule(connection: RuleConnection, driver: PodRecord): Promise<OwnRule> {
  try {
    const read = await readEffectiveConf(connection, driver, new AbortController().signal);
    if (read.kind === "failed") {
      return read.submitted === "failed" && mayPass(read.error) ? err(read.error) : ok(undefined);
    }
    return ok({ pattern: read.conf.get("spark.redaction.regex") });
  } catch (error) {
    if (!isAbort(error)) throw error;
    const { server } = connection;
    return err({
      kind: "unreachable",
      server,
      detail: "the connection was closed",
      requestSent: true,
    });
  }
}

function ruleOf(pattern: string | undefined): IsSecret {
  const isSecret = secretRule(pattern, defaultSecretPattern);
  if (pattern === undefined || isSecret.problem !== undefined) return isSecret;
  return /[$^]/.test(pattern) ? ofWords(isSecret) : isSecret;
}

const mayPass = (error: ClusterError): boolean =>
  isTransient(error) || error.kind === "unauthorized";

// A pattern with `^` or `$` matches whole keys, so test each word of the line too.
const ofWords =
  (isSecret: IsSecret): IsSecret =>
  (text) =>
    isSecret(text) || text.split(/[^\w.$-]+/).some((word) => isSecret(word));
