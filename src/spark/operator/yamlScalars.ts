// Reads scalars on one line, by the rules of YAML 1.1 but without its dates.
import { scalarNode, type YamlScalar } from "./yamlNode.ts";

/** Returns the end of a plain scalar; undefined if no plain scalar begins at `start` or the line is invalid. */
export function plainEnd(text: string, start: number, lineEnd: number): number | undefined {
  if (!startsPlain(text, start, lineEnd)) return undefined;
  let end = start;
  for (let at = start; at < lineEnd; at++) {
    const char = text.charCodeAt(at);
    if (char === blank || char === tab) continue;
    if (char === hash && isBlank(text.charCodeAt(at - 1)) && at > start) break;
    if (char === colon && (at + 1 >= lineEnd || isBlank(text.charCodeAt(at + 1)))) return undefined;
    end = at + 1;
  }
  return end;
}

const blank = 0x20;
const tab = 0x09;
const hash = 0x23;
const colon = 0x3a;

export const isBlank = (char: number): boolean => char === blank || char === tab;

/** True if a plain scalar may begin at the offset. */
export function startsPlain(text: string, at: number, lineEnd: number): boolean {
  const char = text.charAt(at);
  if ("?-:".includes(char)) return at + 1 < lineEnd && !isBlank(text.charCodeAt(at + 1));
  return !"[]{},#&*!|>@`%\"'".includes(char);
}

/** Returns the quoted scalar at `start`; undefined if it does not end on its line. */
export function quotedScalar(text: string, start: number, lineEnd: number): YamlScalar | undefined {
  const quote = text.charCodeAt(start);
  const isDouble = quote === doubleQuote;
  let hasEscape = false;
  for (let at = start + 1; at < lineEnd; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      if (isDouble || text.charCodeAt(at + 1) !== quote) {
        const written = text.slice(start + 1, at);
        const value = hasEscape ? unescaped(written, isDouble) : written;
        const span = { start, end: at + 1 };
        return value === undefined ? undefined : scalarNode(value, value, span);
      }
      hasEscape = true;
      at++;
    } else if (isDouble && char === backslash) {
      hasEscape = true;
      at++;
    }
  }
  return undefined;
}

const doubleQuote = 0x22;
const backslash = 0x5c;

// Resolves the escapes of a quoted scalar. Undefined for an escape that YAML and JSON do not share.
function unescaped(written: string, isDouble: boolean): string | undefined {
  if (!isDouble) return written.replaceAll("''", "'");
  const isKnown = /^(?:[^\\\p{Cc}]|\\[nrtbf"\\/])*$/u.test(written);
  const value: unknown = isKnown ? JSON.parse(`"${written}"`) : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Returns the value of a plain scalar; undefined if it needs the full parser. */
export function plainScalar(text: string, start: number, end: number): YamlScalar | undefined {
  const source = text.slice(start, end);
  const span = { start, end };
  const word = words.get(source);
  if (word !== undefined) return scalarNode(word, source, span);
  if (nothings.has(source)) return scalarNode(null, "", span);
  // No number begins with a letter; `.inf` and similar words begin with a dot.
  if (/^[A-Za-z_$/(<]/.test(source)) return scalarNode(source, source, span);
  if (/^(?:0|[1-9]\d{0,14})$/.test(source)) return scalarNode(Number(source), source, span);
  if (/^\d{1,15}\.\d{1,15}$/.test(source)) return scalarNode(Number(source), source, span);
  // Values such as `4g`, `500m` and `3.5.1` are strings, not numbers.
  const hasTwoDots = source.indexOf(".") !== source.lastIndexOf(".");
  const isText = /^\d[\w.]*$/.test(source) && (hasTwoDots || /[g-wyzG-WYZ]/.test(source));
  return isText ? scalarNode(source, source, span) : undefined;
}

const words: ReadonlyMap<string, boolean> = new Map(
  [
    {
      meaning: true,
      names: ["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"],
    },
    {
      meaning: false,
      names: ["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"],
    },
  ].flatMap(({ meaning, names }) => names.map((name) => [name, meaning])),
);

const nothings: ReadonlySet<string> = new Set(["~", "null", "Null", "NULL"]);
