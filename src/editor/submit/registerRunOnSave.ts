import {
  commands as editorCommands,
  l10n,
  StatusBarAlignment,
  TextDocumentSaveReason,
  ThemeIcon,
  Uri,
  workspace,
  type TextDocument,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { variablesIn } from "../../spark/submit/profile/variables.ts";
import type { CommandHandlers, TargetArgument } from "../commandArguments.ts";
import { commands, runsOnSaveKey } from "../ids.ts";
import { taskOfProfile } from "../profiles/profileName.ts";
import { findProfiles, folderOf } from "../profiles/profileTasks.ts";
import { window } from "../ui/window.ts";
import type { PreparedProgram, Programs } from "./programs.ts";
import type { SaveRunState } from "./runOnSave.ts";
import type { SubmitOptions } from "./submitOptions.ts";

interface SaveRuns extends Disposable {
  readonly handlers: CommandHandlers<"runOnSave" | "stopRunOnSave">;
}

/**
 * Run on Save: one program per window runs now and after each save. It is off in each new window, and its runs never ask:
 * a program or context that needs a question is refused.
 */
export function registerRunOnSave(
  { prepare }: Pick<Programs, "prepare">,
  options: SubmitOptions,
): SaveRuns {
  const owned = new DisposableStore();
  let active: Disposable | undefined;
  const stop = (): void => {
    active?.dispose();
    active = undefined;
    void editorCommands.executeCommand("setContext", runsOnSaveKey, false);
  };
  owned.add({ dispose: stop });
  return {
    handlers: {
      runOnSave: async (target: TargetArgument) => {
        const program = await prepare(target, "runOnSave");
        if (program === undefined) return;
        const obstacle = obstacleOf(program);
        if (obstacle !== undefined) {
          showRefusal(program.name, obstacle);
          return;
        }
        stop();
        // Before the listener: these saves belong to the first run.
        await workspace.saveAll(false);
        void editorCommands.executeCommand("setContext", runsOnSaveKey, true);
        active = await startProgram(program, options, (reason) => {
          stop();
          showRefusal(program.name, reason);
        });
      },
      stopRunOnSave: () => {
        stop();
        return Promise.resolve();
      },
    },
    dispose: () => {
      owned.dispose();
    },
  };
}

const showRefusal = (name: string, reason: string): void => {
  void window.showWarningMessage(l10n.t('Run on Save is off for "{0}". {1}', name, reason));
};

/** Why a program cannot run on each save. */
function obstacleOf({ definition }: PreparedProgram): string | undefined {
  const input = variablesIn(definition).find(({ name }) => name === "input");
  if (input !== undefined) {
    return l10n.t("Each run would ask for {0}.", input.written);
  }
  return /\.ya?ml$/i.test(String(definition["application"]))
    ? l10n.t("An operator runs its manifest.")
    : undefined;
}

async function startProgram(
  program: PreparedProgram,
  { loadSubmit, clock, log }: SubmitOptions,
  ended: (reason: string) => void,
): Promise<Disposable> {
  const { startRunOnSave } = await loadSubmit();
  const owned = new DisposableStore();
  const item = owned.add(window.createStatusBarItem("sparkK8s.runOnSave", StatusBarAlignment.Left));
  item.name = l10n.t("Run on Save");
  item.text = l10n.t("Run on Save: {0}", program.name);
  item.command = commands.stopRunOnSave;
  const show = ({ isBusy, words }: SaveRunState): void => {
    item.icon = new ThemeIcon(isBusy ? "sync~spin" : "sync");
    item.tooltip = [
      l10n.t("Last run: {0}", words),
      l10n.t("A save stops and deletes the last run and starts another one."),
      l10n.t("Select to switch it off; the last run continues."),
    ].join("\n");
    item.show();
  };
  const startedAt = clock.now();
  const runs = owned.add(
    startRunOnSave({
      run: (controlled) => program.run({ controlled }),
      clock,
      log,
      changed: show,
      ended,
    }),
  );
  owned.add(
    onSave((document) => {
      isNewProgram(document, startedAt).then((isNew) => {
        runs.saved(document.uri.fsPath, isNew);
      }, log.error);
    }),
  );
  const { profile } = program;
  let definition = JSON.stringify(program.definition);
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      if (profile === undefined || !change.affectsConfiguration("tasks")) return;
      findProfiles().then((tasks) => {
        const now = JSON.stringify(taskOfProfile(tasks, profile, folderOf)?.definition);
        if (now !== definition) runs.again();
        definition = now;
      }, log.error);
    }),
  );
  return owned;
}

/** Calls the listener after saves that the user asked for. Auto save after a delay would run half-typed programs. */
function onSave(saved: (document: TextDocument) => void): Disposable {
  const owned = new DisposableStore();
  const automatic = new Set<string>();
  owned.add(
    workspace.onWillSaveTextDocument(({ document, reason }) => {
      const key = document.uri.toString();
      if (reason === TextDocumentSaveReason.AfterDelay) automatic.add(key);
      else automatic.delete(key);
    }),
  );
  owned.add(
    workspace.onDidSaveTextDocument((document) => {
      const isAutomatic = automatic.delete(document.uri.toString());
      if (!isAutomatic && document.uri.scheme === "file") saved(document);
    }),
  );
  return owned;
}

/** True if a Python file of the workspace was created since: the last run could not import it. */
async function isNewProgram({ uri, languageId }: TextDocument, since: number): Promise<boolean> {
  if (languageId !== "python" || workspace.getWorkspaceFolder(uri) === undefined) return false;
  try {
    return (await workspace.fs.stat(Uri.file(uri.fsPath))).ctime >= since;
  } catch {
    return false;
  }
}
