import { unseenCharacters } from "../../base/unseenCharacters.ts";

// Neutralizes links, icons and control characters in text from clusters, drivers and workspaces. Pure functions, so
// that tests can run VS Code's parsers on their results.

/** Sanitizes text for a place in the user interface. */
export type TextRule = (text: string) => string;

/**
 * Returns a rule that converts text to one line of at most `limit` UTF-16 code units. Line breaks and tabs become
 * spaces.
 */
export const lineOfText =
  (limit: number): TextRule =>
  (text) =>
    bounded(unmarked(seen(headOf(text, limit), " ")), limit, text);

/** As `lineOfText`, but keeps line breaks and at most one empty line in sequence. */
export const blockOfText =
  (limit: number): TextRule =>
  (text) => {
    const lines = seen(headOf(text, limit), "\n").replaceAll(/\n{3,}/g, "\n\n");
    return bounded(unmarked(lines), limit, text);
  };

/** Rules by place. A notification shows at most 1,000 characters; other limits exceed the visible space. */
export const textRules = {
  message: lineOfText(1_000),
  title: lineOfText(300),
  name: lineOfText(200),
  label: lineOfText(500),
  description: lineOfText(1_000),
  detail: lineOfText(2_000),
  block: blockOfText(10_000),
  log: blockOfText(20_000),
} as const satisfies Readonly<Record<string, TextRule>>;

/** Escapes Markdown, HTML and links, and keeps line breaks. */
export function escapedMarkdown(text: string): string {
  return textRules
    .block(text)
    .split("\n")
    .map((line) => nonBreakingIndent(line).replaceAll(/[!-/:-@[-`{-~]/g, "\\$&"))
    .join("  \n");
}

/** Percent-encodes invisible characters in a document path, because its last segment is the tab title. */
export const visiblePath = (path: string): string =>
  wellFormed(path).replaceAll(unseenInPath, encodeURIComponent);

/** Applies rules to the texts of an object. Returns a copy, or the object itself if nothing changes. */
export function withPlainTexts<T extends object>(
  given: T,
  rules: { readonly [K in keyof T]?: TextRule },
): T {
  let copy = given;
  for (const [key, text] of Object.entries(given)) {
    if (typeof text !== "string" || !isKeyOf(rules, key)) continue;
    const plain = rules[key]?.(text) ?? text;
    if (plain !== text) copy = { ...copy, [key]: plain };
  }
  return copy;
}

const isKeyOf = <T extends object>(object: T, key: PropertyKey): key is keyof T =>
  Object.hasOwn(object, key);

// Limits the work for long text. The factor leaves room for characters that are removed later.
const headOf = (text: string, limit: number): string => text.slice(0, 4 * limit);

const seen = (text: string, lineBreak: " " | "\n"): string =>
  wellFormed(
    text
      .replaceAll(colorCodes, "")
      .replaceAll("\t", " ")
      .replaceAll(lineBreaks, lineBreak)
      .replaceAll(lineBreak === "\n" ? unseenButLineFeed : unseen, ""),
  );

const colorCodes = new RegExp("\\u001b\\[[\\d;:]*m", "g");
const lineBreaks = new RegExp("\\r\\n|[\\n-\\r\\u0085\\u2028\\u2029]", "g");
const unseen = new RegExp(`[${unseenCharacters}]`, "g");
const unseenButLineFeed = new RegExp(`(?!\\n)[${unseenCharacters}]`, "g");
const unseenInPath = new RegExp(`[\\t${unseenCharacters}]`, "g");

// Replace lone surrogates, for which encodeURIComponent throws.
const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, "\ufffd");

/**
 * Breaks links and icons with an invisible word joiner. In notifications, prompts, labels and CodeLenses,
 * `[text](command:…)` is a link and `$(name)` an icon, and only some of these places support escapes.
 */
const unmarked = (text: string): string =>
  text.replaceAll(/(?<=[\]$]\n{0,2})\(/g, `${wordJoiner}(`);

const wordJoiner = "\u2060";

function bounded(text: string, limit: number, whole: string): string {
  if (text.length <= limit && whole.length <= 4 * limit) return text;
  // Remove a lone surrogate or joiner at the cut.
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff\u2060]$/, "")}…`;
}

// Use non-breaking spaces, because four spaces would begin a code block.
const nonBreakingIndent = (line: string): string =>
  line.replace(/^ +/, (blanks) => "\u00a0".repeat(blanks.length));
