import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inLanguage, type Message } from "../src/base/message.ts";
import { bundlePath, pseudoTranslation } from "../src/build/l10n/extractTexts.ts";

const bundle = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", bundlePath), "utf8"),
) as Record<string, string>;
const translations = pseudoTranslation(bundle);

/** Returns the message with each translated part marked: `⟦exit code 1⟧`. Throws if its text is not in the bundle. */
export const inPseudoLanguage = (message: Message): string =>
  inLanguage(message, (template, ...values) => {
    const translation = translations[template];
    assert.ok(translation !== undefined, `not in ${bundlePath}: ${template}`);
    return translation.replaceAll(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)]));
  });

/** Fails if the message is not completely translated. Accepts a message that contains only data. */
export function checkTranslated(message: Message | undefined): void {
  if (message === undefined || isData(message)) return;
  const shown = inPseudoLanguage(message);
  assert.match(shown, /^⟦[^]*⟧$/, `not translated: ${shown}`);
}

const isData = ({ strings }: Message): boolean => strings.length === 2 && strings.join("") === "";
