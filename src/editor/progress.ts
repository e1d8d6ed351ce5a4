import { ProgressLocation } from "vscode";
import { withSignal } from "./withSignal.ts";
import { window } from "./ui/window.ts";

type Work<R> = (signal: AbortSignal) => Promise<R>;

/** Runs work and shows its progress in the status bar. */
export const inStatusBar = <R>(title: string, work: Work<R>): Thenable<R> =>
  window.withProgress({ location: ProgressLocation.Window, title }, (_, token) =>
    withSignal(token, work),
  );

/** Runs work and shows its progress in a notification, whose Cancel button aborts `signal`. */
export const inNotification = <R>(
  title: string,
  work: (signal: AbortSignal, report: (step: ProgressStep) => void) => Promise<R>,
): Thenable<R> =>
  window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    (progress, token) =>
      withSignal(token, (signal) =>
        work(signal, (step) => {
          progress.report(step);
        }),
      ),
  );

interface ProgressStep {
  readonly message?: string;
  /** In percent. VS Code adds it to the earlier increments. */
  readonly increment?: number;
}
