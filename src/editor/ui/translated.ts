import { l10n } from "vscode";
import { inLanguage, type MessageText } from "../../base/message.ts";

/** Translates a message into the language of VS Code. Returns a string unchanged, because it is data. */
export function translated(text: MessageText): string;
export function translated(text: MessageText | undefined): string | undefined;
export function translated(text: MessageText | undefined): string | undefined {
  return typeof text === "object" ? inLanguage(text, translate) : text;
}

// The extractor of translatable texts skips this file, because it finds the texts where messages are created.
const translate = (template: string, ...values: (string | number)[]): string =>
  l10n.t(template, ...values);
