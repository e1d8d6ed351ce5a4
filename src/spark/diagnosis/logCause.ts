import { defaultSecretRule } from "../redact.ts";
import { redactLine } from "../redactLine.ts";
import type { DiagnosedPod, Words } from "./diagnosis.ts";
import { shortened, words } from "./rule.ts";

/** The error with which a log ends. */
interface LogCause {
  readonly kind: "heap" | "file" | "mainClass" | "exception";
  /** Without its package: `FileNotFoundError: [Errno 2] …`. */
  readonly error: string;
}

/**
 * The first line of the last exception in the last lines of a log, of Python, Java or spark-submit. An
 * exhausted heap precedes later exceptions, as it often causes them. Undefined without an exception.
 */
export function causeInLog(lines: readonly string[]): LogCause | undefined {
  const heap = lines.findLast((line) => heapError.test(line));
  if (heap !== undefined) return { kind: "heap", error: heap.slice(heap.search(heapError)) };
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const error = errorIn(lines, at);
    if (error !== undefined) return { kind: kindOf(error), error: withoutPackage(error) };
  }
  return undefined;
}

const heapError = /OutOfMemoryError: (?:Java heap space|GC overhead limit exceeded)/;

/** The error that begins on this line. */
function errorIn(lines: readonly string[], at: number): string | undefined {
  const line = lines[at] ?? "";
  const thread = /^Exception in thread "[^"]*" (.+)$/.exec(line)?.[1];
  if (thread !== undefined) return thread;
  if (/^Traceback \(most recent call last\):/.test(line)) return pythonErrorAfter(lines, at);
  if (/^\S*python[\d.]*: can't open file /.test(line)) return line.slice(line.indexOf("can't"));
  if (/^Error: (?:Failed to load |Missing |Cannot load |No main class )/.test(line)) {
    return line.slice("Error: ".length);
  }
  // A Python exception has the same form, but its traceback precedes it.
  return javaError.test(line) && !isInTraceback(lines, at) ? line : undefined;
}

const javaError = /^(?:[a-z][\w$]*\.)+[A-Z][\w$]*(?:Exception|Error)(?::|$)/;

/** The first line after the indented frames. Py4J puts the error of the JVM on the next line. */
function pythonErrorAfter(lines: readonly string[], at: number): string | undefined {
  const rest = lines.slice(at + 1);
  const error = rest.find((line) => line !== "" && !/^\s/.test(line));
  if (error?.startsWith("py4j.protocol.Py4JJavaError") !== true) return error;
  const inJvm = rest.find((line) => line.startsWith(": "));
  return inJvm?.slice(2) ?? error;
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

export function describeCause({ kind, error }: LogCause, role: DiagnosedPod["role"]): Words {
  const told = redactLine(error, defaultSecretRule);
  switch (kind) {
    case "heap":
      return words(
        "Java heap exhausted",
        "The Java heap is full. The memory limit of the container was not exceeded.",
        `Raise the ${role}'s memory, or process less data at once.`,
        [`spark.${role}.memory`],
        told,
      );
    case "file":
      return words(
        shortened(error),
        "A file or directory does not exist.",
        "Check the path. A path in the image begins with local://; other paths must be reachable from the pod.",
        [],
        told,
      );
    case "mainClass":
      return words(
        shortened(error),
        "A class is missing in the jars of the application.",
        "Check the class name, the jars and their Scala and Spark versions.",
        ["spark.jars", "spark.jars.packages"],
        told,
      );
    case "exception":
      return words(
        shortened(error),
        `The ${role} ended with this exception.`,
        "Fix the cause of the exception; the log has its stack trace.",
        [],
        told,
      );
  }
}
