import { translated } from "../ui/translated.ts";
import {
  l10n,
  ProgressLocation,
  Range,
  Uri,
  workspace,
  WorkspaceEdit,
  type CancellationToken,
} from "vscode";
import { sparkVersions, type SparkVersion } from "../../spark/conf/catalogue/sparkVersions.ts";
import type { FileUpgrade } from "../../spark/surfaces/upgrade/upgrade.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import type { CommandHandler } from "../commandArguments.ts";
import type { ConfContext } from "./confContext.ts";
import { positionsOf } from "./positions.ts";
import { workspaceTexts } from "./workspaceTexts.ts";
import { window } from "../ui/window.ts";

/**
 * Returns a handler that reports the Spark properties in the workspace to change for another Spark version, and offers
 * to change them.
 */
export function upgradeHandler(
  context: ConfContext,
  documents: Pick<ReadOnlyDocuments, "show">,
): CommandHandler<"upgradeConf"> {
  return async () => {
    const older = sparkVersions.slice(0, -1);
    const from = await pickVersion(l10n.t("Upgrade from which Spark version?"), older);
    if (from === undefined) return;
    const newer = sparkVersions.slice(sparkVersions.indexOf(from) + 1).reverse();
    const to = await pickVersion(l10n.t("Upgrade from Spark {0} to which version?", from), newer);
    if (to === undefined) return;
    const files = await window.withProgress(
      {
        location: ProgressLocation.Notification,
        title: l10n.t("Checking the Spark properties in the workspace"),
        cancellable: true,
      },
      (_progress, token) => readReport(context, from, to, token),
    );
    const help = await context.help();
    const defaults = help.changedDefaults(from, to);
    const report = help.upgradeReport(from, to, files, defaults, translated);
    await documents.show(`/Spark ${from} to ${to}.txt`, report);
    await offerEdits(files, to);
  };
}

async function pickVersion(
  title: string,
  versions: readonly SparkVersion[],
): Promise<SparkVersion | undefined> {
  const picked = await window.showQuickPick(
    versions.map((version) => ({ label: `Spark ${version}`, version })),
    { title },
  );
  return picked?.version;
}

async function readReport(
  context: ConfContext,
  from: SparkVersion,
  to: SparkVersion,
  token: CancellationToken,
): Promise<readonly FileUpgrade[]> {
  const help = await context.help();
  const files: FileUpgrade[] = [];
  for await (const { uri, text, surface } of workspaceTexts(token)) {
    const found = help.upgrade(text, surface, from, to);
    if (found.keys.length === 0) continue;
    files.push({ ...found, name: workspace.asRelativePath(uri), uri: uri.toString(), text });
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Offers to apply the edits in the report. The files stay unsaved, so that the user can check and undo the edits. */
async function offerEdits(files: readonly FileUpgrade[], to: SparkVersion): Promise<void> {
  const changed = files.filter(({ edits }) => edits.length > 0);
  const count = changed.reduce((sum, { edits }) => sum + edits.length, 0);
  if (count === 0) return;
  const change = l10n.t("Apply Changes");
  const message =
    count === 1
      ? l10n.t("1 Spark property can be changed for Spark {0}.", to)
      : l10n.t("{0} Spark properties can be changed for Spark {1}.", count, to);
  if ((await window.showInformationMessage(message, change)) !== change) return;
  const edit = new WorkspaceEdit();
  for (const { uri, text, edits } of changed) {
    const at = positionsOf(text);
    for (const { span, text: own } of edits) {
      edit.replace(Uri.parse(uri), new Range(at(span.start), at(span.end)), own);
    }
  }
  if (!(await workspace.applyEdit(edit))) return;
  for (const { uri } of changed.slice(0, maxShown)) {
    await window.showTextDocument(Uri.parse(uri), { preview: false });
  }
}

// The maximum number of changed files to open. The Explorer marks the others as unsaved.
const maxShown = 5;
