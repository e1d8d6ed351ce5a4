import { env, l10n, Range, Selection, window, workspace } from "vscode";
import type { Span } from "../../base/span.ts";
import { parsePastedCommand } from "../../spark/submit/pasted/parsePastedCommand.ts";

/** The text with a spark-submit command: what is selected, else what was copied, else what is typed. */
export async function findPastedText(): Promise<string | undefined> {
  const { document, selection } = window.activeTextEditor ?? {};
  const selected = document && selection && !selection.isEmpty ? document.getText(selection) : "";
  if (holdsCommand(selected)) return selected;
  const copied = await env.clipboard.readText();
  if (holdsCommand(copied)) return copied;
  return window.showInputBox({
    title: l10n.t("Submit Pasted Command"),
    prompt: l10n.t(
      "Neither the selection nor the clipboard holds a spark-submit command: paste or type it here",
    ),
    placeHolder: "spark-submit --master k8s://https://… --deploy-mode cluster …",
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === "" || parsePastedCommand(text).tokens.length > 0
        ? undefined
        : l10n.t("There is no spark-submit command in it"),
  });
}

const holdsCommand = (text: string): boolean =>
  /spark[23]?.submit/i.test(text) && parsePastedCommand(text).span !== undefined;

/** Opens the text where it can be changed and submitted again, with the place at fault selected. */
export async function openPastedText(text: string, span: Span | undefined): Promise<void> {
  const document = await workspace.openTextDocument({ language: "shellscript", content: text });
  const editor = await window.showTextDocument(document);
  const { start, end } = span ?? { start: 0, end: text.length };
  const range = new Range(document.positionAt(start), document.positionAt(end));
  editor.selection = new Selection(range.start, range.end);
  editor.revealRange(range);
}
