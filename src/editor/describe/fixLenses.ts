import { CodeLens, l10n, Range, type Command } from "vscode";
import type { Remedy } from "../../spark/remedy/remedy.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { commandTable } from "../commandTable.ts";

export const lineLens = (line: number, command: Command): CodeLens =>
  new CodeLens(new Range(line, 0, line, 0), command);

/** Creates a CodeLens that applies a fix. `node`: the argument of the command, with the fix. */
export const fixLens = (line: number, fix: Remedy, node: TreeNode): CodeLens =>
  lineLens(line, {
    title: fixTitle(fix),
    command: commandTable.applyFix.id,
    arguments: [node],
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
