import { msg, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import { actOnEach } from "../../engine/lifecycle/actOnEach.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { Log } from "../log.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import type { Screen } from "../screen.ts";
import { isHopeless, type Outcome } from "./outcome.ts";

export interface ActOptions {
  readonly screen: Screen;
  readonly clock: Clock;
  readonly log: Log;
  readonly documents: ReadOnlyDocuments;
}

export interface Work<T> {
  readonly items: readonly T[];
  /** Handles one item. Its waits must end when `canceled` aborts; requests must end when `deadline` aborts. */
  readonly act: (item: T, deadline: AbortSignal, canceled: AbortSignal) => Promise<Outcome>;
  readonly nameOf: (item: T) => string;
  readonly words: WorkWords;
  /**
   * Deadline of one item in ms, for items that need more than a few requests. If set, a single item can be canceled,
   * too.
   */
  readonly maxItemMs?: number;
}

export interface WorkWords {
  /** The title of the progress, such as "Killing executors". */
  readonly title: Message;
  /** Returns the message that one item failed: "Executor 3 was not killed". */
  readonly failed: (name: string) => Message;
  /** Returns the message that several items failed: "3 of 20 executors were not killed". */
  readonly someFailed: (count: number, all: number) => Message;
}

/**
 * Runs `act` on all items in sequence, at most ten a second. Shows one message if an item failed, has an unknown
 * result, or has its own message. With several items, a message about failures offers a report. Returns the items that
 * succeeded, also after a cancellation.
 */
export async function actOnItems<T>(work: Work<T>, options: ActOptions): Promise<readonly T[]> {
  const { screen, clock } = options;
  const { items, act, nameOf, words, maxItemMs } = work;
  const isShort = items.length === 1 && maxItemMs === undefined;
  const shown = {
    where: isShort ? "view of applications" : "notification",
    title: words.title,
    cancellable: true,
  } as const;
  const outcomes = await screen.withProgress(shown, (signal, report) =>
    actOnEach(
      items,
      act,
      {
        clock,
        isHopeless,
        unanswered: { kind: "unanswered" },
        ...(maxItemMs !== undefined && { itemMs: maxItemMs }),
        acted: (done) => {
          const message = msg`${done} of ${items.length}`;
          report({ message, increment: 100 / items.length });
        },
      },
      signal,
    ),
  );
  const results = items.map((item, index) => ({ name: nameOf(item), outcome: outcomes[index] }));
  void showResult(results, words, options).catch(options.log.error);
  return items.filter((_, index) => outcomes[index]?.kind === "done");
}

interface ItemResult {
  readonly name: string;
  /** Undefined if the item was not attempted. */
  readonly outcome: Outcome | undefined;
}

async function showResult(
  results: readonly ItemResult[],
  words: WorkWords,
  { screen, log, documents }: ActOptions,
): Promise<void> {
  const [only, ...others] = results;
  if (only?.outcome?.kind === "failed" && others.length === 0) {
    await screen.showClusterError(words.failed(only.name), only.outcome.error, log);
    return;
  }
  if (only?.outcome?.kind === "notDone" && others.length === 0) {
    await screen.showProblems(words.failed(only.name), [only.outcome.words], log);
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
      `${screen.translated(words.title)}\n\n${results.map(({ name, outcome }) => `${name}: ${wordsOf(outcome, screen)}\n`).join("")}`,
    );
  if (errors.length > 0) {
    await screen.showFailedItems(
      words.someFailed(failed.length, results.length),
      errors,
      log,
      showReport,
    );
    return;
  }
  const news = summary(results, screen);
  const isUncertain = results.some(
    ({ outcome }) => outcome?.kind === "unanswered" || outcome?.kind === "notDone",
  );
  if (isUncertain || failed.length > 0) {
    const done = results.filter(({ outcome }) => outcome?.kind === "done").length;
    const text = msg`${words.title}: ${done} of ${results.length} done. ${news}`;
    const show = isUncertain ? screen.showWarningMessage : screen.showInformationMessage;
    const report = msg("Show Report");
    if ((await show(text, report)) === report) await showReport();
    return;
  }
  if (news !== "") void screen.showInformationMessage(news);
}

/**
 * Groups the results by their messages: `Executor 3: already deleted.`, `18: already deleted; executor 4: evicted …`.
 */
function summary(results: readonly ItemResult[], screen: OutcomeScreen): string {
  const byWords = new Map<string, string[]>();
  for (const { name, outcome } of results) {
    if (outcome?.kind === "done" && outcome.words === undefined) continue;
    const words = wordsOf(outcome, screen);
    byWords.set(words, [...(byWords.get(words) ?? []), name]);
  }
  const parts = [...byWords].map(([words, names]) =>
    names.length <= 3 ? `${names.join(", ")}: ${words}` : `${names.length}: ${words}`,
  );
  const text = parts.join("; ");
  if (text === "") return "";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

type OutcomeScreen = Pick<Screen, "explainClusterError" | "translated">;

function wordsOf(
  outcome: Outcome | undefined,
  { explainClusterError, translated }: OutcomeScreen,
): string {
  if (outcome === undefined) return translated(msg("not attempted"));
  switch (outcome.kind) {
    case "done":
      return translated(outcome.words ?? msg("done"));
    case "nothingToDo":
    case "notDone":
      return translated(outcome.words);
    case "unanswered":
      return translated(msg("no response; the request may have been processed"));
    case "failed":
      return explainClusterError(outcome.error);
    default:
      return assertNever(outcome);
  }
}
