import type { Span } from "../../../base/span.ts";

/** A word of a shell command. Its variables are unresolved. */
export interface ShellWord {
  readonly parts: readonly WordPart[];
  readonly span: Span;
}

export type WordPart =
  | { readonly kind: "text"; readonly text: string }
  | VariablePart
  /** An expansion that only a shell can evaluate. `text`: the expansion as written. */
  | { readonly kind: "refused"; readonly text: string; readonly span: Span };

export interface VariablePart {
  readonly kind: "variable";
  /** `NAME` of `$NAME`, `1` of `$1`; a placeholder with its brackets: `<host>`. */
  readonly name: string;
  /** The default value, as in `${NAME:-default}`. */
  readonly fallback: string | undefined;
  /** A quoted value stays one word; a shell splits an unquoted one at whitespace. */
  readonly isQuoted: boolean;
  readonly span: Span;
}

/** Returns the word's text. Unresolved variables stay as written. */
export const textOfWord = ({ parts }: ShellWord): string =>
  parts.map((part) => (part.kind === "variable" ? writtenName(part.name) : part.text)).join("");

export const isPlain = ({ parts }: ShellWord): boolean =>
  parts.every(({ kind }) => kind === "text");

const writtenName = (name: string): string => (name.startsWith("<") ? name : `\${${name}}`);
