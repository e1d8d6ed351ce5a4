import { Location, Uri, window, workspace, type TextDocument } from "vscode";
import type { ManifestPlace } from "./manifestDocuments.ts";

/** Enough to tell a manifest from other YAML without reading it as YAML. */
export const mentionsManifest = (text: string): boolean =>
  /^\s*["']?apiVersion["']?\s*:\s*["']?(?:sparkoperator\.k8s\.io|spark\.apache\.org)\//m.test(text);

export const isManifest = (document: TextDocument): boolean =>
  document.languageId === "yaml" && mentionsManifest(document.getText());

/** The manifest that is meant: by a lens, a menu, or the active editor. */
export async function placeOf(argument: unknown): Promise<ManifestPlace | undefined> {
  if (argument instanceof Location) {
    const document = await workspace.openTextDocument(argument.uri);
    return { uri: argument.uri, offset: document.offsetAt(argument.range.start) };
  }
  if (argument instanceof Uri) {
    if (argument.scheme === "file" && !/\.ya?ml$/i.test(argument.path)) return undefined;
    const document = await workspace.openTextDocument(argument);
    return isManifest(document) ? { uri: argument, offset: undefined } : undefined;
  }
  const document = window.activeTextEditor?.document;
  return document && isManifest(document) ? { uri: document.uri, offset: undefined } : undefined;
}
