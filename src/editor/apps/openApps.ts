import {
  commands,
  ConfigurationTarget,
  env,
  l10n,
  workspace,
  type DataTransfer,
  type EventEmitter,
  type Memento,
  type TreeItem,
  type Uri,
  type WorkspaceConfiguration,
} from "vscode";
import {
  disposable,
  disposableOf,
  DisposableStore,
  type Disposable,
} from "../../base/disposable.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { RowsArgument } from "../commandArguments.ts";
import type { CommandOf } from "../commandTable.ts";
import { settings, settingsSection } from "../ids.ts";
import type { Log } from "../log.ts";
import {
  chosenContext,
  clusterSettings,
  furtherContexts,
  historyPage,
  historyService,
  keepsFailedLogs,
  keepsFollowedLogs,
  keptLogLimits,
  notifiesOfEnd,
  showsLogSecrets,
} from "../settings.ts";
import { watchFailed } from "../logs/watchFailed.ts";
import { guardKindOf } from "../guard.ts";
import { explainClusterError, showClusterError } from "../showError.ts";
import type { DescribeContext } from "../describe/subjects.ts";
import type * as describeDoor from "../describe/door.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import type * as lifecycleDoor from "../lifecycle/door.ts";
import type { RunHistory } from "../runs/runHistory.ts";
import { deletedItem, itemOf, withTooltip } from "./rows/rowItem.ts";
import { keepRuns } from "./keepRuns.ts";
import { runDuration, runOutcomeWords } from "../runs/runWords.ts";
import type * as timelineDoor from "../timeline/door.ts";
import type { OpenTimelines } from "../timeline/openTimelines.ts";
import type * as forwardDoor from "../forward/door.ts";
import type { OpenForwards } from "../forward/openForwards.ts";
import type { OpenUis } from "../forward/openUis.ts";
import type * as sessionDoor from "../session/door.ts";
import { connectedMark } from "../session/connectedMark.ts";
import type { OpenSessions } from "../session/openSessions.ts";
import type { SessionServices } from "../session/sessionContext.ts";
import { resumeWhenTrusted } from "../logs/resumeKeeping.ts";
import type { LogsContext } from "../logs/logsContext.ts";
import { lazyShownLogs, type ShownLogs } from "../logs/shownLogs.ts";
import type { OpenLogs } from "../logs/openLogs.ts";
import type * as logsDoor from "../logs/door.ts";
import { profileOf } from "../submit/knownRuns.ts";
import { watchDriverState, type ReportDriver } from "./driverState.ts";
import { DocumentLenses } from "../describe/documentLenses.ts";
import { noFilter } from "../../spark/pods/applicationFilter.ts";
import { ApplicationsView, type ViewHost } from "./applicationsView.ts";
import { askForFilter } from "./askForFilter.ts";
import {
  chooseCluster,
  chooseNamespaces,
  watchFurther,
  type ChoiceWindow,
} from "./chooseCluster.ts";
import { ClusterSession } from "./clusterSession.ts";
import type { SessionOptions } from "./connectionLife.ts";
import { decorateRows } from "./decorateRows.ts";
import { dragNames, takeDroppedRows } from "./dragRows.ts";
import { namesOf } from "./rowNames.ts";
import { notifyOfEnds } from "./endNotifier.ts";
import { showGuardItem } from "./guardItem.ts";
import { showGuards } from "./showGuards.ts";
import { showStatusItem } from "./statusItem.ts";
import { groupsByNamespace } from "./viewTexts.ts";
import { applicationNode, type TreeNode } from "./treeNode.ts";
import type { PlainTreeView } from "../ui/treeView.ts";
import { openFramePanel } from "../ui/framePanel.ts";
import { windowScreen } from "../windowScreen.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";

/**
 * Dependencies of the view and of the features that its rows open. More than a dozen members, because `extension.ts`
 * passes all of them in one object. Each feature declares a smaller type with only the members that it uses.
 */
export interface AppsOptions
  extends
    Omit<LogsContext, "keptLogLimits" | "screen" | "secrets" | "session">,
    SessionOptions,
    SessionServices {
  readonly load: LazyFeatures;
  readonly documents: DescribeContext["documents"];
  readonly readEventLog: DescribeContext["readEventLog"];
  readonly findSpark: DescribeContext["findSpark"];
  readonly history: RunHistory;
  /** The folder of the timeline panel's script and style sheet. */
  readonly pages: Uri;
  /** Stores the submissions of this workspace. */
  readonly runs: Memento;
  /** Returns the Spark user name of submissions from this machine. */
  readonly userName: () => string;
}

/** Functions that load the lazy bundles of the row commands. */
interface LazyFeatures {
  lifecycle(): Promise<typeof lifecycleDoor>;
  describe(): Promise<typeof describeDoor>;
  logs(): Promise<typeof logsDoor>;
  timelines(): Promise<typeof timelineDoor>;
  forward(): Promise<typeof forwardDoor>;
  sessions(): Promise<typeof sessionDoor>;
}

/** The parts of other features that the row commands use. */
export type RowServices = Pick<DescribeContext, "showLayers"> &
  Pick<LifecycleContext, "canResubmit" | "resubmit" | "wasSubmittedHere">;

/** The registered view and the event that redraws its rows. */
export interface TreeOutlet {
  readonly view: PlainTreeView<TreeNode>;
  readonly changes: EventEmitter<TreeNode[] | undefined>;
}

/** The tree of applications, the status bar items, and the command handlers. */
export interface OpenApps extends Disposable {
  readonly session: ClusterSession;
  readonly rows: ApplicationsView;
  item(node: TreeNode): TreeItem;
  /** Adds the tooltip to an item. */
  resolve(item: TreeItem): Promise<TreeItem>;
  run(name: CommandOf<"apps">, given: RowsArgument, services: RowServices): Promise<void>;
  /** Sets the data of dragged rows. */
  drag(nodes: readonly TreeNode[], dragged: DataTransfer): void;
  /** Problems, links and documents for the log terminals of runs. */
  readonly shownLogs: ShownLogs;
  /** Saves the logs of a driver's application until disposal, if the settings enable this. */
  followed(driver: PodRecord): Disposable;
  /** Reports the state of a driver until disposal; see `watchDriverState`. */
  driverState(driver: string, report: ReportDriver): Disposable;
  /** Selects the row of a new driver's application when the watch delivers it. Gives up after 10 s. */
  reveal(driver: PodRecord): Promise<void>;
  /** Connects to the Spark session of a driver that this window has started. */
  startedSession(driver: PodRecord): Promise<void>;
  /** Opens the timeline panel of a kept run. `id`: the uid of its driver pod. */
  showRunTimeline(id: string): Promise<void>;
}

type RunOnRows = (nodes: readonly TreeNode[], services: RowServices) => Promise<void>;

export function openApps(given: AppsOptions, { view, changes }: TreeOutlet): OpenApps {
  const { log, load, userName } = given;
  const owned = new DisposableStore();
  const session = owned.add(
    new ClusterSession({ ...given, keepsFailedLogs }, profileOf(given.runs)),
  );
  const options = { ...given, session, screen: windowScreen, secrets: logSecrets, keptLogLimits };
  const terminals = owned.add(new DisposableStore());
  const updates = owned.add(new DisposableStore());
  const lenses = owned.add(new DocumentLenses("**/*{advice,failure}.txt"));
  const rows = owned.add(new ApplicationsView(session, view, changes, viewHost));
  owned.add(decorateRows());
  owned.add(takeDroppedRows());
  owned.add(showStatusItem(session));
  owned.add(showGuardItem());
  owned.add(
    notifyOfEnds(
      {
        session,
        screen: windowScreen,
        isWanted: notifiesOfEnd,
        isGrouped: () => groupsByNamespace(session.state),
        profileOf: session.profileOf,
      },
      async (key, atError) => {
        const node = applicationNode(key);
        const open = await (logs ??= openLogs());
        await (atError ? open.openError([node]) : open.openLog([node]));
      },
      log,
    ),
  );
  owned.add(restartOnChange(session, log));
  const change =
    (name: keyof typeof lifecycleDoor): RunOnRows =>
    async (nodes, services) =>
      (await load.lifecycle())[name]({ ...options, openText, terminals, ...services }, nodes);
  const describe =
    (name: keyof typeof describeDoor): RunOnRows =>
    async (nodes, services) =>
      (await load.describe())[name]({ ...options, updates, lenses, ...services }, nodes);
  let logs: Promise<OpenLogs> | undefined;
  const openLogs = async (): Promise<OpenLogs> => owned.add((await load.logs()).openLogs(options));
  const onLogs =
    (run: (logs: OpenLogs, nodes: readonly TreeNode[]) => Promise<void>): RunOnRows =>
    async (nodes) =>
      run(await (logs ??= openLogs()), nodes);
  let forwards: Promise<OpenForwards> | undefined;
  const onForwards =
    (run: (forwards: OpenForwards, nodes: readonly TreeNode[]) => Promise<void>): RunOnRows =>
    async (nodes) => {
      forwards ??= load.forward().then((door) => owned.add(door.openForwards(options)));
      await run(await forwards, nodes);
    };
  let uis: Promise<OpenUis> | undefined;
  const onUis =
    (place: "editor" | "browser"): RunOnRows =>
    async (nodes, services) => {
      const openEventLog = (): Promise<void> => describe("showEventLog")([], services);
      uis ??= load.forward().then((door) =>
        owned.add(
          door.openUis({
            ...options,
            openEventLog,
            openPanel: openFramePanel,
            historyPage,
            historyService,
          }),
        ),
      );
      await (await uis).open(nodes, place);
    };
  const timelineContext = {
    ...options,
    revealExecutor: (key: string, uid: string | undefined) => rows.revealExecutor(key, uid),
    openLog: async (nodes: readonly TreeNode[], atError: boolean) => {
      const open = await (logs ??= openLogs());
      await (atError ? open.openError(nodes) : open.openLog(nodes));
    },
  };
  let timelines: Promise<OpenTimelines> | undefined;
  const openTimelines = (): Promise<OpenTimelines> =>
    (timelines ??= load.timelines().then((door) => owned.add(door.openTimelines(timelineContext))));
  const keptRuns = owned.add(keepRuns({ ...options, show: translated }));
  const following =
    (run: RunOnRows): RunOnRows =>
    async (nodes, services) => {
      keptRuns.follow(nodes.flatMap((node) => ("key" in node ? [node.key] : [])));
      await run(nodes, services);
    };
  let sessions: Promise<OpenSessions> | undefined;
  const openSessions = (): Promise<OpenSessions> =>
    (sessions ??= load.sessions().then((door) => owned.add(door.openSessions(options))));
  if (connectedMark(given.runs) !== undefined) {
    openSessions()
      .then((open) => open.resume())
      .catch(log.error);
  }
  owned.add(
    resumeWhenTrusted(given.keptMarks, workspace, () => {
      (logs ??= openLogs()).then((open) => open.resumeKeeping()).catch(log.error);
    }),
  );
  owned.add(
    watchFailed(session, keepsFailedLogs, (pods) => {
      (logs ??= openLogs()).then((open) => open.keepFailed(pods)).catch(log.error);
    }),
  );
  const served: Readonly<Record<CommandOf<"apps">, RunOnRows>> = {
    tail: following(onLogs((open, nodes) => open.tail(nodes))),
    tailSeveral: onLogs((open) => open.tailSeveral()),
    openLog: onLogs((open, nodes) => open.openLog(nodes)),
    openError: onLogs((open, nodes) => open.openError(nodes)),
    openPrevious: onLogs((open, nodes) => open.openPrevious(nodes)),
    olderPage: onLogs((open) => open.turnPage("older")),
    newerPage: onLogs((open) => open.turnPage("newer")),
    followDocument: onLogs((open) => open.followDocument()),
    saveLog: onLogs((open, nodes) => open.saveLog(nodes)),
    compareLogs: onLogs((open, nodes) => open.compareLogs(nodes)),
    keepLogs: onLogs((open, nodes) => open.keepLogs(nodes)),
    openKept: onLogs((open, nodes) => open.openKept(nodes)),
    searchKept: onLogs((open) => open.searchKept()),
    forgetKept: onLogs((open) => open.forgetKept()),
    forwardPort: onForwards((open, nodes) => open.forward(nodes)),
    openUi: onUis("editor"),
    openUiInBrowser: onUis("browser"),
    openEventLog: describe("showEventLog"),
    listPorts: onForwards((open) => open.list()),
    connectSession: async (nodes) => (await openSessions()).connect(nodes),
    stopSession: change("stopSession"),
    runSelection: async () => (await openSessions()).runSelection(),
    attachShell: change("openShellTerminal"),
    killExecutor: change("killExecutors"),
    decommission: change("decommissionExecutors"),
    stop: change("stopApplications"),
    suspendApplication: change("suspendApplications"),
    resumeApplication: change("resumeApplications"),
    restart: change("restartApplications"),
    scale: change("scaleApplications"),
    delete: (nodes, services) => change("deleteRows")(rows.withRuns(nodes), services),
    cleanUp: change("cleanUp"),
    terminal: change("openTerminals"),
    showPod: describe("showPods"),
    showConf: describe("showConf"),
    showEffectiveConf: describe("showEffectiveConf"),
    showExecutors: describe("showExecutors"),
    showEvents: describe("showEvents"),
    explainFailure: describe("explainFailures"),
    applyFix: describe("applyFix"),
    showAdvice: describe("showAdvice"),
    checkCluster: describe("checkCluster"),
    showTimeline: following(async (nodes) => (await openTimelines()).show(nodes)),
    compare: describe("compareRows"),
    copyName: async (nodes) => {
      const names = namesOf(session, nodes);
      if (names.length > 0) await env.clipboard.writeText(names.join("\n"));
    },
    filter: async () => {
      const namespaces = new Set(session.applications.map(({ namespace }) => namespace));
      const filter = await askForFilter(rows.filter, [...namespaces].sort(), userName());
      if (filter) rows.show(filter);
    },
    clearFilter: () => {
      rows.show(noFilter);
      return Promise.resolve();
    },
    chooseCluster: () => chooseCluster(session, log, choiceWindow),
    showGuards: () => showGuards(session, log),
    watchFurther: () => watchFurther(session, log, choiceWindow),
    chooseNamespace: () => chooseNamespaces(session, choiceWindow),
    reconnect: () => {
      session.reconnect();
      return Promise.resolve();
    },
    explainProblem: async () => {
      const { problem } = session;
      if (problem) await showClusterError(l10n.t("Cannot show applications"), problem, log);
    },
  };
  return {
    session,
    rows,
    item: (node) => {
      const row = rows.rowOf(node);
      return row === undefined ? deletedItem(node) : itemOf(node, row);
    },
    resolve: withTooltip,
    run: (name, given, services) =>
      served[name](given === "selection" ? rows.selection : given, services),
    drag: (nodes, dragged) => {
      dragNames(dragged, namesOf(session, nodes));
    },
    shownLogs: lazyShownLogs(async () => (await (logs ??= openLogs())).shownLogs, log.error),
    followed: (driver) => {
      // Loads no bundle unless followed logs are saved.
      if (!keepsFollowedLogs()) return disposable(() => undefined);
      const applications = (): readonly Application[] =>
        session.applications.filter((one) => one.driver?.pod.uid === driver.uid);
      return disposableOf(
        (logs ??= openLogs()).then((open) => open.followed(applications)),
        log.error,
      );
    },
    driverState: (driver, report) => watchDriverState(session, driver, translated, report),
    reveal: (driver) => reveal(session, rows, driver),
    startedSession: async (driver) => (await openSessions()).started(driver),
    showRunTimeline: async (id) => {
      const run = (await given.history.list()).find((one) => one.id === id);
      const timeline = await given.history.timeline(id);
      const watched = session.applications.find(({ driver }) => driver?.pod.uid === id);
      const open = await openTimelines();
      if (watched !== undefined) {
        await open.show([applicationNode(watched.key)]);
      } else if (run === undefined || timeline === undefined) {
        void window.showInformationMessage(
          l10n.t(
            "No timeline was recorded. Timelines are recorded only while a window watches the run.",
          ),
        );
      } else {
        const duration = translated(runDuration(run));
        open.showStored({
          id,
          name: run.name,
          notes: [translated(runOutcomeWords(run)), duration ?? "", run.cause ?? ""].filter(
            (one) => one !== "",
          ),
          timeline,
          endedAt: run.endedAt,
          open: async () => {
            await (
              await (logs ??= openLogs())
            ).openKept([{ kind: "driver", id: `driver:${id}`, key: "", uid: id }]);
          },
        });
      }
    },
    dispose: () => {
      owned.dispose();
    },
  };
}

const logSecrets = (): "hidden" | "shown" => (showsLogSecrets() ? "shown" : "hidden");

const choiceWindow: ChoiceWindow = {
  screen: windowScreen,
  chosenContext,
  clusterSettings,
  furtherContexts,
  namespaces: () => settingsNow().get<readonly string[]>(settings.namespaces, []),
  update: (setting, value, mayBeOfWorkspace) => {
    // A workspace value would override the user setting, so replace the workspace value.
    const isOfWorkspace =
      mayBeOfWorkspace !== undefined &&
      settingsNow().inspect(setting)?.workspaceValue !== undefined;
    const target = isOfWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
    return settingsNow().update(setting, value, target);
  },
  pickFile: async (title) => {
    const files = await window.showOpenDialog({ title: translated(title), canSelectMany: false });
    return files?.[0]?.fsPath;
  },
};

const settingsNow = (): WorkspaceConfiguration => workspace.getConfiguration(settingsSection);

const viewHost: ViewHost = {
  mayContactClusters: () => workspace.isTrusted,
  isFocused: () => window.state.focused,
  guardOf: guardKindOf,
  explain: explainClusterError,
  show: translated,
  setContext: (key, value) => {
    void commands.executeCommand("setContext", key, value);
  },
  onDidChangeSettings: (listener) =>
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(settingsSection)) listener();
    }),
  onDidChangeFocus: (listener) => window.onDidChangeWindowState(listener),
};

async function openText(text: {
  readonly language: string;
  readonly content: string;
}): Promise<void> {
  const document = await workspace.openTextDocument(text);
  await window.showTextDocument(document, { preview: false });
}

// In ms. The watch usually delivers a new pod within a second.
const revealDeadlineMs = 10_000;

async function reveal(
  session: ClusterSession,
  view: ApplicationsView,
  driver: PodRecord,
): Promise<void> {
  session.start();
  // Search by the driver's uid in all contexts, because the target may be an additional context.
  const found = (): Application | undefined =>
    session.applications.find((one) => one.driver?.pod.uid === driver.uid);
  const deadline = AbortSignal.timeout(revealDeadlineMs);
  if (!(await session.until(() => found() !== undefined, deadline))) return;
  const application = found();
  if (application) await view.reveal(application.key);
}

function restartOnChange(session: ClusterSession, log: Log): Disposable {
  const owned = new DisposableStore();
  const isStarted = (): boolean => session.state.kind !== "idle";
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      const ours = [settings.kubeconfig, settings.context, settings.namespaces].some((name) =>
        change.affectsConfiguration(`${settingsSection}.${name}`),
      );
      if (ours && isStarted()) session.restart();
      else if (change.affectsConfiguration(`${settingsSection}.${settings.furtherContexts}`)) {
        session.followFurther();
      }
    }),
  );
  owned.add(
    workspace.onDidGrantWorkspaceTrust(() => {
      session.restart();
      log.debug("the workspace is trusted now");
    }),
  );
  return owned;
}
