import { l10n, Range } from "vscode";
import {
  disposable,
  disposableOf,
  DisposableStore,
  type Disposable,
} from "../../base/disposable.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { keepsFollowedLogs } from "../settings.ts";
import { showClusterError } from "../showError.ts";
import { linkLogs } from "./logLinks.ts";
import { LogDocuments } from "./logDocuments.ts";
import { chosenApplications } from "../lifecycle/targets.ts";
import { Keeper } from "./keeper.ts";
import { forgetKeptLogs, openKeptLog, searchKeptLogs } from "./keptLogsView.ts";
import { LogEditors } from "./logEditors.ts";
import { logWindow } from "./logWindow.ts";
import { logPlainText } from "./logPlainText.ts";
import type { LogView, ShownLogs } from "./shownLogs.ts";
import {
  compareLogs,
  openLogDocuments,
  openLogErrors,
  openPreviousLogs,
  saveLog,
} from "./openDocuments.ts";
import { LogProblems } from "./logProblems.ts";
import type { LogPod } from "./followed.ts";
import type { LogsContext } from "./logsContext.ts";
import { openLogTerminal, type LogTerminal } from "./logTerminal.ts";
import {
  followSelection,
  waitingReasons,
  searchLogs,
  selectLogs,
  type LogSelection,
} from "./tailLogs.ts";
import { WorkspaceFiles } from "./workspaceFiles.ts";
import { window } from "../ui/window.ts";

/** The log commands. Owns the terminals and documents that they open. */
export interface OpenLogs extends Disposable {
  readonly shownLogs: ShownLogs;
  tail(nodes: readonly TreeNode[]): Promise<void>;
  tailSeveral(): Promise<void>;
  openLog(nodes: readonly TreeNode[]): Promise<void>;
  /** Opens the logs at the errors that ended them. */
  openError(nodes: readonly TreeNode[]): Promise<void>;
  /** Opens the logs of previous container runs. */
  openPrevious(nodes: readonly TreeNode[]): Promise<void>;
  turnPage(way: "older" | "newer"): Promise<void>;
  followDocument(): Promise<void>;
  saveLog(nodes: readonly TreeNode[]): Promise<void>;
  compareLogs(nodes: readonly TreeNode[]): Promise<void>;
  /** Marks the rows' applications, so that their logs are saved. Offers to remove existing marks. */
  keepLogs(nodes: readonly TreeNode[]): Promise<void>;
  openKept(nodes: readonly TreeNode[]): Promise<void>;
  searchKept(): Promise<void>;
  forgetKept(): Promise<void>;
  /** Saves the logs of the applications until disposal, if the settings enable this. */
  followed(applications: () => readonly Application[]): Disposable;
  /** Saves the last log lines of failed pods. */
  keepFailed(pods: readonly LogPod[]): Promise<void>;
  /** Resumes saving the logs of all applications with a stored mark. */
  resumeKeeping(): Promise<void>;
}

export function openLogs(context: LogsContext): OpenLogs {
  const { session, clock, random, log } = context;
  const owned = new DisposableStore();
  const documents = owned.add(new LogDocuments());
  const files = new WorkspaceFiles(() => clock.now());
  const problems = owned.add(new LogProblems(files, documents, log));
  const editors = owned.add(new LogEditors({ ...context, followed }, logWindow(documents)));
  const around = { ...context, documents, editors };
  const terminals = new Map<string, LogTerminal>();
  /** The number of virtual folders created so far. It makes document paths unique. */
  let views = 0;
  const newFolder = (): string => {
    views += 1;
    return `/views/${views}`;
  };
  owned.add({
    dispose: () => {
      for (const terminal of [...terminals.values()]) terminal.dispose();
    },
  });
  /** The terminals of runs, the newest last. VS Code does not report when a task's terminal closes. */
  const runs: LogView[] = [];
  owned.add(
    linkLogs((terminal) => {
      const found = [...terminals.values()].find((one) => one.terminal === terminal);
      return found?.view ?? runs.findLast(({ name }) => terminal.name.includes(name));
    }, files),
  );

  /** Shows the terminal that follows a selection, or opens a new one. */
  const follow = (selection: LogSelection): void => {
    const { key, name, place, title, mayGrow } = selection;
    const known = terminals.get(key);
    if (known?.isFollowing()) {
      known.terminal.show();
      return;
    }
    known?.dispose();
    problems.begin({ name, place });
    const folder = newFolder();
    const opened = openLogTerminal(
      {
        name,
        title,
        clock,
        random,
        log,
        follow: (joined) => {
          const following = new DisposableStore();
          following.add(followSelection(context, selection, clock)(joined));
          following.add(followed(selection.applications));
          return following;
        },
        waiting: () => waitingReasons(context, selection),
        mayGrow,
        shown: (records, view) => {
          problems.take(records, view, { name, place });
        },
        openDocument: (view, number) => {
          openView(view, folder, number).catch(log.error);
        },
      },
      () => {
        if (terminals.get(key) === opened) terminals.delete(key);
      },
    );
    terminals.set(key, opened);
    opened.terminal.show();
  };

  const openView = async (view: LogView, folder: string, number?: number): Promise<void> => {
    const labels = new Set(view.records.map(({ source }) => view.labelOf(source)));
    const uri = documents.keep(`${folder}/${view.name}.log`, linesOf(view), labels);
    const line = number === undefined ? undefined : lineOf(view, number);
    const selection = line === undefined ? {} : { selection: new Range(line, 0, line, 0) };
    await window.showTextDocument(uri, { preview: false, ...selection });
  };

  function followed(applications: () => readonly Application[]): Disposable {
    if (!keepsFollowedLogs()) return disposable(() => undefined);
    return disposableOf(
      keeper().then((open) => open.follow(applications)),
      log.error,
    );
  }

  let opening: Promise<Keeper> | undefined;
  const keeper = (): Promise<Keeper> =>
    (opening ??= context
      .loadLogDisk()
      .then(({ kept }) => owned.add(new Keeper(context, kept, context.keptMarks))));

  const tail = async (selection: LogSelection | undefined): Promise<void> => {
    if (selection === undefined) return;
    const [first] = selection.applications();
    const connected = await session.connectTo(first?.key ?? "", new AbortController().signal);
    if (!connected.ok) {
      await showClusterError(l10n.t("Cannot open the log"), connected.error, log);
      return;
    }
    if (selection.pods().length === 0 && !selection.mayGrow()) {
      void window.showInformationMessage(l10n.t("No pods with logs found."));
      return;
    }
    follow(selection);
  };

  return {
    shownLogs: {
      begin: (view) => {
        problems.begin(view);
      },
      take: (records, view, traced) => {
        problems.take(records, view, traced);
      },
      opened: (view) => {
        const stays = (one: LogView): boolean => !one.isClosed || one.name !== view.name;
        const active = runs.filter((one) => stays(one) && !one.isClosed);
        const ended = runs.filter((one) => stays(one) && one.isClosed).slice(1 - maxEndedRuns);
        runs.splice(0, Infinity, ...ended, ...active, view);
      },
      openDocument: (view, number) => {
        openView(view, newFolder(), number).catch(log.error);
      },
    },
    followed,
    tail: async (nodes) => tail(await selectLogs(context, nodes)),
    tailSeveral: async () => tail(await searchLogs(context)),
    openLog: (nodes) => openLogDocuments(around, nodes),
    openError: (nodes) => openLogErrors(around, nodes),
    openPrevious: (nodes) => openPreviousLogs(around, nodes),
    turnPage: (way) => editors.turn(way),
    followDocument: () => {
      editors.follow();
      return Promise.resolve();
    },
    saveLog: (nodes) => saveLog(around, nodes, editors.active),
    compareLogs: (nodes) => compareLogs(around, nodes),
    keepLogs: async (nodes) => {
      const title = l10n.t("Keep Logs");
      const chosen = await chosenApplications(context, nodes, title, () => true);
      await (await keeper()).turn(chosen);
    },
    openKept: (nodes) => openKeptLog(around, nodes),
    searchKept: () => searchKeptLogs(around),
    forgetKept: () => forgetKeptLogs(around),
    keepFailed: async (pods) => {
      (await keeper()).keepFailed(pods);
    },
    resumeKeeping: async () => {
      await keeper();
    },
    dispose: () => {
      owned.dispose();
    },
  };
}

/** The maximum number of ended runs whose terminals keep their links. Each keeps up to 12 Mi characters in memory. */
const maxEndedRuns = 3;

/** Returns the index of a record's first line in `linesOf`; undefined if the record was dropped. */
function lineOf(view: LogView, number: number): number | undefined {
  let line = 0;
  for (const { number: at, record } of view.records) {
    if (at === number) return line;
    line += record.rest.length + 1;
  }
  return undefined;
}

/** Returns the lines of a terminal, each with the label of its log. */
const linesOf = (view: LogView): readonly string[] =>
  view.records.flatMap(({ source, record }) => {
    const label = view.labelOf(source);
    return [record.text, ...record.rest.map(({ text }) => text)].map(
      (text) => `${label}: ${logPlainText(text)}`,
    );
  });
