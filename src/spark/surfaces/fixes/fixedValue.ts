import { nearestWord } from "../../conf/nearest/words.ts";
import type { Finding } from "../../conf/lint/finding.ts";

/** Returns the value that the user probably meant instead of an invalid one; undefined if that is unclear. */
export function fixedValue(finding: Finding): string | undefined {
  if (!("value" in finding)) return undefined;
  const value = finding.value.trim();
  if (finding.code === "bad-size") return fixedSize(value);
  if (finding.code === "bad-time") return fixedTime(value);
  if (finding.code === "bad-boolean")
    return booleans.get(value.toLowerCase()) ?? nearestWord(value, ["true", "false"]);
  if (finding.code === "bad-choice") return finding.near;
  return finding.code === "bad-number" ? fixedNumber(value) : undefined;
}

function fixedNumber(value: string): string | undefined {
  const whole = /^([+-]?\d+)\.0+$/.exec(value)?.[1];
  return whole ?? /^\d{1,3}(?:[_,]\d{3})+$/.exec(value)?.[0].replace(/[_,]/g, "");
}

const booleans: ReadonlyMap<string, string> = new Map([
  ...["yes", "on", "1", "y", "t", "enabled"].map((word) => [word, "true"] as const),
  ...["no", "off", "0", "n", "f", "disabled"].map((word) => [word, "false"] as const),
]);

const sizeUnits: readonly (readonly [string, number])[] = [
  ["k", 2 ** 10],
  ["m", 2 ** 20],
  ["g", 2 ** 30],
  ["t", 2 ** 40],
  ["p", 2 ** 50],
];

function fixedSize(value: string): string | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgtp])?(?:i?b?|bytes?|igs?|igabytes?|egs?|egabytes?)$/i.exec(
    value,
  );
  if (match === null) return undefined;
  const [, digits = "", letter = ""] = match;
  const unit = letter.toLowerCase();
  if (!digits.includes(".")) return `${digits}${unit === "" ? "b" : unit}`;
  const factor = sizeUnits.find(([name]) => name === unit)?.[1];
  if (factor === undefined) return undefined;
  const bytes = Number(digits) * factor;
  const [name, whole] = sizeUnits.findLast(([, own]) => own < factor && bytes % own === 0) ?? [];
  return whole === undefined ? undefined : `${bytes / whole}${name ?? ""}`;
}

const timeUnits: readonly (readonly [string, number])[] = [
  ["us", 1],
  ["ms", 1e3],
  ["s", 1e6],
  ["m", 6e7],
  ["h", 3.6e9],
  ["d", 8.64e10],
];

const timeNames: ReadonlyMap<string, string> = new Map([
  ...["s", "sec", "secs", "second", "seconds"].map((name) => [name, "s"] as const),
  ...["m", "min", "mins", "minute", "minutes"].map((name) => [name, "m"] as const),
  ...["h", "hr", "hrs", "hour", "hours"].map((name) => [name, "h"] as const),
  ...["d", "day", "days"].map((name) => [name, "d"] as const),
  ...["ms", "msec", "millis", "milliseconds"].map((name) => [name, "ms"] as const),
  ...["us", "micros", "microseconds"].map((name) => [name, "us"] as const),
]);

function fixedTime(value: string): string | undefined {
  const [, digits = "", word = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(value) ?? [];
  const unit = timeNames.get(word.toLowerCase());
  const factor = timeUnits.find(([name]) => name === unit)?.[1];
  if (unit === undefined || factor === undefined) return undefined;
  if (!digits.includes(".")) return `${digits}${unit}`;
  const micros = Math.round(Number(digits) * factor);
  const [name, whole] = timeUnits.findLast(([, own]) => own < factor && micros % own === 0) ?? [];
  return whole === undefined ? undefined : `${micros / whole}${name ?? ""}`;
}
