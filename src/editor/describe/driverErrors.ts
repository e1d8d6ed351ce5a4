import { l10n } from "vscode";
import type { DriverSilence } from "../../engine/driver/effectiveConf.ts";
import type { Log } from "../log.ts";
import type { PodRefusal } from "./podDocument.ts";
import { explainClusterError, showClusterError, showProblems } from "../showError.ts";

const words = {
  anotherPod: (): string => l10n.t("The pod was deleted, and another pod has its name."),
  silent: (): string => l10n.t("The driver did not answer within 5 seconds."),
  notRunning: (): string => l10n.t("The driver pod is not running."),
  anotherRun: (): string => l10n.t("Another application answered instead of the driver."),
};

export type ReadFailure = DriverSilence | PodRefusal;

/** Explains why the driver or a pod could not be read. */
export const explainReadFailure = (error: ReadFailure): string =>
  typeof error === "string" ? words[error]() : explainClusterError(error);

/** `task`: see `showClusterError`. */
export const showReadFailure = (task: string, error: ReadFailure, log: Log): Promise<void> =>
  typeof error === "string"
    ? showProblems(task, [explainReadFailure(error)], log)
    : showClusterError(task, error, log);
