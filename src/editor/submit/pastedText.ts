import { env, l10n, Range, Selection, workspace } from "vscode";
import type { Span } from "../../base/span.ts";
import { parsePastedCommand } from "../../spark/submit/pasted/parsePastedCommand.ts";
import { window } from "../ui/window.ts";

/**
 * Returns text with a spark-submit command: the selection, else the clipboard, else text from a prompt. Undefined if
 * the user cancels.
 */
export async function findPastedText(): Promise<string | undefined> {
  const { document, selection } = window.activeTextEditor ?? {};
  const selected = document && selection && !selection.isEmpty ? document.getText(selection) : "";
  if (holdsCommand(selected)) return selected;
  const copied = await env.clipboard.readText();
  if (holdsCommand(copied)) return copied;
  return window.showInputBox({
    title: l10n.t("Submit Pasted Command"),
    prompt: l10n.t("No spark-submit command in the selection or clipboard. Paste or type it here."),
    placeHolder: "spark-submit --master k8s://https://… --deploy-mode cluster …",
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === "" || parsePastedCommand(text).tokens.length > 0
        ? undefined
        : l10n.t("Not a spark-submit command"),
  });
}

const holdsCommand = (text: string): boolean =>
  /spark[23]?.submit/i.test(text) && parsePastedCommand(text).span !== undefined;

/** Opens the text in an editor and selects the span, or everything without a span. */
export async function openPastedText(text: string, span: Span | undefined): Promise<void> {
  const document = await workspace.openTextDocument({ language: "shellscript", content: text });
  const editor = await window.showTextDocument(document);
  const { start, end } = span ?? { start: 0, end: text.length };
  const range = new Range(document.positionAt(start), document.positionAt(end));
  editor.selection = new Selection(range.start, range.end);
  editor.revealRange(range);
}
