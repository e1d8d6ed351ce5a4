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
import type { translated } from "./ui/translated.ts";
import type { window } from "./ui/window.ts";

/** The parts of the VS Code window that error messages use. */
interface ErrorWindow extends Pick<typeof window, "showErrorMessage" | "showWarningMessage"> {
  readonly translated: typeof translated;
  readonly runCommand: (id: string) => Thenable<unknown>;
  readonly copy: (text: string) => Thenable<void>;
}

export interface ErrorReports {
  /**
   * Shows an error with its advice and a button that helps to resolve it. `given`: the failed task, which begins the
   * message ("Executor 3 was not killed").
   */
  readonly showClusterError: (given: MessageText, error: ClusterError, log: Log) => Promise<void>;
  /**
   * Shows one message for a command that failed for some items. `given`: the start of the message ("3 of 20 executors
   * were not killed"). Shows a warning instead of an error if all errors are refusals (see `isRefusal`).
   */
  readonly showFailedItems: (
    given: MessageText,
    errors: readonly ClusterError[],
    log: Log,
    showReport: () => Promise<void>,
  ) => Promise<void>;
  /** Shows the first problem, with a button that opens the log. Logs all problems. */
  readonly showProblems: (
    given: MessageText,
    problems: readonly MessageText[],
    log: Log,
  ) => Promise<void>;
  /** Logs the stack of an internal error and shows a message. */
  readonly showInternalError: (error: unknown, log: Log) => Promise<void>;
  readonly explainClusterError: (error: ClusterError) => string;
}

export function errorReports(window: ErrorWindow): ErrorReports {
  const { translated } = window;
  const explainClusterError = (error: ClusterError): string => explainedError(error, translated);
  const showFor = (areRefusals: boolean): ErrorWindow["showErrorMessage"] =>
    areRefusals ? window.showWarningMessage : window.showErrorMessage;
  return {
    explainClusterError,
    showClusterError: async (given, error, log) => {
      const task = translated(given);
      const { text, action } = clusterErrorMessage(task, error, translated);
      log.warn(`${task}: ${error.kind}: ${error.detail}`);
      const buttons = [...(action ? [action.title] : []), msg("Show Log")];
      const chosen = await showFor(isRefusal(error))(text, ...buttons);
      if (chosen === undefined) return;
      if (chosen !== action?.title) log.show();
      else if (action.isCopied) await window.copy(action.command);
      else await window.runCommand(action.command);
    },
    showFailedItems: async (given, errors, log, showReport) => {
      const text = translated(given);
      for (const error of errors) log.warn(`${text}: ${error.kind}: ${error.detail}`);
      const message = failedItemsText(text, errors.map(explainClusterError));
      const report = msg("Show Report");
      const chosen = await showFor(errors.every(isRefusal))(message, report);
      if (chosen === report) await showReport();
    },
    showProblems: async (given, problems, log) => {
      const task = translated(given);
      for (const problem of problems) log.warn(`${task}: ${translated(problem)}`);
      const first = redactLine(translated(problems[0] ?? ""), defaultSecretRule);
      const show = problemsButton(problems.length);
      if ((await window.showErrorMessage(`${task}: ${first}`, show)) === show) log.show();
    },
    showInternalError: async (error, log) => {
      log.error(error);
      const show = msg("Show Log");
      const chosen = await window.showErrorMessage(
        msg("Internal error in Spark on Kubernetes. The log has the details."),
        show,
      );
      if (chosen === show) log.show();
    },
  };
}
