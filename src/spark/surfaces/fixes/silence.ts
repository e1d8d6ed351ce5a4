import type { TextEdit } from "../../../base/textEdit.ts";
import type { ConfDocument, ConfEntry } from "../../conf/parse/confDocument.ts";
import type { Surface } from "../surfaces.ts";
import { lineStart } from "./lineBounds.ts";

/** The start of a comment in the document's language. */
export type CommentSign = "#" | "//" | "<!--";

/**
 * Returns an edit that inserts a comment on the line before the setting. The comment applies only to this setting.
 * Undefined if an additional line would change the text's meaning, or if another setting precedes on the same line.
 */
export function silenceNext(
  text: string,
  surface: Surface,
  { document, entry }: { readonly document: ConfDocument; readonly entry: ConfEntry },
  code: string,
  sign: CommentSign,
): TextEdit | undefined {
  const start = lineStart(text, entry.keySpan.start);
  const before = text.slice(start, entry.keySpan.start);
  const indent = /^[ \t]*/.exec(before)?.[0] ?? "";
  const isAfterBackslash = /\\\r?\n$/.test(text.slice(Math.max(0, start - 3), start));
  const isFirst = document.entries.every(
    ({ keySpan }) => keySpan.start < start || keySpan.start >= entry.keySpan.start,
  );
  // In programs, only the document of a command in a string has no `application`. A comment would become part of that
  // string.
  const isInText = /^(?:python|scala|java)$/.test(surface) && document.application === undefined;
  if (surface === "command" || isAfterBackslash || isInText || !isFirst) return undefined;
  return {
    span: { start, end: start },
    text: `${indent}${comment(sign, `${nextSetting} ${code}=off`)}\n`,
  };
}

/**
 * Returns an edit that inserts a comment for the entire file: after the lines that must come first, or at the end of
 * Markdown.
 */
export function silenceInFile(text: string, code: string, sign: CommentSign): TextEdit {
  const own = comment(sign, `spark-k8s: ${code}=off`);
  if (sign === "<!--") {
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    return { span: { start: text.length, end: text.length }, text: `${gap}\n${own}\n` };
  }
  const head =
    /^\ufeff?(?:(?:#!|# ?-\*-|# ?syntax=|# ?escape=|\/\/ ?>).*\r?\n)*/.exec(text)?.[0] ?? "";
  return { span: { start: head.length, end: head.length }, text: `${own}\n` };
}

const nextSetting = "spark-k8s-next:";

const comment = (sign: CommentSign, text: string): string =>
  sign === "<!--" ? `<!-- ${text} -->` : `${sign} ${text}`;
