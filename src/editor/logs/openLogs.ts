import { l10n, window } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Connection } from "../../engine/ports.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { showClusterError } from "../showError.ts";
import { linkLogs } from "./logLinks.ts";
import { LogDocuments } from "./logDocuments.ts";
import { LogProblems } from "./logProblems.ts";
import type { LogsContext } from "./logsContext.ts";
import { openLogTerminal, type LogTerminal } from "./logTerminal.ts";
import { SessionLogs } from "./sessionLogs.ts";
import { followSelection, searchLogs, selectLogs, type LogSelection } from "./tailLogs.ts";
import { WorkspaceFiles } from "./workspaceFiles.ts";

/** The commands on logs, and all that they have opened. */
export interface OpenLogs extends Disposable {
  tail(nodes: readonly TreeNode[]): Promise<void>;
  tailSeveral(): Promise<void>;
}

export function openLogs(context: LogsContext): OpenLogs {
  const { session, clock, random, log } = context;
  const owned = new DisposableStore();
  const documents = owned.add(new LogDocuments());
  const files = new WorkspaceFiles(() => clock.now());
  const problems = owned.add(new LogProblems(files, documents, log));
  const terminals = new Map<string, LogTerminal>();
  owned.add({
    dispose: () => {
      for (const terminal of [...terminals.values()]) terminal.dispose();
    },
  });
  owned.add(
    linkLogs((terminal) => {
      const found = [...terminals.values()].find((one) => one.terminal === terminal);
      return found?.view;
    }, files),
  );

  /** Shows the terminal that follows a selection; opens one if none does. */
  const follow = (selection: LogSelection, connection: Connection): void => {
    const { key, name, title, mayGrow } = selection;
    const known = terminals.get(key);
    if (known?.isFollowing()) {
      known.terminal.show();
      return;
    }
    known?.dispose();
    problems.begin(name);
    const opened = openLogTerminal(
      {
        name,
        title,
        logs: new SessionLogs(session, connection),
        clock,
        random,
        log,
        follow: followSelection(session, selection),
        mayGrow,
        shown: (records, view) => {
          problems.take(records, view);
        },
        openDocument: () => undefined,
      },
      () => {
        if (terminals.get(key) === opened) terminals.delete(key);
      },
    );
    terminals.set(key, opened);
    opened.terminal.show();
  };

  const connect = async (task: string): Promise<Connection | undefined> => {
    const connected = await session.connect(new AbortController().signal);
    if (connected.ok) return connected.value;
    await showClusterError(task, connected.error, log);
    return undefined;
  };

  const tail = async (selection: LogSelection | undefined): Promise<void> => {
    if (selection === undefined) return;
    const connection = await connect(l10n.t("The log was not opened"));
    if (connection === undefined) return;
    if (selection.pods().length === 0 && !selection.mayGrow()) {
      void window.showInformationMessage(l10n.t("There is no pod left whose log could be read."));
      return;
    }
    follow(selection, connection);
  };

  return {
    tail: async (nodes) => tail(await selectLogs(session, nodes)),
    tailSeveral: async () => tail(await searchLogs(session)),
    dispose: () => {
      owned.dispose();
    },
  };
}
