import { CodeLens, l10n, Range, type Command, type Uri } from "vscode";
import { msg } from "../../base/message.ts";
import { DisposableStore } from "../../base/disposable.ts";
import { failureLines } from "../../spark/remedy/failureDocument.ts";
import type { Remedy } from "../../spark/remedy/remedy.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { commandTable } from "../commandTable.ts";
import { documentScheme } from "../ids.ts";
import { mayOpen } from "../mayOpen.ts";
import { languages } from "../ui/languages.ts";
import { visiblePath } from "../ui/plainText.ts";
import { translated } from "../ui/translated.ts";
import { withFix } from "./applyFix.ts";
import { failedRows, readFailure, type FailedRow } from "./failures.ts";
import { pathAbout, type DescribeContext } from "./subjects.ts";

/**
 * Shows the causes of the given rows, or of an application that the user picks: cause, evidence, and fixes. Lenses in the
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
    const fixes = lines.flatMap(({ remedy }, line) => {
      const fix = remedy === undefined ? undefined : failure.remedies[remedy];
      return fix === undefined ? [] : [{ line, fix }];
    });
    context.updates.add(showLenses(path, row, fixes));
    await context.documents.show(path, `${text}\n`);
  }
}

interface LineFix {
  readonly line: number;
  readonly fix: Remedy;
}

/** Lenses of one document: the evidence in the first line, and a fix in the line of each fix. */
function showLenses(path: string, row: FailedRow, fixes: readonly LineFix[]): DisposableStore {
  const owned = new DisposableStore();
  const isShown = (uri: Uri): boolean => uri.path === visiblePath(path);
  owned.add(
    languages.registerCodeLensProvider(
      { scheme: documentScheme, pattern: "**/*failure.txt" },
      {
        provideCodeLenses: ({ uri }) => {
          if (!isShown(uri)) return [];
          return [
            ...evidence(row).map((command) => new CodeLens(new Range(0, 0, 0, 0), command)),
            ...fixes.map(
              ({ line, fix }) => new CodeLens(new Range(line, 0, line, 0), fixCommand(row, fix)),
            ),
          ];
        },
      },
    ),
  );
  return owned;
}

const fixCommand = ({ node }: FailedRow, fix: Remedy): Command => ({
  title: fixTitle(fix),
  command: commandTable.applyFix.id,
  arguments: [withFix(node, fix)],
});

function fixTitle({ kind }: Remedy): string {
  switch (kind) {
    case "edit":
      return l10n.t("Apply Fix");
    case "open":
      return l10n.t("Open Setting");
    case "text":
      return l10n.t("Copy");
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
