import type { Cell } from "./cells.ts";
import type { Dialect } from "./dialect.ts";

/** An expansion that begins with `$`, `%`, `<` or a backquote. `end`: the index of the cell after it. */
type Expansion =
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly fallback: string | undefined;
      readonly end: number;
    }
  | { readonly kind: "substitution" | "expansion"; readonly end: number };

const nameStart = /[A-Za-z_]/;
const nameChar = /[A-Za-z0-9_]/;
const maxPlaceholderLength = 80;

/** Reads the expansion at `at`; undefined if the character is a literal. */
export function readExpansion(
  cells: readonly Cell[],
  at: number,
  dialect: Dialect,
): Expansion | undefined {
  const char = charAt(cells, at);
  if (char === "`" && dialect.hasBackquotes) {
    return { kind: "substitution", end: endOfBackquotes(cells, at) };
  }
  if (char === "<") return readPlaceholder(cells, at);
  if (char === "%" && dialect.variables === "percent") return readPercent(cells, at);
  if (char !== "$" || dialect.variables !== "dollar") return undefined;
  const next = charAt(cells, at + 1);
  if (next === "(") return { kind: "substitution", end: endOfParentheses(cells, at + 1) };
  if (next === "{") return readBraces(cells, at);
  if (/[0-9@*#?]/.test(next)) {
    return { kind: "variable", name: next, fallback: undefined, end: at + 2 };
  }
  if (!nameStart.test(next)) return undefined;
  let end = endOfName(cells, at + 1);
  let name = charsOf(cells, at + 1, end);
  // Reads `$env:NAME`, PowerShell's syntax for environment variables.
  if (name.toLowerCase() === "env" && charAt(cells, end) === ":") {
    const start = end + 1;
    end = endOfName(cells, start);
    name = charsOf(cells, start, end);
  }
  return { kind: "variable", name, fallback: undefined, end };
}

export const charAt = (cells: readonly Cell[], at: number): string => cells[at]?.char ?? "";

export function charsOf(cells: readonly Cell[], start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += charAt(cells, at);
  return text;
}

// Supports ${NAME}, ${NAME?message}, ${NAME-default} and ${NAME=default}, also with a colon. Other expansions need a
// shell.
function readBraces(cells: readonly Cell[], at: number): Expansion {
  let depth = 0;
  let end = at + 1;
  for (; end < cells.length; end++) {
    const char = charAt(cells, end);
    if (char === "{") depth++;
    else if (char === "}" && --depth === 0) break;
  }
  const inner = charsOf(cells, at + 2, end);
  const [head = "", name] = /^(?:env:)?([A-Za-z_]\w*|[0-9@*])/i.exec(inner) ?? [];
  const rest = inner.slice(head.length);
  const whole = Math.min(end + 1, cells.length);
  if (name === undefined) return { kind: "expansion", end: whole };
  if (rest === "") return { kind: "variable", name, fallback: undefined, end: whole };
  const fallback = /^:?[-=]([^$`]*)$/.exec(rest)?.[1];
  if (fallback !== undefined) return { kind: "variable", name, fallback, end: whole };
  if (/^:?\?/.test(rest)) return { kind: "variable", name, fallback: undefined, end: whole };
  return { kind: "expansion", end: whole };
}

// Reads a placeholder such as `<host>` in a manual. A shell would parse it as two redirections.
function readPlaceholder(cells: readonly Cell[], at: number): Expansion | undefined {
  if (!nameStart.test(charAt(cells, at + 1))) return undefined;
  for (let end = at + 2; end < Math.min(cells.length, at + maxPlaceholderLength); end++) {
    const char = charAt(cells, end);
    if (char === ">") {
      if (charAt(cells, end - 1) === " ") return undefined;
      return {
        kind: "variable",
        name: charsOf(cells, at, end + 1),
        fallback: undefined,
        end: end + 1,
      };
    }
    if (!/[\w .:/-]/.test(char)) return undefined;
  }
  return undefined;
}

function readPercent(cells: readonly Cell[], at: number): Expansion | undefined {
  const end = endOfName(cells, at + 1);
  if (end === at + 1 || charAt(cells, end) !== "%") return undefined;
  return {
    kind: "variable",
    name: charsOf(cells, at + 1, end),
    fallback: undefined,
    end: end + 1,
  };
}

function endOfName(cells: readonly Cell[], start: number): number {
  let end = start;
  while (end < cells.length && nameChar.test(charAt(cells, end))) end++;
  return end;
}

function endOfBackquotes(cells: readonly Cell[], at: number): number {
  for (let end = at + 1; end < cells.length; end++) {
    if (charAt(cells, end) === "\\") end++;
    else if (charAt(cells, end) === "`") return end + 1;
  }
  return cells.length;
}

function endOfParentheses(cells: readonly Cell[], at: number): number {
  let depth = 0;
  for (let end = at; end < cells.length; end++) {
    const char = charAt(cells, end);
    if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return end + 1;
  }
  return cells.length;
}
