import { FileType, Range, Uri, workspace, type TextDocument } from "vscode";
import type { Span } from "../../base/span.ts";
import type { SparkVersion } from "../../spark/conf/sparkVersions.ts";
import type { Surface } from "../../spark/surfaces/surfaces.ts";
import type { ConfHelp } from "./door.ts";

/** What every kind of help with settings works with. */
export interface ConfContext {
  /** Loads what works at its first call. */
  readonly help: () => Promise<ConfHelp>;
  /** Undefined for documents that hold no settings. */
  readonly surfaceOf: (document: TextDocument) => Surface | undefined;
  readonly versionOf: (document: TextDocument) => SparkVersion;
  readonly log: { readonly error: (error: unknown) => void };
}

/** What a provider is asked about. */
export interface ConfText {
  readonly help: ConfHelp;
  readonly text: string;
  readonly surface: Surface;
  readonly version: SparkVersion;
}

/** The document as it is now; undefined where there are no settings. */
export async function readConfText(
  { help, surfaceOf, versionOf }: ConfContext,
  document: TextDocument,
): Promise<ConfText | undefined> {
  const surface = surfaceOf(document);
  if (surface === undefined) return undefined;
  const loaded = await help();
  return { help: loaded, text: document.getText(), surface, version: versionOf(document) };
}

/** More is no such file that somebody wrote. */
const longestFile = 1_000_000;

/**
 * The texts of the files that a document names, and that its properties files do, by the paths that they are named
 * by: beside the document, or in a folder of the workspace. Files elsewhere are not read.
 */
export async function namedFiles(
  { help, text, surface }: ConfText,
  document: TextDocument,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const path of help.filesNamed(text, surface, texts)) {
      const uri = texts.has(path) ? undefined : await findFile(path, document.uri);
      if (uri === undefined) continue;
      texts.set(path, await textOf(uri));
      isNew = true;
    }
  }
  return texts;
}

/** Where a path leads that a document names. */
export async function findFile(path: string, from: Uri): Promise<Uri | undefined> {
  const folder = workspace.getWorkspaceFolder(from);
  if (folder === undefined || /[$%{}]/.test(path) || /^[a-z]+:/i.test(path)) return undefined;
  const places = path.startsWith("/")
    ? [folder.uri.with({ path })]
    : [Uri.joinPath(folder.uri, path), Uri.joinPath(from, "..", path)];
  for (const uri of places) {
    if (workspace.getWorkspaceFolder(uri) !== undefined && (await isFile(uri))) return uri;
  }
  return undefined;
}

async function isFile(uri: Uri): Promise<boolean> {
  const found = await workspace.fs.stat(uri).then(
    (stat) => stat,
    // There is no such file.
    () => undefined,
  );
  return found !== undefined && (found.type & FileType.File) !== 0 && found.size <= longestFile;
}

// What is open counts as it stands in its editor.
export async function textOf(uri: Uri): Promise<string> {
  const open = workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  return new TextDecoder().decode(await workspace.fs.readFile(uri));
}

export const rangeOf = (document: TextDocument, { start, end }: Span): Range =>
  new Range(document.positionAt(start), document.positionAt(end));
