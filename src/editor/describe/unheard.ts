import { l10n } from "vscode";
import type { Unheard } from "../../engine/effectiveConf.ts";
import type { Log } from "../log.ts";
import { explainClusterError, showClusterError, showProblems } from "../showError.ts";

const words = {
  silent: (): string => l10n.t("The driver did not answer within 5 seconds."),
  notRunning: (): string => l10n.t("The driver pod does not run."),
  anotherRun: (): string => l10n.t("Another application answers in place of the driver."),
};

/** Why a driver was not heard, as sentences. */
export const explainUnheard = (error: Unheard): string =>
  typeof error === "string" ? words[error]() : explainClusterError(error);

/** `task`: as for `showClusterError`. */
export const showUnheard = (task: string, error: Unheard, log: Log): Promise<void> =>
  typeof error === "string"
    ? showProblems(task, [explainUnheard(error)], log)
    : showClusterError(task, error, log);
