import {
  commands as editorCommands,
  FileSystemError,
  FileType,
  l10n,
  Uri,
  window,
  workspace,
} from "vscode";

export interface ExampleOptions {
  /** The folder of which an example workspace is a copy. */
  readonly example: Uri;
  /** Where a person's own files are. */
  readonly home: Uri;
}

/** The version that the example's files name; the copy names the one that is here. */
const namedVersion = "4.3.0";
const folderName = "spark-example";

/** Copies the example workspace to where the user says, and opens it. What is there already stays as it is. */
export async function openExample(
  { example, home }: ExampleOptions,
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
  await copy(example, folder, (await sparkVersion()) ?? namedVersion);
  await editorCommands.executeCommand("vscode.openFolder", folder, { forceReuseWindow: true });
}

async function copy(from: Uri, to: Uri, sparkVersion: string): Promise<void> {
  const { fs } = workspace;
  const there = new Set(await namesIn(to));
  for (const [name, type] of await fs.readDirectory(from)) {
    const [source, target] = [Uri.joinPath(from, name), Uri.joinPath(to, name)];
    if (type === FileType.Directory) await copy(source, target, sparkVersion);
    else if (!there.has(name)) {
      // Folders that are not there come with their files.
      await fs.writeFile(target, inVersion(name, await fs.readFile(source), sparkVersion));
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

function inVersion(name: string, bytes: Uint8Array, sparkVersion: string): Uint8Array {
  if (name.endsWith(".jar")) return bytes;
  const text = new TextDecoder().decode(bytes);
  return new TextEncoder().encode(text.replaceAll(namedVersion, sparkVersion));
}
