import {
  FileSystemError,
  l10n,
  Range,
  Selection,
  Uri,
  workspace,
  WorkspaceEdit,
  type WorkspaceFolder,
} from "vscode";
import { difference } from "../../base/difference.ts";
import { insertProfile } from "../../spark/submit/profile/insertProfile.ts";
import { portableProfile } from "./portableProfile.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";
import { taskType } from "../ids.ts";
import type { TaskInput } from "./secretInputs.ts";
import { window } from "../ui/window.ts";

/** A run profile to write, with its inputs. */
export interface NewProfile {
  readonly label: string;
  readonly profile: RunProfile;
  readonly inputs: readonly TaskInput[];
}

/**
 * Adds a run profile to tasks.json, saves the file and reveals the profile. Keeps all other lines. If the file has a
 * syntax error, shows a message and changes nothing.
 */
export async function writeProfile(
  folder: WorkspaceFolder,
  { label, profile, inputs }: NewProfile,
): Promise<void> {
  const uri = Uri.joinPath(folder.uri, ".vscode/tasks.json");
  await writeEmptyIfMissing(uri);
  const document = await workspace.openTextDocument(uri);
  const added = insertProfile(
    document.getText(),
    {
      ...{ type: taskType, label },
      ...portableProfile(profile, folder.uri.fsPath),
    },
    inputs,
  );
  const editor = await window.showTextDocument(document);
  if (added === undefined) {
    void window.showErrorMessage(
      l10n.t(
        'Cannot add "{0}" to tasks.json: the file has a syntax error. Fix it, then retry.',
        label,
      ),
    );
    return;
  }
  const edit = new WorkspaceEdit();
  const { start, end, text } = difference(document.getText(), added.text);
  edit.replace(uri, new Range(document.positionAt(start), document.positionAt(end)), text);
  await workspace.applyEdit(edit);
  await document.save();
  const [from, to] = [added.span.start, added.span.end].map((offset) =>
    document.positionAt(offset),
  );
  if (from === undefined || to === undefined) return;
  editor.selection = new Selection(from, to);
  editor.revealRange(editor.selection);
}

async function writeEmptyIfMissing(uri: Uri): Promise<void> {
  try {
    await workspace.fs.stat(uri);
  } catch (error) {
    if (!(error instanceof FileSystemError) || error.code !== "FileNotFound") throw error;
    await workspace.fs.writeFile(uri, new Uint8Array());
  }
}

/**
 * Returns the only workspace folder, or shows a quick pick if there are several. Undefined if there is none (reported)
 * or the user cancels.
 */
export async function pickFolder(): Promise<WorkspaceFolder | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length > 1) return window.showWorkspaceFolderPick();
  if (folders.length === 0) {
    void window.showInformationMessage(
      l10n.t("Open a folder first: run profiles are stored in its .vscode/tasks.json."),
    );
  }
  return folders[0];
}
