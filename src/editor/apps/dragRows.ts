import {
  DataTransferItem,
  Disposable as EditorDisposable,
  DocumentDropEdit,
  DocumentDropOrPasteEditKind,
  FileSystemError,
  l10n,
  workspace,
  type DataTransfer,
  type FileSystemProvider,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { applicationsViewId } from "../ids.ts";
import { rowScheme } from "./decorateRows.ts";
import { languages } from "../ui/languages.ts";

export const dragMimeType = "text/plain";

/** Sets the dragged text to the names of the rows, one per line. */
export function dragNames(dragged: DataTransfer, names: readonly string[]): void {
  dragged.set(dragMimeType, new DataTransferItem(names.join("\n")));
  // VS Code prefers the URIs of rows to their text. A URI list with only a comment suppresses the URIs.
  // `dragMimeTypes` does not declare this type, because a terminal accepts only the original URIs.
  dragged.set("text/uri-list", new DataTransferItem("# rows"));
}

/** Inserts the names of dropped rows into text editors, and the name of the first row into terminals. */
export function takeDroppedRows(): Disposable {
  const owned = new DisposableStore();
  owned.add(
    languages.registerDocumentDropEditProvider(
      "*",
      {
        provideDocumentDropEdits: async (_document, _position, dropped) => {
          const names = (await dropped.get(dragMimeType)?.asString()) ?? "";
          return names === ""
            ? undefined
            : new DocumentDropEdit(names, l10n.t("Insert Names"), DocumentDropOrPasteEditKind.Text);
        },
      },
      {
        dropMimeTypes: [`application/vnd.code.tree.${applicationsViewId.toLowerCase()}`],
        providedDropEditKinds: [DocumentDropOrPasteEditKind.Text],
      },
    ),
  );
  // Register a file system, because a terminal inserts the path of a URI only if the URI's scheme has one.
  const options = { isReadonly: true, isCaseSensitive: true };
  owned.add(workspace.registerFileSystemProvider(rowScheme, noFiles(), options));
  return owned;
}

function noFiles(): FileSystemProvider {
  const isNone = (): never => {
    throw FileSystemError.FileNotFound();
  };
  const nothing = new EditorDisposable(() => undefined);
  return {
    onDidChangeFile: () => nothing,
    watch: () => nothing,
    stat: isNone,
    readDirectory: isNone,
    createDirectory: isNone,
    readFile: isNone,
    writeFile: isNone,
    delete: isNone,
    rename: isNone,
  };
}
