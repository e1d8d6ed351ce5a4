import {
  listed,
  msg,
  type Message,
  type MessageText,
  type ShowMessage,
} from "../../base/message.ts";
import type { QuickPickItem } from "vscode";
import type { Screen } from "../screen.ts";
import { logLevels, type LogLevel } from "../../spark/logs/logLevel.ts";
import type { LogScreen, ScreenWords } from "./logScreen.ts";
import { clockOfStamp } from "../../base/timeOfDay.ts";

/** Lists the key bindings of a log terminal in one line. */
export const keyWords = (): Message =>
  msg(
    "p pause · l level · / filter · c clear · t time · f collapse · w wrap · o open as document · m menu",
  );

export const openUiWords = (): Message => msg("Open Spark UI");
/** Returns the text of the link below the log of an ended run. */
export const allLinesWords = (): Message => msg("Open all lines as a document");

/** Returns the texts that a log terminal prints between log lines. */
export const screenWords = (show: ShowMessage): ScreenWords => ({
  late: show(msg("late")),
  moreLines: (count, number) => show(msg`… ${count} more lines (trace #${number})`),
  clock: clockOfStamp,
  sameTrace: (first, times, number) =>
    show(msg`… the same as trace #${first}, seen ${times} times (trace #${number})`),
  paused: show(msg("Paused. Press p to resume.")),
  notKept: (lines) => show(msg`${lines} older lines were dropped`),
  outOfReach: (rows) =>
    show(msg`The scrollback holds the last ${rows} rows. Press o to open all lines.`),
  filtered: ({ leastLevel, text }, { shown, hidden }) => {
    const filters = [
      leastLevel === logLevels[0] ? undefined : msg`minimum level: ${leastLevel}`,
      text === undefined ? undefined : msg`text: "${text}"`,
    ];
    return show(
      msg`Filter: ${listed(filters) ?? ""}. Entries shown so far: ${shown}, hidden: ${hidden}. Press c to show all.`,
    );
  },
});

/** Returns the next stricter level. After "error" it returns "trace", which shows all levels. */
export function nextLevel(level: LogLevel): LogLevel {
  const order: readonly LogLevel[] = ["trace", "info", "warn", "error"];
  const at = order.indexOf(level);
  return order[(at + 1) % order.length] ?? "trace";
}

/** The parts of `Screen` that the prompts of a log terminal use. */
export type ViewScreen = Pick<Screen, "showInputBox" | "showQuickPick" | "translated">;

/** Prompts for the filter text. Empty text removes the filter. Undefined if the user cancels. */
export const askForText = (
  { showInputBox, translated }: ViewScreen,
  before: string | undefined,
): Thenable<string | undefined> =>
  showInputBox({
    title: translated(msg("Filter Log")),
    prompt: translated(msg("Leave empty to show everything.")),
    value: before ?? "",
  });

interface KeyItem extends QuickPickItem {
  /** A key, or the number of a stack trace. */
  readonly does: string | number;
}

/**
 * Shows a quick pick with all keys and the newest 100 collapsed stack traces. Returns the chosen key or trace number;
 * undefined if the user cancels.
 */
export async function chooseView(
  { showQuickPick, translated: show }: ViewScreen,
  { choice, isPaused, foldedTraces }: Pick<LogScreen, "choice" | "foldedTraces" | "isPaused">,
  isWrapped: boolean,
): Promise<string | number | undefined> {
  const on = (is: boolean): Message => (is ? msg("on") : msg("off"));
  const item = (label: Message, key: string, detail?: MessageText): KeyItem => ({
    label: show(label),
    description: key,
    ...(detail !== undefined && { detail: show(detail) }),
    does: key,
  });
  const keys: readonly KeyItem[] = [
    item(isPaused ? msg("Resume") : msg("Pause"), "p"),
    item(msg("Minimum Level"), "l", levelWords(choice.leastLevel)),
    item(msg("Filter by Text…"), "/", choice.text ?? msg("no filter")),
    item(msg("Clear Level and Filter"), "c"),
    item(msg("Timestamps"), "t", on(choice.timestamps)),
    item(msg("Collapse Stack Traces"), "f", on(choice.folded)),
    item(msg("Wrap Lines"), "w", on(isWrapped)),
    item(msg("Open as Document"), "o"),
  ];
  const traces = foldedTraces.slice(0, maxTraces).map(({ number, record }) => ({
    label: show(msg`Trace ${number}`),
    description: show(msg`${record.rest.length + 1} lines`),
    detail: record.text.slice(0, 200),
    does: number,
  }));
  const chosen = await showQuickPick([...keys, ...traces], {
    title: show(msg("Log")),
    placeHolder: show(msg("Log view options")),
  });
  return chosen?.does;
}

const maxTraces = 100;

function levelWords(level: LogLevel): MessageText {
  return level === logLevels[0] ? msg("all levels") : level;
}
