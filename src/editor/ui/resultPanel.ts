import { Uri, ViewColumn, window as editorWindow, type Webview } from "vscode";
import { numberAt, textAt } from "../../base/json.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { ResultTable } from "../../spark/submit/session/selectionAnswer.ts";
import { textRules } from "./plainText.ts";

/** The content of the panel. The page shows all texts as data. */
export interface ResultPage {
  readonly isRunning: boolean;
  readonly summary: string;
  /** Facts after the summary. */
  readonly notes: readonly string[];
  readonly error: string | undefined;
  /** Printed by the selection. */
  readonly output: string;
  /** A value that is not a table. */
  readonly text: string | undefined;
  readonly table: ResultTable | undefined;
  readonly labels: Readonly<Record<"tools" | "copy" | "copyMarkdown" | "save" | "table", string>>;
}

/** An action of the user in the panel. */
export type ResultAction =
  | { readonly kind: "copy" | "copyMarkdown" | "save" }
  | { readonly kind: "copyCell"; readonly row: number; readonly column: number };

export interface ResultPanel extends Disposable {
  show(page: ResultPage): void;
}

export interface ResultPanelOptions {
  readonly title: string;
  /** The folder of `result.js` and `result.css`. */
  readonly files: Uri;
  readonly act: (action: ResultAction) => void;
  readonly closed: () => void;
}

/**
 * Opens a panel beside the editor, without moving the focus. Its page loads only the two files of the extension, makes
 * no request, and gets its texts as a message.
 */
export function openResultPanel({ title, files, act, closed }: ResultPanelOptions): ResultPanel {
  const owned = new DisposableStore();
  const panel = owned.add(
    editorWindow.createWebviewPanel(
      "sparkK8s.result",
      textRules.name(title),
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, enableCommandUris: false, localResourceRoots: [files] },
    ),
  );
  let page: ResultPage | undefined;
  // Returns false while the page is not loaded; it then asks with "ready".
  const send = (): void => {
    if (page !== undefined) void panel.webview.postMessage(page);
  };
  owned.add(
    panel.webview.onDidReceiveMessage((message: unknown) => {
      if (textAt(message, "kind") === "ready") send();
      const action = actionOf(message);
      if (action !== undefined) act(action);
    }),
  );
  owned.add(
    panel.onDidDispose(() => {
      owned.dispose();
      closed();
    }),
  );
  panel.webview.html = shellOf(panel.webview, files);
  return {
    show: (next) => {
      page = next;
      send();
      if (!panel.visible) panel.reveal(undefined, true);
    },
    dispose: () => {
      owned.dispose();
    },
  };
}

function actionOf(message: unknown): ResultAction | undefined {
  const kind = textAt(message, "kind");
  if (kind === "copy" || kind === "copyMarkdown" || kind === "save") return { kind };
  const [row, column] = [numberAt(message, "row"), numberAt(message, "column")];
  return kind === "copyCell" && row !== undefined && column !== undefined
    ? { kind, row, column }
    : undefined;
}

/** A constant page without any data. */
function shellOf(webview: Webview, files: Uri): string {
  const address = (name: string): string =>
    webview.asWebviewUri(Uri.joinPath(files, name)).toString();
  const { cspSource } = webview;
  return `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8" />
    <meta
      http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src ${cspSource}; script-src ${cspSource}"
    />
    <link rel="stylesheet" href="${address("result.css")}" />
  </head>
  <body>
    <script src="${address("result.js")}"></script>
  </body>
</html>
`;
}
