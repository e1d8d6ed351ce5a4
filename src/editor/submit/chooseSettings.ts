import type { QuickInputButton, QuickPickItem, Task, TaskDefinition } from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import { msg, type MessageText } from "../../base/message.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import type { findProfiles } from "../profiles/profileTasks.ts";
import type { Screen } from "../screen.ts";
import { commandTitle, type AskingCommand } from "./askingTitle.ts";
import type { DefinedProgram } from "./runDefinition.ts";

/** The functions that define, start and preview a session or a shell. */
export interface SettingsStart {
  /** Returns a definition with the previous answers, or with answers to new prompts. Undefined if the user cancels. */
  readonly define: (asking: AskingCommand) => Promise<DefinedProgram | undefined>;
  /** Returns the image of the latest accepted submission, which `define` uses. Undefined if there is none. */
  readonly lastImage: () => string | undefined;
  readonly run: (
    definition: TaskDefinition,
    how: { readonly accepted?: () => Promise<void>; readonly scope?: Task["scope"] },
  ) => Promise<void>;
  readonly preview: (definition: TaskDefinition) => Promise<void>;
}

export interface ChosenSettings {
  /** The chosen run profile; undefined if the user chose the settings of earlier submissions. */
  readonly profile: Task | undefined;
  readonly base: TaskDefinition;
  /** Called when the cluster has accepted the submission. */
  readonly accepted: (() => Promise<void>) | undefined;
  readonly isPreview: boolean;
}

/** The parts of the window that the commands for sessions and shells use. */
export interface StartWindow {
  readonly screen: Pick<Screen, "createQuickPick" | "icon" | "showErrorMessage" | "translated">;
  readonly findProfiles: typeof findProfiles;
  readonly keepsShells: () => boolean;
  readonly sessionIdleMinutes: () => number;
}

interface PickerWords {
  readonly title: MessageText;
  readonly placeholder: MessageText;
}

interface BaseItem extends QuickPickItem {
  readonly profile: Task | undefined;
}

/** Shows a quick pick of run profiles and the settings of earlier submissions. Undefined if the user cancels. */
export async function chooseSettings(
  { define, lastImage }: Pick<SettingsStart, "define" | "lastImage">,
  { asking, placeholder }: Omit<PickerWords, "title"> & { readonly asking: AskingCommand },
  window: StartWindow,
): Promise<ChosenSettings | undefined> {
  const { screen } = window;
  const profiles = (await window.findProfiles()).filter(hasImage);
  const image = lastImage();
  const items: readonly BaseItem[] = [
    ...profiles.map((profile) => ({
      label: profile.name,
      description: redactLine(String(profile.definition["image"]), defaultSecretRule),
      profile,
    })),
    {
      label: screen.translated(msg("Without a Run Profile")),
      description:
        image === undefined
          ? screen.translated(msg("asks for the image and the service account"))
          : redactLine(image, defaultSecretRule),
      ...(image !== undefined && {
        detail: screen.translated(
          msg("Image, service account and conf file of the last submission"),
        ),
      }),
      profile: undefined,
    },
  ];
  const words = { title: commandTitle(asking), placeholder };
  const chosen = await pickOrPreview(items, words, window);
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

// Excludes the profiles of operator manifests, which have no image.
const hasImage = ({ definition }: Task): boolean => typeof definition["image"] === "string";

/** Shows a quick pick of items. Each item has a button that previews it. Undefined if the user cancels. */
export function pickOrPreview<Item extends QuickPickItem>(
  items: readonly Item[],
  { title, placeholder }: PickerWords,
  { screen }: Pick<StartWindow, "screen">,
): Promise<{ readonly item: Item; readonly isPreview: boolean } | undefined> {
  const preview: QuickInputButton = {
    iconPath: screen.icon("eye"),
    tooltip: screen.translated(msg("Preview Submission")),
  };
  const owned = new DisposableStore();
  const picker = owned.add(screen.createQuickPick<Item>());
  picker.title = screen.translated(title);
  picker.placeholder = screen.translated(placeholder);
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
