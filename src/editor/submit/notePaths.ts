import { commands, workspace, type TextDocument, type Uri } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { window } from "../ui/window.ts";

/**
 * Sets a context key to the paths of the documents for which `isOurs` returns true, because `when` clauses cannot read
 * a file. Tests a document when it is opened, saved or shown. Keeps the path of a closed document.
 */
export function notePaths(
  contextKey: string,
  isOurs: (document: TextDocument) => boolean,
): Disposable {
  const owned = new DisposableStore();
  const paths = new Set<string>();
  const note = (document: TextDocument | undefined): void => {
    if (document === undefined) return;
    const path = pathOf(document.uri);
    const isNew = isOurs(document);
    if (paths.has(path) === isNew) return;
    if (isNew) paths.add(path);
    else paths.delete(path);
    void commands.executeCommand("setContext", contextKey, [...paths]);
  };
  owned.add(workspace.onDidOpenTextDocument(note));
  owned.add(workspace.onDidSaveTextDocument(note));
  owned.add(
    window.onDidChangeActiveTextEditor((editor) => {
      note(editor?.document);
    }),
  );
  workspace.textDocuments.forEach(note);
  return owned;
}

/** Returns the document's path in the form of the menus' context key `resourcePath`. */
const pathOf = ({ scheme, fsPath, path }: Uri): string => (scheme === "file" ? fsPath : path);
