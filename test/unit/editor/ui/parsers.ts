// Test oracles for the output of the UI wrappers: parsers that work like those of VS Code and return the effects of a
// text. They follow VS Code's linkedText.ts and iconLabels.ts; Markdown uses VS Code's parser in the same version.
import { marked, type Token, type Tokens } from "marked";
import { unseenCharacters } from "../../../../src/base/unseenCharacters.ts";

const links = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
const icons = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g;
// VS Code's filters and sort keys do not process the backslash escape, so escaped icons are markup there, too.
const anyIcon = /\$\([A-Za-z0-9~-]+\)/g;
const lineBreaks = /\r\n|\r|\n/g;

/** Returns the markup that VS Code would find in a text; empty for plain text. */
export function powersOf(text: string): readonly string[] {
  // Notifications and list rows replace line breaks first.
  return [text, text.replaceAll(lineBreaks, " "), text.replaceAll(lineBreaks, "")].flatMap(
    (one) => [
      ...[...one.matchAll(links)].map(([link]) => `link ${link}`),
      ...[...one.matchAll(icons)]
        .filter(([, escape]) => escape === undefined)
        .map(([icon]) => icon),
      ...(one.match(anyIcon) ?? []),
    ],
  );
}

const unseen = new RegExp(`[\\t${unseenCharacters}]`, "g");

/**
 * Returns the first invisible character. Line breaks are allowed, and the word joiner that separates `]` or `$` from
 * `(`.
 */
export function unseenIn(text: string): string | undefined {
  if (/\p{Surrogate}/u.test(text)) return "half a character";
  const found = text.replaceAll(/(?<=[\]$]\n{0,2})\u2060(?=\()|\n/g, "").match(unseen);
  return found === null ? undefined : JSON.stringify(found[0]);
}

/** Returns the types of the Markdown tokens in a text. */
export function kindsIn(markdown: string): ReadonlySet<string> {
  const kinds = new Set<string>();
  void marked.walkTokens(marked.lexer(markdown), (token) => {
    kinds.add(token.type);
  });
  return kinds;
}

/** Returns the targets of Markdown links and images. */
export function targetsIn(markdown: string): readonly string[] {
  const targets: string[] = [];
  void marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === "link" || token.type === "image") targets.push((token as Tokens.Link).href);
  });
  return targets;
}

/** Returns the text of rendered Markdown. */
export const readMarkdown = (markdown: string): string => textOf(marked.lexer(markdown));

const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === "br") return "\n";
      if (token.type === "space") return "";
      if ("tokens" in token && token.tokens !== undefined) return textOf(token.tokens);
      return unescaped(token as Tokens.Text);
    })
    .join("");

// The lexer returns text with HTML entities.
const unescaped = ({ text }: Tokens.Text): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** Returns the names of the HTML elements that Markdown creates. */
export const elementsOf = (markdown: string): ReadonlySet<string> =>
  new Set(
    [...marked.parse(markdown, { async: false }).matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(
      ([, name]) => String(name),
    ),
  );
