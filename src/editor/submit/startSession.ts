import type { Uri } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import { msg, type Message } from "../../base/message.ts";
import { sessionProfile, type SessionProblem } from "../../spark/submit/session/sessionProfile.ts";
import { taskType } from "../ids.ts";
import {
  chooseSettings,
  startChosen,
  type SettingsStart,
  type StartWindow,
} from "./chooseSettings.ts";

export interface SessionStart extends SettingsStart {
  readonly program: Uri;
}

/** Starts or previews a session with the settings of a run profile or of earlier submissions. */
export async function startSession(options: SessionStart, window: StartWindow): Promise<void> {
  const { screen } = window;
  const minutes = window.sessionIdleMinutes();
  const chosen = await chooseSettings(
    options,
    {
      asking: "startSession",
      placeholder:
        minutes === 0
          ? msg("Settings of the session, which runs until it is stopped")
          : msg`Settings of the session, which ends after ${minutes} minutes without a client`,
    },
    window,
  );
  if (chosen === undefined) return;
  const { profile, base } = chosen;
  const made = sessionProfile(base, {
    program: options.program.fsPath,
    name: profile === undefined ? "spark-session" : screen.translated(msg`${profile.name} session`),
    idleMinutes: minutes,
  });
  if (!made.ok) {
    void screen.showErrorMessage(problemWords(made.error));
    return;
  }
  await startChosen(options, chosen, { ...made.value, type: taskType });
}

function problemWords(problem: SessionProblem): Message {
  switch (problem.kind) {
    case "noVersion":
      return msg(
        'Cannot start a Spark session: the image\'s tag has no Spark version. Set "sparkVersion" in the run profile.',
      );
    case "tooOld":
      return msg`Cannot start a Spark session: Spark ${problem.version} is too old. Sessions need Spark 3.5 or later.`;
    case "badPort":
      return msg`Cannot start a Spark session: "${problem.port}" of spark.connect.grpc.binding.port is not a port from 1000 to 65535.`;
    default:
      return assertNever(problem);
  }
}
