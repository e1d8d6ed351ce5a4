import { redaction, type IsSecret } from "../redact.ts";
import { secretValues } from "./secretValues.ts";

/**
 * A line of a log without its secrets: the value of each key that the rule finds, in whatever way logs write pairs,
 * what an `Authorization` header holds, and the password in an address. Words that stand alone are no values, so what
 * is said about secrets can be read. What was redacted before stays as it is. Colours may stand anywhere in a pair: a
 * line of which something is hidden loses them.
 *
 * It takes as long as the text is long, whatever stands in it; a line without any of this costs two searches.
 */
export function redactLine(text: string, isSecret: IsSecret): string {
  if (!text.includes("\u001b")) return redactPlain(text, isSecret);
  const plain = text.replaceAll(colors, "");
  const clean = redactPlain(plain, isSecret);
  return clean === plain ? text : clean;
}

// And what else programs for terminals write between words.
const colors = new RegExp("\\u001b\\[[\\d;:?]*[@-~]", "g");

function redactPlain(text: string, isSecret: IsSecret): string {
  let [before, clean] = [text, redactOnce(text, isSecret)];
  // What was hidden may have held a quote, so that the rest reads otherwise.
  for (let look = 1; clean !== before && look < mostLooks; look += 1) {
    [before, clean] = [clean, redactOnce(clean, isSecret)];
  }
  return clean;
}

const mostLooks = 5;

function redactOnce(text: string, isSecret: IsSecret): string {
  const hasHeader = header.test(text) || text.includes("AUTHORIZATION");
  const bare = hasHeader ? text.replace(credentials, `$1${redaction}`) : text;
  const hidden =
    hasHeader || isSecret(bare) ? withoutSpans(bare, secretValues(bare, isSecret)) : bare;
  return hidden.includes("://") ? withoutSpans(hidden, passwords(hidden)) : hidden;
}

// Each line is searched for it: capitals for all of it would take three times as long.
const header = /[Bb](?:earer|asic)|[Aa]uthorization/;
// What is said of the scheme itself is no secret.
const credentials = /\b((?:Bearer|Basic)\s+)(?!auth|credential)[A-Za-z0-9._~+/=-]{8,}/gi;

function withoutSpans(text: string, spans: Iterable<readonly [number, number]>): string {
  let clean = "";
  let at = 0;
  for (const [start, end] of spans) {
    clean += text.slice(at, start) + redaction;
    at = end;
  }
  return at === 0 ? text : clean + text.slice(at);
}

/** Of `scheme://user:password@host`. */
function* passwords(text: string): Generator<readonly [number, number]> {
  const last = text.lastIndexOf("@");
  for (let at = text.indexOf("://"); at !== -1 && at < last; at = text.indexOf("://", at)) {
    at += 3;
    let [colon, sign] = [-1, -1];
    for (; at < last + 1 && !endsAuthority(text.charCodeAt(at)); at += 1) {
      const code = text.charCodeAt(at);
      if (code === 0x40) sign = at;
      else if (code === 0x3a && colon === -1) colon = at;
    }
    if (colon !== -1 && colon + 1 < sign) yield [colon + 1, sign];
  }
}

// A blank, a slash or a quote.
const endsAuthority = (code: number): boolean =>
  code <= 0x20 || code === 0x2f || code === 0x5c || code === 0x22 || code === 0x27;
