import { l10n } from "vscode";
import { inLanguage, type Message } from "../../base/message.ts";

/** A message in the language of VS Code. */
export function translated(message: Message): string;
export function translated(message: Message | undefined): string | undefined;
export function translated(message: Message | undefined): string | undefined {
  return message && inLanguage(message, translate);
}

// The extractor finds the texts where the messages are created.
const translate = (template: string, ...values: (string | number)[]): string =>
  l10n.t(template, ...values);
