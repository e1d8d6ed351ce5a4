import { l10n, ThemeIcon, Uri, workspace, type QuickPickItem, type TextDocument } from "vscode";
import { matchingFirst } from "../../base/matchingFirst.ts";
import { decodeManifests, type DecodedManifest } from "../../spark/operator/decodeManifests.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { nameOfManifest } from "./manifestWords.ts";

/** A document with manifests; `offset`: the start of a selected manifest. */
export interface ManifestPlace {
  readonly uri: Uri;
  readonly offset: number | undefined;
}

export interface ChosenManifest {
  readonly document: TextDocument;
  readonly decoded: DecodedManifest;
  /** The context that its run profile specifies; undefined for the current context. */
  readonly context?: string | undefined;
}

interface ManifestItem extends QuickPickItem {
  readonly value: ChosenManifest | "another";
}

/** Returns the start offset of each manifest in the text. */
export const manifestStarts = (text: string): readonly number[] =>
  decodeManifests(text).manifests.map(({ span }) => span.start);

/**
 * Returns the manifest that starts at the place's offset. Without such a manifest, shows a quick pick if there are
 * several. `another`: the label of an extra row, with which it prompts even for a single manifest. Returns "another"
 * for this row or a document without manifests; undefined if the user cancels.
 */
export async function chooseManifest(
  { uri, offset }: ManifestPlace,
  title: string,
  another: string | undefined,
): Promise<ChosenManifest | "another" | undefined> {
  const document = await workspace.openTextDocument(uri);
  const all = decodeManifests(document.getText()).manifests;
  const at = all.find(({ span }) => span.start === offset);
  if (at) return { document, decoded: at };
  const [only] = all;
  if (only === undefined) return "another";
  if (all.length === 1 && another === undefined) return { document, decoded: only };
  const items = all.map((decoded): ManifestItem => ({
    label: translated(nameOfManifest(decoded)),
    description: describeManifest(decoded),
    detail: workspace.asRelativePath(uri),
    value: { document, decoded },
  }));
  const rest: readonly ManifestItem[] =
    another === undefined
      ? []
      : [{ label: another, iconPath: new ThemeIcon("add"), value: "another" }];
  const chosen = await window.showQuickPick([...cursorFirst(items, document), ...rest], {
    title,
    placeHolder: l10n.t("Application"),
  });
  return chosen?.value;
}

/** Finds the manifests that match a task's `application` and `name`. Reads unsaved changes too. */
export async function findManifest(
  application: string,
  name: string | undefined,
  workingDirectory: string,
): Promise<readonly ChosenManifest[]> {
  const document = await workspace.openTextDocument(uriOf(application, workingDirectory));
  return decodeManifests(document.getText())
    .manifests.filter(({ manifest }) => name === undefined || manifest.metadata.name === name)
    .map((decoded) => ({ document, decoded }));
}

function uriOf(application: string, workingDirectory: string): Uri {
  if (/^[a-z][-+.a-z0-9]+:/i.test(application)) return Uri.parse(application, true);
  const isAbsolute = /^(?:[/\\]|[a-z]:)/i.test(application);
  return isAbsolute ? Uri.file(application) : Uri.joinPath(Uri.file(workingDirectory), application);
}

function describeManifest({ manifest }: DecodedManifest): string {
  const { kind, apiVersion, metadata } = manifest;
  const what = `${kind} · ${apiVersion}`;
  return metadata.namespace === undefined ? what : `${what} · ${metadata.namespace}`;
}

function cursorFirst(
  items: readonly ManifestItem[],
  document: TextDocument,
): readonly ManifestItem[] {
  const editor = window.activeTextEditor;
  if (editor?.document !== document) return items;
  const cursor = document.offsetAt(editor.selection.active);
  const here = items.findLast(
    ({ value }) => value !== "another" && value.decoded.span.start <= cursor,
  );
  return matchingFirst(items, (item) => item === here);
}
