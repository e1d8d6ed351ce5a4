import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { Clock } from "../../engine/ports.ts";
import type { RunEnd, TailEnd, TailNotice } from "../../engine/logs/tail.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import type { LogGap } from "../../spark/logs/resumeCursor.ts";
import { terminalText } from "../../spark/logs/terminalText.ts";
import { describeClusterError } from "../showError.ts";

// A terminal accepts any amount at once and stalls the window later, so output is limited to this rate.
const floodCharacters = 1 << 20;
const floodPauseMs = 100;

/** Writes log lines and notes into a terminal without control sequences. Redacts notes; lines must be redacted before. */
export class TerminalPrinter {
  readonly #write: (text: string) => void;
  readonly #clock: Clock;
  #sincePause = 0;

  constructor(write: (text: string) => void, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  /** `prefix`: the label of the log. Settles when more lines can be written. */
  async lines(lines: readonly LogLine[], prefix: string, signal: AbortSignal): Promise<void> {
    const text = lines.map((line) => `${prefix}${terminalText(line.text)}\r\n`).join("");
    this.#write(text);
    this.#sincePause += text.length;
    if (this.#sincePause < floodCharacters) return;
    this.#sincePause = 0;
    await this.#clock.sleep(floodPauseMs, signal);
  }

  /** A message between dashes, dimmed to distinguish it from log lines. */
  note(words: string): void {
    this.#write(`\x1b[2m-- ${shown(words)} --\x1b[0m\r\n`);
  }

  /** A line of a requested text. */
  text(words: string): void {
    this.#write(`${shown(words)}\r\n`);
  }

  /** A problem, in red or yellow. */
  problem(severity: "error" | "warning", words: string): void {
    const [color, head] =
      severity === "error" ? ["31", l10n.t("error")] : ["33", l10n.t("warning")];
    this.#write(`\x1b[${color}m${head}:\x1b[0m ${shown(words)}\r\n`);
  }
}

const shown = (words: string): string => terminalText(redactLine(words, defaultSecretRule));

export function noticeWords(notice: TailNotice): string {
  switch (notice.kind) {
    case "waiting":
      return l10n.t("waiting for the container to start");
    case "reconnecting":
      return l10n.t("connection lost, reconnecting: {0}", describeClusterError(notice.error).what);
    case "resumed":
      return l10n.t("reconnected");
    case "gap":
      return gapWords(notice);
    case "restarted":
      return restartWords(notice.lastEnd);
    default:
      return assertNever(notice);
  }
}

function gapWords({ after, before }: LogGap): string {
  if (after === undefined) {
    return l10n.t("lines of earlier container runs may be missing because the node deleted them");
  }
  return before === undefined
    ? l10n.t("lines after {0} may be missing because the node deleted them", after)
    : l10n.t(
        "lines between {0} and {1} may be missing because the node deleted them",
        after,
        before,
      );
}

function restartWords(lastEnd: RunEnd | undefined): string {
  if (lastEnd?.exitCode === undefined) return l10n.t("the container restarted");
  return lastEnd.reason === undefined
    ? l10n.t("the container exited with code {0} and restarted", lastEnd.exitCode)
    : l10n.t(
        "the container exited with code {0} ({1}) and restarted",
        lastEnd.exitCode,
        lastEnd.reason,
      );
}

export function endWords(end: TailEnd): string {
  switch (end.kind) {
    case "finished":
      return l10n.t("the container has ended");
    case "gone":
      return l10n.t("the pod was deleted");
    case "failed": {
      const { what, why } = describeClusterError(end.error);
      return `${what}. ${why}`;
    }
    default:
      return assertNever(end);
  }
}
