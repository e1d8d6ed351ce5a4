import type { LogOutputChannel } from "vscode";
import type { Log } from "../engine/log.ts";
import { defaultSecretRule } from "../spark/redact.ts";
import { redactLine } from "../spark/redactLine.ts";

/** Writes redacted lines to an output channel, which VS Code also stores as a file. */
export function redactedLog(open: () => Pick<LogOutputChannel, "debug" | "warn" | "error">): Log {
  const clean = (words: string): string => redactLine(words, defaultSecretRule);
  return {
    debug: (line) => {
      open().debug(clean(line));
    },
    warn: (line) => {
      open().warn(clean(line));
    },
    error: (error) => {
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
      open().error(clean(words));
    },
  };
}
