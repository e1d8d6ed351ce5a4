import { digestOf } from "./digestOf.ts";
import type { LogRecord } from "./logRecord.ts";

/** What a trace says went wrong. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  /** Of SQL, where it says so: from 1. */
  readonly sqlPosition: { readonly line: number; readonly column: number } | undefined;
}

/**
 * The same for traces that are alike: the exceptions and the frames, without what changes from time to time or
 * from one JVM to another. A digest, as whole traces of many kinds would fill the memory.
 */
export function traceKeyOf(record: LogRecord): string {
  const lines = [record.text, ...record.rest.map(({ text }) => text)];
  const frames = lines.filter((text) => isFrame.test(text)).map((text) => frameKeyOf(text.trim()));
  return digestOf(`${thrownBy(record)?.name ?? ""}\n${frames.join("\n")}`);
}

const isFrame = /^\s+(?:at |File ")/;

// `$$Lambda$1042/0x0000000840a1b040`, `$$Lambda/0x…`, before Java 15 `$$Lambda$23/1183888521`; hidden classes,
// `LambdaForm$MH/0x…`; and the classes that Java and Spark make as they need them: all counted by each JVM.
const frameKeyOf = (frame: string): string =>
  frame
    .replace(/(\$\$Lambda)(?:\$\d+)?(?:\/\d+(?=\.))?/, "$1")
    .replace(/\/0x[\da-f]+/, "")
    .replace(
      /(Generated(?:Method|Constructor|SerializationConstructor)Accessor|GeneratedIteratorForCodegenStage|\$Proxy)\d+/,
      "$1",
    );

/**
 * The error that a record's trace ends with: of Python the last one, which the program saw; of the JVM the
 * first, and the innermost cause where there is one.
 */
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
  // Spark counts the letters of a line from 0 in `pos`, from 1 in `position`.
  const base = position[0].includes("position") ? 0 : 1;
  const sqlPosition = { line: Number(position[1]), column: Number(position[2]) + base };
  return { ...found, sqlPosition };
}

/** The unindented line after the frames of the last trace of Python's. */
function lastPython(lines: readonly string[]): Omit<ThrownError, "sqlPosition"> | undefined {
  const start = lines.findLastIndex((text) => text.includes("Traceback (most recent call last):"));
  const line = lines.slice(start + 1).find((text) => /^\S/.test(text));
  if (line === undefined) return undefined;
  // There it is the exception whatever it is called.
  const [, name, message = ""] = /^([^\s:]+)(?::\s*(.*))?$/.exec(line) ?? [];
  return name === undefined ? undefined : { name, message };
}

function errorIn(text: string): Omit<ThrownError, "sqlPosition"> | undefined {
  const [, name, message = ""] =
    /^(?:Exception in thread "[^"]*" )?((?:[\w\p{L}\p{M}$]+\.)*[\p{L}_$][\w\p{L}\p{M}$]*(?:Exception|Error|Throwable|Failure|Interrupt|Exit|Warning))(?::\s*(.*))?$/u.exec(
      text,
    ) ?? [];
  return name === undefined ? undefined : { name, message };
}
