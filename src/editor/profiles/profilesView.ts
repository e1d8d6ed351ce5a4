import { translated } from "../ui/translated.ts";
import {
  commands as editorCommands,
  EventEmitter,
  l10n,
  tasks,
  TreeItem,
  workspace,
  type Task,
  type TreeDataProvider,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { commands, contextValues, profilesReadKey, profilesViewId, taskType } from "../ids.ts";
import { nameOfTask, type ProfileName } from "./profileName.ts";
import { findProfiles, folderOf } from "./profileTasks.ts";
import { profileRowText } from "./profileRow.ts";
import { ProfileRuns, type ProfileRunsOptions, type RunTask } from "./profileRuns.ts";
import { markdownOfText } from "../ui/markdown.ts";
import { themeIcon } from "../ui/themeIcon.ts";
import { window } from "../ui/window.ts";

interface ProfileRow extends ProfileName {
  readonly application: string;
  readonly follows: boolean;
}

/** The Run Profiles view: each profile with the outcome of its last run. */
export class ProfilesView implements TreeDataProvider<ProfileRow>, Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #now: () => number;
  readonly runs: ProfileRuns;

  constructor({ memory, now, driverState }: Omit<ProfileRunsOptions, "changed">) {
    this.#now = now;
    const changed = (): void => {
      this.#changes.fire(undefined);
    };
    this.runs = this.#owned.add(new ProfileRuns({ memory, now, driverState, changed }));
    this.#owned.add(window.createTreeView(profilesViewId, { treeDataProvider: this }));
    this.#owned.add(
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("tasks")) changed();
      }),
    );
    this.#owned.add(
      tasks.onDidStartTask(({ execution }) => {
        const { task } = execution;
        if (task.definition.type === taskType) this.runs.started(runTask(task), execution);
      }),
    );
    this.#owned.add(
      tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        const { task } = execution;
        if (task.definition.type === taskType) this.runs.ended(runTask(task), execution, exitCode);
      }),
    );
  }

  async getChildren(parent?: ProfileRow): Promise<ProfileRow[]> {
    if (parent !== undefined) return [];
    const found = await findProfiles();
    void editorCommands.executeCommand("setContext", profilesReadKey, true);
    return found.map((task) => ({
      ...nameOfTask(task, folderOf),
      application: String(task.definition["application"] ?? ""),
      follows: task.definition["follow"] !== "none",
    }));
  }

  getTreeItem(row: ProfileRow): TreeItem {
    const { name, follows, application } = row;
    const last = this.runs.of(name, row.folder?.toString());
    const { description, spoken, icon } = profileRowText(last, follows, this.#now());
    const item = new TreeItem(name);
    item.contextValue = contextValues.profile;
    // Enter and a click run this command.
    item.command = {
      command: commands.editProfile,
      title: l10n.t("Edit Profile"),
      arguments: [row],
    };
    item.description = translated(description);
    item.iconPath = themeIcon(icon);
    item.tooltip = markdownOfText(`${name}: ${item.description}\n${application}`);
    item.accessibilityInformation = { label: `${name}, ${translated(spoken)}` };
    return item;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

const runTask = ({ name, scope }: Task): RunTask => ({ name, folder: folderOf(scope)?.toString() });
