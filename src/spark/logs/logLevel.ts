/** In ascending order of severity. */
export const logLevels = ["trace", "debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof logLevels)[number];

/** Returns the level in a line of Spark's log layouts, Python logging or JSON; undefined if there is none. */
export function levelOf(text: string): LogLevel | undefined {
  const isUsual = isDefaultLayout(text);
  if (isUsual && text.startsWith("INFO ", placeOfLevel)) return "info";
  const levelField = isUsual ? text.slice(placeOfLevel, placeOfLevel + 6) : "";
  const named = levelField === "" ? levelWord.exec(text.slice(0, 120)) : levelWord.exec(levelField);
  const word = named?.[1] ?? jsonLevel.exec(text.slice(0, 400))?.[1];
  return word === undefined ? undefined : levelOfWord[word.toUpperCase()];
}

export const isLevelAtLeast = (level: LogLevel, least: LogLevel): boolean =>
  logLevels.indexOf(level) >= logLevels.indexOf(least);

/** True for a line in Spark's default layout: `26/01/02 03:04:05 INFO …`. */
export const isDefaultLayout = (text: string): boolean =>
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
