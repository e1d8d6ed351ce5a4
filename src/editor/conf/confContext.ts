import { FileType, Range, Uri, workspace, type TextDocument } from "vscode";
import type { Span } from "../../base/span.ts";
import type { SparkVersion } from "../../spark/conf/catalogue/sparkVersions.ts";
import type { Surface } from "../../spark/surfaces/surfaces.ts";
import type { ConfHelp } from "./door.ts";

/** Dependencies of all providers of conf help. */
export interface ConfContext {
  /** Loads the lazy bundle at the first call. */
  readonly help: () => Promise<ConfHelp>;
  /** Returns the surface of a document; undefined for a document that cannot contain Spark properties. */
  readonly surfaceOf: (document: TextDocument) => Surface | undefined;
  readonly versionOf: (document: TextDocument) => SparkVersion;
  readonly log: { readonly error: (error: unknown) => void };
}

/** The text of a document, with its surface and Spark version, and the conf help for it. */
interface ConfText {
  readonly help: ConfHelp;
  readonly text: string;
  readonly surface: Surface;
  readonly version: SparkVersion;
}

/**
 * Loads the conf help and reads the current text of a document. Undefined for a document that cannot contain Spark
 * properties.
 */
export async function readConfDocument(
  { help, surfaceOf, versionOf }: ConfContext,
  document: TextDocument,
): Promise<ConfText | undefined> {
  const surface = surfaceOf(document);
  if (surface === undefined) return undefined;
  const loaded = await help();
  return { help: loaded, text: document.getText(), surface, version: versionOf(document) };
}

/** Maximum size in bytes of a file that a document names. Larger files are ignored. */
const maxFileBytes = 1_000_000;

/**
 * Reads the files that a document and its properties files name, and returns their texts by path. Paths are relative to
 * the document or to a workspace folder. Skips files outside the workspace.
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
      texts.set(path, await documentTextOf(uri));
      isNew = true;
    }
  }
  return texts;
}

/**
 * Finds the workspace file that a path in a document refers to; undefined if there is none, or if it is larger than 1
 * MB.
 */
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
    // The file does not exist.
    () => undefined,
  );
  return found !== undefined && (found.type & FileType.File) !== 0 && found.size <= maxFileBytes;
}

/** Returns the text of a file, with the unsaved changes of an open document. */
export async function documentTextOf(uri: Uri): Promise<string> {
  const open = workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  return new TextDecoder().decode(await workspace.fs.readFile(uri));
}

export const rangeOf = (document: TextDocument, { start, end }: Span): Range =>
  new Range(document.positionAt(start), document.positionAt(end));
