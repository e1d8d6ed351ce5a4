import { l10n, workspace, type QuickPickItem, type TaskDefinition } from "vscode";
import { postMortemOf } from "../../spark/history/postMortem.ts";
import type { RunRecord } from "../../spark/history/runRecord.ts";
import { taskType } from "../ids.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import { askSecrets } from "../submit/askSecrets.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { gitCommitOf } from "./gitCommit.ts";
import type { RunHistory } from "./runHistory.ts";
import type { RunNode } from "./runNode.ts";
import { runText } from "./runText.ts";
import { clockTime, runOutcomeWords, startWords } from "./runWords.ts";

export interface RunCommandContext {
  readonly history: RunHistory;
  readonly documents: ReadOnlyDocuments;
  readonly now: () => number;
  readonly submit: (definition: TaskDefinition, name: string) => Promise<void>;
}

type Nodes = readonly RunNode[];

/** Shows the facts, stages and conf of the runs, one document each. */
export async function openRunDocument(context: RunCommandContext, nodes: Nodes): Promise<void> {
  for (const run of await chosenRuns(context, nodes, l10n.t("Open Run"))) {
    const timeline = await context.history.timeline(run.id);
    await context.documents.show(pathOf(run), runText(run, timeline, context.now()));
  }
}

/** Compares conf, durations of stages and counts of two runs. A single row is compared with the run before it. */
export async function compareRuns(context: RunCommandContext, nodes: Nodes): Promise<void> {
  const { history, documents, now } = context;
  const all = await history.list();
  const selected =
    nodes.length > 0
      ? runsOf(all, nodes)
      : await pickRuns(all, l10n.t("Compare Runs"), now(), true);
  const [first] = selected;
  if (first === undefined) return;
  const other =
    selected[1] ??
    all.find(({ name, startedAt }) => name === first.name && startedAt < first.startedAt);
  if (other === undefined || selected.length > 2) {
    void window.showInformationMessage(l10n.t("Select two runs to compare them."));
    return;
  }
  const [newer, older] = [first, other].sort((a, b) => b.startedAt - a.startedAt);
  if (newer === undefined || older === undefined) return;
  const textOf = async (run: RunRecord): Promise<string> =>
    runText(run, await history.timeline(run.id), now());
  const title =
    newer.name === older.name
      ? l10n.t("{0}: {1} ↔ {2}", newer.name, clockTime(older.startedAt), clockTime(newer.startedAt))
      : l10n.t("{0} ↔ {1}", older.name, newer.name);
  await documents.compare(
    { path: "/older-run.txt", text: await textOf(older) },
    { path: "/newer-run.txt", text: await textOf(newer) },
    title,
  );
}

/** Opens a report of a run in an untitled editor. */
export async function openPostMortem(context: RunCommandContext, nodes: Nodes): Promise<void> {
  for (const run of await chosenRuns(context, nodes, l10n.t("Post-Mortem"))) {
    const timeline = await context.history.timeline(run.id);
    const content = postMortemOf(run, timeline, {
      outcome: runOutcomeWords(run),
      show: translated,
    });
    const document = await workspace.openTextDocument({ language: "markdown", content });
    await window.showTextDocument(document, { preview: false });
  }
}

/** Submits the definition of a run again. Asks for its secrets, and before other code is sent than the run's. */
export async function repeatRun(context: RunCommandContext, nodes: Nodes): Promise<void> {
  const [run] = await chosenRuns(context, nodes, l10n.t("Run Exactly Again"));
  if (run === undefined) return;
  if (run.definition === undefined) {
    void window.showInformationMessage(
      l10n.t('"{0}" was not submitted from this workspace, so it cannot run again.', run.name),
    );
    return;
  }
  if (!(await mayRepeat(run))) return;
  const whole = await askSecrets(run.definition, l10n.t("Run Exactly Again"));
  if (whole === undefined) return;
  // Runs of the same name are compared.
  await context.submit({ ...(whole as object), type: taskType }, run.name);
}

async function mayRepeat({ git, name }: RunRecord): Promise<boolean> {
  const current = git && (await gitCommitOf(undefined));
  if (git === undefined || current === undefined) return true;
  const isSame = current.commit === git.commit && !current.isDirty && !git.isDirty;
  if (isSame) return true;
  const run = l10n.t("Run");
  const detail = [
    l10n.t("The run had commit {0}.", git.commit.slice(0, 12)),
    ...(git.isDirty ? [l10n.t("It had uncommitted changes, which were not kept.")] : []),
    l10n.t("The workspace has commit {0}.", current.commit.slice(0, 12)),
    ...(current.isDirty ? [l10n.t("It has uncommitted changes.")] : []),
  ].join(" ");
  const question = l10n.t(
    'The code differs from that of the run. Run "{0}" with the current code?',
    name,
  );
  return (await window.showWarningMessage(question, { modal: true, detail }, run)) === run;
}

export async function removeRuns({ history, now }: RunCommandContext, nodes: Nodes): Promise<void> {
  const all = await history.list();
  const runs =
    nodes.length > 0 ? runsOf(all, nodes) : await pickRuns(all, l10n.t("Delete Runs"), now(), true);
  if (runs.length === 0) return;
  const remove = l10n.t("Delete");
  const [only] = runs;
  const question =
    runs.length === 1 && only !== undefined
      ? l10n.t('Delete the record of "{0}"?', only.name)
      : l10n.t("Delete the records of {0} runs?", runs.length);
  const detail = l10n.t("Applications and kept logs stay. The records cannot be restored.");
  if ((await window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove)
    return;
  await history.remove(runs.map(({ id }) => id));
}

async function chosenRuns(
  { history, now }: RunCommandContext,
  nodes: Nodes,
  title: string,
): Promise<readonly RunRecord[]> {
  const all = await history.list();
  return nodes.length > 0 ? runsOf(all, nodes) : pickRuns(all, title, now(), false);
}

const runsOf = (all: readonly RunRecord[], nodes: Nodes): readonly RunRecord[] =>
  nodes.flatMap(({ id }) => all.find((run) => run.id === id) ?? []);

interface PickedRun extends QuickPickItem {
  readonly run: RunRecord;
}

async function pickRuns(
  all: readonly RunRecord[],
  title: string,
  now: number,
  isMany: boolean,
): Promise<readonly RunRecord[]> {
  if (all.length === 0) {
    void window.showInformationMessage(l10n.t("No runs of this workspace."));
    return [];
  }
  const items = all.map((run): PickedRun => ({
    label: run.name,
    description: `${runOutcomeWords(run)} · ${startWords(run, now)}`,
    detail: `${run.context} · ${run.namespace} · ${run.applicationId}`,
    run,
  }));
  const options = {
    title,
    placeHolder: l10n.t("Run"),
    matchOnDescription: true,
    matchOnDetail: true,
  };
  if (isMany) {
    const chosen = await window.showQuickPick(items, { ...options, canPickMany: true });
    return (chosen ?? []).map(({ run }) => run);
  }
  const chosen = await window.showQuickPick(items, options);
  return chosen === undefined ? [] : [chosen.run];
}

const pathOf = ({ name, startedAt }: RunRecord): string =>
  `/${name.replace(/[^\w.-]+/g, "-").slice(0, 60)}-${clockTime(startedAt).replace(/\W+/g, "-")}.txt`;
