import { l10n } from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import type { Application } from "../../spark/pods/application.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import type { Log } from "../log.ts";
import { notifiesOfEnd } from "../settings.ts";
import { window } from "../ui/window.ts";
import type { ClusterSession } from "./clusterSession.ts";
import { EndedRuns } from "./endedRuns.ts";
import { isFromLog } from "./rows/details.ts";
import { translated } from "../ui/translated.ts";

// More would cover each other.
const maxAtOnce = 3;
/** How long a notification waits for the cause in the log. */
const causeMs = 3_000;

/** Shows a notification when a long run ends, if the setting requests it. `showLog` receives the application's key. */
export function notifyOfEnds(
  session: ClusterSession,
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
    const fact = redactLine(translated(cause?.fact) ?? "", defaultSecretRule);
    const show = l10n.t("Show Log");
    const answer = hasFailed
      ? await window.showErrorMessage(
          fact === "" ? l10n.t('"{0}" failed.', name) : l10n.t('"{0}" failed: {1}.', name, fact),
          show,
        )
      : await window.showInformationMessage(l10n.t('"{0}" succeeded.', name), show);
    if (answer === show) await showLog(key, isFromLog(cause));
  };
  return session.onDidChange(({ changedKeys }) => {
    const changed =
      changedKeys === undefined
        ? session.applications
        : [...changedKeys].flatMap((key) => session.find(key) ?? []);
    const ended = runs.take(changed);
    if (changedKeys === undefined) runs.keep((key) => session.find(key) !== undefined);
    if (!notifiesOfEnd()) return;
    for (const one of ended.slice(0, maxAtOnce)) tell(one).catch(log.error);
  });
}
