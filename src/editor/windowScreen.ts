import { ProgressLocation, QuickPickItemKind } from "vscode";
import { mayChange } from "./guard.ts";
import { applicationsViewId } from "./ids.ts";
import type { Screen } from "./screen.ts";
import {
  explainClusterError,
  showClusterError,
  showFailedItems,
  showProblems,
} from "./showError.ts";
import { translated } from "./ui/translated.ts";
import { window } from "./ui/window.ts";
import { withSignal } from "./withSignal.ts";

export const windowScreen: Screen = {
  showInformationMessage: window.showInformationMessage,
  showWarningMessage: window.showWarningMessage,
  showInputBox: window.showInputBox,
  showQuickPick: window.showQuickPick,
  separator: QuickPickItemKind.Separator,
  translated,
  withProgress: ({ where, title, cancellable = false }, work) =>
    window.withProgress(
      {
        location:
          where === "notification" ? ProgressLocation.Notification : { viewId: applicationsViewId },
        ...(title !== undefined && { title: translated(title) }),
        cancellable,
      },
      (progress, token) =>
        withSignal(token, (signal) =>
          work(signal, ({ message, increment }) => {
            progress.report({ message: translated(message), increment });
          }),
        ),
    ),
  mayChange,
  explainClusterError,
  showClusterError,
  showFailedItems,
  showProblems,
};
