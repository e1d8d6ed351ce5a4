import { msg, type MessageText } from "../../base/message.ts";
import type { NoDriverAnswer } from "../../engine/driver/effectiveConf.ts";
import type { Log } from "../log.ts";
import type { Screen } from "../screen.ts";
import type { PodRefusal } from "./podDocument.ts";

const words = {
  anotherPod: msg("The pod was deleted, and another pod has the same name."),
  silent: msg("The driver did not answer within 5 seconds."),
  notRunning: msg("The driver pod is not running."),
  anotherRun: msg("Another application answered instead of the driver."),
};

export type ReadFailure = NoDriverAnswer | PodRefusal;

/** Returns the message that explains why the driver or a pod could not be read. */
export const explainReadFailure = (
  { explainClusterError }: Pick<Screen, "explainClusterError">,
  error: ReadFailure,
): MessageText => (typeof error === "string" ? words[error] : explainClusterError(error));

/** Shows a read failure. `task`: the start of the message, as in `showClusterError`. */
export const showReadFailure = (
  { screen, log }: { readonly screen: Screen; readonly log: Log },
  task: MessageText,
  error: ReadFailure,
): Promise<void> =>
  typeof error === "string"
    ? screen.showProblems(task, [words[error]], log)
    : screen.showClusterError(task, error, log);
