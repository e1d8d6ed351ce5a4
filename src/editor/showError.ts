import { commands as editorCommands, l10n } from "vscode";
import type { MessageText } from "../base/message.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import { clusterErrorWords } from "../engine/clusterErrorWords.ts";
import { errorSentence } from "../engine/errorSentence.ts";
import { defaultSecretRule } from "../spark/redact.ts";
import { redactLine } from "../spark/redactLine.ts";
import { actionFor, failedItemsText, isRefusal, problemsButton } from "./errorTexts.ts";
import type { Log } from "./log.ts";
import { translated } from "./ui/translated.ts";
import { window } from "./ui/window.ts";

/** An error in three parts: what failed, why, and what to do. */
interface ErrorWords {
  readonly what: string;
  readonly why: string;
  readonly advice: string;
  /** The command for the advice. */
  readonly action?: { readonly title: string; readonly command: string };
}

/** `given`: the beginning of the message: "Executor 3 was not killed". */
export async function showClusterError(
  given: MessageText,
  error: ClusterError,
  log: Log,
): Promise<void> {
  const task = translated(given);
  const words = describeClusterError(error);
  log.warn(`${task}: ${error.kind}: ${error.detail}`);
  const buttons = [...(words.action ? [words.action.title] : []), l10n.t("Show Log")];
  const text = [`${task}: ${words.what}.`, words.why, words.advice]
    .filter((part) => part !== "")
    .join(" ");
  const show = isRefusal(error) ? window.showWarningMessage : window.showErrorMessage;
  const chosen = await show(text, ...buttons);
  if (chosen === undefined) return;
  if (chosen === words.action?.title) await editorCommands.executeCommand(words.action.command);
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

/** All three parts as sentences, for use inside other texts. */
export function explainClusterError(error: ClusterError): string {
  const { what, why, advice } = describeClusterError(error);
  return [errorSentence(what), why, advice].filter((part) => part !== "").join(" ");
}

function describeClusterError(error: ClusterError): ErrorWords {
  const { what, why, advice } = clusterErrorWords(error);
  const action = actionFor(error);
  return {
    what: translated(what),
    why: translated(why) ?? "",
    advice: translated(advice) ?? "",
    ...(action !== undefined && { action: { ...action, title: translated(action.title) } }),
  };
}
