import type { LogOutputChannel } from "vscode";
import type { Log } from "../engine/log.ts";
import { defaultSecretRule } from "../spark/redact.ts";
import { redactLine } from "../spark/redactLine.ts";

/** Returns a log that writes redacted lines to an output channel. VS Code also stores the channel as a file. */
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
