import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inLanguage, type Message } from "../src/base/message.ts";
import { bundlePath, pseudoTranslation } from "../src/build/l10n/extractTexts.ts";

const bundle = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", bundlePath), "utf8"),
) as Record<string, string>;
const translations = pseudoTranslation(bundle);

/** The message in a language that marks each translated text: `⟦exit code 1⟧`. Throws for a text outside the bundle. */
export const inPseudoLanguage = (message: Message): string =>
  inLanguage(message, (template, ...values) => {
    const translation = translations[template];
    assert.ok(translation !== undefined, `not in ${bundlePath}: ${template}`);
    return translation.replaceAll(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)]));
  });

/** Fails if a translation does not reach the whole message. A message of data alone stays as it is. */
export function checkTranslated(message: Message | undefined): void {
  if (message === undefined || isData(message)) return;
  const shown = inPseudoLanguage(message);
  assert.match(shown, /^⟦[^]*⟧$/, `not translated: ${shown}`);
}

const isData = ({ strings }: Message): boolean => strings.length === 2 && strings.join("") === "";
