import { msg } from "../../base/message.ts";
import type { Disposable } from "../../base/disposable.ts";
import type { Application } from "../../spark/pods/application.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import type { Log } from "../log.ts";
import type { Screen } from "../screen.ts";
import type { window } from "../ui/window.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { EndedRuns } from "./endedRuns.ts";
import { isFromLog } from "./rows/details.ts";

// More would cover each other.
const maxAtOnce = 3;
/** How long a notification waits for the cause in the log. */
const causeMs = 3_000;

interface EndContext {
  readonly session: Pick<
    ClusterSession,
    "applications" | "diagnose" | "find" | "onDidChange" | "until"
  >;
  readonly screen: Pick<Screen, "showInformationMessage" | "translated"> &
    Pick<typeof window, "showErrorMessage">;
  readonly isWanted: () => boolean;
}

/** Shows a notification when a long run ends, if the setting requests it. `showLog` receives the application's key. */
export function notifyOfEnds(
  { session, screen, isWanted }: EndContext,
  showLog: (key: string, atError: boolean) => Promise<void>,
  log: Log,
): Disposable {
  const runs = new EndedRuns();
  const tell = async (ended: Application): Promise<void> => {
    const { key, name, driver } = ended;
    if (driver === undefined) return;
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
          fact === "" ? msg`"${name}" failed.` : msg`"${name}" failed: ${fact}.`,
          show,
        )
      : await screen.showInformationMessage(msg`"${name}" succeeded.`, show);
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
