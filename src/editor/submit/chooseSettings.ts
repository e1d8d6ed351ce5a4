import {
  l10n,
  ThemeIcon,
  type QuickInputButton,
  type QuickPickItem,
  type Task,
  type TaskDefinition,
} from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { findProfiles } from "../profiles/profileTasks.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { commandTitle, type Asking } from "./askingTitle.ts";
import type { DefinedProgram } from "./registerPrograms.ts";

/** The start of a session or a shell, which has the settings of a run profile. */
export interface SettingsStart {
  /** Settings from previous answers, or from questions. Undefined if the user cancels. */
  readonly define: (asking: Asking) => Promise<DefinedProgram | undefined>;
  readonly run: (
    definition: TaskDefinition,
    how: { readonly accepted?: () => Promise<void>; readonly scope?: Task["scope"] },
  ) => Promise<void>;
  readonly preview: (definition: TaskDefinition) => Promise<void>;
}

export interface ChosenSettings {
  /** Undefined: the settings of other submissions. */
  readonly profile: Task | undefined;
  readonly base: TaskDefinition;
  /** Called when the cluster has accepted the submission. */
  readonly accepted: (() => Promise<void>) | undefined;
  readonly isPreview: boolean;
}

interface PickerWords {
  readonly title: string;
  readonly placeholder: string;
}

interface BaseItem extends QuickPickItem {
  readonly profile: Task | undefined;
}

/** Asks for a run profile or the settings of earlier submissions. Undefined if the user cancels. */
export async function chooseSettings(
  { define }: Pick<SettingsStart, "define">,
  { asking, placeholder }: Omit<PickerWords, "title"> & { readonly asking: Asking },
): Promise<ChosenSettings | undefined> {
  const profiles = (await findProfiles()).filter(hasImage);
  const items: readonly BaseItem[] = [
    ...profiles.map((profile) => ({
      label: profile.name,
      description: redactLine(String(profile.definition["image"]), defaultSecretRule),
      profile,
    })),
    {
      label: l10n.t("Without a Run Profile"),
      description: l10n.t("image, service account and conf file of earlier submissions"),
      profile: undefined,
    },
  ];
  const chosen = await pickOrPreview(items, {
    title: translated(commandTitle(asking)),
    placeholder,
  });
  if (chosen === undefined) return undefined;
  const { profile } = chosen.item;
  const defined = profile === undefined ? await define(asking) : undefined;
  const base = profile?.definition ?? defined?.definition;
  const { isPreview } = chosen;
  return base && { profile, base, accepted: defined?.accepted, isPreview };
}

/** Runs or previews a definition that was made from the settings. */
export const startChosen = (
  { run, preview }: Pick<SettingsStart, "run" | "preview">,
  { profile, accepted, isPreview }: Omit<ChosenSettings, "base">,
  definition: TaskDefinition,
): Promise<void> =>
  isPreview
    ? preview(definition)
    : run(definition, {
        ...(accepted === undefined ? {} : { accepted }),
        ...(profile === undefined ? {} : { scope: profile.scope }),
      });

// Profiles of operators' manifests have no image.
const hasImage = ({ definition }: Task): boolean => typeof definition["image"] === "string";

/** Each item has a button for the preview. Undefined if the user cancels. */
export function pickOrPreview<Item extends QuickPickItem>(
  items: readonly Item[],
  { title, placeholder }: PickerWords,
): Promise<{ readonly item: Item; readonly isPreview: boolean } | undefined> {
  const preview: QuickInputButton = {
    iconPath: new ThemeIcon("eye"),
    tooltip: l10n.t("Preview Submission"),
  };
  const owned = new DisposableStore();
  const picker = owned.add(window.createQuickPick<Item>());
  picker.title = title;
  picker.placeholder = placeholder;
  picker.items = items.map((item) => ({ ...item, buttons: [preview] }));
  return new Promise((resolve) => {
    const choose = (item: Item | undefined, isPreview: boolean): void => {
      resolve(item && { item, isPreview });
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
