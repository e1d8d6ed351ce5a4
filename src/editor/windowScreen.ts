import {
  commands,
  env,
  ProgressLocation,
  QuickPickItemKind,
  ThemeIcon,
  Uri,
  workspace,
} from "vscode";
import { isUnguarded, mayChange, questionIn, refusalIn } from "./guard.ts";
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
  showErrorMessage: window.showErrorMessage,
  showInputBox: window.showInputBox,
  showQuickPick: window.showQuickPick,
  createQuickPick: window.createQuickPick,
  pickWithText: window.pickWithText,
  separator: QuickPickItemKind.Separator,
  translated,
  say: (text) => {
    window.setStatusBarMessage(translated(text), 5_000);
  },
  saveDialog: ({ fileName, title }) =>
    window.showSaveDialog({ name: fileName, title: translated(title) }),
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
          work(signal, ({ message, ...step }) => {
            progress.report({ ...step, message: translated(message) });
          }),
        ),
    ),
  mayChange,
  refusalIn,
  questionIn,
  isUnguarded,
  icon: (id) => new ThemeIcon(id),
  copy: (text) => env.clipboard.writeText(text),
  openExternal: (address) => env.openExternal(address),
  externalAddress: (address) => env.asExternalUri(Uri.parse(address)),
  runCommand: (id, ...values) => commands.executeCommand(id, ...values),
  relativePath: (path) => workspace.asRelativePath(path),
  explainClusterError,
  showClusterError,
  showFailedItems,
  showProblems,
};
