// Edits that insert and remove settings in programs. Each function returns an edit of the text.
import type { TextEdit } from "../../../base/textEdit.ts";
import type { ConfEntry } from "../../conf/parse/confDocument.ts";
import { lineEnd, lineStart } from "./lineBounds.ts";

/**
 * Adds `.config("key", "value")` or `.set("key", "value")` after the entry's own call of that kind. Undefined if the
 * entry is not in such a call.
 */
export function addCall(
  text: string,
  { keySpan, valueSpan }: ConfEntry,
  key: string,
  value: string,
): TextEdit | undefined {
  const before = callBefore(text, keySpan.start);
  const behind = callBehind(text, valueSpan.end);
  if (before === null || behind === null) return undefined;
  const [, call = "", quote = ""] = before;
  const end = valueSpan.end + behind[0].length;
  const own = `${call}${quote}${key}${quote}, ${quote}${value}${quote})`;
  return { span: { start: end, end }, text: own };
}

/**
 * Removes `.config("key", "value")`, within a chain or as a statement, or a map member on its own line. Undefined if
 * the removal could break the code.
 */
export function removeCall(text: string, { keySpan, valueSpan }: ConfEntry): TextEdit | undefined {
  const lineFrom = lineStart(text, keySpan.start);
  const lineTo = lineEnd(text, valueSpan.end);
  const wholeLine = { span: { start: lineFrom, end: Math.min(text.length, lineTo + 1) }, text: "" };
  const before = callBefore(text, keySpan.start);
  const behind = callBehind(text, valueSpan.end);
  if (before === null || behind === null) {
    const isMember =
      /^[ \t]*["']$/.test(text.slice(lineFrom, keySpan.start)) &&
      /^["']?,[ \t]*\r?$/.test(text.slice(valueSpan.end, lineTo));
    return isMember && lineFrom === lineStart(text, valueSpan.end) ? wholeLine : undefined;
  }
  const from = keySpan.start - before[0].length;
  const to = valueSpan.end + behind[0].length;
  const receiver = text.slice(lineStart(text, from), from);
  const rest = text.slice(to, lineTo).trim();
  const isStatement = /^[ \t]*[\w.]+$/.test(receiver) && (rest === "" || rest === ";");
  if (isStatement || (receiver.trim() === "" && rest === "")) {
    return { span: { start: lineStart(text, from), end: wholeLine.span.end }, text: "" };
  }
  if (receiver.trim() !== "") {
    const isOfChain = /(?:\)|\bbuilder)$/.test(receiver) || rest.startsWith(".");
    return isOfChain ? { span: { start: from, end: to }, text: "" } : undefined;
  }
  // The rest of the line moves up to the previous line, which must not contain a comment.
  const above = text.slice(lineStart(text, lineFrom - 1), lineFrom);
  if (/#|\/\//.test(above)) return undefined;
  const kept = above.trimEnd();
  const end = kept.endsWith("\\") ? kept.slice(0, -1).trimEnd().length : kept.length;
  const start = lineFrom - above.length + end;
  return { span: { start, end: to }, text: "" };
}

const callBefore = (text: string, keyFrom: number): RegExpExecArray | null =>
  /(\.(?:config|set)\()(["'])$/.exec(text.slice(Math.max(0, keyFrom - 20), keyFrom));

const callBehind = (text: string, valueTo: number): RegExpExecArray | null =>
  /^["']?\)/.exec(text.slice(valueTo, valueTo + 2));
