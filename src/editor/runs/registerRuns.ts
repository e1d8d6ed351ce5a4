import type { TaskDefinition } from "vscode";
import { commands as editorCommands } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { CommandHandlers } from "../commandArguments.ts";
import type { CommandOf } from "../commandTable.ts";
import { commands } from "../ids.ts";
import type { Log } from "../log.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import type * as runsDoor from "./door.ts";
import type { RunHistory } from "./runHistory.ts";
import type { RunNode } from "./runNode.ts";
import { RunsView } from "./runsView.ts";

interface RunsOptions {
  readonly history: RunHistory;
  readonly documents: ReadOnlyDocuments;
  readonly now: () => number;
  readonly loadRuns: () => Promise<typeof runsDoor>;
  readonly submit: (definition: TaskDefinition, name: string) => Promise<void>;
  /** Opens the timeline panel of a kept run. */
  readonly showTimeline: (id: string) => Promise<void>;
  readonly log: Log;
}

export interface Runs extends Disposable {
  readonly handlers: CommandHandlers<CommandOf<"runs">>;
}

export function registerRuns(options: RunsOptions): Runs {
  const { history, documents, now, loadRuns, submit, showTimeline, log } = options;
  const owned = new DisposableStore();
  const view = owned.add(new RunsView(history, now, log));
  const context = { history, documents, now, submit };
  const rows = (given: readonly RunNode[] | "selection"): readonly RunNode[] =>
    given === "selection" ? view.selection : given;
  let window: ReturnType<typeof runsDoor.createRunsWindow> | undefined;
  const run =
    (name: Exclude<keyof typeof runsDoor, "createRunsWindow">) =>
    async (given: readonly RunNode[] | "selection"): Promise<void> => {
      const door = await loadRuns();
      window ??= owned.add(door.createRunsWindow());
      await door[name](context, rows(given), window);
    };
  return {
    handlers: {
      openRun: run("openRunDocument"),
      compareRuns: run("compareRuns"),
      repeatRun: run("repeatRun"),
      postMortem: run("openPostMortem"),
      deleteRuns: run("removeRuns"),
      runTimeline: async (given) => {
        for (const { id } of rows(given)) await showTimeline(id);
      },
      runLog: async (given) => {
        const nodes = rows(given).map(({ id }) => ({
          kind: "driver",
          id: `driver:${id}`,
          uid: id,
        }));
        await editorCommands.executeCommand(commands.openKept, nodes[0], nodes);
      },
    },
    dispose: () => {
      owned.dispose();
    },
  };
}
