import type { CodeToken } from "./codeTokens.ts";

/** The pairs of brackets in a program. Indexes refer to its tokens. */
export interface Brackets {
  /**
   * Returns the index of the innermost bracket that is open at the token. For a closing bracket, this is the matching
   * opening one. Undefined if no bracket is open.
   */
  readonly openOf: (index: number) => number | undefined;
  /** Returns the index after the argument or element that begins at the token. */
  readonly endOfPart: (index: number) => number;
}

/** Maximum length of an argument or element, in tokens. */
const maxPartTokens = 500;

/** Matches the brackets in one pass. Pairs them by nesting only, even if their kinds differ. */
export function brackets(tokens: readonly CodeToken[]): Brackets {
  const around: (number | undefined)[] = [];
  const closing = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach((token, index) => {
    around[index] = open.at(-1);
    if (token.kind !== "mark") return;
    if ("([{".includes(token.text)) open.push(index);
    else if (")]}".includes(token.text)) {
      const opened = open.pop();
      if (opened !== undefined) closing.set(opened, index);
    }
  });
  return {
    openOf: (index) => around[index],
    endOfPart: (start) => {
      let at = start;
      const last = Math.min(tokens.length, start + maxPartTokens);
      for (; at < last; at++) {
        const token = tokens[at];
        if (token?.kind !== "mark") continue;
        if (",;)]}".includes(token.text)) break;
        if (!"([{".includes(token.text)) continue;
        const closed = closing.get(at);
        // An unclosed bracket ends the part.
        if (closed === undefined) return at + 1;
        at = closed;
      }
      return Math.min(at, last);
    },
  };
}
