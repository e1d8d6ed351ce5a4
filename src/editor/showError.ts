import { commands as editorCommands, l10n } from "vscode";
import { msg, type MessageText } from "../base/message.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import { defaultSecretRule } from "../spark/redact.ts";
import { redactLine } from "../spark/redactLine.ts";
import {
  clusterErrorMessage,
  explainedError,
  failedItemsText,
  isRefusal,
  problemsButton,
} from "./errorTexts.ts";
import type { Log } from "./log.ts";
import { translated } from "./ui/translated.ts";
import { window } from "./ui/window.ts";

/** `given`: the beginning of the message: "Executor 3 was not killed". */
export async function showClusterError(
  given: MessageText,
  error: ClusterError,
  log: Log,
): Promise<void> {
  const task = translated(given);
  const { text, action } = clusterErrorMessage(task, error, translated);
  log.warn(`${task}: ${error.kind}: ${error.detail}`);
  const buttons = [...(action ? [action.title] : []), msg("Show Log")];
  const show = isRefusal(error) ? window.showWarningMessage : window.showErrorMessage;
  const chosen = await show(text, ...buttons);
  if (chosen === undefined) return;
  if (chosen === action?.title) await editorCommands.executeCommand(action.command);
  else log.show();
}

/**
 * One message for a command that failed for some items. `given`: "3 of 20 executors were not killed". A warning instead of
 * an error if only permissions are missing.
 */
export async function showFailedItems(
  given: MessageText,
  errors: readonly ClusterError[],
  log: Log,
  showReport: () => Promise<void>,
): Promise<void> {
  const text = translated(given);
  for (const error of errors) log.warn(`${text}: ${error.kind}: ${error.detail}`);
  const message = failedItemsText(text, errors.map(explainClusterError));
  const report = l10n.t("Show Report");
  const show = errors.every(isRefusal) ? window.showWarningMessage : window.showErrorMessage;
  if ((await show(message, report)) === report) await showReport();
}

/** Shows the first problem of a request and logs all of them. */
export async function showProblems(
  given: MessageText,
  problems: readonly MessageText[],
  log: Log,
): Promise<void> {
  const task = translated(given);
  for (const problem of problems) log.warn(`${task}: ${translated(problem)}`);
  const first = redactLine(translated(problems[0] ?? ""), defaultSecretRule);
  const show = problemsButton(problems.length);
  if ((await window.showErrorMessage(`${task}: ${first}`, show)) === show) log.show();
}

/** Logs the stack of an internal error and shows a message. */
export async function showInternalError(error: unknown, log: Log): Promise<void> {
  log.error(error);
  const show = l10n.t("Show Log");
  const chosen = await window.showErrorMessage(
    l10n.t("Internal error in Spark on Kubernetes. The log has the details."),
    show,
  );
  if (chosen === show) log.show();
}

export const explainClusterError = (error: ClusterError): string =>
  explainedError(error, translated);
