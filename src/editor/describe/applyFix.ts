import {
  CancellationTokenSource,
  env,
  l10n,
  Range,
  workspace,
  WorkspaceEdit,
  type Uri,
} from "vscode";
import { inEnglish } from "../../base/message.ts";
import { editDefinition, type DefinitionSource } from "../../spark/remedy/editDefinition.ts";
import type { Remedy, DefinitionEdit } from "../../spark/remedy/remedy.ts";
import { placesOf } from "../../spark/surfaces/places.ts";
import { profilesIn } from "../../spark/submit/profile/profilesText.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { positionsOf } from "../conf/positions.ts";
import { workspaceTexts } from "../conf/workspaceTexts.ts";
import { profileOf } from "../submit/knownRuns.ts";
import { openAt } from "../submit/openAt.ts";
import { difference } from "../submit/writeProfile.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { failedRows, readFailure, type FailedRow } from "./failures.ts";
import type { DescribeContext } from "./subjects.ts";

/** The row with one of its fixes, for a command that applies it without a choice. */
export const withFix = (node: TreeNode, { title }: Remedy): TreeNode => {
  const chosen: TreeNode & ChosenFix = { ...node, fix: inEnglish(title) };
  return chosen;
};

/** The application's row with a fix that rests on its advice, which no row shows. */
export const withRemedy = (node: TreeNode, remedy: Remedy): TreeNode => {
  const chosen: TreeNode & ChosenFix = { ...node, fix: new GivenFix(remedy) };
  return chosen;
};

/** A class, so that the argument of a caller outside of this extension is none. */
class GivenFix {
  readonly remedy: Remedy;
  constructor(remedy: Remedy) {
    this.remedy = remedy;
  }
}

interface ChosenFix {
  readonly fix: string | GivenFix;
}

const chosenFix = (node: TreeNode | undefined): unknown =>
  node !== undefined && "fix" in node ? node.fix : undefined;

/** Offers the fixes of a row, or of an application that the user picks, and applies the chosen one. */
export async function applyFix(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const [node] = nodes;
  const given = chosenFix(node);
  if (given instanceof GivenFix) {
    const application = node && "key" in node ? context.session.find(node.key) : undefined;
    if (application !== undefined) {
      await apply(context, { application, name: application.name }, given.remedy);
    }
    return;
  }
  const [row] = await failedRows(context, nodes, l10n.t("Fix…"));
  if (row === undefined) return;
  const failure = await readFailure(context, row);
  if (failure === undefined) return;
  const { remedies, diagnosis } = failure;
  if (remedies.length === 0) {
    const advice = translated(diagnosis.change) ?? "";
    void window.showInformationMessage(l10n.t("No fix can be applied. {0}", advice));
    return;
  }
  // The facts may have changed since the document was shown: then the user chooses again.
  const chosen = remedies.find(({ title }) => inEnglish(title) === given);
  if (chosen !== undefined) {
    await apply(context, row, chosen);
    return;
  }
  const picked = await window.showQuickPick(
    remedies.map((remedy) => ({
      label: translated(remedy.title),
      description: kindWords(remedy),
      remedy,
    })),
    { title: `${row.name}: ${translated(diagnosis.fact)}` },
  );
  if (picked !== undefined) await apply(context, row, picked.remedy);
}

/** The run whose definition a fix changes. */
type FixedRun = Pick<FailedRow, "application" | "name">;

function kindWords({ kind }: Remedy): string {
  switch (kind) {
    case "edit":
      return l10n.t("edit the file");
    case "open":
      return l10n.t("choose the value");
    case "text":
      return l10n.t("copy");
  }
}

async function apply(context: DescribeContext, row: FixedRun, remedy: Remedy): Promise<void> {
  if (remedy.kind === "text") {
    await env.clipboard.writeText(remedy.text);
    window.setStatusBarMessage(l10n.t("Copied to the clipboard."), copiedMs);
    return;
  }
  const key = remedy.kind === "open" ? remedy.key : firstKey(remedy.edits);
  const source = await findSource(context, row, key);
  if (source === undefined) {
    await copyOptions(row, remedy.kind === "open" ? [] : remedy.edits);
    return;
  }
  if (remedy.kind === "open") await openSource(source, remedy.key);
  else await writeEdits(source, remedy.edits);
}

const copiedMs = 4_000;

const firstKey = ([edit]: readonly [DefinitionEdit, ...DefinitionEdit[]]): string | undefined =>
  edit.kind === "member" ? undefined : edit.key;

interface FoundSource extends DefinitionSource {
  readonly uri: Uri;
}

/** The run profile of the run, or else a text of the workspace that sets the key. */
async function findSource(
  { runs, session }: DescribeContext,
  { application }: FixedRun,
  key: string | undefined,
): Promise<FoundSource | undefined> {
  const label = profileOf(runs)(application);
  const context = session.contextOf(application.key);
  const ended = new CancellationTokenSource();
  const found: FoundSource[] = [];
  try {
    for await (const { uri, text, surface } of workspaceTexts(ended.token)) {
      if (label !== undefined && surface === "profiles") {
        const isThere = profilesIn(text).some((profile) => profile.label === label);
        if (isThere) return { uri, text, surface, profile: { label, context } };
      }
      if (key !== undefined && placesOf(text, surface, key).length > 0) {
        found.push({ uri, text, surface });
      }
    }
  } finally {
    ended.dispose();
  }
  if (found.length <= 1) return found[0];
  const picked = await window.showQuickPick(
    found.map((source) => ({ label: workspace.asRelativePath(source.uri), source })),
    { title: l10n.t("Which file is the run from?") },
  );
  return picked?.source;
}

/**
 * Edits the file in an editor and selects the edit, so that the user can check or undo it. A refactoring preview
 * would start with the edit unselected, and its Apply button would then change nothing.
 */
async function writeEdits(source: FoundSource, edits: readonly DefinitionEdit[]): Promise<void> {
  const edited = editDefinition(source, edits);
  if (edited === undefined || edited === source.text) {
    await openSource(
      source,
      edits.map((edit) => (edit.kind === "member" ? "" : edit.key))[0] ?? "",
    );
    return;
  }
  const { start, end, text } = difference(source.text, edited);
  const at = positionsOf(source.text);
  const edit = new WorkspaceEdit();
  edit.replace(source.uri, new Range(at(start), at(end)), text);
  if (!(await workspace.applyEdit(edit))) return;
  const now = positionsOf(edited);
  await openAt(source.uri, new Range(now(start), now(start + text.length)));
}

/** Selects the value of the key, or else the run profile or the first line. */
async function openSource(
  { uri, text, surface, profile }: FoundSource,
  key: string,
): Promise<void> {
  const written =
    profile === undefined
      ? undefined
      : profilesIn(text).find(({ label }) => label === profile.label);
  const place = placesOf(text, surface, key).find(
    ({ keySpan }) =>
      written === undefined ||
      (written.span.start <= keySpan.start && keySpan.end <= written.span.end),
  );
  const span = place?.valueSpan ?? written?.span ?? { start: 0, end: 0 };
  const at = positionsOf(text);
  await openAt(uri, new Range(at(span.start), at(span.end)));
}

/** For a run without a definition in the workspace: the options of its command line. */
async function copyOptions({ name }: FixedRun, edits: readonly DefinitionEdit[]): Promise<void> {
  const options = edits.flatMap((edit) =>
    edit.kind === "set" ? [`--conf ${edit.key}=${edit.value}`] : [],
  );
  if (options.length === 0) {
    void window.showInformationMessage(
      l10n.t('No file of the workspace defines the run "{0}".', name),
    );
    return;
  }
  const copy = l10n.t("Copy Options");
  const answer = await window.showInformationMessage(
    l10n.t(
      'No file of the workspace defines the run "{0}". Submit it again with these options: {1}',
      name,
      options.join(" "),
    ),
    copy,
  );
  if (answer === copy) await env.clipboard.writeText(options.join(" "));
}
