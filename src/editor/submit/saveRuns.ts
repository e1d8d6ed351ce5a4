import type { Uri } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { msg, type Message, type MessageText } from "../../base/message.ts";
import { variablesIn } from "../../spark/submit/profile/variables.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { CommandHandlers, TargetArgument } from "../commandArguments.ts";
import type { Log } from "../log.ts";
import type { Screen } from "../screen.ts";
import { taskOfProfile } from "../profiles/profileName.ts";
import type { PreparedProgram, Programs } from "./programs.ts";
import type { RunOnSave, RunOnSaveOptions, SaveRunState } from "./runOnSave.ts";
import type { TaskHost } from "./taskPorts.ts";

/** The parts of the window that Run on Save uses. Implemented by `saveWindow.ts`. */
export interface SaveWindow {
  readonly screen: Pick<Screen, "showWarningMessage">;
  /** Sets the context key `runsOnSaveKey`. */
  readonly setActive: (isActive: boolean) => void;
  /** Creates the status bar item. */
  readonly createMark: (
    program: string,
  ) => Disposable & { readonly show: (state: SaveRunState) => void };
  /** Calls `saves` before each save. `isDelayed`: auto save after a delay. */
  readonly onWillSave: (saves: (uri: Uri, isDelayed: boolean) => void) => Disposable;
  readonly onDidSave: (saved: (document: SavedDocument) => void) => Disposable;
  readonly onTasksChange: (changed: () => void) => Disposable;
}

interface SavedDocument {
  readonly uri: Uri;
  readonly languageId: string;
  /** True for a file in the workspace. */
  readonly isInWorkspace: boolean;
  /** Returns the creation time in epoch ms; undefined if the file was deleted. */
  readonly createdAt: () => Promise<number | undefined>;
}

export interface SaveOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly host: Pick<TaskHost, "saveAll" | "findProfiles" | "folderOf">;
  readonly startRunOnSave: (options: RunOnSaveOptions) => RunOnSave;
}

export interface SaveRuns extends Disposable {
  readonly handlers: CommandHandlers<"runOnSave" | "stopRunOnSave">;
}

/**
 * Returns the handlers of Run on Save: one program per window runs now and after each save. Off in each new window.
 * Automatic runs show no prompts, so a program or context that needs one is rejected.
 */
export function saveRunsOf(
  { prepare }: Pick<Programs, "prepare">,
  options: SaveOptions,
  window: SaveWindow,
): SaveRuns {
  let active: Disposable | undefined;
  const stop = (): void => {
    active?.dispose();
    active = undefined;
    window.setActive(false);
  };
  const refuse = (name: string, reason: MessageText): void => {
    void window.screen.showWarningMessage(msg`Run on Save is off for "${name}". ${reason}`);
  };
  return {
    handlers: {
      runOnSave: async (target: TargetArgument) => {
        const program = await prepare(target, "runOnSave");
        if (program === undefined) return;
        const obstacle = obstacleOf(program);
        if (obstacle !== undefined) {
          refuse(program.name, obstacle);
          return;
        }
        stop();
        // Save before the listener starts, because these saves belong to the first run.
        await options.host.saveAll();
        window.setActive(true);
        active = startProgram(program, options, window, (reason) => {
          stop();
          refuse(program.name, reason);
        });
      },
      stopRunOnSave: () => {
        stop();
        return Promise.resolve();
      },
    },
    dispose: stop,
  };
}

/** Returns the reason why a program cannot run on each save; undefined if it can. */
function obstacleOf({ definition }: PreparedProgram): Message | undefined {
  const input = variablesIn(definition).find(({ name }) => name === "input");
  if (input !== undefined) return msg`Each run would ask for ${input.written}.`;
  return /\.ya?ml$/i.test(String(definition["application"]))
    ? msg("An operator runs its manifest.")
    : undefined;
}

function startProgram(
  program: PreparedProgram,
  { startRunOnSave, host, clock, log }: SaveOptions,
  window: SaveWindow,
  ended: (reason: string) => void,
): Disposable {
  const owned = new DisposableStore();
  const mark = owned.add(window.createMark(program.name));
  const startedAt = clock.now();
  const runs = owned.add(
    startRunOnSave({
      run: (controlled) => program.run({ controlled }),
      clock,
      log,
      changed: mark.show,
      ended,
    }),
  );
  // Ignore auto save after a delay, which would run half-typed programs.
  const delayed = new Set<string>();
  owned.add(
    window.onWillSave((uri, isDelayed) => {
      if (isDelayed) delayed.add(uri.toString());
      else delayed.delete(uri.toString());
    }),
  );
  owned.add(
    window.onDidSave((document) => {
      const { uri } = document;
      if (delayed.delete(uri.toString()) || uri.scheme !== "file") return;
      isNewProgram(document, startedAt).then((isNew) => {
        runs.saved(uri.fsPath, isNew);
      }, log.error);
    }),
  );
  const { profile } = program;
  let definition = JSON.stringify(program.definition);
  owned.add(
    window.onTasksChange(() => {
      if (profile === undefined) return;
      host.findProfiles().then((tasks) => {
        const now = JSON.stringify(taskOfProfile(tasks, profile, host.folderOf)?.definition);
        if (now !== definition) runs.again();
        definition = now;
      }, log.error);
    }),
  );
  return owned;
}

/**
 * True if a Python file in the workspace was created at or after `since` (epoch ms). A run may import such a file,
 * although no earlier run sent it.
 */
async function isNewProgram(
  { languageId, isInWorkspace, createdAt }: SavedDocument,
  since: number,
): Promise<boolean> {
  if (languageId !== "python" || !isInWorkspace) return false;
  const at = await createdAt();
  return at !== undefined && at >= since;
}
