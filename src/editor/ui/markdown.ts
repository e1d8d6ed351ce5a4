import { MarkdownString } from "vscode";
import type { MessageText } from "../../base/message.ts";
import { escapedMarkdown } from "./plainText.ts";
import { translated } from "./translated.ts";

// Only this file creates Markdown. The Markdown is not trusted, so links cannot run commands, and has no HTML or icons.

/** Returns Markdown that shows text literally. */
export const markdownOfText = (text: string): MarkdownString =>
  new MarkdownString(escapedMarkdown(text));

/** A name, shown in bold, and its value. Facts with an undefined or empty value are omitted. */
export type Fact = readonly [name: MessageText, value: MessageText | undefined];

/** Returns Markdown with a paragraph for each fact. */
export const markdownOfFacts = (facts: readonly Fact[]): MarkdownString =>
  new MarkdownString(
    facts
      .map(([name, value]) => [translated(name), translated(value)] as const)
      .flatMap(([name, value]) =>
        value === undefined || value === ""
          ? []
          : [`**${escapedMarkdown(name)}:** ${escapedMarkdown(value)}`],
      )
      .join("\n\n"),
  );

/** Joins paragraphs of trusted Markdown, such as the catalogue's. File contents are allowed only as `inlineCode`. */
export const markdownOfOwn = (paragraphs: readonly string[]): MarkdownString =>
  new MarkdownString(paragraphs.join("\n\n"));
