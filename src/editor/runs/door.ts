import { l10n, workspace, type Command } from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import type { ListedRun } from "../../spark/history/runRecord.ts";
import { commandTable } from "../commandTable.ts";
import { DocumentLenses } from "../describe/documentLenses.ts";
import { lineLens } from "../describe/fixLenses.ts";
import { window } from "../ui/window.ts";
import { windowScreen } from "../windowScreen.ts";
import { gitCommitOf } from "./gitCommit.ts";
import { runSuffix, type RunsWindow } from "./runCommands.ts";
import type { RunNode } from "./runNode.ts";

export {
  compareRuns,
  openPostMortem,
  openRunDocument,
  removeRuns,
  repeatRun,
} from "./runCommands.ts";

/**
 * Creates the `RunsWindow` of the run commands. A run's document has CodeLenses that open its log, timeline and
 * post-mortem and repeat the run.
 */
export function createRunsWindow(): Disposable & RunsWindow {
  const lenses = new DocumentLenses(`**/*${runSuffix}`);
  return {
    screen: windowScreen,
    commitOf: gitCommitOf,
    openText: async (language, content) => {
      const document = await workspace.openTextDocument({ language, content });
      await window.showTextDocument(document, { preview: false });
    },
    offerActions: (path, run) => {
      lenses.set(path, () => actionsOf(run).map((command) => lineLens(0, command)));
    },
    dispose: () => {
      lenses.dispose();
    },
  };
}

function actionsOf({ id, definition }: ListedRun): readonly Command[] {
  const on = (title: string, command: string): Command => ({
    title,
    command,
    arguments: [{ kind: "run", id } satisfies RunNode],
  });
  return [
    on(l10n.t("Open Log"), commandTable.runLog.id),
    on(l10n.t("Show Timeline"), commandTable.runTimeline.id),
    on(l10n.t("Post-Mortem"), commandTable.postMortem.id),
    ...(definition === undefined
      ? []
      : [on(l10n.t("Run Exactly Again"), commandTable.repeatRun.id)]),
  ];
}
