import { commands as editorCommands, l10n } from "vscode";
import type { MessageText } from "../base/message.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import { clusterErrorWords } from "../engine/clusterErrorWords.ts";
import { errorSentence } from "../engine/errorSentence.ts";
import { defaultSecretRule } from "../spark/redact.ts";
import { redactLine } from "../spark/redactLine.ts";
import { commands } from "./ids.ts";
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
  const isRefusal = error.kind === "forbidden" || error.kind === "protected";
  const show = isRefusal ? window.showWarningMessage : window.showErrorMessage;
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
  // Reasons that differ only in names count once.
  const reasons = new Map(errors.map(explainClusterError).map((why) => [withoutNames(why), why]));
  const [first = ""] = reasons.values();
  const message =
    reasons.size === 1
      ? `${text}. ${first}`
      : l10n.t("{0}, for {1} reasons. The first: {2}", text, reasons.size, first);
  const report = l10n.t("Show Report");
  const show = errors.every(({ kind }) => kind === "forbidden" || kind === "protected")
    ? window.showWarningMessage
    : window.showErrorMessage;
  if ((await show(message, report)) === report) await showReport();
}

const withoutNames = (words: string): string => words.replaceAll(/"[^"]*"/g, '""');

/** Shows the first problem of a request and logs all of them. */
export async function showProblems(
  given: MessageText,
  problems: readonly MessageText[],
  log: Log,
): Promise<void> {
  const task = translated(given);
  for (const problem of problems) log.warn(`${task}: ${translated(problem)}`);
  const first = redactLine(translated(problems[0] ?? ""), defaultSecretRule);
  const more = problems.length - 1;
  const show = more > 0 ? l10n.t("Show All {0}", problems.length) : l10n.t("Show Log");
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

export function describeClusterError(error: ClusterError): ErrorWords {
  const { what, why, advice } = clusterErrorWords(error);
  const action = actionFor(error);
  return {
    what: translated(what),
    why: translated(why) ?? "",
    advice: translated(advice) ?? "",
    ...(action !== undefined && { action }),
  };
}

function actionFor({ kind }: ClusterError): ErrorWords["action"] {
  if (kind === "unreachable" || kind === "unauthorized") {
    return { title: l10n.t("Reconnect"), command: commands.reconnect };
  }
  return kind === "configuration"
    ? { title: l10n.t("Choose Cluster"), command: commands.chooseCluster }
    : undefined;
}
