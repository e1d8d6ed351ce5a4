// Adds a run profile to the text of a tasks.json. Keeps the other text, apart from a comma before the new element.
import { findNodeAtLocation, parseTree, type Node, type ParseError } from "jsonc-parser";
import type { Span } from "../../../base/span.ts";
import { commaFrom, profilesIn } from "./profilesText.ts";

interface AddedProfile {
  readonly text: string;
  /** The position of the new profile in `text`. */
  readonly span: Span;
}

/** An entry of `inputs` in tasks.json, for a variable `${input:ID}`. */
interface NamedInput {
  readonly id: string;
}

/**
 * Appends a task and those inputs whose IDs are new. Undefined if the text has a syntax error or its `tasks` or
 * `inputs` are not lists.
 */
export function insertProfile(
  text: string,
  task: Readonly<Record<string, unknown>>,
  inputs: readonly NamedInput[],
): AddedProfile | undefined {
  const given = text.trim() === "" ? '{\n  "version": "2.0.0",\n  "tasks": []\n}\n' : text;
  const known = inputIds(given);
  let whole = append(given, "tasks", task);
  for (const input of inputs.filter(({ id }) => !known.includes(id))) {
    whole = whole === undefined ? undefined : append(whole, "inputs", input);
  }
  const span = whole === undefined ? undefined : profilesIn(whole).at(-1)?.span;
  return whole === undefined || span === undefined ? undefined : { text: whole, span };
}

function inputIds(text: string): readonly unknown[] {
  const root = rootOf(text);
  const inputs = root && findNodeAtLocation(root, ["inputs"]);
  return (inputs?.children ?? []).map((input): unknown => findNodeAtLocation(input, ["id"])?.value);
}

function rootOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  return errors.length === 0 && root?.type === "object" ? root : undefined;
}

function append(text: string, name: string, value: unknown): string | undefined {
  const root = rootOf(text);
  if (root === undefined) return undefined;
  const list = findNodeAtLocation(root, [name]);
  if (list === undefined) return appendChild(text, root, `${JSON.stringify(name)}: `, [value]);
  return list.type === "array" ? appendChild(text, list, "", value) : undefined;
}

/** Appends a member to an object or an element to a list. */
function appendChild(text: string, parent: Node, prefix: string, value: unknown): string {
  const { indent, eol } = styleOf(text);
  const last = parent.children?.at(-1);
  const outer = indentAt(text, parent.offset);
  const inner =
    last !== undefined && isFirstInLine(text, last.offset)
      ? indentAt(text, last.offset)
      : outer + indent;
  const json = JSON.stringify(value, undefined, indent).replaceAll("\n", eol + inner);
  const added = `${eol}${inner}${prefix}${json}`;
  const close = parent.offset + parent.length - 1;
  const start = last === undefined ? parent.offset + 1 : last.offset + last.length;
  const comma = last === undefined ? undefined : commaFrom(text, start);
  const afterComma = comma === undefined ? start : comma + 1;
  const at = afterComma + trailingComment(text.slice(afterComma, close)).length;
  const missingComma = last === undefined || comma !== undefined ? "" : ",";
  const rest = text.slice(at);
  const lineEnd = /^[ \t]*\r?\n/.test(rest) ? "" : eol + outer;
  return (
    text.slice(0, start) +
    missingComma +
    text.slice(start, at) +
    added +
    lineEnd +
    rest.replace(lineEnd === "" ? "" : /^[ \t]+/, "")
  );
}

/** Returns a comment that follows on the same line. It belongs to the element before it. */
const trailingComment = (text: string): string =>
  /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^*\r\n]*\*\/)(?=[ \t]*\r?\n)/.exec(text)?.[0] ?? "";

const lineStart = (text: string, offset: number): number => text.lastIndexOf("\n", offset - 1) + 1;

const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? "";

const isFirstInLine = (text: string, offset: number): boolean =>
  text.slice(lineStart(text, offset), offset).trim() === "";

const styleOf = (text: string): { readonly indent: string; readonly eol: string } => ({
  indent: /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ",
  eol: text.includes("\r\n") ? "\r\n" : "\n",
});
