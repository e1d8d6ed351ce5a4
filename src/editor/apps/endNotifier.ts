import { msg } from "../../base/message.ts";
import type { Disposable } from "../../base/disposable.ts";
import type { Application } from "../../spark/pods/application.ts";
import { timesOf } from "../../spark/pods/podTimes.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import type { Log } from "../log.ts";
import type { Screen } from "../screen.ts";
import type { window } from "../ui/window.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { EndedRuns } from "./endedRuns.ts";
import { durationWords, isFromLog } from "./rows/details.ts";

// The maximum number of notifications after one change of the session, because more would cover each other.
const maxAtOnce = 3;
/** The maximum time in ms that a notification waits for the cause in the log. */
const causeMs = 3_000;

interface EndContext {
  readonly session: Pick<
    ClusterSession,
    "applications" | "diagnose" | "find" | "onDidChange" | "until"
  >;
  /** Returns true if the watches cover several namespaces, so that a message must name the namespace. */
  readonly isGrouped: () => boolean;
  /** Returns the name of the run profile that created an application; undefined if there is none. */
  readonly profileOf: (application: Application) => string | undefined;
  readonly screen: Pick<Screen, "showInformationMessage" | "translated"> &
    Pick<typeof window, "showErrorMessage">;
  readonly isWanted: () => boolean;
}

/**
 * Shows a notification when a run of at least a minute succeeds or fails, if `isWanted`. `showLog`: opens the log of
 * the application with this key; with `atError`, at the error that ended the run.
 */
export function notifyOfEnds(
  { session, screen, isWanted, isGrouped, profileOf }: EndContext,
  showLog: (key: string, atError: boolean) => Promise<void>,
  log: Log,
): Disposable {
  const runs = new EndedRuns();
  const tell = async (ended: Application): Promise<void> => {
    const { key, driver } = ended;
    if (driver === undefined) return;
    const { startedAt, endedAt } = timesOf(driver);
    const duration = durationWords(startedAt, endedAt) ?? "";
    const name = profileOf(ended) ?? ended.name;
    const place = isGrouped() ? msg`"${name}" in ${ended.namespace}` : msg`"${name}"`;
    const causeOf = () => session.diagnose(ended, driver)[0];
    const hasFailed = driver.state.kind === "failed";
    if (hasFailed) {
      await session.until(() => isFromLog(causeOf()), AbortSignal.timeout(causeMs));
    }
    const cause = hasFailed ? causeOf() : undefined;
    const fact = redactLine(
      cause === undefined ? "" : screen.translated(cause.fact),
      defaultSecretRule,
    );
    const show = msg("Show Log");
    const answer = hasFailed
      ? await screen.showErrorMessage(
          fact === ""
            ? msg`${place} failed after ${duration}.`
            : msg`${place} failed after ${duration}: ${fact}.`,
          show,
        )
      : await screen.showInformationMessage(msg`${place} succeeded after ${duration}.`, show);
    if (answer === show) await showLog(key, isFromLog(cause));
  };
  return session.onDidChange(({ changedKeys }) => {
    const changed =
      changedKeys === undefined
        ? session.applications
        : [...changedKeys].flatMap((key) => session.find(key) ?? []);
    const ended = runs.take(changed);
    if (changedKeys === undefined) runs.keep((key) => session.find(key) !== undefined);
    if (!isWanted()) return;
    for (const one of ended.slice(0, maxAtOnce)) tell(one).catch(log.error);
  });
}
