import { Selection, workspace, type Range, type Uri } from "vscode";
import { window } from "../ui/window.ts";

/** Opens the document and selects the range. */
export async function openAt(uri: Uri, range: Range): Promise<void> {
  const editor = await window.showTextDocument(await workspace.openTextDocument(uri));
  editor.selection = new Selection(range.start, range.end);
  editor.revealRange(range);
}
