import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { Clock } from "../../engine/ports.ts";
import type { RunEnd, TailEnd, TailNotice } from "../../engine/tail.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import type { LogGap } from "../../spark/logs/resumeCursor.ts";
import { terminalText } from "../../spark/logs/terminalText.ts";
import { describeClusterError } from "../showError.ts";

// A terminal takes any amount at once and stalls the window later, so a flood is held to this rate, and the
// node's own buffer waits.
const floodCharacters = 1 << 20;
const floodPauseMs = 100;

/** Writes log lines and notes of ours into a terminal, so that nothing in them can do more than be read. */
export class TerminalPrinter {
  readonly #write: (text: string) => void;
  readonly #clock: Clock;
  #sincePause = 0;

  constructor(write: (text: string) => void, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  /** `prefix`: which log the lines are of, where there are several. Settles when more can be taken. */
  async lines(lines: readonly LogLine[], prefix: string, signal: AbortSignal): Promise<void> {
    const text = lines.map((line) => `${prefix}${terminalText(line.text)}\r\n`).join("");
    this.#write(text);
    this.#sincePause += text.length;
    if (this.#sincePause < floodCharacters) return;
    this.#sincePause = 0;
    await this.#clock.sleep(floodPauseMs, signal);
  }

  /** Dimmed and in dashes, so that it is not taken for a line of the log. */
  note(words: string): void {
    this.#write(`\x1b[2m-- ${terminalText(words)} --\x1b[0m\r\n`);
  }

  /** A line of an answer that was asked for. */
  text(words: string): void {
    this.#write(`${terminalText(words)}\r\n`);
  }

  /** A sentence of ours about what is wrong, in the terminal's red or yellow and with the word for it. */
  problem(severity: "error" | "warning", words: string): void {
    const [color, head] =
      severity === "error" ? ["31", l10n.t("error")] : ["33", l10n.t("warning")];
    this.#write(`\x1b[${color}m${head}:\x1b[0m ${terminalText(words)}\r\n`);
  }
}

export function noticeWords(notice: TailNotice): string {
  switch (notice.kind) {
    case "waiting":
      return l10n.t("waiting for the container to start");
    case "reconnecting":
      return l10n.t("connection lost, reconnecting: {0}", describeClusterError(notice.error).what);
    case "resumed":
      return l10n.t("connected again");
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
    return l10n.t(
      "lines of earlier runs of the container may be missing: the node no longer has them",
    );
  }
  return before === undefined
    ? l10n.t("lines after {0} may be missing: the node no longer has them", after)
    : l10n.t(
        "lines between {0} and {1} may be missing: the node no longer has them",
        after,
        before,
      );
}

function restartWords(lastEnd: RunEnd | undefined): string {
  if (lastEnd?.exitCode === undefined) return l10n.t("the container was started again");
  return lastEnd.reason === undefined
    ? l10n.t("the container ended with {0} and was started again", lastEnd.exitCode)
    : l10n.t(
        "the container ended with {0} ({1}) and was started again",
        lastEnd.exitCode,
        lastEnd.reason,
      );
}

export function endWords(end: TailEnd): string {
  switch (end.kind) {
    case "finished":
      return l10n.t("the container has ended");
    case "gone":
      return l10n.t("the pod is gone");
    case "failed": {
      const { what, why } = describeClusterError(end.error);
      return `${what}. ${why}`;
    }
    default:
      return assertNever(end);
  }
}
