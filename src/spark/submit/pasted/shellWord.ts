import type { Span } from "../../../base/span.ts";

/** A word of a shell command, with what stands in it for something else. */
export interface ShellWord {
  readonly parts: readonly WordPart[];
  readonly span: Span;
}

export type WordPart =
  | { readonly kind: "text"; readonly text: string }
  | VariablePart
  /** What only a shell could work out, as it was written. */
  | { readonly kind: "refused"; readonly text: string; readonly span: Span };

export interface VariablePart {
  readonly kind: "variable";
  /** `NAME` of `$NAME`, `1` of `$1`; a placeholder with its brackets: `<host>`. */
  readonly name: string;
  /** What the text itself gives, as in `${NAME:-default}`. */
  readonly fallback: string | undefined;
  /** In quotes the value stays one word; outside a shell splits it at blanks. */
  readonly isQuoted: boolean;
  readonly span: Span;
}

/** The word as far as it is known; a variable as it would be written. */
export const textOfWord = ({ parts }: ShellWord): string =>
  parts.map((part) => (part.kind === "variable" ? writtenName(part.name) : part.text)).join("");

export const isPlain = ({ parts }: ShellWord): boolean =>
  parts.every(({ kind }) => kind === "text");

const writtenName = (name: string): string => (name.startsWith("<") ? name : `\${${name}}`);
