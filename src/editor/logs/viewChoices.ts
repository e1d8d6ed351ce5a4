import { l10n, window, type QuickPickItem } from "vscode";
import { logLevels, type LogLevel } from "../../spark/logs/logLevel.ts";
import type { LogScreen } from "./logScreen.ts";

/** The keys of a log's terminal, in one line. */
export const keyWords = (): string =>
  l10n.t("p pause · l level · / filter · t time · f fold · w wrap · o open as document · m menu");

/** After the strictest comes the whole log again. */
export function nextLevel(level: LogLevel): LogLevel {
  const order: readonly LogLevel[] = ["trace", "info", "warn", "error"];
  const at = order.indexOf(level);
  return order[(at + 1) % order.length] ?? "trace";
}

/** Empty: no filter any more. */
export const askForText = (before: string | undefined): Thenable<string | undefined> =>
  window.showInputBox({
    title: l10n.t("Filter Log"),
    prompt: l10n.t(
      "Only what contains this is shown; nothing shows all. What is hidden is not lost.",
    ),
    value: before ?? "",
  });

interface KeyItem extends QuickPickItem {
  /** A key, or the number of a trace. */
  readonly does: string | number;
}

/** All that the keys do, and each folded trace, to be picked. */
export async function chooseView(
  screen: LogScreen,
  isWrapped: boolean,
): Promise<string | number | undefined> {
  const { choice, isPaused } = screen;
  const on = (is: boolean): string => (is ? l10n.t("on") : l10n.t("off"));
  const keys: readonly KeyItem[] = [
    { label: isPaused ? l10n.t("Go On") : l10n.t("Pause"), description: "p", does: "p" },
    {
      label: l10n.t("Least Level"),
      description: "l",
      detail: levelWords(choice.leastLevel),
      does: "l",
    },
    {
      label: l10n.t("Filter by Text…"),
      description: "/",
      detail: choice.text ?? l10n.t("no filter"),
      does: "/",
    },
    { label: l10n.t("Timestamps"), description: "t", detail: on(choice.timestamps), does: "t" },
    { label: l10n.t("Fold Traces"), description: "f", detail: on(choice.folded), does: "f" },
    { label: l10n.t("Wrap Lines"), description: "w", detail: on(isWrapped), does: "w" },
    { label: l10n.t("Open as Document"), description: "o", does: "o" },
  ];
  const traces = screen.foldedTraces.slice(0, mostTraces).map(({ number, record }) => ({
    label: l10n.t("Trace {0}", number),
    description: l10n.t("{0} lines", record.rest.length + 1),
    detail: record.text.slice(0, 200),
    does: number,
  }));
  const chosen = await window.showQuickPick([...keys, ...traces], {
    title: l10n.t("Log"),
    placeHolder: l10n.t("What to do with this log"),
    matchOnDetail: true,
  });
  return chosen?.does;
}

const mostTraces = 100;

function levelWords(level: LogLevel): string {
  return level === logLevels[0] ? l10n.t("all levels") : level;
}
