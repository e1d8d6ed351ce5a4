import { l10n, ProgressLocation, type Progress } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { actOnEach } from "../../engine/lifecycle/actOnEach.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { applicationsViewId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import {
  explainClusterError,
  showClusterError,
  showFailedItems,
  showProblems,
} from "../showError.ts";
import { withSignal } from "../withSignal.ts";
import { isHopeless, type Outcome } from "./outcome.ts";
import { window } from "../ui/window.ts";

export interface ActOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly documents: ReadOnlyDocuments;
}

export interface Work<T> {
  readonly items: readonly T[];
  /** Waits inside `act` must end when `cancelled` aborts. */
  readonly act: (item: T, deadline: AbortSignal, cancelled: AbortSignal) => Promise<Outcome>;
  readonly nameOf: (item: T) => string;
  readonly words: WorkWords;
  /** Deadline of one item, for items that take more than a few requests. A single item is then cancellable, too. */
  readonly maxItemMs?: number;
}

export interface WorkWords {
  /** Progress title: "Killing executors". */
  readonly title: string;
  /** One item failed: "Executor 3 was not killed". */
  readonly failed: (name: string) => string;
  /** Several failed: "3 of 20 executors were not killed". */
  readonly someFailed: (count: number, all: number) => string;
}

/**
 * Runs `act` on all items with limited concurrency. Shows nothing if all succeed, and otherwise one message with a
 * report of all items on request. Returns the items that succeeded, also after a cancellation.
 */
export async function actOnItems<T>(
  work: Work<T>,
  { clock, log, documents }: ActOptions,
): Promise<readonly T[]> {
  const { items, act, nameOf, words, maxItemMs } = work;
  const isShort = items.length === 1 && maxItemMs === undefined;
  const outcomes = await withProgressOf(isShort, words.title, (progress, signal) =>
    actOnEach(
      items,
      act,
      {
        clock,
        isHopeless,
        unanswered: { kind: "unanswered" },
        ...(maxItemMs !== undefined && { itemMs: maxItemMs }),
        acted: (done) => {
          const message = l10n.t("{0} of {1}", done, items.length);
          progress.report({ message, increment: 100 / items.length });
        },
      },
      signal,
    ),
  );
  const results = items.map((item, index) => ({ name: nameOf(item), outcome: outcomes[index] }));
  void showResult(results, words, log, documents).catch(log.error);
  return items.filter((_, index) => outcomes[index]?.kind === "done");
}

function withProgressOf<R>(
  isShort: boolean,
  title: string,
  work: (
    progress: Progress<{ message: string; increment: number }>,
    signal: AbortSignal,
  ) => Promise<R>,
): Thenable<R> {
  const location = isShort ? { viewId: applicationsViewId } : ProgressLocation.Notification;
  return window.withProgress({ location, title, cancellable: true }, (progress, token) =>
    withSignal(token, (signal) => work(progress, signal)),
  );
}

interface ItemResult {
  readonly name: string;
  /** Undefined: not attempted. */
  readonly outcome: Outcome | undefined;
}

async function showResult(
  results: readonly ItemResult[],
  words: WorkWords,
  log: Log,
  documents: ReadOnlyDocuments,
): Promise<void> {
  const [only, ...others] = results;
  if (only?.outcome?.kind === "failed" && others.length === 0) {
    await showClusterError(words.failed(only.name), only.outcome.error, log);
    return;
  }
  if (only?.outcome?.kind === "notDone" && others.length === 0) {
    await showProblems(words.failed(only.name), [only.outcome.words], log);
    return;
  }
  const isFailure = ({ outcome }: ItemResult): boolean =>
    outcome === undefined || outcome.kind === "failed" || outcome.kind === "notDone";
  const failed = results.filter(isFailure);
  const errors = results.flatMap(({ outcome }) =>
    outcome?.kind === "failed" ? [outcome.error] : [],
  );
  const showReport = (): Promise<void> =>
    documents.show(
      "/report.txt",
      `${words.title}\n\n${results.map((item) => `${item.name}: ${wordsOf(item.outcome)}\n`).join("")}`,
    );
  if (errors.length > 0) {
    await showFailedItems(words.someFailed(failed.length, results.length), errors, log, showReport);
    return;
  }
  const news = summary(results);
  const isUncertain = results.some(
    ({ outcome }) => outcome?.kind === "unanswered" || outcome?.kind === "notDone",
  );
  if (isUncertain || failed.length > 0) {
    const done = results.filter(({ outcome }) => outcome?.kind === "done").length;
    const text = l10n.t("{0}: {1} of {2} done. {3}", words.title, done, results.length, news);
    const show = isUncertain ? window.showWarningMessage : window.showInformationMessage;
    const report = l10n.t("Show Report");
    if ((await show(text, report)) === report) await showReport();
    return;
  }
  if (news !== "") void window.showInformationMessage(news);
}

/** `Executor 3: already deleted.`, `18: already deleted; executor 4: evicted …` */
function summary(results: readonly ItemResult[]): string {
  const byWords = new Map<string, string[]>();
  for (const { name, outcome } of results) {
    if (outcome?.kind === "done" && outcome.words === undefined) continue;
    const words = wordsOf(outcome);
    byWords.set(words, [...(byWords.get(words) ?? []), name]);
  }
  const parts = [...byWords].map(([words, names]) =>
    names.length <= 3 ? `${names.join(", ")}: ${words}` : `${names.length}: ${words}`,
  );
  const text = parts.join("; ");
  if (text === "") return "";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

function wordsOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return l10n.t("not attempted");
  switch (outcome.kind) {
    case "done":
      return outcome.words ?? l10n.t("done");
    case "nothingToDo":
    case "notDone":
      return outcome.words;
    case "unanswered":
      return l10n.t("no response; the request may have been processed");
    case "failed":
      return explainClusterError(outcome.error);
    default:
      return assertNever(outcome);
  }
}
