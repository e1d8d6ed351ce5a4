import {
  CustomExecution,
  tasks,
  TaskScope,
  ThemeIcon,
  Uri,
  workspace,
  type Task,
  type TextDocument,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { taskType } from "../ids.ts";
import { taskOfProfile } from "../profiles/profileName.ts";
import { isTasksFile } from "../profiles/profileProblems.ts";
import { SavedProfiles } from "../profiles/savedProfiles.ts";
import { dependenciesOf, findProfiles, folderOf, runInOrder } from "../profiles/profileTasks.ts";
import { directoryOf, reuseTerminal, runTask } from "../ui/runTask.ts";
import { saveDocument } from "../ui/saveDocument.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { openAt } from "./openAt.ts";
import type { SubmitScreen, TaskHost } from "./taskPorts.ts";
import { workspaceCallsCommands, workspaceStartsSessions } from "./workspaceStarts.ts";

export function createTaskHost(
  clock: Clock,
  loadSubmit: () => Promise<Pick<TaskHost, "pickFolder" | "writeProfile">>,
): TaskHost & Disposable {
  const owned = new DisposableStore();
  const saveDocuments = async (isWanted: (document: TextDocument) => boolean): Promise<void> => {
    const wanted = workspace.textDocuments.filter(isWanted);
    await Promise.all(
      wanted.map((one) => saveDocument(one, workspace.onDidSaveTextDocument, clock)),
    );
  };
  const saved = owned.add(
    new SavedProfiles(clock, async () => {
      if (savesBeforeRun()) await saveDocuments(isTasksFile);
    }),
  );
  owned.add(
    workspace.onWillSaveTextDocument(({ document }) => {
      if (isTasksFile(document)) saved.saving();
    }),
  );
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("tasks")) saved.read();
    }),
  );
  const savedProfiles = async (): Promise<readonly Task[]> => {
    if (workspace.isTrusted) await saved.upToDate();
    return findProfiles();
  };
  return {
    dispose: () => {
      owned.dispose();
    },
    workspaceScope: TaskScope.Workspace,
    findProfiles,
    savedProfiles,
    findProfile: async (profile) => taskOfProfile(await savedProfiles(), profile, folderOf),
    folderOf,
    directoryOf,
    dependenciesOf,
    runInOrder,
    isActive: (name) => tasks.taskExecutions.some((execution) => execution.task.name === name),
    isApplicationActive: (application) =>
      tasks.taskExecutions.some(
        ({ task: { definition } }) =>
          definition.type === taskType && definition["application"] === application,
      ),
    execute: (task) => tasks.executeTask(task),
    newTask: ({ definition, scope, name }, open) =>
      runTask(definition, scope, name, "spark", new CustomExecution(open)),
    reuseTerminal,
    workspaceCallsCommands,
    workspaceStartsSessions,
    saveAll: async () => {
      await workspace.saveAll(false);
      await saveDocuments(({ uri }) => uri.scheme === "file");
    },
    file: (path) => Uri.file(path),
    openAt,
    pickFolder: async () => (await loadSubmit()).pickFolder(),
    writeProfile: async (...given) => (await loadSubmit()).writeProfile(...given),
  };
}

const savesBeforeRun = (): boolean =>
  workspace.getConfiguration("task").get("saveBeforeRun") !== "never";

export const submitScreen: SubmitScreen = {
  showInformationMessage: window.showInformationMessage,
  showWarningMessage: window.showWarningMessage,
  showErrorMessage: window.showErrorMessage,
  showInputBox: window.showInputBox,
  showQuickPick: window.showQuickPick,
  pickWithText: window.pickWithText,
  translated,
  icon: (id) => new ThemeIcon(id),
};
