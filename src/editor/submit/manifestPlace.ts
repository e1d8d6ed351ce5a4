import { Location, Uri, workspace, type TextDocument } from "vscode";
import type { TargetArgument } from "../commandArguments.ts";
import type { ManifestPlace } from "./manifestDocuments.ts";
import { window } from "../ui/window.ts";

/** True if a line of the text sets `apiVersion` to the API of a Spark operator. Does not parse YAML. */
export const mentionsManifest = (text: string): boolean =>
  /^\s*["']?apiVersion["']?\s*:\s*["']?(?:sparkoperator\.k8s\.io|spark\.apache\.org)\//m.test(text);

export const isManifest = (document: TextDocument): boolean =>
  document.languageId === "yaml" && mentionsManifest(document.getText());

/**
 * Returns the document, and for a CodeLens also the offset, of the manifest that a CodeLens, a menu or the active
 * editor refers to. Undefined if there is none.
 */
export async function manifestPlaceOf(
  argument: TargetArgument,
): Promise<ManifestPlace | undefined> {
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
