import { plainMask, type IsSecret, type Mask } from "./redact.ts";
import { addressPasswords, maySuspect, secretForms, type SecretSpan } from "./secretForms.ts";
import { isReference } from "./secretNames.ts";
import { secretPairs } from "./secretPairs.ts";

/**
 * Redacts the values of keys with a secret name, in all key-value formats that logs contain. Also redacts secrets that
 * are recognizable by their format: passwords in URLs, tokens, signatures and private keys. Single words are not
 * values, so text about secrets stays readable. Does not redact a mask again. Removes the colors of a redacted line.
 * The time is linear in the length of the text.
 */
export function redactLine(text: string, isSecret: IsSecret, mask: Mask = plainMask): string {
  if (!text.includes("\u001b")) return redactPlain(text, isSecret, mask);
  const plain = text.replaceAll(colors, "");
  const clean = redactPlain(plain, isSecret, mask);
  return clean === plain ? text : clean;
}

// Matches other CSI control sequences, too.
const colors = new RegExp("\\u001b\\[[\\d;:?]*[@-~]", "g");

function redactPlain(text: string, isSecret: IsSecret, mask: Mask): string {
  let [before, clean] = [text, redactOnce(text, isSecret, mask)];
  // A redacted secret may have contained a quote, which changes how the rest is parsed.
  for (let look = 1; clean !== before && look < maxPasses; look += 1) {
    [before, clean] = [clean, redactOnce(clean, isSecret, mask)];
  }
  return clean;
}

const maxPasses = 5;

function redactOnce(text: string, isSecret: IsSecret, mask: Mask): string {
  const isSuspect = maySuspect(text);
  const formless = isSuspect ? withoutSpans(text, secretForms(text), mask) : text;
  const hidden =
    isSuspect || isSecret(text)
      ? withoutSpans(formless, secretPairs(formless, isSecret), mask)
      : formless;
  return hidden.includes("@") ? withoutSpans(hidden, addressPasswords(hidden), mask) : hidden;
}

function withoutSpans(text: string, spans: Iterable<SecretSpan>, mask: Mask): string {
  let clean = "";
  let at = 0;
  for (const [start, end] of spans) {
    const secret = text.slice(start, end);
    clean += text.slice(at, start) + (isReference(secret) ? secret : mask(secret));
    at = end;
  }
  return at === 0 ? text : clean + text.slice(at);
}
