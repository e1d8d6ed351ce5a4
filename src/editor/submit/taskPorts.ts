import type { Pseudoterminal, Range, Task, TaskDefinition, TaskScope, Uri } from "vscode";
import type { HeldDefinition } from "../../spark/submit/profile/heldAnswers.ts";
import type { ProfileName } from "../profiles/profileName.ts";
import type { Screen } from "../screen.ts";
import type { ControlledRun } from "./controlledRun.ts";
import type { LastRun } from "./knownRuns.ts";
import type { pickFolder, writeProfile } from "./writeProfile.ts";

/**
 * The parts of `Screen` that the submission commands use. The whole `Screen` would be too large for the main bundle.
 */
export type SubmitScreen = Pick<
  Screen,
  | "showInformationMessage"
  | "showWarningMessage"
  | "showErrorMessage"
  | "showInputBox"
  | "showQuickPick"
  | "pickWithText"
  | "translated"
  | "icon"
>;

/** The tasks and the workspace of VS Code. `taskHost.ts` implements it. */
export interface TaskHost {
  readonly workspaceScope: TaskScope.Workspace;
  /** Returns the profiles in tasks.json and the workspace file, as VS Code last read them. */
  readonly findProfiles: () => Thenable<readonly Task[]>;
  /** Saves the files of the profiles, and returns the profiles after VS Code has read them. */
  readonly savedProfiles: () => Promise<readonly Task[]>;
  /** Finds a profile in `savedProfiles`; undefined if there is none. */
  readonly findProfile: (name: ProfileName) => Promise<Task | undefined>;
  readonly folderOf: (scope: Task["scope"]) => Uri | undefined;
  readonly directoryOf: (scope: Task["scope"]) => string;
  /** Returns the labels of the tasks that a task depends on; undefined if only VS Code can resolve them. */
  readonly dependenciesOf: (name: string, folder: Uri | undefined) => readonly string[] | undefined;
  /** Runs tasks in sequence. Returns false after the first failure, which it shows. */
  readonly runInOrder: (names: readonly string[]) => Promise<boolean>;
  readonly isActive: (name: string) => boolean;
  /** True if the task of a run of this application is active. */
  readonly isApplicationActive: (application: unknown) => boolean;
  readonly execute: (task: Task) => Thenable<unknown>;
  /** Makes a task. `open` gets the definition after variable substitution, and returns the task's terminal. */
  readonly newTask: (
    task: Pick<NewTask, "definition" | "scope" | "name">,
    open: (resolved: TaskDefinition) => Promise<Pseudoterminal>,
  ) => Task;
  readonly reuseTerminal: (task: Task, isRepeated: boolean) => Task;
  /** True if the workspace's tasks or launch configurations refer to a command of this extension. */
  readonly workspaceCallsCommands: () => boolean;
  /** True if the workspace's tasks or launch configurations can start a debug session without the user. */
  readonly workspaceStartsSessions: () => boolean;
  readonly saveAll: () => Thenable<unknown>;
  readonly file: (path: string) => Uri;
  readonly openAt: (uri: Uri, range: Range) => Promise<void>;
  readonly pickFolder: typeof pickFolder;
  readonly writeProfile: typeof writeProfile;
}

/** A task of this extension, with data that VS Code does not store. */
export interface NewTask {
  readonly definition: TaskDefinition;
  readonly scope: Task["scope"];
  readonly name: string;
  readonly origin: LastRun;
  readonly how?: "submit" | "resubmit";
  /** The profile that the task runs, if its name differs. */
  readonly profile?: ProfileName;
  /**
   * The secrets and answers that placeholders in `definition` stand for. Stored here, because VS Code stores the
   * definitions of executed tasks.
   */
  readonly held?: Pick<HeldDefinition<unknown>, "filled" | "written">;
  /** Called when the cluster has accepted the submission. */
  readonly accepted?: (() => Promise<void>) | undefined;
  readonly controlled?: ControlledRun | undefined;
}
