import { Collector } from "../../base/collector.ts";
import type { LogLine } from "./logLine.ts";
import { isUsualLayout, levelOf, type LogLevel } from "./logLevel.ts";

/** One thing that a program said: a line, with the lines of the trace or the plan that belong to it. */
export interface LogRecord {
  readonly timestamp: string;
  readonly text: string;
  readonly rest: readonly LogLine[];
  /** A record without a level of its own has that of the trace in it, which is an error. */
  readonly level: LogLevel | undefined;
  readonly hasTrace: boolean;
  /** In characters. */
  readonly size: number;
}

// A class for the sake of the memory: see Collector.
class ReadRecord implements LogRecord {
  readonly timestamp: string;
  readonly text: string;
  readonly rest: readonly LogLine[];
  readonly level: LogLevel | undefined;
  readonly hasTrace: boolean;
  readonly size: number;

  constructor(
    timestamp: string,
    text: string,
    rest: readonly LogLine[],
    level: LogLevel | undefined,
    hasTrace: boolean,
    size: number,
  ) {
    this.timestamp = timestamp;
    this.text = text;
    this.rest = rest;
    this.level = level;
    this.hasTrace = hasTrace;
    this.size = size;
  }
}

/** Puts the lines of one container together to records, as they come. */
export class RecordReader {
  readonly #records = new Collector<LogRecord>();
  #head: LogLine | undefined;
  #level: LogLevel | undefined;
  #rest: LogLine[] | undefined;
  #size = 0;
  #state: TraceState = "none";

  /** Records that are complete; the last one is only when the next begins or `flush` says so. */
  read(lines: readonly LogLine[]): LogRecord[] {
    for (const line of lines) {
      if (this.#head === undefined) this.#open(line);
      else if (this.#takes(line.text)) this.#add(line);
      else {
        this.#records.add(this.#recordOf(this.#head));
        this.#open(line);
      }
    }
    return this.#records.take();
  }

  get isEmpty(): boolean {
    return this.#head === undefined;
  }

  flush(): LogRecord[] {
    const head = this.#head;
    this.#head = undefined;
    return head ? [this.#recordOf(head)] : [];
  }

  #open(head: LogLine): void {
    this.#head = head;
    this.#level = levelOf(head.text);
    this.#rest = undefined;
    this.#size = head.text.length;
    this.#state = stateAfter("none", head.text);
  }

  #takes(text: string): boolean {
    return (
      (this.#rest?.length ?? 0) < mostLines &&
      this.#size < mostCharacters &&
      continues(text, this.#state, this.#level)
    );
  }

  #add(line: LogLine): void {
    (this.#rest ??= []).push(line);
    this.#size += line.text.length;
    this.#state = stateAfter(this.#state, line.text);
  }

  #recordOf({ timestamp, text }: LogLine): LogRecord {
    const hasTrace = this.#state !== "none";
    const level = this.#level ?? (hasTrace ? "error" : undefined);
    return new ReadRecord(timestamp, text, this.#rest ?? none, level, hasTrace, this.#size);
  }
}

// Who prints more than this without a line that begins anew has not printed a trace.
const mostLines = 1_000;
const mostCharacters = 1 << 20;

const none: readonly LogLine[] = [];

/** What has been seen of a trace: nothing, a Python trace whose exception is still to come, or an exception. */
type TraceState = "none" | "python" | "thrown" | "plan";

const jvmFrame = /^\s+(?:at [\w$.<>/@ -]+\(|\.\.\. \d+ (?:more|common frames))/;
const pythonTrace = /^\s*(?:\S+ )?Traceback \(most recent call last\):/;
/** `org.apache.spark.SparkException: …`, `ValueError: …`, `Exception in thread "main" …`. */
const thrown =
  /^(?:Exception in thread |(?:[\w$]+\.)+[\w$]*(?:Exception|Error|Throwable|Failure)\b|[A-Z]\w*(?:Exception|Error|Interrupt|Exit|Warning)(?::|$))/;
const joint =
  /^(?:Caused by:|Suppressed:|Driver stacktrace:|During handling of the above exception|The above exception was|: \S|JVM stacktrace:)/;
const plan = /^(?:== |['+:^-]|\[\w+\])/;

const placeOfTime = 9;
const letterT = 0x54;

function stateAfter(state: TraceState, text: string): TraceState {
  // What begins with a time is no line of a trace, unless Python's own begins after the date.
  if (isUsualLayout(text) && text.charCodeAt(placeOfTime) !== letterT) return state;
  if (pythonTrace.test(text)) return "python";
  if (/^== /.test(text) && state !== "none") return "plan";
  if (thrown.test(text) || jvmFrame.test(text) || joint.test(text)) return "thrown";
  return state;
}

function continues(text: string, state: TraceState, level: LogLevel | undefined): boolean {
  const first = text.charCodeAt(0);
  const isIndented = first === 0x20 || first === 0x09;
  if (state === "none") {
    if (isIndented) return jvmFrame.test(text) || level !== undefined;
    const follows = level === "error" || level === "warn";
    return follows && (thrown.test(text) || pythonTrace.test(text));
  }
  if (isIndented || text === "" || joint.test(text)) return true;
  if (state === "python") return thrown.test(text) || pythonTrace.test(text);
  if (state === "plan") return levelOf(text) === undefined;
  return plan.test(text) || pythonTrace.test(text);
}
