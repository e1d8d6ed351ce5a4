import { javaTrim } from "./javaText.ts";

/** The arguments that Spark passes to a Java format string. */
export type FormatArgument = "text" | "number";

const specifier = /%(?:(\d+)\$)?([-#+ 0,(<]*)([1-9]\d*)?(\.\d+)?([tT]?[a-zA-Z%])/y;
const takesAnything = "bBhHsS";
const takesNumbers = "cCdoxX";
// Known conversions that accept neither strings nor integers.
const takesOthers = "eEfgGaA";

/**
 * True if Java's `Formatter` certainly rejects a format for these arguments: an unknown conversion,
 * one for another argument type, a missing argument, flags that exclude each other or need a width.
 */
export function isSurelyBadFormat(format: string, given: readonly FormatArgument[]): boolean {
  let ordinary = 0;
  let at = format.indexOf("%");
  for (; at >= 0; at = format.indexOf("%", specifier.lastIndex)) {
    specifier.lastIndex = at;
    const [, index, flags = "", width, precision, conversion = ""] = specifier.exec(format) ?? [];
    if (isBadInItself(conversion, flags, width)) return true;
    if (conversion === "%" || conversion === "n") continue;
    // `%<s` reuses the argument of the previous specifier, so it cannot be the first one.
    if (flags.includes("<")) {
      if (ordinary === 0) return true;
      continue;
    }
    const argument = given[Number(index ?? ++ordinary) - 1];
    if (argument === undefined) return true;
    if (takesAnything.includes(conversion)) continue;
    if (argument === "text" || !takesNumbers.includes(conversion)) return true;
    if (precision !== undefined || flagsRefused(conversion).test(flags)) return true;
  }
  return false;
}

function isBadInItself(conversion: string, flags: string, width: string | undefined): boolean {
  const isKnown =
    conversion === "%" ||
    conversion === "n" ||
    (takesAnything + takesNumbers + takesOthers).includes(conversion.slice(0, 1)) ||
    /^[tT]./.test(conversion);
  if (conversion === "" || !isKnown) return true;
  if (/[-0]/.test(flags) && width === undefined) return true;
  if (excluding.some(([one, other]) => flags.includes(one) && flags.includes(other))) return true;
  return takesAnything.includes(conversion) && /[#+ 0,(]/.test(flags);
}

const excluding = [
  ["-", "0"],
  ["+", " "],
] as const;

const flagsRefused = (conversion: string): RegExp =>
  conversion === "d" ? /#/ : /[cC]/.test(conversion) ? /[#+ 0,(]/ : /[+ ,(]/;

const limits = /^max(?:depth|refs|bytes|array)$/;
const maxLong = 2n ** 63n - 1n;

/**
 * True if Java's `ObjectInputFilter` accepts the filter: limits and patterns of classes and
 * packages, separated by `;`.
 */
export function isSerialFilter(text: string): boolean {
  if (javaTrim(text) === "") return false;
  const parts = text.split(";").filter((part) => part !== "");
  return parts.length > 0 && parts.every(isFilterPart);
}

function isFilterPart(part: string): boolean {
  const equals = part.indexOf("=");
  if (equals >= 0) {
    const value = part.slice(equals + 1);
    if (!limits.test(part.slice(0, equals)) || !/^\+?[0-9]+$/.test(value)) return false;
    return BigInt(value.replace("+", "")) <= maxLong;
  }
  const name = part.startsWith("!") ? part.slice(1) : part;
  const slash = name.indexOf("/");
  const inModule = name.slice(slash + 1);
  return slash !== 0 && inModule !== "" && inModule !== ".*" && inModule !== ".**";
}
