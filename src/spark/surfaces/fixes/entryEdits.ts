// Edits that change, remove and insert settings on each surface. Each function returns an edit of the text. Undefined
// if the edit is not possible at that place.
import type { TextEdit } from "../../../base/textEdit.ts";
import type { ConfEntry } from "../../conf/parse/confDocument.ts";
import { parseProperties } from "../../conf/parse/properties.ts";
import { printProperty } from "../../conf/parse/propertiesEscapes.ts";
import type { Surface } from "../surfaces.ts";
import { addCall, removeCall } from "./callEdits.ts";
import { lineEnd, lineStart } from "./lineBounds.ts";

/** Renames the key if it is written literally. A value that is aligned by spaces keeps its column. */
export function renameKey(text: string, entry: ConfEntry, key: string): TextEdit | undefined {
  const { keySpan, valueSpan } = entry;
  if (text.slice(keySpan.start, keySpan.end) !== entry.key || !isPlain(key)) return undefined;
  const gap = text.slice(keySpan.end, valueSpan.start);
  if (!/^ {2,}$/.test(gap)) return { span: keySpan, text: key };
  const width = entry.key.length + gap.length;
  return {
    span: { start: keySpan.start, end: valueSpan.start },
    text: `${key} `.padEnd(width),
  };
}

/** Changes the value if it is written literally and the new one needs no quotes. */
export function changeValue(text: string, entry: ConfEntry, value: string): TextEdit | undefined {
  const { valueSpan } = entry;
  if (text.slice(valueSpan.start, valueSpan.end) !== entry.value) return undefined;
  return isPlain(value) ? { span: valueSpan, text: value } : undefined;
}

/** True for text that needs neither quotes nor escapes on any surface. */
const isPlain = (text: string): boolean => /^[\w./:@+-]+$/.test(text);

/** Removes the setting, and its line if nothing else is on it. */
export function removeEntry(
  text: string,
  surface: Surface,
  entry: ConfEntry,
): TextEdit | undefined {
  switch (surface) {
    case "properties": {
      const { start } = entry.keySpan;
      const piece = parseProperties(text).pieces.find(
        ({ span }) => span.start <= start && start < span.end,
      );
      return piece && { span: piece.span, text: "" };
    }
    case "manifest":
      return removeLine(text, entry);
    case "command":
      return removeOption(text, entry);
    case "profiles":
      return removeMember(text, entry);
    case "python":
    case "scala":
    case "java":
      return removeCall(text, entry);
  }
}

/** Removes a YAML setting with its line. Undefined if its map would become empty. */
function removeLine(text: string, { keySpan, valueSpan }: ConfEntry): TextEdit | undefined {
  const start = lineStart(text, keySpan.start);
  const end = lineEnd(text, valueSpan.end);
  const before = text.slice(start, keySpan.start);
  const behind = text.slice(valueSpan.end, end);
  if (!/^ *["']?$/.test(before) || !/^["']?[ \t]*(?:#.*)?\r?$/.test(behind)) return undefined;
  if (text.slice(start, end).includes("\n")) return undefined;
  const indent = before.length - before.trimStart().length || before.replace(/["']/, "").length;
  const isSibling = (line: string): boolean =>
    line.search(/[^ ]/) === indent && /^ *["']?[\w.-]+["']?:/.test(line);
  const previous = text.slice(lineStart(text, start - 1), Math.max(0, start - 1));
  const next = text.slice(end + 1, lineEnd(text, end + 1));
  if (!isSibling(previous) && !isSibling(next)) return undefined;
  return { span: { start, end: Math.min(text.length, end + 1) }, text: "" };
}

/** Removes a JSON member with its line, and a comma that becomes redundant. */
function removeMember(text: string, { keySpan, valueSpan }: ConfEntry): TextEdit | undefined {
  const start = lineStart(text, keySpan.start);
  const end = lineEnd(text, valueSpan.end);
  const behind = text.slice(valueSpan.end, end).trim();
  const isAlone = /^[ \t]*"$/.test(text.slice(start, keySpan.start));
  if (!isAlone || !/^"?,?$/.test(behind) || text.slice(start, end).includes("\n")) return undefined;
  if (behind.endsWith(",")) return { span: { start, end: end + 1 }, text: "" };
  const before = text.slice(0, start).trimEnd();
  if (!before.endsWith(",")) return undefined;
  const span = { start: before.length - 1, end: valueSpan.end + behind.length };
  return { span, text: "" };
}

/** Removes `--conf key=value` with the blanks before it, and with its line if nothing else is on it. */
function removeOption(text: string, { keySpan, valueSpan }: ConfEntry): TextEdit | undefined {
  const start = lineStart(text, keySpan.start);
  const before = /(?:^|[ \t])(?:--conf|-c)[ =]["']?$/.exec(text.slice(start, keySpan.start));
  if (before === null) return undefined;
  const quote = /["']$/.exec(before[0])?.[0] ?? "";
  const inner = /["']/.exec(text.charAt(valueSpan.start - 1))?.[0] ?? "";
  const closing = `${inner}${quote}`;
  if (!text.startsWith(closing, valueSpan.end)) return undefined;
  const from = start + before.index;
  const to = valueSpan.end + closing.length;
  if (!/^(?:[ \t\r\n]|$)/.test(text.slice(to, to + 1))) return undefined;
  const rest = /^[ \t]*[\\^`][ \t]*\r?\n/.exec(text.slice(to));
  const isAlone = text.slice(start, from).trim() === "" && start > 0;
  if (isAlone && rest !== null) return { span: { start, end: to + rest[0].length }, text: "" };
  return { span: { start: from, end: to }, text: "" };
}

/** Adds a setting after another one, in the same notation. */
export function addEntry(
  text: string,
  surface: Surface,
  entry: ConfEntry,
  key: string,
  value: string,
): TextEdit | undefined {
  if (!isPlain(key) || !isPlain(value)) return undefined;
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const at = (offset: number, own: string): TextEdit => ({
    span: { start: offset, end: offset },
    text: own,
  });
  const { keySpan, valueSpan } = entry;
  switch (surface) {
    case "properties": {
      const start = keySpan.start;
      const piece = parseProperties(text).pieces.find(
        ({ span }) => span.start <= start && start < span.end,
      );
      if (piece === undefined) return undefined;
      const isLast = !/[\r\n]$/.test(text.slice(0, piece.span.end));
      const line = printProperty(key, value);
      return at(piece.span.end, isLast ? `${newline}${line}` : `${line}${newline}`);
    }
    case "manifest": {
      if (entry.field !== undefined) return undefined;
      const start = lineStart(text, keySpan.start);
      const before = text.slice(start, keySpan.start);
      const end = lineEnd(text, valueSpan.end);
      const behind = text.slice(valueSpan.end, end);
      if (!/^ *["']?$/.test(before) || !/^["']?[ \t]*(?:#.*)?\r?$/.test(behind)) return undefined;
      const indent = before.replace(/["']/, "");
      // Quotes the value, because Kubernetes requires strings.
      return at(end, `\n${indent}${key}: "${value}"${behind.endsWith("\r") ? "\r" : ""}`);
    }
    case "profiles": {
      // Inserts after the closing quote, on the same line as the previous setting or on a new one.
      const end = valueSpan.end + (text.charAt(valueSpan.end) === '"' ? 1 : 0);
      const before = text.slice(lineStart(text, keySpan.start), keySpan.start - 1);
      const gap = before.trim() === "" ? `${newline}${before}` : " ";
      return at(end, `,${gap}"${key}": "${value}"`);
    }
    case "command": {
      const start = lineStart(text, keySpan.start);
      const before =
        /(?:^|[ \t])(?:(--conf|-c)([ =])(["']?))?$/.exec(text.slice(start, keySpan.start)) ?? [];
      const [, option = "--conf", separator = " ", quote = ""] = before;
      // A dedicated option, such as `--driver-memory`, has no `--conf` before it.
      if (before[1] === undefined && text.charAt(keySpan.start) !== "-") return undefined;
      const inner = /["']/.exec(text.charAt(valueSpan.start - 1))?.[0] ?? "";
      const closing = `${inner}${quote}`;
      const end = valueSpan.end + closing.length;
      const isWhole = text.startsWith(closing, valueSpan.end) && /^(?:\s|$)/.test(text.charAt(end));
      return isWhole ? at(end, ` ${option}${separator}${quote}${key}=${value}${quote}`) : undefined;
    }
    case "python":
    case "scala":
    case "java":
      return addCall(text, entry, key, value);
  }
}
