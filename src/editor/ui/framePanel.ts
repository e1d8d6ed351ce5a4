import { ViewColumn, window as editorWindow, type Uri, type WebviewPanel } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { uiPanelType } from "../ids.ts";
import { textRules } from "./plainText.ts";

export interface FramePanel extends Disposable {
  readonly isActive: boolean;
  reveal(): void;
}

/**
 * Opens a page of a local proxy in a frame. The panel has no script and receives no messages, so the page cannot reach
 * the extension. The content security policy keeps the frame on the proxy's origin. The `sandbox` attribute prevents
 * the page from navigating the panel and from opening windows.
 */
export function openFramePanel(title: string, page: Uri, closed: () => void): FramePanel {
  const owned = new DisposableStore();
  const panel: WebviewPanel = owned.add(
    editorWindow.createWebviewPanel(uiPanelType, textRules.name(title), ViewColumn.Active, {
      // The frame inherits these permissions.
      enableScripts: true,
      enableForms: true,
      enableCommandUris: false,
      localResourceRoots: [],
      // Otherwise VS Code would reload the page each time the user returns to its tab.
      retainContextWhenHidden: true,
    }),
  );
  owned.add(
    panel.onDidDispose(() => {
      owned.dispose();
      closed();
    }),
  );
  panel.webview.html = frameOf(page, title);
  return {
    get isActive() {
      return panel.active;
    },
    reveal: () => {
      panel.reveal();
    },
    dispose: () => {
      owned.dispose();
    },
  };
}

/** Returns the HTML of the panel. The Spark UI has only a light theme, so the frame is white in all themes. */
function frameOf(page: Uri, title: string): string {
  const address = page.toString(true);
  const origin = `${page.scheme}://${page.authority}`;
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta
      http-equiv="Content-Security-Policy"
      content="default-src 'none'; frame-src ${attribute(origin)}; style-src 'unsafe-inline'"
    />
    <style>
      html, body { height: 100%; margin: 0; padding: 0; overflow: hidden; }
      iframe { border: 0; display: block; height: 100vh; width: 100%; background: #fff; color-scheme: light; }
    </style>
  </head>
  <body>
    <iframe
      title="${attribute(textRules.name(title))}"
      sandbox="allow-scripts allow-same-origin allow-forms allow-downloads"
      referrerpolicy="no-referrer"
      src="${attribute(address)}"
    ></iframe>
  </body>
</html>
`;
}

const attribute = (text: string): string =>
  text.replace(/[&<>"';]/g, (sign) => `&#${sign.charCodeAt(0)};`);
