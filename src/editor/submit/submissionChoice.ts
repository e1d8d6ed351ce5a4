import type { QuickPickItem, Task, TaskDefinition, Uri } from "vscode";
import { msg } from "../../base/message.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import type { TargetArgument } from "../commandArguments.ts";
import { taskType } from "../ids.ts";
import { isProfileName, nameOfTask, type ProfileName } from "../profiles/profileName.ts";
import { commandTitle, type AskingCommand } from "./askingTitle.ts";
import { lastRun } from "./knownRuns.ts";
import { askLabel } from "./profileName.ts";
import {
  fileOf,
  isLastProfile,
  lastProfileFirst,
  nameOfApplication,
  titleOf,
  type SubmissionChoice,
} from "./runDefinition.ts";
import { profileNamed, runDefinition, runProfile } from "./startTask.ts";
import type { Submitting } from "./submitting.ts";
import type { TaskHost } from "./taskPorts.ts";

/**
 * Returns the profile on which the command was called; without one, the user's choice. Undefined if the profile does
 * not exist, or if the user cancels.
 */
export async function chooseTarget(
  options: Submitting,
  from: TargetArgument,
  asking: AskingCommand,
): Promise<SubmissionChoice | undefined> {
  if (!isProfileName(from)) return chooseDefinition(options, fileOf(from), asking);
  const task = await options.host.findProfile(from);
  return task && { kind: "profile", task };
}

/** Submits a choice. `inputs`: the user's answers to input variables, which are not prompted for again. */
export async function submitChoice(
  options: Submitting,
  choice: SubmissionChoice,
  inputs?: ReadonlyMap<string, string>,
): Promise<void> {
  if (choice.kind === "profile") {
    await runProfile(options, choice.task, { inputs });
    return;
  }
  const { definition } = choice;
  const remember = options.answers.submit();
  const accepted = async (): Promise<void> => {
    await remember();
    await (await options.loadSubmit()).rememberProgram(options.memory, definition);
  };
  await runDefinition(options, definition, "submit", { accepted });
}

/**
 * Shows a quick pick of the workspace's profiles. Prompts for the settings of a new definition if `file` is given, if
 * there are no profiles, or if the user chooses another application. Undefined if the user cancels.
 */
export async function chooseDefinition(
  options: Submitting,
  file: Uri | undefined,
  asking: AskingCommand,
): Promise<SubmissionChoice | undefined> {
  let typed = "";
  const profiles = file === undefined ? await options.host.savedProfiles() : [];
  if (profiles.length > 0) {
    const chosen = await pickProfile(options, profiles, asking);
    if (chosen === undefined) return undefined;
    if (chosen.item.value !== "another") return { kind: "profile", task: chosen.item.value };
    // If the typed text is the beginning of this row's label, it is not the name of an application.
    const { item } = chosen;
    const isLabel = item.label.toLowerCase().startsWith(chosen.typed.toLowerCase());
    typed = isLabel ? "" : chosen.typed;
  }
  const { askForProfile } = await options.loadSubmit();
  const asked = { asking, file, typed };
  const profile = await askForProfile(options.askOptions, options.answers, asked);
  return profile && { kind: "definition", definition: { type: taskType, ...profile } };
}

/**
 * Returns the target if it is a profile, else the profile or definition of the last run. Undefined (and reported) if
 * nothing ran.
 */
export async function recentTarget(
  { memory, host, screen }: Submitting,
  target: TargetArgument,
): Promise<ProfileName | undefined> {
  if (isProfileName(target)) return target;
  const last = lastRun(memory);
  const task =
    last?.kind === "profile" ? await profileNamed(host.findProfiles, last.name) : undefined;
  if (task !== undefined) return nameOfTask(task, host.folderOf);
  if (last?.kind === "definition") return nameOfDefinition(last.definition, host);
  void screen.showInformationMessage(msg("Nothing was submitted from this workspace."));
  return undefined;
}

const nameOfDefinition = (definition: TaskDefinition, host: TaskHost): ProfileName =>
  nameOfTask({ name: titleOf(definition), scope: host.workspaceScope }, host.folderOf);

/** Prompts for a submission and writes it to tasks.json. */
export async function newProfile(options: Submitting): Promise<void> {
  const { host, screen } = options;
  const folder = await host.pickFolder();
  if (folder === undefined) return;
  const { askForProfile } = await options.loadSubmit();
  const profile = await askForProfile(options.askOptions, options.answers, {
    asking: "newProfile",
  });
  if (profile === undefined) return;
  const suggested = nameOfApplication(profile.application);
  const label = await askLabel(screen, commandTitle("newProfile"), suggested);
  if (label === undefined) return;
  await host.writeProfile(folder, { label, profile, inputs: [] });
}

interface ProfileItem extends QuickPickItem {
  readonly value: Task | "another";
}

async function pickProfile(
  { memory, screen }: Submitting,
  profiles: readonly Task[],
  asking: AskingCommand,
): Promise<{ readonly item: ProfileItem; readonly typed: string } | undefined> {
  const last = lastRun(memory);
  const items: readonly ProfileItem[] = lastProfileFirst(profiles, last).map((task) => ({
    label: task.name,
    description: isLastProfile(last, task) ? screen.translated(msg("last run")) : "",
    detail: redactLine(String(task.definition["application"] ?? ""), defaultSecretRule),
    value: task,
  }));
  const another: ProfileItem = {
    label: screen.translated(msg("Another Application…")),
    iconPath: screen.icon("add"),
    // Keep this row visible for any text, so that Enter on a typed path selects it.
    alwaysShow: true,
    value: "another",
  };
  return screen.pickWithText([...items, another], {
    title: screen.translated(commandTitle(asking)),
    placeHolder: screen.translated(msg("Select a run profile")),
  });
}
