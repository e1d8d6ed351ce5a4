import {
  DataTransferItem,
  Disposable as EditorDisposable,
  DocumentDropEdit,
  DocumentDropOrPasteEditKind,
  FileSystemError,
  l10n,
  languages,
  workspace,
  type DataTransfer,
  type FileSystemProvider,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { applicationsViewId } from "../ids.ts";
import { rowScheme } from "./decorateRows.ts";

export const namesType = "text/plain";

/** Gives rows that are dragged away their names, one a line. */
export function dragNames(dragged: DataTransfer, names: readonly string[]): void {
  dragged.set(namesType, new DataTransferItem(names.join("\n")));
  // The editor puts the addresses of rows before their text. A list of nothing but a comment stands in for them, so
  // that none is inserted, offered or opened. It is not announced with the text, as that would take the addresses
  // from a terminal, which asks for nothing else.
  dragged.set("text/uri-list", new DataTransferItem("# rows"));
}

/** Text editors take the names of rows that are dropped into them, terminals the name of the first. */
export function takeDroppedRows(): Disposable {
  const owned = new DisposableStore();
  owned.add(
    languages.registerDocumentDropEditProvider(
      "*",
      {
        provideDocumentDropEdits: async (_document, _position, dropped) => {
          const names = (await dropped.get(namesType)?.asString()) ?? "";
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
  // A terminal takes the path of an address, but of those only that belong to a file system.
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
