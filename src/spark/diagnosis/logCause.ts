/** The error with which a log ends. */
export interface LogCause {
  readonly kind: "heap" | "file" | "mainClass" | "exception";
  /** Without its package: `FileNotFoundError: [Errno 2] …`. */
  readonly error: string;
  /** The index of its line. */
  readonly at: number;
}

/** The number of lines at the end of a log in which the error is searched; Spark logs its shutdown after the error. */
export const logEndLines = 200;

/**
 * The first line of the last exception in the last lines of a log, of Python, Java or spark-submit. An
 * exhausted heap precedes later exceptions, as it often causes them. Undefined without an exception.
 */
export function causeInLog(lines: readonly string[]): LogCause | undefined {
  const heapAt = lines.findLastIndex((line) => heapError.test(line));
  const heap = lines[heapAt];
  if (heap !== undefined) {
    return { kind: "heap", error: heap.slice(heap.search(heapError)), at: heapAt };
  }
  for (let start = lines.length - 1; start >= 0; start -= 1) {
    const found = errorIn(lines, start);
    if (found === undefined) continue;
    const { error, at } = found;
    return { kind: kindOf(error), error: withoutPackage(error), at };
  }
  return undefined;
}

const heapError = /OutOfMemoryError: (?:Java heap space|GC overhead limit exceeded)/;

interface FoundError {
  readonly error: string;
  readonly at: number;
}

/** The error that begins on this line. */
function errorIn(lines: readonly string[], at: number): FoundError | undefined {
  const line = lines[at] ?? "";
  const thread = /^Exception in thread "[^"]*" (.+)$/.exec(line)?.[1];
  if (thread !== undefined) return { error: thread, at };
  if (/^Traceback \(most recent call last\):/.test(line)) return pythonErrorAfter(lines, at);
  if (/^\S*python[\d.]*: can't open file /.test(line)) {
    return { error: line.slice(line.indexOf("can't")), at };
  }
  if (/^Error: (?:Failed to load |Missing |Cannot load |No main class )/.test(line)) {
    return { error: line.slice("Error: ".length), at };
  }
  // A Python exception has the same form, but its traceback precedes it.
  return javaError.test(line) && !isInTraceback(lines, at) ? { error: line, at } : undefined;
}

const javaError = /^(?:[a-z][\w$]*\.)+[A-Z][\w$]*(?:Exception|Error)(?::|$)/;

/** The first line after the indented frames. Py4J puts the error of the JVM on the next line. */
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

function kindOf(error: string): LogCause["kind"] {
  if (/^(?:Failed to load|Cannot load|No main) class|ClassNotFoundException/.test(error)) {
    return "mainClass";
  }
  const isFile =
    /No such file or directory|FileNotFoundException|NoSuchFileException|Path does not exist|PATH_NOT_FOUND|can't open file/;
  return isFile.test(error) ? "file" : "exception";
}
