import { CodeLens, l10n, Range, type Command, type Uri } from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import type { LineFix } from "../../spark/remedy/failureDocument.ts";
import type { Remedy } from "../../spark/remedy/remedy.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { commandTable } from "../commandTable.ts";
import { documentScheme } from "../ids.ts";
import { withRemedy } from "./applyFix.ts";
import { languages } from "../ui/languages.ts";
import { visiblePath } from "../ui/plainText.ts";

/** Shows CodeLenses in the read-only document at this path. `pattern`: a glob for documents of its kind. */
export const showFixLenses = (
  path: string,
  pattern: string,
  lenses: () => readonly CodeLens[],
): Disposable => {
  const isShown = (uri: Uri): boolean => uri.path === visiblePath(path);
  return languages.registerCodeLensProvider(
    { scheme: documentScheme, pattern },
    { provideCodeLenses: ({ uri }) => (isShown(uri) ? [...lenses()] : []) },
  );
};

export const lineLens = (line: number, command: Command): CodeLens =>
  new CodeLens(new Range(line, 0, line, 0), command);

/** Shows CodeLenses that apply the fixes of the advice in a document about an application. */
export const showFixesOf = (
  path: string,
  node: TreeNode,
  fixes: () => readonly LineFix[],
): Disposable =>
  showFixLenses(path, "**/*advice.txt", () =>
    fixes().map(({ line, fix }) => fixLens(line, fix, withRemedy(node, fix))),
  );

/** Makes a CodeLens that applies a fix. `node`: the argument of the command, with the fix. */
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
