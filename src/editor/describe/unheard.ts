import { l10n } from "vscode";
import type { Unheard } from "../../engine/effectiveConf.ts";
import type { Log } from "../log.ts";
import type { PodRefusal } from "./podDocument.ts";
import { explainClusterError, showClusterError, showProblems } from "../showError.ts";

const words = {
  anotherPod: (): string => l10n.t("The pod is gone, and another has its name by now."),
  silent: (): string => l10n.t("The driver did not answer within 5 seconds."),
  notRunning: (): string => l10n.t("The driver pod does not run."),
  anotherRun: (): string => l10n.t("Another application answers in place of the driver."),
};

export type Unread = Unheard | PodRefusal;

/** Why a driver was not heard, or a pod not read, as sentences. */
export const explainUnheard = (error: Unread): string =>
  typeof error === "string" ? words[error]() : explainClusterError(error);

/** `task`: as for `showClusterError`. */
export const showUnheard = (task: string, error: Unread, log: Log): Promise<void> =>
  typeof error === "string"
    ? showProblems(task, [explainUnheard(error)], log)
    : showClusterError(task, error, log);
