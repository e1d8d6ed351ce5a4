import type { QuickPickItemKind, ThemeIcon, Uri } from "vscode";
import type { Message, MessageText } from "../base/message.ts";
import type { isUnguarded, mayChange, questionIn, refusalIn } from "./guard.ts";
import type {
  explainClusterError,
  showClusterError,
  showFailedItems,
  showProblems,
} from "./showError.ts";
import type { translated } from "./ui/translated.ts";
import type { window } from "./ui/window.ts";

/**
 * The parts of the VS Code window that commands use, such as messages, prompts and quick picks. Implemented by
 * `windowScreen.ts`.
 */
export interface Screen extends Pick<
  typeof window,
  | "showInformationMessage"
  | "showWarningMessage"
  | "showErrorMessage"
  | "showInputBox"
  | "showQuickPick"
  | "createQuickPick"
  | "pickWithText"
> {
  /** The item kind of a separator in a quick pick. */
  readonly separator: QuickPickItemKind.Separator;
  readonly translated: typeof translated;
  /** Shows text in the status bar for 5 s. */
  readonly say: (text: Message) => void;
  /** Shows a save dialog and returns the chosen file; undefined if the user cancels. */
  readonly saveDialog: (asked: {
    readonly fileName: string;
    readonly title: Message;
  }) => Thenable<Uri | undefined>;
  readonly withProgress: <R>(shown: ShownProgress, work: ProgressWork<R>) => Thenable<R>;
  readonly mayChange: typeof mayChange;
  readonly refusalIn: typeof refusalIn;
  readonly questionIn: typeof questionIn;
  readonly isUnguarded: typeof isUnguarded;
  readonly icon: (id: string) => ThemeIcon;
  /** Returns the path of a file relative to its workspace folder. */
  readonly relativePath: (path: string) => string;
  readonly copy: (text: string) => Thenable<void>;
  readonly openExternal: (address: Uri) => Thenable<unknown>;
  /** Maps a localhost URL of the extension host to a URL for the user's browser (`env.asExternalUri`). */
  readonly externalAddress: (address: string) => Thenable<Uri>;
  readonly runCommand: (id: string, ...values: readonly unknown[]) => Thenable<unknown>;
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
  report: (step: { readonly message: MessageText; readonly increment?: number }) => void,
) => Promise<R>;
