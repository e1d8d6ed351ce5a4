import { unseenCharacters } from "../base/unseenCharacters.ts";

/** Maximum length of the code. Longer text is truncated, to keep hovers short. */
const maxCharacters = 500;

/**
 * Formats untrusted text as inline code in Markdown. Line breaks and backticks are replaced, because they could end the
 * code and start links or images.
 */
export function inlineCode(text: string): string {
  const head = text.slice(0, maxCharacters);
  const line = head.replaceAll(/[\s`]/g, (mark) => (mark === "`" ? "'" : " "));
  const shown = line.replaceAll(unseen, "");
  return `\`${shown}${head.length < text.length ? "…" : ""}\``;
}

/** Replaces the backticks of code spans by double quotes, for user interfaces that do not render Markdown. */
export const withoutCodeSpans = (text: string): string => text.replaceAll(/`([^`]*)`/g, '"$1"');

const unseen = new RegExp(`[${unseenCharacters}]`, "g");
