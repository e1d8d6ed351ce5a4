import { msg, type Message, type ShowMessage } from "../base/message.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import { clusterErrorWords } from "../engine/clusterErrorWords.ts";
import { errorSentence } from "../engine/errorSentence.ts";
import { commands } from "./ids.ts";

/** True if only permissions are missing, which is a warning. */
export const isRefusal = ({ kind }: ClusterError): boolean =>
  kind === "forbidden" || kind === "protected";

interface ErrorAction {
  readonly title: Message;
  readonly command: string;
}

/** The message about a failed task, and the command for its advice. */
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

/** The failure, its cause and the advice, as sentences for use inside other texts. */
export function explainedError(error: ClusterError, show: ShowMessage): string {
  const { what, why, advice } = clusterErrorWords(error);
  return joined([errorSentence(show(what)), ...[why, advice].map((part) => part && show(part))]);
}

const joined = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join(" ");

/** The command that may solve an error. */
function actionFor({ kind }: ClusterError): ErrorAction | undefined {
  if (kind === "unreachable" || kind === "unauthorized") {
    return { title: msg("Reconnect"), command: commands.reconnect };
  }
  return kind === "configuration"
    ? { title: msg("Choose Cluster"), command: commands.chooseCluster }
    : undefined;
}

/** One message for a command that failed for these reasons. Reasons that differ only in names count once. */
export function failedItemsText(text: string, explained: readonly string[]): Message {
  const reasons = new Map(explained.map((why) => [why.replaceAll(/"[^"]*"/g, '""'), why]));
  const [first = ""] = reasons.values();
  return reasons.size === 1
    ? msg`${text}. ${first}`
    : msg`${text}, for ${reasons.size} reasons. The first: ${first}`;
}

/** The button that shows the problems of a request. */
export const problemsButton = (count: number): Message =>
  count > 1 ? msg`Show All ${count}` : msg("Show Log");
