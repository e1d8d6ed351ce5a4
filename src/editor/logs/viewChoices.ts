import { l10n, type QuickPickItem } from "vscode";
import { logLevels, type LogLevel } from "../../spark/logs/logLevel.ts";
import type { LogScreen, ScreenWords } from "./logScreen.ts";
import { window } from "../ui/window.ts";

/** The key bindings of a log terminal, in one line. */
export const keyWords = (): string =>
  l10n.t(
    "p pause · l level · / filter · c clear · t time · f collapse · w wrap · o open as document · m menu",
  );

/** The link below the log of an ended run. */
export const openUiWords = (): string => l10n.t("Open Spark UI");
export const allLinesWords = (): string => l10n.t("Open all lines as a document");

/** The texts that a log terminal prints between the lines. */
export const screenWords = (): ScreenWords => ({
  late: l10n.t("late"),
  moreLines: (count, number) => l10n.t("… {0} more lines (trace #{1})", count, number),
  sameTrace: (first, times, number) =>
    l10n.t("… the same as trace #{0}, seen {1} times (trace #{2})", first, times, number),
  paused: l10n.t("Paused. Press p to resume."),
  notKept: (lines) => l10n.t("{0} older lines were dropped", lines),
  outOfReach: (rows) =>
    l10n.t("The scrollback holds the last {0} rows. Press o to open all lines.", rows),
  filtered: ({ leastLevel, text }, { shown, hidden }) => {
    const filters = [
      ...(leastLevel === logLevels[0] ? [] : [l10n.t("minimum level: {0}", leastLevel)]),
      ...(text === undefined ? [] : [l10n.t('text: "{0}"', text)]),
    ];
    return l10n.t(
      "Filter: {0}. Entries shown: {1}, hidden: {2}. Press c to show all.",
      filters.join(", "),
      shown,
      hidden,
    );
  },
});

/** The next stricter level, and all levels after the strictest. */
export function nextLevel(level: LogLevel): LogLevel {
  const order: readonly LogLevel[] = ["trace", "info", "warn", "error"];
  const at = order.indexOf(level);
  return order[(at + 1) % order.length] ?? "trace";
}

/** Empty: removes the filter. */
export const askForText = (before: string | undefined): Thenable<string | undefined> =>
  window.showInputBox({
    title: l10n.t("Filter Log"),
    prompt: l10n.t("Leave empty to show everything."),
    value: before ?? "",
  });

interface KeyItem extends QuickPickItem {
  /** A key, or the number of a stack trace. */
  readonly does: string | number;
}

/** A menu with all keys and the collapsed stack traces. */
export async function chooseView(
  screen: LogScreen,
  isWrapped: boolean,
): Promise<string | number | undefined> {
  const { choice, isPaused } = screen;
  const on = (is: boolean): string => (is ? l10n.t("on") : l10n.t("off"));
  const keys: readonly KeyItem[] = [
    { label: isPaused ? l10n.t("Resume") : l10n.t("Pause"), description: "p", does: "p" },
    {
      label: l10n.t("Minimum Level"),
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
    { label: l10n.t("Clear Level and Filter"), description: "c", does: "c" },
    { label: l10n.t("Timestamps"), description: "t", detail: on(choice.timestamps), does: "t" },
    {
      label: l10n.t("Collapse Stack Traces"),
      description: "f",
      detail: on(choice.folded),
      does: "f",
    },
    { label: l10n.t("Wrap Lines"), description: "w", detail: on(isWrapped), does: "w" },
    { label: l10n.t("Open as Document"), description: "o", does: "o" },
  ];
  const traces = screen.foldedTraces.slice(0, maxTraces).map(({ number, record }) => ({
    label: l10n.t("Trace {0}", number),
    description: l10n.t("{0} lines", record.rest.length + 1),
    detail: record.text.slice(0, 200),
    does: number,
  }));
  const chosen = await window.showQuickPick([...keys, ...traces], {
    title: l10n.t("Log"),
    placeHolder: l10n.t("Log view options"),
    matchOnDetail: true,
  });
  return chosen?.does;
}

const maxTraces = 100;

function levelWords(level: LogLevel): string {
  return level === logLevels[0] ? l10n.t("all levels") : level;
}
