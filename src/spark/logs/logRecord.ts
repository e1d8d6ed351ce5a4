import { Collector } from "../../base/collector.ts";
import type { LogLine } from "./logLine.ts";
import { isDefaultLayout, levelOf, type LogLevel } from "./logLevel.ts";

/** A log line, together with the lines of its stack trace or query plan. */
export interface LogRecord {
  readonly timestamp: string;
  readonly text: string;
  readonly rest: readonly LogLine[];
  /** The level in the first line. Without one, `error` if the record has a stack trace, or else undefined. */
  readonly level: LogLevel | undefined;
  readonly hasTrace: boolean;
  /** The number of characters in all lines together. */
  readonly size: number;
}

/** Groups the log lines of one container into records. */
export class RecordReader {
  readonly #records = new Collector<LogRecord>();
  #head: LogLine | undefined;
  #level: LogLevel | undefined;
  #rest: LogLine[] | undefined;
  /** Lines that belong to the record if a stack frame or a plan follows. Otherwise they are program output. */
  #ahead: LogLine[] = [];
  #size = 0;
  #state: TraceState = "none";

  /**
   * Returns complete records. The last record is complete once the next one begins or `flush` is
   * called.
   */
  read(lines: readonly LogLine[]): LogRecord[] {
    for (const line of lines) {
      switch (this.#placeOf(line.text)) {
        case "here":
          for (const one of this.#ahead) this.#add(one);
          if (this.#ahead.length > 0) this.#ahead = [];
          this.#add(line);
          break;
        case "perhaps":
          this.#ahead.push(line);
          break;
        case "new":
          this.#close();
          this.#open(line);
      }
    }
    return this.#records.take();
  }

  get isEmpty(): boolean {
    return this.#head === undefined;
  }

  /** True if more lines of the last record may follow. */
  get isInTrace(): boolean {
    return this.#head !== undefined && this.#state !== "none";
  }

  flush(): LogRecord[] {
    this.#close();
    return this.#records.take();
  }

  #open(head: LogLine): void {
    this.#head = head;
    this.#level = levelOf(head.text);
    this.#rest = undefined;
    this.#size = head.text.length;
    this.#state = stateAfter("none", head.text);
  }

  #close(): void {
    if (this.#head === undefined) return;
    this.#records.add(this.#recordOf(this.#head));
    for (const { timestamp, text } of this.#ahead) {
      this.#records.add({
        timestamp,
        text,
        rest: none,
        level: undefined,
        hasTrace: false,
        size: text.length,
      });
    }
    if (this.#ahead.length > 0) this.#ahead = [];
    this.#head = undefined;
  }

  #placeOf(text: string): Place {
    const isFull = (this.#rest?.length ?? 0) >= maxLines || this.#size >= maxCharacters;
    if (this.#head === undefined || isFull) return "new";
    if (this.#state === "none") return followsLine(text, this.#level) ? "here" : "new";
    if (this.#ahead.length === 0) return placeInTrace(text, this.#state);
    if (endsMessage(text)) return "here";
    return this.#ahead.length < maxLinesAhead && isPlain(text) ? "perhaps" : "new";
  }

  #add(line: LogLine): void {
    (this.#rest ??= []).push(line);
    this.#size += line.text.length;
    this.#state = stateAfter(this.#state, line.text);
  }

  #recordOf({ timestamp, text }: LogLine): LogRecord {
    const hasTrace = this.#state !== "none";
    const level = this.#level ?? (hasTrace ? "error" : undefined);
    return { timestamp, text, rest: this.#rest ?? none, level, hasTrace, size: this.#size };
  }
}

type Place = "here" | "perhaps" | "new";

// Limits of one record. Longer output without a new log line is not a stack trace.
const maxLines = 1_000;
const maxCharacters = 1 << 20;
// Spark's messages have up to four lines; those that quote a server's response have more.
const maxLinesAhead = 30;

const none: readonly LogLine[] = [];

/**
 * The part of a stack trace read so far: none, a Python traceback without its exception, an
 * exception message, frames, or a query plan.
 */
type TraceState = "none" | "python" | "message" | "frames" | "plan";

const jvmFrame = /^\s+(?:at [\w\p{L}\p{M}$.<>/@ -]+\(|\.\.\. \d+ (?:more|common frames))/u;
/** The start of a Python traceback. Also the end of an exception line if a task's error quotes its Python worker. */
const pythonTrace = "Traceback (most recent call last):";
/** An exception line: `org.apache.spark.SparkException: …`, `ValueError: …`, `Exception in thread "main" …`. */
const thrown =
  /^(?:Exception in thread |(?:[\w\p{L}\p{M}$]+\.)+[\w\p{L}\p{M}$]*(?:Exception|Error|Throwable|Failure)\b|[A-Z]\w*(?:Exception|Error|Interrupt|Exit|Warning)(?::|$))/u;
/** The exception line after Python's stack frames: `StopIteration`, `subprocess.TimeoutExpired: …`. */
const raised =
  /^(?!(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b)[^\s\d:[{][^\s:]*(?::|$)/;
const joint =
  /^(?:Caused by:|Suppressed:|Driver stacktrace:|During handling of the above exception|The above exception was|: \S|JVM stacktrace:)/;
/** A line with an error class, a node of a query plan, or a heading of a plan. Does not match printed tables. */
const plan = /^(?:== |'[A-Z]|[+:][ :+]*- |\[[A-Z][A-Z\d_.]+\] )/;

const placeOfTime = 9;
const letterT = 0x54;

function stateAfter(state: TraceState, text: string): TraceState {
  if (text.endsWith(pythonTrace)) return "python";
  // A line with a timestamp is not part of a stack trace, unless it is a Python traceback.
  if (isDefaultLayout(text) && text.charCodeAt(placeOfTime) !== letterT) return state;
  if (state !== "none" && text.startsWith("== ")) return "plan";
  if (jvmFrame.test(text)) return "frames";
  const isRaised = state === "python" && text !== "" && !isIndented(text);
  return isRaised || thrown.test(text) || joint.test(text) ? "message" : state;
}

/** True if the line belongs to the previous log line, which has no stack trace yet. `level`: that of the log line. */
function followsLine(text: string, level: LogLevel | undefined): boolean {
  if (isIndented(text)) return level !== undefined || jvmFrame.test(text);
  if (level !== "error" && level !== "warn") return false;
  return thrown.test(text) || beginsPython(text);
}

function placeInTrace(text: string, state: Exclude<TraceState, "none">): Place {
  if (isIndented(text) || text === "" || joint.test(text)) return "here";
  const isOfTrace =
    state === "plan"
      ? levelOf(text) === undefined
      : state === "python"
        ? thrown.test(text) || raised.test(text)
        : isOfPlan(text);
  if (isOfTrace || (state !== "plan" && beginsPython(text))) return "here";
  return state === "message" && isPlain(text) ? "perhaps" : "new";
}

const endsMessage = (text: string): boolean =>
  jvmFrame.test(text) || joint.test(text) || isOfPlan(text);

const isOfPlan = (text: string): boolean => plan.test(text) && levelOf(text) === undefined;

/** True unless the line is a log line or begins another stack trace. */
const isPlain = (text: string): boolean =>
  !isDefaultLayout(text) &&
  !thrown.test(text) &&
  !text.endsWith(pythonTrace) &&
  levelOf(text) === undefined;

function isIndented(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === 0x20 || first === 0x09;
}

const beginsPython = (text: string): boolean =>
  text.endsWith(pythonTrace) && !isDefaultLayout(text);
