import { defaultSecretRule } from "../spark/redact.ts";
import { redactLine } from "../spark/redactLine.ts";
import { redactKnown } from "../spark/redactText.ts";

// Longer text is cut, because error messages need no more characters.
const maxText = 4096;
// Shorter secrets are not redacted, because they may be part of harmless words.
const minSecretLength = 4;

/** Redacts learned secrets, and text that looks like a secret, in all text that leaves this folder. */
export class Redactor {
  readonly #secrets = new Set<string>();

  learn(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) {
      const trimmed = secret?.trim() ?? "";
      if (trimmed.length >= minSecretLength) this.#secrets.add(trimmed);
    }
  }

  redact(text: string): string {
    const clean = redactKnown(text, this.#secrets);
    const isLong = clean.length > maxText;
    return redactLine(isLong ? `${clean.slice(0, maxText)}…` : clean, defaultSecretRule);
  }
}
