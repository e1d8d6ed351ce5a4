import type { QuickPickItem, TaskDefinition } from "vscode";
import { zonedTime } from "../../base/timeOfDay.ts";
import { dotted, msg, sentences, verbatim, type Message } from "../../base/message.ts";
import { postMortemOf } from "../../spark/history/postMortem.ts";
import type { ListedRun } from "../../spark/history/runRecord.ts";
import { taskType } from "../ids.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import { askSecrets } from "../submit/askSecrets.ts";
import type { Screen } from "../screen.ts";
import type { gitCommitOf } from "./gitCommit.ts";
import type { RunHistory } from "./runHistory.ts";
import type { RunNode } from "./runNode.ts";
import { runText } from "./runText.ts";
import { runDuration, runOutcomeWords, startWords } from "./runWords.ts";
import { timeOfDay } from "../../base/timeOfDay.ts";

export interface RunCommandContext {
  readonly history: RunHistory;
  readonly documents: ReadOnlyDocuments;
  readonly now: () => number;
  readonly submit: (definition: TaskDefinition, name: string) => Promise<void>;
}

/** The parts of the window that the run commands use. */
export interface RunsWindow {
  readonly screen: Pick<
    Screen,
    | "showInformationMessage"
    | "showInputBox"
    | "showQuickPick"
    | "showWarningMessage"
    | "translated"
  >;
  readonly commitOf: typeof gitCommitOf;
  /** Opens text in an untitled editor. */
  readonly openText: (language: string, content: string) => Promise<void>;
  /** Sets the CodeLenses of a run's document. Called before the document is shown. */
  readonly offerActions: (path: string, run: ListedRun) => void;
}

type Nodes = readonly RunNode[];

/** Shows the summary, stages and conf of each run in a document. */
export async function openRunDocument(
  context: RunCommandContext,
  nodes: Nodes,
  window: RunsWindow,
): Promise<void> {
  for (const run of await chosenRuns(context, nodes, msg("Open Run"), window)) {
    const timeline = await context.history.timeline(run.id);
    const path = pathOf(run);
    window.offerActions(path, run);
    await context.documents.show(path, runText(run, timeline, window.screen));
  }
}

/**
 * Compares the documents of two runs. Compares a single selected run with the latest earlier run with the same name.
 */
export async function compareRuns(
  context: RunCommandContext,
  nodes: Nodes,
  window: RunsWindow,
): Promise<void> {
  const { history, documents, now } = context;
  const all = await history.list();
  const selected =
    nodes.length > 0
      ? runsOf(all, nodes)
      : await pickRuns(all, msg("Compare Runs"), now(), window, "several");
  const [first] = selected;
  if (first === undefined) return;
  const other =
    selected[1] ??
    all.find(({ name, startedAt }) => name === first.name && startedAt < first.startedAt);
  if (other === undefined || selected.length > 2) {
    void window.screen.showInformationMessage(msg("Select two runs to compare them."));
    return;
  }
  const [newer, older] = [first, other].sort((a, b) => b.startedAt - a.startedAt);
  if (newer === undefined || older === undefined) return;
  const textOf = async (run: ListedRun): Promise<string> =>
    runText(run, await history.timeline(run.id), window.screen);
  const title =
    newer.name === older.name
      ? msg`${newer.name}: ${timeOfDay(older.startedAt, "seconds")} ↔ ${timeOfDay(newer.startedAt, "seconds")}`
      : msg`${older.name} ↔ ${newer.name}`;
  await documents.compare(
    { path: "/older-run.txt", text: await textOf(older) },
    { path: "/newer-run.txt", text: await textOf(newer) },
    window.screen.translated(title),
  );
}

/** Opens a post-mortem report of each run in an untitled editor. */
export async function openPostMortem(
  context: RunCommandContext,
  nodes: Nodes,
  window: RunsWindow,
): Promise<void> {
  for (const run of await chosenRuns(context, nodes, msg("Post-Mortem"), window)) {
    const timeline = await context.history.timeline(run.id);
    const content = postMortemOf(run, timeline, {
      outcome: window.screen.translated(runOutcomeWords(run)),
      show: window.screen.translated,
      time: zonedTime,
    });
    await window.openText("markdown", content);
  }
}

/**
 * Submits the definition of a run again. Prompts for its secrets, and for a confirmation if the Git commit differs or
 * there are uncommitted changes.
 */
export async function repeatRun(
  context: RunCommandContext,
  nodes: Nodes,
  window: RunsWindow,
): Promise<void> {
  const [run] = await chosenRuns(context, nodes, msg("Run Exactly Again"), window);
  if (run === undefined) return;
  if (run.definition === undefined) {
    void window.screen.showInformationMessage(
      msg`The submission of "${run.name}" is not stored: it was a pasted command, or another tool submitted it.`,
    );
    return;
  }
  if (!(await mayRepeat(run, window))) return;
  const whole = await askSecrets(
    run.definition,
    window.screen.translated(msg("Run Exactly Again")),
    window.screen,
  );
  if (whole === undefined) return;
  // Keep the name, because runs with the same name are compared.
  await context.submit({ ...(whole as object), type: taskType }, run.name);
}

async function mayRepeat(
  { git, name }: ListedRun,
  { commitOf, screen }: RunsWindow,
): Promise<boolean> {
  const current = git && (await commitOf(undefined));
  if (git === undefined || current === undefined) return true;
  const isSame = current.commit === git.commit && !current.isDirty && !git.isDirty;
  if (isSame) return true;
  const run = msg("Run");
  const detail = sentences([
    msg`The run used commit ${git.commit.slice(0, 12)}.`,
    ...(git.isDirty ? [msg("It had uncommitted changes, which were not saved.")] : []),
    msg`The workspace is at commit ${current.commit.slice(0, 12)}.`,
    ...(current.isDirty ? [msg("It has uncommitted changes.")] : []),
  ]);
  const question = msg`The code differs from that of the run. Run "${name}" with the current code?`;
  return (await screen.showWarningMessage(question, { modal: true, detail }, run)) === run;
}

export async function removeRuns(
  { history, now }: RunCommandContext,
  nodes: Nodes,
  window: RunsWindow,
): Promise<void> {
  const all = await history.list();
  const runs =
    nodes.length > 0
      ? runsOf(all, nodes)
      : await pickRuns(all, msg("Delete Runs"), now(), window, "several");
  if (runs.length === 0) return;
  const remove = msg("Delete");
  const { screen } = window;
  const [only] = runs;
  const question =
    runs.length === 1 && only !== undefined
      ? msg`Delete the record of "${only.name}"?`
      : msg`Delete the records of ${runs.length} runs?`;
  const detail = msg("Applications and kept logs are not deleted. The records cannot be restored.");
  if ((await screen.showWarningMessage(question, { modal: true, detail }, remove)) !== remove)
    return;
  await history.remove(runs.map(({ id }) => id));
}

async function chosenRuns(
  { history, now }: RunCommandContext,
  nodes: Nodes,
  title: Message,
  window: RunsWindow,
): Promise<readonly ListedRun[]> {
  const all = await history.list();
  return nodes.length > 0 ? runsOf(all, nodes) : pickRuns(all, title, now(), window, "one");
}

const runsOf = (all: readonly ListedRun[], nodes: Nodes): readonly ListedRun[] =>
  nodes.flatMap(({ id }) => all.find((run) => run.id === id) ?? []);

interface PickedRun extends QuickPickItem {
  readonly run: ListedRun;
}

async function pickRuns(
  all: readonly ListedRun[],
  title: Message,
  now: number,
  { screen }: RunsWindow,
  count: "one" | "several",
): Promise<readonly ListedRun[]> {
  const { translated } = screen;
  if (all.length === 0) {
    void screen.showInformationMessage(msg("No runs of this workspace."));
    return [];
  }
  const items = all.map((run): PickedRun => ({
    label: run.name,
    description: translated(
      dotted([
        runOutcomeWords(run),
        run.cause === undefined ? undefined : verbatim(run.cause),
        runDuration(run),
        startWords(run, now),
      ]),
    ),
    detail: `${run.context} · ${run.namespace} · ${run.applicationId}`,
    run,
  }));
  const options = {
    title: translated(title),
    placeHolder: translated(count === "one" ? msg("Select a run") : msg("Select the runs")),
  };
  if (count === "several") {
    const chosen = await screen.showQuickPick(items, { ...options, canPickMany: true });
    return (chosen ?? []).map(({ run }) => run);
  }
  const chosen = await screen.showQuickPick(items, options);
  return chosen === undefined ? [] : [chosen.run];
}

/** The file name suffix of a run's document. */
export const runSuffix = ".run.txt";

const pathOf = ({ name, startedAt }: ListedRun): string =>
  `/${name.replace(/[^\w.-]+/g, "-").slice(0, 60)}-${timeOfDay(startedAt, "seconds").replace(/\W+/g, "-")}${runSuffix}`;
