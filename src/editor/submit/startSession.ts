import {
  l10n,
  ThemeIcon,
  type QuickInputButton,
  type QuickPickItem,
  type Task,
  type TaskDefinition,
  type Uri,
} from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import { assertNever } from "../../base/assertNever.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { sessionProfile, type SessionProblem } from "../../spark/submit/session/sessionProfile.ts";
import { findProfiles } from "../profiles/profileTasks.ts";
import { taskType } from "../ids.ts";
import { sessionIdleMinutes } from "../settings.ts";
import { window } from "../ui/window.ts";
import type { DefinedProgram } from "./registerPrograms.ts";

export interface SessionStart {
  readonly program: Uri;
  /** Settings from previous answers, or from questions. Undefined if the user cancels. */
  readonly define: () => Promise<DefinedProgram | undefined>;
  readonly run: (
    definition: TaskDefinition,
    how: { readonly accepted?: () => Promise<void>; readonly scope?: Task["scope"] },
  ) => Promise<void>;
  readonly preview: (definition: TaskDefinition) => Promise<void>;
}

interface BaseItem extends QuickPickItem {
  /** Undefined: the settings of other submissions. */
  readonly profile: Task | undefined;
}

/** Starts a session with the settings of a run profile or of earlier submissions. Each can be previewed. */
export async function startSession(options: SessionStart): Promise<void> {
  const profiles = (await findProfiles()).filter(hasImage);
  const chosen = await pickBase(profiles);
  if (chosen === undefined) return;
  const { profile, isPreview } = chosen;
  const defined = profile === undefined ? await options.define() : undefined;
  const base = profile?.definition ?? defined?.definition;
  if (base === undefined) return;
  const made = sessionProfile(base, {
    program: options.program.fsPath,
    name: profile === undefined ? "spark-session" : l10n.t("{0} session", profile.name),
    idleMinutes: sessionIdleMinutes(),
  });
  if (!made.ok) {
    void window.showErrorMessage(problemWords(made.error));
    return;
  }
  const definition = { ...made.value, type: taskType };
  if (isPreview) return options.preview(definition);
  await options.run(definition, {
    ...(defined === undefined ? {} : { accepted: defined.accepted }),
    ...(profile === undefined ? {} : { scope: profile.scope }),
  });
}

// Profiles of operators' manifests have no image.
const hasImage = ({ definition }: Task): boolean => typeof definition["image"] === "string";

/** Undefined if the user cancels. */
function pickBase(
  profiles: readonly Task[],
): Promise<{ readonly profile: Task | undefined; readonly isPreview: boolean } | undefined> {
  const preview: QuickInputButton = {
    iconPath: new ThemeIcon("eye"),
    tooltip: l10n.t("Preview Submission"),
  };
  const items: readonly BaseItem[] = [
    ...profiles.map((profile) => ({
      label: profile.name,
      description: redactLine(String(profile.definition["image"]), defaultSecretRule),
      buttons: [preview],
      profile,
    })),
    {
      label: l10n.t("Without a Run Profile"),
      description: l10n.t("image and service account of earlier submissions"),
      buttons: [preview],
      profile: undefined,
    },
  ];
  const owned = new DisposableStore();
  const picker = owned.add(window.createQuickPick<BaseItem>());
  picker.title = l10n.t("Start Spark Session");
  const minutes = sessionIdleMinutes();
  picker.placeholder =
    minutes === 0
      ? l10n.t("Settings of the session, which runs until it is stopped")
      : l10n.t("Settings of the session, which ends after {0} minutes without a client", minutes);
  picker.items = items;
  return new Promise((resolve) => {
    const choose = (item: BaseItem | undefined, isPreview: boolean): void => {
      resolve(item && { profile: item.profile, isPreview });
      owned.dispose();
    };
    owned.add(
      picker.onDidTriggerItemButton(({ item }) => {
        choose(item, true);
      }),
    );
    owned.add(
      picker.onDidAccept(() => {
        choose(picker.selectedItems[0], false);
      }),
    );
    owned.add(
      picker.onDidHide(() => {
        choose(undefined, false);
      }),
    );
    picker.show();
  });
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
