import type { LogLevel } from "./logLevel.ts";
import { terminalText } from "./terminalText.ts";

const colorOfLevel: Readonly<Record<LogLevel, string>> = {
  error: "\u001b[31m",
  warn: "\u001b[33m",
  info: "",
  debug: "\u001b[2m",
  trace: "\u001b[2m",
};

/** SGR codes of cyan, magenta, blue, green and their bright variants. Red and yellow are for log levels. */
export const sourceColors = [36, 35, 34, 32, 96, 95, 94, 92] as const;

export const reset = "\u001b[0m";

export const dim = (text: string): string => `\u001b[2m${text}${reset}`;

/** Makes a line safe for a terminal and colors it by its level. */
export function paint(text: string, level: LogLevel | undefined): string {
  const safe = terminalText(text.endsWith("\r") ? text.slice(0, -1) : text);
  const color = level === undefined ? "" : colorOfLevel[level];
  // A line with its own colors keeps them.
  return color === "" || safe.includes("\u001b[") ? safe : `${color}${safe}${reset}`;
}
