import { commands, env } from "vscode";
import { errorReports } from "./errorReports.ts";
import { translated } from "./ui/translated.ts";
import { window } from "./ui/window.ts";

export const {
  explainClusterError,
  showClusterError,
  showFailedItems,
  showInternalError,
  showProblems,
} = errorReports({
  showErrorMessage: window.showErrorMessage,
  showWarningMessage: window.showWarningMessage,
  translated,
  runCommand: (id) => commands.executeCommand(id),
  copy: (text) => env.clipboard.writeText(text),
});
