import type { QuickPickItemKind } from "vscode";
import type { MessageText } from "../base/message.ts";
import type { mayChange } from "./guard.ts";
import type {
  explainClusterError,
  showClusterError,
  showFailedItems,
  showProblems,
} from "./showError.ts";
import type { window } from "./ui/window.ts";

/** The messages, questions and lists of the window, as commands need them. `windowScreen.ts` implements it. */
export interface Screen extends Pick<
  typeof window,
  "showInformationMessage" | "showWarningMessage" | "showInputBox" | "showQuickPick"
> {
  /** The kind of a heading in a list. */
  readonly separator: QuickPickItemKind.Separator;
  readonly translated: (text: MessageText) => string;
  readonly withProgress: <R>(shown: ShownProgress, work: ProgressWork<R>) => Thenable<R>;
  readonly mayChange: typeof mayChange;
  readonly explainClusterError: typeof explainClusterError;
  readonly showClusterError: typeof showClusterError;
  readonly showFailedItems: typeof showFailedItems;
  readonly showProblems: typeof showProblems;
}

interface ShownProgress {
  readonly where: "view of applications" | "notification";
  readonly title?: MessageText;
  readonly cancellable?: boolean;
}

export type ProgressWork<R> = (
  signal: AbortSignal,
  report: (step: { readonly message: MessageText; readonly increment: number }) => void,
) => Promise<R>;
