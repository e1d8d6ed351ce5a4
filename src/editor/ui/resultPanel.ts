import { Uri } from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { numberAt, textAt } from "../../base/json.ts";
import type { ResultTable } from "../../spark/submit/session/selectionAnswer.ts";
import { openPagePanel } from "./pagePanel.ts";

/** The content of the panel. The page shows all texts as data. */
export interface ResultPage {
  readonly isRunning: boolean;
  readonly summary: string;
  /** Notes after the summary, such as the duration and the name of the session. */
  readonly notes: readonly string[];
  readonly error: string | undefined;
  /** The text that the selection printed. */
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

/** Opens a panel beside the editor, without moving the focus. */
export function openResultPanel({ title, files, act, closed }: ResultPanelOptions): ResultPanel {
  let page: ResultPage | undefined;
  const send = (): void => {
    if (page !== undefined) panel.send(page);
  };
  const panel = openPagePanel({
    viewType: "sparkK8s.result",
    title,
    script: Uri.joinPath(files, "result.js"),
    style: Uri.joinPath(files, "result.css"),
    column: "beside",
    received: (message) => {
      if (textAt(message, "kind") === "ready") send();
      const action = actionOf(message);
      if (action !== undefined) act(action);
    },
    closed,
  });
  return {
    show: (next) => {
      page = next;
      send();
      if (!panel.isVisible) panel.reveal();
    },
    dispose: () => {
      panel.dispose();
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
