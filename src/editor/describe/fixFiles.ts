import { commands as editorCommands, Range, Uri, workspace, WorkspaceEdit } from "vscode";
import type { Clock } from "../../engine/ports/clock.ts";
import { positionsOf } from "../conf/positions.ts";
import { workspaceTexts } from "../conf/workspaceTexts.ts";
import { commands } from "../ids.ts";
import type { ProfileName } from "../profiles/profileName.ts";
import { openAt } from "../submit/openAt.ts";
import { saveDocument } from "../ui/saveDocument.ts";
import type { FixFiles } from "./applyFix.ts";

export const fixFiles = (clock: Pick<Clock, "sleep">): FixFiles => ({
  texts: () => workspaceTexts(),
  replace: (source, { start, end }, text) => {
    const at = positionsOf(source.text);
    const edit = new WorkspaceEdit();
    edit.replace(source.uri, new Range(at(start), at(end)), text);
    return workspace.applyEdit(edit);
  },
  select: ({ uri, text }, { start, end }) => {
    const at = positionsOf(text);
    return openAt(uri, new Range(at(start), at(end)));
  },
  save: async (file) =>
    saveDocument(await workspace.openTextDocument(file), workspace.onDidSaveTextDocument, clock),
  run: (name, file, context) => {
    const folder = workspace.getWorkspaceFolder(file)?.uri;
    const profile: ProfileName = { kind: "profile", name, folder, context };
    return editorCommands.executeCommand(commands.runProfile, profile);
  },
  runWith: (path) => editorCommands.executeCommand(commands.runFileWith, Uri.file(path)),
});
