import type { QuickPickItem, Task } from "vscode";
import { msg } from "../../base/message.ts";
import { shellKinds, type ShellKind } from "../../spark/submit/shell/shellKind.ts";
import { shellProfile } from "../../spark/submit/shell/shellProfile.ts";
import { taskType } from "../ids.ts";
import { commandTitle } from "./askingTitle.ts";
import {
  chooseSettings,
  pickOrPreview,
  startChosen,
  type ChosenSettings,
  type SettingsStart,
  type StartWindow,
} from "./chooseSettings.ts";

interface ShellItem extends QuickPickItem {
  readonly shell: ShellKind;
}

/**
 * Opens or previews a shell in a driver pod, with the settings of a run profile or of earlier submissions. `profile`:
 * the run profile, if it is already chosen.
 */
export async function startShell(
  options: SettingsStart,
  profile: Task | undefined,
  window: StartWindow,
): Promise<void> {
  const picked = await pickOrPreview<ShellItem>(
    shellItems(),
    {
      title: commandTitle("openShell"),
      placeholder: window.keepsShells()
        ? msg("The shell runs in a driver pod, which is kept when its terminal closes")
        : msg("The shell runs in a driver pod, which is deleted when its terminal closes"),
    },
    window,
  );
  if (picked === undefined) return;
  const { shell: kind } = picked.item;
  const placeholder = msg("Settings of the shell");
  const chosen: ChosenSettings | undefined =
    profile === undefined
      ? await chooseSettings(options, { asking: "openShell", placeholder }, window)
      : { profile, base: profile.definition, accepted: undefined, isPreview: false };
  if (chosen === undefined) return;
  const isPreview = chosen.isPreview || picked.isPreview;
  const name = chosen.profile === undefined ? kind : `${chosen.profile.name} ${kind}`;
  const made = shellProfile(chosen.base, { kind, name, idleMinutes: window.sessionIdleMinutes() });
  await startChosen(options, { ...chosen, isPreview }, { ...made, type: taskType });
}

const shellItems = (): readonly ShellItem[] =>
  shellKinds.map((kind) => ({ label: kind, description: languageOf(kind), shell: kind }));

function languageOf(kind: ShellKind): string {
  switch (kind) {
    case "pyspark":
      return "Python";
    case "spark-shell":
      return "Scala";
    case "spark-sql":
      return "SQL";
  }
}
