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
  /** What is of the record if a frame or a plan comes behind it, and prints of the program's if not. */
  #ahead: LogLine[] = [];
  #size = 0;
  #state: TraceState = "none";

  /** Records that are complete; the last one is only when the next begins or `flush` says so. */
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
        case "anew":
          this.#close();
          this.#open(line);
      }
    }
    return this.#records.take();
  }

  get isEmpty(): boolean {
    return this.#head === undefined;
  }

  /** Whether the last record is one whose lines need not all come at once. */
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
      this.#records.add(new ReadRecord(timestamp, text, none, undefined, false, text.length));
    }
    if (this.#ahead.length > 0) this.#ahead = [];
    this.#head = undefined;
  }

  #placeOf(text: string): Place {
    const isFull = (this.#rest?.length ?? 0) >= mostLines || this.#size >= mostCharacters;
    if (this.#head === undefined || isFull) return "anew";
    if (this.#state === "none") return followsLine(text, this.#level) ? "here" : "anew";
    if (this.#ahead.length === 0) return placeInTrace(text, this.#state);
    if (endsMessage(text)) return "here";
    return this.#ahead.length < mostAhead && isPlain(text) ? "perhaps" : "anew";
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

type Place = "here" | "perhaps" | "anew";

// Who prints more than this without a line that begins anew has not printed a trace.
const mostLines = 1_000;
const mostCharacters = 1 << 20;
// Spark's own messages have four lines, those that quote an answer of a server some more.
const mostAhead = 30;

const none: readonly LogLine[] = [];

/**
 * What has been seen of a trace: nothing, a Python trace whose exception is still to come, an exception whose message
 * may have more lines, its frames, or a plan.
 */
type TraceState = "none" | "python" | "message" | "frames" | "plan";

const jvmFrame = /^\s+(?:at [\w\p{L}\p{M}$.<>/@ -]+\(|\.\.\. \d+ (?:more|common frames))/u;
/** Also at the end of an exception's line: a task's error has the trace of its Python worker for a message. */
const pythonTrace = "Traceback (most recent call last):";
/** `org.apache.spark.SparkException: …`, `ValueError: …`, `Exception in thread "main" …`. */
const thrown =
  /^(?:Exception in thread |(?:[\w\p{L}\p{M}$]+\.)+[\w\p{L}\p{M}$]*(?:Exception|Error|Throwable|Failure)\b|[A-Z]\w*(?:Exception|Error|Interrupt|Exit|Warning)(?::|$))/u;
/** After Python's frames, whatever it is called: `StopIteration`, `subprocess.TimeoutExpired: …`. */
const raised =
  /^(?!(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b)[^\s\d:[{][^\s:]*(?::|$)/;
const joint =
  /^(?:Caused by:|Suppressed:|Driver stacktrace:|During handling of the above exception|The above exception was|: \S|JVM stacktrace:)/;
/** An error's class, the root or a branch of a plan, a title: no table that a program prints looks so. */
const plan = /^(?:== |'[A-Z]|[+:][ :+]*- |\[[A-Z][A-Z\d_.]+\] )/;

const placeOfTime = 9;
const letterT = 0x54;

function stateAfter(state: TraceState, text: string): TraceState {
  if (text.endsWith(pythonTrace)) return "python";
  // What begins with a time is no line of a trace, unless Python's own begins after the date.
  if (isUsualLayout(text) && text.charCodeAt(placeOfTime) !== letterT) return state;
  if (state !== "none" && text.startsWith("== ")) return "plan";
  if (jvmFrame.test(text)) return "frames";
  const isRaised = state === "python" && text !== "" && !isIndented(text);
  return isRaised || thrown.test(text) || joint.test(text) ? "message" : state;
}

/** Whether it belongs to a line that is no part of a trace. */
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
  return state === "message" && isPlain(text) ? "perhaps" : "anew";
}

const endsMessage = (text: string): boolean =>
  jvmFrame.test(text) || joint.test(text) || isOfPlan(text);

const isOfPlan = (text: string): boolean => plan.test(text) && levelOf(text) === undefined;

/** Neither a line of a log nor the beginning of another trace. */
const isPlain = (text: string): boolean =>
  !isUsualLayout(text) &&
  !thrown.test(text) &&
  !text.endsWith(pythonTrace) &&
  levelOf(text) === undefined;

function isIndented(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === 0x20 || first === 0x09;
}

const beginsPython = (text: string): boolean => text.endsWith(pythonTrace) && !isUsualLayout(text);
