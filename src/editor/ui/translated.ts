import { l10n } from "vscode";
import { inLanguage, type MessageText } from "../../base/message.ts";

/** A text in the language of VS Code. Data stays as it is. */
export function translated(text: MessageText): string;
export function translated(text: MessageText | undefined): string | undefined;
export function translated(text: MessageText | undefined): string | undefined {
  return typeof text === "object" ? inLanguage(text, translate) : text;
}

// The extractor finds the texts where the messages are created.
const translate = (template: string, ...values: (string | number)[]): string =>
  l10n.t(template, ...values);
