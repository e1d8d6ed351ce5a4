/** From the least to the most severe. */
export const logLevels = ["trace", "debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof logLevels)[number];

/** The level that a line says of itself, in Spark's layouts, Python's and as JSON; undefined: it says none. */
export function levelOf(text: string): LogLevel | undefined {
  const isUsual = isUsualLayout(text);
  if (isUsual && text.startsWith("INFO ", placeOfLevel)) return "info";
  const usual = isUsual ? text.slice(placeOfLevel, placeOfLevel + 6) : "";
  const named = usual === "" ? levelWord.exec(text.slice(0, 120)) : levelWord.exec(usual);
  const word = named?.[1] ?? jsonLevel.exec(text.slice(0, 400))?.[1];
  return word === undefined ? undefined : levelOfWord[word.toUpperCase()];
}

export const isAtLeast = (level: LogLevel, least: LogLevel): boolean =>
  logLevels.indexOf(level) >= logLevels.indexOf(least);

/** `26/01/02 03:04:05 INFO …`, as nearly all of Spark's lines are. */
export const isUsualLayout = (text: string): boolean =>
  isSlash(text, 2) &&
  isSlash(text, 5) &&
  text.charCodeAt(0) >= digit0 &&
  text.charCodeAt(0) <= digit9;

const [digit0, digit9] = [0x30, 0x39];

const placeOfLevel = 18;

const isSlash = (text: string, at: number): boolean => text.charCodeAt(at) === 0x2f;

const levelWord = /(?:^|[\s[|])(TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)(?=$|[\s\]|:,])/;
const jsonLevel = /^\s*\{.*?"(?:level|levelname|severity)"\s*:\s*"([A-Za-z]+)"/;

const levelOfWord: Readonly<Record<string, LogLevel>> = {
  TRACE: "trace",
  DEBUG: "debug",
  INFO: "info",
  WARN: "warn",
  WARNING: "warn",
  ERROR: "error",
  FATAL: "error",
  CRITICAL: "error",
};
