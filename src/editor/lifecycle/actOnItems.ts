import { l10n, ProgressLocation, window, type Progress } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { actOnEach } from "../../engine/actOnEach.ts";
import type { Clock } from "../../engine/ports.ts";
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

export interface ActSurroundings {
  readonly clock: Clock;
  readonly log: Log;
  readonly documents: ReadOnlyDocuments;
}

export interface Work<T> {
  readonly items: readonly T[];
  /** `cancelled`: what only waits needs to do so no longer. */
  readonly act: (item: T, deadline: AbortSignal, cancelled: AbortSignal) => Promise<Outcome>;
  readonly nameOf: (item: T) => string;
  readonly words: WorkWords;
  /** Of one item, in milliseconds, where it is more than a few requests: then one item can be cancelled, too. */
  readonly longestMs?: number;
}

export interface WorkWords {
  /** While it lasts: "Killing executors". */
  readonly title: string;
  /** Of one item that failed: "Executor 3 was not killed". */
  readonly failed: (name: string) => string;
  /** Of several: "3 of 20 executors were not killed". */
  readonly someFailed: (count: number, all: number) => string;
}

/**
 * Acts on all items at a measured pace, to be cancelled at any time, and tells what is worth telling: nothing
 * where all went as asked, one message whatever the number of failures, each item in a document on request.
 * Where it ended early, by whatever, it tells how far it came. Gives the items that were done.
 */
export async function actOnItems<T>(
  work: Work<T>,
  { clock, log, documents }: ActSurroundings,
): Promise<readonly T[]> {
  const { items, act, nameOf, words, longestMs } = work;
  const isShort = items.length === 1 && longestMs === undefined;
  const outcomes = await withProgressOf(isShort, words.title, (progress, signal) =>
    actOnEach(
      items,
      act,
      {
        clock,
        isHopeless,
        unanswered: { kind: "unanswered" },
        ...(longestMs !== undefined && { itemMs: longestMs }),
        acted: (done) => {
          const message = l10n.t("{0} of {1}", done, items.length);
          progress.report({ message, increment: 100 / items.length });
        },
      },
      signal,
    ),
  );
  const told = items.map((item, index) => ({ name: nameOf(item), outcome: outcomes[index] }));
  void tell(told, words, log, documents).catch(log.error);
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

interface ToldItem {
  readonly name: string;
  /** Undefined: not tried. */
  readonly outcome: Outcome | undefined;
}

async function tell(
  told: readonly ToldItem[],
  words: WorkWords,
  log: Log,
  documents: ReadOnlyDocuments,
): Promise<void> {
  const [only, ...others] = told;
  if (only?.outcome?.kind === "failed" && others.length === 0) {
    await showClusterError(words.failed(only.name), only.outcome.error, log);
    return;
  }
  if (only?.outcome?.kind === "notDone" && others.length === 0) {
    await showProblems(words.failed(only.name), [only.outcome.words], log);
    return;
  }
  const isFailure = ({ outcome }: ToldItem): boolean =>
    outcome === undefined || outcome.kind === "failed" || outcome.kind === "notDone";
  const failed = told.filter(isFailure);
  const errors = told.flatMap(({ outcome }) => (outcome?.kind === "failed" ? [outcome.error] : []));
  const showReport = (): Promise<void> =>
    documents.show(
      "/report.txt",
      `${words.title}\n\n${told.map((item) => `${item.name}: ${wordsOf(item.outcome)}\n`).join("")}`,
    );
  if (errors.length > 0) {
    await showFailedItems(words.someFailed(failed.length, told.length), errors, log, showReport);
    return;
  }
  const news = summary(told);
  const isDoubtful = told.some(
    ({ outcome }) => outcome?.kind === "unanswered" || outcome?.kind === "notDone",
  );
  if (isDoubtful || failed.length > 0) {
    const done = told.filter(({ outcome }) => outcome?.kind === "done").length;
    const text = l10n.t("{0}: {1} of {2} done. {3}", words.title, done, told.length, news);
    const show = isDoubtful ? window.showWarningMessage : window.showInformationMessage;
    const report = l10n.t("Show Report");
    if ((await show(text, report)) === report) await showReport();
    return;
  }
  if (news !== "") void window.showInformationMessage(news);
}

/** `Executor 3: gone already.`, `18 gone already; executor 4: evicted …` */
function summary(told: readonly ToldItem[]): string {
  const byWords = new Map<string, string[]>();
  for (const { name, outcome } of told) {
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
  if (outcome === undefined) return l10n.t("not tried");
  switch (outcome.kind) {
    case "done":
      return outcome.words ?? l10n.t("done");
    case "nothingToDo":
    case "notDone":
      return outcome.words;
    case "unanswered":
      return l10n.t("no answer came; it may have been done");
    case "failed":
      return explainClusterError(outcome.error);
    default:
      return assertNever(outcome);
  }
}
