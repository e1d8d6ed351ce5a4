import { javaStart, kindOfError, shuffleService, type LogCauseKind } from "./logCauseKinds.ts";

/** The error that explains the end of a log. */
export interface LogCause {
  readonly kind: LogCauseKind;
  /** The error without its package: `FileNotFoundError: [Errno 2] …`. */
  readonly error: string;
  /** The index of the error's line in the given lines. */
  readonly at: number;
}

/** The number of lines at the end of a log that are searched first. Spark logs its shutdown after the error. */
export const logEndLines = 200;

/** The number of lines that are read if the end of a log has no error, because a thread dump may follow the error. */
export const deepLogLines = 3_000;

/**
 * Returns the error in the last 200 lines of a log. Searches all given lines if these have none. Undefined if there is
 * no error.
 */
export function causeAtEnd(lines: readonly string[]): LogCause | undefined {
  const start = Math.max(0, lines.length - logEndLines);
  const near = causeInLog(lines.slice(start));
  if (near !== undefined) return { ...near, at: start + near.at };
  return start === 0 ? undefined : causeInLog(lines);
}

/**
 * Returns the cause of the last exception of Python, Java or spark-submit in the given lines. Prefers an
 * `OutOfMemoryError` of the heap, because it often causes later exceptions. Returns an error during the shutdown, or
 * one that Python ignores, only if there is no other. Undefined without an exception.
 */
export function causeInLog(lines: readonly string[]): LogCause | undefined {
  const isHeap = (line: string): boolean => heapError.test(line);
  const ofTaskAt = lines.findLastIndex((line) => isHeap(line) && lostTask.test(line));
  const ownAt = lines.findLastIndex(
    (line) => isHeap(line) && (ofTaskAt < 0 || !(lostTask.test(line) || causedBy.test(line))),
  );
  const heapAt = ownAt < 0 ? ofTaskAt : ownAt;
  const heap = lines[heapAt];
  if (heap !== undefined) {
    const kind = ownAt < 0 ? "taskHeap" : "heap";
    return { kind, error: heap.slice(heap.search(heapError)), at: heapAt };
  }
  const shutdownAt = lines.findIndex((line) => shutdownHook.test(line));
  let minorAt: number | undefined;
  for (let start = lines.length - 1; start >= 0; start -= 1) {
    if (errorIn(lines, start) === undefined) continue;
    if (!isMinor(lines, start, shutdownAt)) return chainedCause(lines, start);
    minorAt ??= start;
  }
  return minorAt === undefined ? undefined : chainedCause(lines, minorAt);
}

/** Spark logs one of these messages when the JVM begins to exit, or when a program has failed. */
const shutdownHook =
  / (?:SparkContext: (?:Invoking stop\(\) from shutdown hook|SparkContext is stopping with exitCode [1-9])|ShutdownHookManager: shutdown hook)/i;

/** A driver logs this for a message of an executor that arrives after the scheduler has stopped. */
const lateMessage = / ERROR TransportRequestHandler: Error while invoking RpcHandler/;

/** True for an error that did not end the program: Python ignored it, or it occurred after the shutdown had begun. */
function isMinor(lines: readonly string[], start: number, shutdownAt: number): boolean {
  const line = lines[start] ?? "";
  if (traceback.test(line)) return ignoredByPython.test(lines[start - 1] ?? "");
  if (lateMessage.test(lines[start - 1] ?? "")) return true;
  // Thread `main` is excluded, because the program's own uncaught error may be written after the shutdown has begun.
  const isOfThread = /^Exception in thread "(?!main")/.test(line);
  return shutdownAt >= 0 && start > shutdownAt && (isOfThread || javaError.test(line));
}

const traceback = /^Traceback \(most recent call last\):/;

/**
 * Matches the line before the traceback of an exception that Python ignores. It was raised in a finalizer, an exit
 * handler, a log call or a thread.
 */
const ignoredByPython =
  /^(?:Exception ignored |Error in atexit\.|--- Logging error ---|Exception in thread [^"])/;

/**
 * Returns the cause of the error that begins on this line. Follows Python's exception chain, and prefers the earliest
 * error of a known kind. Ignores a failed clean-up after the JVM or the session has ended, if the chain has an earlier
 * error.
 */
function chainedCause(lines: readonly string[], start: number): LogCause | undefined {
  let last: LogCause | undefined;
  let at = start;
  let until = lines.length;
  for (let links = 0; links < maxCauses; links += 1) {
    const before = lines.slice(0, until);
    const found = errorIn(before, at);
    if (found === undefined) return last;
    const cause = deepestKnown(before, withMessage(before, found));
    // A program may tolerate a missing optional module.
    const isTolerated = links > 0 && cause.kind === "pythonModule" && !isDirect(lines, until);
    if (last === undefined || lostSession.test(last.error)) last = cause;
    else if (cause.kind !== "exception" && !isTolerated) last = cause;
    const linkAt = at - 2;
    if (!traceback.test(lines[at] ?? "") || !chainLink.test(lines[linkAt] ?? "")) return last;
    until = linkAt;
    at = lines.slice(0, until).findLastIndex((line) => traceback.test(line));
    if (at < 0) return last;
  }
  return last;
}

const chainLink =
  /^(?:The above exception was the direct cause of|During handling of the above exception, another exception occurred:)/;

const isDirect = (lines: readonly string[], at: number): boolean =>
  /^The above/.test(lines[at] ?? "");

/** Errors of a clean-up after the JVM or the session has ended. */
const lostSession =
  /^(?:Py4JNetworkError|Connection(?:Refused|Reset)Error|AttributeError: 'NoneType' object has no attribute '(?:sc|_jvm|_jsc)')/;

/**
 * Appends the next line to an error if its message begins there. Spark writes parser errors, behavior changes of an
 * upgrade, and lost executors in this way. For a behavior change, Spark 4 names the conf key in one more line.
 */
function withMessage(lines: readonly string[], { error, at }: FoundError): FoundError {
  const [next = "", setting = ""] = lines.slice(at + 1, at + 3).map((line) => line.trim());
  const isOpen =
    next !== "" &&
    !next.startsWith("at ") &&
    /(?:Exception|Error|Reason|upgrading to Spark >= \d\.\d): *$/.test(error);
  if (!isOpen) return { error, at };
  const message = /^You can set "/.test(setting) ? `${next} ${setting}` : next;
  return { error: `${error.trimEnd()} ${message}`, at };
}

/** Matches the driver's line about a lost task of an executor. */
const lostTask =
  /\bLost task [\d.]{1,20} in stage [\d.]{1,20} \(TID \d{1,12}\) \(.{0,300} executor \d{1,9}\)/;

const heapError = /OutOfMemoryError: (?:Java heap space|GC overhead limit exceeded)/;

interface FoundError {
  readonly error: string;
  readonly at: number;
}

/** Returns the error that begins on this line. Undefined if none does. */
function errorIn(lines: readonly string[], at: number): FoundError | undefined {
  const line = lines[at] ?? "";
  const thread = /^Exception in thread "[^"]*" (.+)$/.exec(line)?.[1];
  if (thread !== undefined) return { error: thread, at };
  if (traceback.test(line)) return pythonErrorAfter(lines, at);
  if (/^\S*python[\d.]*: can't open file /.test(line)) {
    return { error: line.slice(line.indexOf("can't")), at };
  }
  // The container runtime writes this line in place of the program's output.
  if (/^exec \S+: (?:no such file|exec format error|permission denied)/.test(line)) {
    return { error: line, at };
  }
  if (noJavaMachine.test(line)) {
    // The general and the specific line come from two output streams, so their order varies.
    const near = [-1, 1, -2, 2].map((offset) => at + offset);
    const beside = near.find((one) => javaStart.test(lines[one] ?? "")) ?? at;
    return { error: lines[beside] ?? line, at: beside };
  }
  // Python reports a syntax error of the program itself without a traceback.
  if (syntaxError.test(line)) return isInTraceback(lines, at) ? undefined : { error: line, at };
  if (/^Error: (?:Failed to load |Missing |Cannot load |No main class )/.test(line)) {
    return { error: line.slice("Error: ".length), at };
  }
  // A Python exception has the same form, but a traceback precedes it.
  const isError = javaError.test(line) && !isWarning.test(line);
  return isError && !isInTraceback(lines, at) ? { error: line, at } : undefined;
}

const syntaxError = /^(?:SyntaxError|IndentationError|TabError): /;

const noJavaMachine =
  /^(?:Error occurred during initialization of VM|Error: Could not create the Java Virtual Machine)/;

// The event loop of Spark's Kubernetes client logs this exception with a trace on a busy node.
const isWarning = /^io\.vertx\.core\.VertxException: Thread blocked/;

const javaError = /^(?:[a-z][\w$]*\.)+[A-Z][\w$]*(?:Exception|Error)(?::|$)/;

/**
 * Returns the Python error, which is the first line after the indented stack frames. For a `Py4JJavaError`, returns the
 * JVM's error instead.
 */
function pythonErrorAfter(lines: readonly string[], start: number): FoundError | undefined {
  const isError = (line: string, at: number): boolean =>
    at > start && line !== "" && !/^\s/.test(line);
  const at = lines.findIndex(isError);
  const error = lines[at];
  if (error === undefined) return undefined;
  if (!error.startsWith("py4j.protocol.Py4JJavaError")) return { error, at };
  const inJvmAt = lines.findIndex((line, index) => index > at && line.startsWith(": "));
  const inJvm = lines[inJvmAt];
  return inJvm === undefined ? { error, at } : { error: inJvm.slice(2), at: inJvmAt };
}

function isInTraceback(lines: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= 0; before -= 1) {
    const line = lines[before] ?? "";
    if (/^Traceback /.test(line)) return true;
    if (!/^\s/.test(line)) return false;
  }
  return false;
}

const withoutPackage = (error: string): string =>
  error.replace(/^(?:[a-z_$][\w$]*\.)+(?=[A-Z])/, "");

// Bounds the search in a hostile log. Real exception chains are much shorter.
const maxCauses = 50;

/**
 * Returns the task's error if its kind is known, or else the deepest cause of a known kind. Without a known kind,
 * returns the task's error, or else the outermost error that is not a wrapper. Errors of the shuffle service take
 * precedence, as do fetch failures over the file and connection errors that they cause.
 */
function deepestKnown(lines: readonly string[], found: FoundError): LogCause {
  const inTask = taskError(lines, found);
  const causes = causesAfter(lines, found);
  const chain = [...(inTask === undefined ? [] : [inTask]), ...causes, found]
    .map(({ error, at }) => ({ error: withoutPackage(error), at }))
    .filter(({ error }) => !isErrno.test(error));
  const service = chain.find(({ error }) => shuffleService.test(error));
  if (service !== undefined) return { kind: "shuffleService", ...service };
  const fetch = chain.find(({ error }) => fetchFailure.test(error));
  for (const { error, at } of chain) {
    const kind = kindOfError(error);
    if (kind === undefined) continue;
    const isOfFetch = fetch !== undefined && ofLostBlock.includes(kind);
    return isOfFetch ? { kind: "fetchFailed", ...fetch } : { kind, error, at };
  }
  if (inTask !== undefined) {
    return { kind: "exception", error: withoutPackage(inTask.error), at: inTask.at };
  }
  // The deepest cause comes first in the chain.
  const own = chain.findLast(({ error }) => !isWrapper.test(error)) ?? chain[0];
  const { error, at } = own ?? { error: withoutPackage(found.error), at: found.at };
  const isTimeout =
    /^\w*TimeoutException\b/.test(error) && chain.some((each) => /^Kubernetes/.test(each.error));
  return { kind: isTimeout ? "apiServer" : "exception", error, at };
}

// Skipped, because only the enclosing exception names the program that Java cannot start.
const isErrno = /^IOException: error=\d{1,3}, /;

const fetchFailure = /\bFetchFailed(?:Exception)?\b/;

// Kinds of errors that a lost shuffle block causes: its file or its executor no longer exists.
const ofLostBlock: readonly LogCauseKind[] = ["file", "connection", "unknownHost"];

// Exceptions that only wrap another one.
const isWrapper =
  /^(?:SparkException: (?:External scheduler cannot be instantiated|Exception thrown in awaitResult|Job aborted\.?$)|InvocationTargetException\b|UndeclaredThrowableException\b|IllegalArgumentException: Error while instantiating '|(?:Execution|Completion)Exception\b|KubernetesClientException(?:$|: (?:Operation: \[|An error has occurred)))/;

/**
 * Returns the errors in the first 50 `Caused by:` lines of a stack trace, deepest first. The search ends at the next
 * log record that may have its own trace.
 */
function causesAfter(lines: readonly string[], { at }: FoundError): readonly FoundError[] {
  const causes: FoundError[] = [];
  for (let index = at + 1; index < lines.length && causes.length < maxCauses; index += 1) {
    const line = lines[index] ?? "";
    if (nextTrace.test(line)) break;
    const error = causedBy.exec(line)?.[1];
    if (error !== undefined) causes.push({ error, at: index });
  }
  return causes.reverse();
}

const nextTrace =
  /^(?:\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d (?:WARN|ERROR|FATAL) |Exception in thread ")/;

const causedBy = /^Caused by: (.+)$/;

/** Returns the error of a task's last attempt, from the message of a failed job. Undefined if there is none. */
function taskError(lines: readonly string[], { error, at }: FoundError): FoundError | undefined {
  const [, lost = ""] = error.split(/ failure: Lost task /, 2);
  const end = lost.indexOf(": ");
  const thrown = end < 0 ? undefined : lost.slice(end + 2);
  const isPython = pythonException.test(thrown ?? error);
  const python = isPython ? pythonErrorAfter(lines, at) : undefined;
  return python ?? (thrown === undefined ? undefined : { error: thrown, at });
}

const pythonException =
  /PythonException: (?:\[[A-Z_]+\][^:]{0,200}: ?)?\s*Traceback \(most recent call last\):/;
