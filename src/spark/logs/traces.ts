import { digestOf } from "./digestOf.ts";
import type { LogRecord } from "./logRecord.ts";

/** The error of a stack trace. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  /** The position in an SQL statement, if the message contains one. Line and column start at 1. */
  readonly sqlPosition: { readonly line: number; readonly column: number } | undefined;
}

/**
 * Returns a digest that is equal for similar stack traces: exceptions and frames without parts that vary by time or
 * JVM. A digest saves memory.
 */
export function traceKeyOf(record: LogRecord): string {
  const lines = [record.text, ...record.rest.map(({ text }) => text)];
  const frames = lines.filter((text) => isFrame.test(text)).map((text) => frameKeyOf(text.trim()));
  return digestOf(`${thrownBy(record)?.name ?? ""}\n${frames.join("\n")}`);
}

const isFrame = /^\s+(?:at |File ")/;

// Removes the parts of generated class names that each JVM numbers: `$$Lambda$1042/0x…`, before Java 15
// `$$Lambda$23/1183888521`, hidden classes such as `LambdaForm$MH/0x…`, and classes of Spark's code generation.
const frameKeyOf = (frame: string): string =>
  frame
    .replace(/(\$\$Lambda)(?:\$\d+)?(?:\/\d+(?=\.))?/, "$1")
    .replace(/\/0x[\da-f]+/, "")
    .replace(
      /(Generated(?:Method|Constructor|SerializationConstructor)Accessor|GeneratedIteratorForCodegenStage|\$Proxy)\d+/,
      "$1",
    );

/** Returns the error of a record's stack trace: the last one in Python, the root cause in Java. */
export function thrownBy(record: LogRecord): ThrownError | undefined {
  const lines = [record.text, ...record.rest.map(({ text }) => text)];
  const isPython = lines.some((text) => text.includes("Traceback (most recent call last):"));
  const all = lines.flatMap((text) => errorIn(text) ?? []);
  const causes = lines
    .filter((text) => text.startsWith("Caused by: "))
    .flatMap((text) => errorIn(text.slice("Caused by: ".length)) ?? []);
  const found = isPython ? lastPython(lines) : (causes.at(-1) ?? all[0]);
  if (found === undefined) return undefined;
  const position = /\bline (\d+)[,]? pos(?:ition)? (\d+)/.exec(lines.join("\n"));
  if (position === null) return { ...found, sqlPosition: undefined };
  // Spark counts columns from 0 in `pos` and from 1 in `position`.
  const base = position[0].includes("position") ? 0 : 1;
  const sqlPosition = { line: Number(position[1]), column: Number(position[2]) + base };
  return { ...found, sqlPosition };
}

/** Returns the error in the unindented line after the frames of the last Python traceback. */
function lastPython(lines: readonly string[]): Omit<ThrownError, "sqlPosition"> | undefined {
  const start = lines.findLastIndex((text) => text.includes("Traceback (most recent call last):"));
  const line = lines.slice(start + 1).find((text) => /^\S/.test(text));
  if (line === undefined) return undefined;
  // After the frames, any name is an exception.
  const [, name, message = ""] = /^([^\s:]+)(?::(.*))?$/.exec(line) ?? [];
  return name === undefined ? undefined : { name, message: message.trimStart() };
}

function errorIn(text: string): Omit<ThrownError, "sqlPosition"> | undefined {
  const [, name, message = ""] =
    /^(?:Exception in thread "[^"]*" )?((?:[\w\p{L}\p{M}$]+\.)*[\p{L}_$][\w\p{L}\p{M}$]*(?:Exception|Error|Throwable|Failure|Interrupt|Exit|Warning))(?::(.*))?$/u.exec(
      text,
    ) ?? [];
  return name === undefined ? undefined : { name, message: message.trimStart() };
}
