// Names that package.json also contains. A test compares both.
import { commandNames, commandTable, type CommandName } from "./commandTable.ts";

/** Maps the names in `commandTable` to the command ids. */
export const commands = Object.fromEntries(
  commandNames.map((name) => [name, commandTable[name].id]),
) as Readonly<Record<CommandName, string>>;

/** URI scheme of this extension's read-only documents. */
export const documentScheme = "spark-k8s";
/** The language of reports. `configurationDefaults` in package.json wraps their lines and disables links. */
export const reportLanguage = "spark-report";
/** The language of tables. Their lines do not wrap, because the columns are aligned, and have no links. */
export const tableLanguage = "spark-table";

/** URI scheme of logs in editors. */
export const logScheme = "spark-k8s-log";

/** Keys of the global state. */
export const keptMarksKey = "keptApplications";
export const keptToldKey = "keptLogsTold";
export const redactionPatternsKey = "redactionPatterns";

/** Task type of run profiles. */
export const taskType = "spark";

/** Type of debug configurations. */
export const debugType = "spark";

export const applicationsViewId = "sparkK8s.applications";

/** View type of the webview panels that show a Spark UI. */
export const uiPanelType = "sparkK8s.ui";

export const profilesViewId = "sparkK8s.profiles";
export const runsViewId = "sparkK8s.runs";

/** Name of the sandbox cluster's context in its kubeconfig. */
export const sandboxContext = "spark-sandbox";

/** Section of all settings; the names below are relative to it. */
export const settingsSection = "sparkK8s";

export const settings = {
  kubeconfig: "kubeconfig",
  context: "context",
  namespaces: "namespaces",
  furtherContexts: "furtherContexts",
  guardedContexts: "guardedContexts",
  readOnlyContexts: "readOnlyContexts",
  notifyOnEnd: "applications.notifyOnEnd",
  keepLogs: "logs.keep",
  keptMegabytes: "logs.keptMegabytes",
  keptDays: "logs.keptDays",
  showLogSecrets: "logs.showSecrets",
  historyServer: "historyServer",
  sessionIdleMinutes: "session.idleMinutes",
  keepShells: "shell.keep",
  sessionPython: "session.python",
  sessionMaxRows: "session.maxRows",
} as const;

/** Context key for the welcome views: a result of `watchStateOf`. */
export const watchStateKey = "sparkK8s.watchState";

/** Context key for the welcome view: whether the run profiles are loaded. */
export const profilesReadKey = "sparkK8s.profilesRead";

/** Context key for menus: the paths of opened documents with operator manifests. */
export const manifestsKey = "sparkK8s.manifests";

/** Context key for menus: the paths of opened Python, Scala and Java programs that can run on the cluster. */
export const programsKey = "sparkK8s.programs";

/** Context key: whether a program runs on save in this window. */
export const runsOnSaveKey = "sparkK8s.runsOnSave";

/** Context key: whether the tree is filtered. */
export const filterKey = "sparkK8s.isFiltered";

/** Context values of tree items, for the menus' when-clauses. */
export const contextValues = {
  profile: "profile",
  run: "run",
  /** A run that was submitted from this workspace. */
  repeatableRun: "run.repeatable",
  application: "application",
  runningApplication: "application.running",
  /** Suffixes of an application's context value. */
  scalable: ".scalable",
  suspendable: ".suspendable",
  suspended: ".suspended",
  session: ".session",
  shell: ".shell",
  driver: "driver",
  runningDriver: "driver.running",
  executor: "executor",
  runningExecutor: "executor.running",
  /** Suffix for a failed row whose cause is a line of its log. */
  explained: ".explained",
  /** Suffix for a row whose failure has a known cause. */
  diagnosed: ".diagnosed",
  /** Suffix for a row whose failure may have a fix. */
  fixable: ".fixable",
  /** Suffix for a driver or an executor whose container has restarted. */
  restarted: ".restarted",
  /** A page of live executors. Pages of ended executors have the value `endedExecutors`. */
  executorPage: "executorPage",
  endedExecutors: "endedExecutors",
} as const;
