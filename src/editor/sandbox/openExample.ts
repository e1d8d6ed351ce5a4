import {
  commands as editorCommands,
  FileSystemError,
  FileType,
  l10n,
  Uri,
  workspace,
  type Memento,
} from "vscode";
import { window } from "../ui/window.ts";
import { showExample, type ExampleWindow } from "./exampleProgram.ts";

export interface ExampleOptions {
  /** The template folder of example workspaces. */
  readonly example: Uri;
  /** The user's home folder. */
  readonly home: Uri;
  /** Global state, shared by all windows. */
  readonly memory: Memento;
}

/** The version in the template's files; copies name the installed version instead. */
const templateVersion = "4.3.0";
const folderName = "spark-example";

/** Copies the example workspace into a folder that the user chooses, and opens it. Existing files stay unchanged. */
export async function openExample(
  { example, home, memory }: ExampleOptions,
  sparkVersion: () => Promise<string | undefined>,
): Promise<void> {
  const [parent] =
    (await window.showOpenDialog({
      title: l10n.t('Create the folder "{0}" in…', folderName),
      openLabel: l10n.t("Create Here"),
      defaultUri: home,
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (parent === undefined) return;
  const folder = Uri.joinPath(parent, folderName);
  await copy(example, folder, (await sparkVersion()) ?? templateVersion);
  await showExample(folder.toString(), exampleWindow(memory));
}

export const exampleWindow = (memory: Memento): ExampleWindow => ({
  memory,
  folders: () => (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()),
  openFile: async (file) =>
    window.showTextDocument(await workspace.openTextDocument(Uri.parse(file)), { preview: false }),
  openFolder: (folder) =>
    editorCommands.executeCommand("vscode.openFolder", Uri.parse(folder), {
      forceReuseWindow: true,
    }),
});

async function copy(from: Uri, to: Uri, sparkVersion: string): Promise<void> {
  const { fs } = workspace;
  const there = new Set(await namesIn(to));
  for (const [name, type] of await fs.readDirectory(from)) {
    const [source, target] = [Uri.joinPath(from, name), Uri.joinPath(to, name)];
    if (type === FileType.Directory) await copy(source, target, sparkVersion);
    else if (!there.has(name)) {
      // `writeFile` creates missing folders.
      await fs.writeFile(target, withVersion(name, await fs.readFile(source), sparkVersion));
    }
  }
}

async function namesIn(folder: Uri): Promise<readonly string[]> {
  try {
    return (await workspace.fs.readDirectory(folder)).map(([name]) => name);
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "FileNotFound") return [];
    throw error;
  }
}

function withVersion(name: string, bytes: Uint8Array, sparkVersion: string): Uint8Array {
  if (name.endsWith(".jar")) return bytes;
  const text = new TextDecoder().decode(bytes);
  return new TextEncoder().encode(text.replaceAll(templateVersion, sparkVersion));
}
