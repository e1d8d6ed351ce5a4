import { msg, type Message, type ShowMessage } from "../base/message.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import { clusterErrorWords, permissionCheckOf } from "../engine/clusterErrorWords.ts";
import { errorSentence } from "../engine/errorSentence.ts";
import { commands } from "./ids.ts";

/**
 * True if the request was forbidden, or if a PodDisruptionBudget blocked the eviction. `errorReports` shows such an
 * error as a warning.
 */
export const isRefusal = ({ kind }: ClusterError): boolean =>
  kind === "forbidden" || kind === "protected";

/** A button that runs a VS Code command or, if `isCopied`, copies a shell command. */
interface ErrorAction {
  readonly title: Message;
  readonly command: string;
  readonly isCopied: boolean;
}

/**
 * Returns the message about a failed task, and the action of a button that helps to resolve the error, if there is one.
 */
export function clusterErrorMessage(
  task: string,
  error: ClusterError,
  show: ShowMessage,
): { readonly text: string; readonly action: ErrorAction | undefined } {
  const { what, why, advice } = clusterErrorWords(error);
  const text = joined([
    `${task}: ${show(what)}.`,
    ...[why, advice].map((part) => part && show(part)),
  ]);
  return { text, action: actionFor(error) };
}

/** Returns the failure, its cause and the advice as sentences that can be part of other texts. */
export function explainedError(error: ClusterError, show: ShowMessage): string {
  const { what, why, advice } = clusterErrorWords(error);
  return joined([errorSentence(show(what)), ...[why, advice].map((part) => part && show(part))]);
}

const joined = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join(" ");

/** Returns the action of a button that helps to resolve an error; undefined if there is none. */
function actionFor(error: ClusterError): ErrorAction | undefined {
  const { kind } = error;
  if (kind === "unreachable" || kind === "unauthorized") {
    return { title: msg("Reconnect"), command: commands.reconnect, isCopied: false };
  }
  if (kind === "configuration") {
    return { title: msg("Choose Cluster"), command: commands.chooseCluster, isCopied: false };
  }
  const check = permissionCheckOf(error);
  return check === undefined
    ? undefined
    : { title: msg("Copy Command"), command: check, isCopied: true };
}

/**
 * Returns one message for a command that failed for several items. `explained`: the explanation of each failure.
 * Explanations that differ only in quoted names count as one reason.
 */
export function failedItemsText(text: string, explained: readonly string[]): Message {
  const reasons = new Map(explained.map((why) => [why.replaceAll(/"[^"]*"/g, '""'), why]));
  const [first = ""] = reasons.values();
  return reasons.size === 1
    ? msg`${text}. ${first}`
    : msg`${text}, for ${reasons.size} reasons. The first: ${first}`;
}

/** Returns the title of the button that opens the log with all problems. */
export const problemsButton = (count: number): Message =>
  count > 1 ? msg`Show All ${count}` : msg("Show Log");
