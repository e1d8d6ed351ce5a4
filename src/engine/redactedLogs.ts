import { err, ok, type Result } from "../base/result.ts";
import type { LogLine } from "../spark/logs/logLine.ts";
import { redactLine } from "../spark/logs/redactLine.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import { secretRule, type IsSecret } from "../spark/redact.ts";
import type { ClusterError } from "./clusterError.ts";
import { readEffectiveConf } from "./effectiveConf.ts";
import type { Connection, LogSource } from "./ports.ts";
import { isOutage } from "./retry.ts";
import { isAbort } from "./running.ts";

export type LogRule = Result<IsSecret, ClusterError>;

/**
 * The logs of a source without their secrets. The rule is asked for when a log is opened, and no line is given
 * before it is known: where it cannot be, the log fails.
 */
export function redactedLogs(logs: LogSource, rule: () => Promise<LogRule>): LogSource {
  return {
    async *readLog(request, signal) {
      const asked = rule();
      // Who gets a line waits for it below; else nobody needs to know.
      asked.catch(() => undefined);
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
        yield { kind: "lines", take: () => redactLines(item.take(), known.value) };
      }
    },
  };
}

/** Asks until a rule is known, and gives that to the end: lines are known again by what is left of them. */
export function askedOnce<Args extends readonly unknown[]>(
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

function redactLines(lines: readonly LogLine[], isSecret: IsSecret): readonly LogLine[] {
  let clean: LogLine[] | undefined;
  for (const [index, line] of lines.entries()) {
    const text = redactLine(line.text, isSecret);
    if (text !== line.text) (clean ??= [...lines])[index] = { ...line, text };
  }
  return clean ?? lines;
}

/** Of Spark 4; a pattern of the application's own counts instead. */
const defaultPattern = "(?i)secret|password|token|access[.]?key|credential";

/** What an application's conf says; undefined: it may not be read, or there is none. */
type OwnRule = Result<{ readonly pattern: string | undefined } | undefined, ClusterError>;

/** Remembers applications' own patterns for longer than a window is open. */
export interface PatternMemory {
  patternOf(name: string): string | undefined;
  keep(name: string, pattern: string): void;
}

/** The rules of applications by any names: each is asked for once, however many of its logs are opened. */
export class LogRules {
  readonly asked = new Map<string, Promise<OwnRule>>();
  readonly memory: PatternMemory | undefined;

  constructor(memory?: PatternMemory) {
    this.memory = memory;
  }
}

/**
 * The rule by which an application's conf is redacted: the default one where that says nothing or may not be read.
 * What is known goes on counting when the driver is gone, also in a window that is opened after that.
 */
export async function logRuleOf(
  rules: LogRules,
  name: string,
  connection: RuleConnection,
  driver: PodRecord | undefined,
): Promise<LogRule> {
  const { asked, memory } = rules;
  const remembered = (): LogRule => ok(ruleOf(memory?.patternOf(name)));
  const asking = asked.get(name) ?? (driver && readOwnRule(connection, driver));
  if (asking === undefined) return remembered();
  asked.set(name, asking);
  const own = await asking;
  if (own.ok && own.value !== undefined) {
    const { pattern } = own.value;
    if (pattern !== undefined) memory?.keep(name, pattern);
    return ok(ruleOf(pattern));
  }
  // Who opens the next log may ask again.
  if (asked.get(name) === asking) asked.delete(name);
  return own.ok ? remembered() : own;
}

type RuleConnection = Pick<Connection, "objects" | "pages" | "server">;

/** A failure: it may be read in a moment. */
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
    return err({ kind: "unreachable", server, detail: "the connection ended", requestSent: true });
  }
}

function ruleOf(pattern: string | undefined): IsSecret {
  const isSecret = secretRule(pattern, defaultPattern);
  return pattern !== undefined && /[$^]|\(\?<?[!=]/.test(pattern) ? ofWords(isSecret) : isSecret;
}

const mayPass = (error: ClusterError): boolean =>
  isOutage(error) || error.kind === "throttled" || error.kind === "unauthorized";

// A pattern that says where a key begins or ends does not find it within a line.
const ofWords =
  (isSecret: IsSecret): IsSecret =>
  (text) =>
    isSecret(text) || text.split(/[^\w.$-]+/).some((word) => isSecret(word));
