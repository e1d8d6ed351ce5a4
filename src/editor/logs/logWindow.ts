import { Range, TextEditorRevealType, workspace } from "vscode";
import { logScheme } from "../ids.ts";
import { window } from "../ui/window.ts";
import type { LogDocuments } from "./logDocuments.ts";
import type { LogWindow } from "./logEditors.ts";

export const logWindow = (documents: LogDocuments): LogWindow => ({
  keep: (path, lines) => documents.keep(path, lines),
  show: async (uri, line) => {
    const document = await workspace.openTextDocument(uri);
    const selection = new Range(line, 0, line, 0);
    await window.showTextDocument(document, { preview: false, selection });
  },
  activeUri: () => window.activeTextEditor?.document.uri,
  keepEndVisible: (uri, line) => {
    const key = uri.toString();
    const editor = window.visibleTextEditors.find(
      ({ document }) => document.uri.toString() === key,
    );
    const isAtEnd =
      editor?.visibleRanges.some(({ end }) => end.line >= editor.document.lineCount - 2) === true;
    if (!editor || !isAtEnd) return;
    const changed = workspace.onDidChangeTextDocument(({ document }) => {
      if (document !== editor.document) return;
      changed.dispose();
      editor.revealRange(new Range(line, 0, line, 0), TextEditorRevealType.Default);
    });
  },
  onDidClose: (closed) =>
    workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === logScheme) closed(uri);
    }),
});
