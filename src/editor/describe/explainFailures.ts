import { l10n, type Command } from "vscode";
import { msg } from "../../base/message.ts";
import { failureLines, fixesOfLines } from "../../spark/remedy/failureDocument.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { commandTable } from "../commandTable.ts";
import { mayOpen } from "../mayOpen.ts";
import { translated } from "../ui/translated.ts";
import { withFix } from "./applyFix.ts";
import { fixLens, lineLens } from "./fixLenses.ts";
import { failedRows, readFailure, type FailedRow } from "./failures.ts";
import { pathAbout, type DescribeContext } from "./subjects.ts";

/**
 * Shows cause, evidence and fixes for the given rows, or for an application that the user picks. CodeLenses in the
 * document open the evidence and apply the fixes.
 */
export async function explainFailures(
  context: DescribeContext,
  nodes: readonly TreeNode[],
): Promise<void> {
  const rows = await failedRows(context, nodes, msg("Explain Failure"));
  if (!(await mayOpen(context.screen, rows.length, "documents"))) return;
  for (const row of rows) {
    const failure = await readFailure(context, row);
    if (failure === undefined) return;
    const { application, pod, name } = row;
    const path = pathAbout(context, application, `${name} failure.txt`, pod?.pod.name);
    const lines = failureLines(failure);
    const text = lines.map((line) => translated(line.text)).join("\n");
    const fixes = fixesOfLines(lines, failure.remedies);
    context.lenses.set(path, () => [
      ...evidence(row).map((command) => lineLens(0, command)),
      ...fixes.map(({ line, fix }) => fixLens(line, fix, withFix(row.node, fix))),
    ]);
    await context.documents.show(path, `${text}\n`);
  }
}

function evidence({ node, pod, diagnoses: [diagnosis] }: FailedRow): readonly Command[] {
  const on = (title: string, command: string): Command => ({ title, command, arguments: [node] });
  return [
    diagnosis.logKind === undefined
      ? on(l10n.t("Open Log"), commandTable.openLog.id)
      : on(l10n.t("Show Error in Log"), commandTable.openError.id),
    on(l10n.t("Show Events"), commandTable.showEvents.id),
    ...(pod === undefined ? [] : [on(l10n.t("Show Pod"), commandTable.showPod.id)]),
  ];
}
