import { msg, type Message } from "../base/message.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import { commands } from "./ids.ts";

/** True if only permissions are missing, which is a warning. */
export const isRefusal = ({ kind }: ClusterError): boolean =>
  kind === "forbidden" || kind === "protected";

/** The command that may solve an error. */
export function actionFor({
  kind,
}: ClusterError): { readonly title: Message; readonly command: string } | undefined {
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
