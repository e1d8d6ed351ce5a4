import { l10n, type Uri } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { sessionProfile, type SessionProblem } from "../../spark/submit/session/sessionProfile.ts";
import { taskType } from "../ids.ts";
import { sessionIdleMinutes } from "../settings.ts";
import { window } from "../ui/window.ts";
import { chooseSettings, startChosen, type SettingsStart } from "./chooseSettings.ts";

export interface SessionStart extends SettingsStart {
  readonly program: Uri;
}

/** Starts a session with the settings of a run profile or of earlier submissions. Each can be previewed. */
export async function startSession(options: SessionStart): Promise<void> {
  const minutes = sessionIdleMinutes();
  const chosen = await chooseSettings(options, {
    asking: "startSession",
    placeholder:
      minutes === 0
        ? l10n.t("Settings of the session, which runs until it is stopped")
        : l10n.t("Settings of the session, which ends after {0} minutes without a client", minutes),
  });
  if (chosen === undefined) return;
  const { profile, base } = chosen;
  const made = sessionProfile(base, {
    program: options.program.fsPath,
    name: profile === undefined ? "spark-session" : l10n.t("{0} session", profile.name),
    idleMinutes: minutes,
  });
  if (!made.ok) {
    void window.showErrorMessage(problemWords(made.error));
    return;
  }
  await startChosen(options, chosen, { ...made.value, type: taskType });
}

function problemWords(problem: SessionProblem): string {
  switch (problem.kind) {
    case "noVersion":
      return l10n.t(
        'Cannot start a Spark session: the image\'s tag has no Spark version. Set "sparkVersion" in the run profile.',
      );
    case "tooOld":
      return l10n.t(
        "Cannot start a Spark session: Spark {0} is too old. Sessions need Spark 3.5 or later.",
        problem.version,
      );
    case "badPort":
      return l10n.t(
        'Cannot start a Spark session: "{0}" of spark.connect.grpc.binding.port is not a port from 1000 to 65535.',
        problem.port,
      );
    default:
      return assertNever(problem);
  }
}
