import type { LogLine } from "../spark/logs/logLine.ts";
import { redactLine } from "../spark/logs/redactLine.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import { secretRule, type IsSecret } from "../spark/redact.ts";
import { readEffectiveConf } from "./effectiveConf.ts";
import type { Connection, LogSource } from "./ports.ts";
import { isAbort } from "./running.ts";

/**
 * The logs of a source without their secrets. The rule is asked for when a log is opened, and no line is given
 * before it is known.
 */
export function redactedLogs(logs: LogSource, rule: () => Promise<IsSecret>): LogSource {
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
        const isSecret = await asked;
        signal.throwIfAborted();
        yield { kind: "lines", take: () => redactLines(item.take(), isSecret) };
      }
    },
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

/** The rule where an application's conf cannot be read. */
export const defaultLogRule: IsSecret = secretRule(undefined, defaultPattern);

/** The rule by which an application's conf is redacted; undefined: it cannot be read. */
export async function readLogRule(
  connection: Pick<Connection, "objects" | "pages">,
  driver: PodRecord,
): Promise<IsSecret | undefined> {
  try {
    const read = await readEffectiveConf(connection, driver, new AbortController().signal);
    if (read.kind === "failed") return undefined;
    const own = read.conf.get("spark.redaction.regex");
    const isSecret = secretRule(own, defaultPattern);
    return own === undefined || !/[$^]|\(\?<?[!=]/.test(own) ? isSecret : ofWords(isSecret);
  } catch (error) {
    if (!isAbort(error)) throw error;
    return undefined;
  }
}

// A pattern that says where a key begins or ends does not find it within a line.
const ofWords =
  (isSecret: IsSecret): IsSecret =>
  (text) =>
    isSecret(text) || text.split(/[^\w.$-]+/).some((word) => isSecret(word));
