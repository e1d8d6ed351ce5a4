import { Uri, ViewColumn, window as editorWindow, type Webview } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { textRules } from "./plainText.ts";

export interface PagePanel extends Disposable {
  /** Sends data to the page. Data that is sent before the page has sent "ready" is lost. */
  readonly send: (content: unknown) => void;
  readonly isVisible: boolean;
  /** Shows the panel without moving the focus. */
  readonly reveal: () => void;
}

export interface PageOptions {
  readonly viewType: string;
  readonly title: string;
  readonly script: Uri;
  readonly style: Uri;
  readonly column: "beside" | "active";
  /** Called with each message of the page, which is not trusted. */
  readonly received: (message: unknown) => void;
  /** Called when the panel becomes visible. */
  readonly shown?: () => void;
  readonly closed: () => void;
}

/**
 * Opens a panel. Its page loads only the script and the style, makes no other request, and receives its texts as
 * messages. VS Code discards the page while the panel is hidden.
 */
export function openPagePanel(options: PageOptions): PagePanel {
  const { viewType, title, script, style, column, received, shown, closed } = options;
  const owned = new DisposableStore();
  const isBeside = column === "beside";
  const panel = owned.add(
    editorWindow.createWebviewPanel(
      viewType,
      textRules.name(title),
      { viewColumn: isBeside ? ViewColumn.Beside : ViewColumn.Active, preserveFocus: isBeside },
      {
        enableScripts: true,
        enableCommandUris: false,
        localResourceRoots: [script, style].map((file) => Uri.joinPath(file, "..")),
      },
    ),
  );
  owned.add(panel.webview.onDidReceiveMessage(received));
  owned.add(
    panel.onDidChangeViewState(() => {
      if (panel.visible) shown?.();
    }),
  );
  owned.add(
    panel.onDidDispose(() => {
      owned.dispose();
      closed();
    }),
  );
  panel.webview.html = shellOf(panel.webview, script, style);
  return {
    send: (content) => {
      void panel.webview.postMessage(content);
    },
    get isVisible() {
      return panel.visible;
    },
    reveal: () => {
      panel.reveal(undefined, true);
    },
    dispose: () => {
      owned.dispose();
    },
  };
}

/** Returns a constant page without any data. */
function shellOf(webview: Webview, script: Uri, style: Uri): string {
  const address = (file: Uri): string => webview.asWebviewUri(file).toString();
  const nonce = crypto.randomUUID();
  return `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8" />
    <meta
      http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'"
    />
    <link rel="stylesheet" href="${address(style)}" />
  </head>
  <body>
    <script nonce="${nonce}" src="${address(script)}"></script>
  </body>
</html>
`;
}
