/** The kinds of arguments that `commandArguments.ts` decodes. */
export type ArgumentKind =
  "nothing" | "rows" | "target" | "profile" | "line" | "place" | "rule" | "runs";

/** The folder below `editor/` that handles a command. */
type CommandFeature = "apps" | "submit" | "profiles" | "runs" | "sandbox" | "conf";

/**
 * The environments in which a command runs. `desktop` includes untrusted workspaces. `browser` also includes VS Code
 * for the Web.
 */
type RunsIn = "trustedWorkspace" | "desktop" | "browser";

interface CommandEntry<Feature extends CommandFeature, Takes extends ArgumentKind> {
  readonly feature: Feature;
  readonly id: string;
  readonly takes: Takes;
  readonly runsIn: RunsIn;
}

const command = <Feature extends CommandFeature, Takes extends ArgumentKind>(
  feature: Feature,
  id: string,
  takes: Takes,
  runsIn: RunsIn = "trustedWorkspace",
): CommandEntry<Feature, Takes> => ({ feature, id, takes, runsIn });

/** All commands. A test compares them with package.json. */
export const commandTable = {
  stop: command("apps", "sparkK8s.application.stop", "rows"),
  tail: command("apps", "sparkK8s.log.tail", "rows"),
  tailSeveral: command("apps", "sparkK8s.log.tailSeveral", "rows"),
  openLog: command("apps", "sparkK8s.log.open", "rows"),
  openError: command("apps", "sparkK8s.log.openError", "rows"),
  openPrevious: command("apps", "sparkK8s.log.openPrevious", "rows"),
  olderPage: command("apps", "sparkK8s.log.olderPage", "rows"),
  newerPage: command("apps", "sparkK8s.log.newerPage", "rows"),
  followDocument: command("apps", "sparkK8s.log.followDocument", "rows"),
  saveLog: command("apps", "sparkK8s.log.save", "rows"),
  compareLogs: command("apps", "sparkK8s.log.compare", "rows"),
  keepLogs: command("apps", "sparkK8s.log.keep", "rows"),
  openKept: command("apps", "sparkK8s.log.openKept", "rows"),
  searchKept: command("apps", "sparkK8s.log.searchKept", "rows"),
  forgetKept: command("apps", "sparkK8s.log.forgetKept", "rows"),
  forwardPort: command("apps", "sparkK8s.port.forward", "rows"),
  openUi: command("apps", "sparkK8s.ui.open", "rows"),
  openUiInBrowser: command("apps", "sparkK8s.ui.openInBrowser", "rows"),
  openEventLog: command("apps", "sparkK8s.eventLog.open", "rows"),
  listPorts: command("apps", "sparkK8s.port.list", "rows"),
  connectSession: command("apps", "sparkK8s.session.connect", "rows"),
  stopSession: command("apps", "sparkK8s.session.stop", "rows"),
  attachShell: command("apps", "sparkK8s.shell.attach", "rows"),
  runSelection: command("apps", "sparkK8s.session.runSelection", "rows"),
  killExecutor: command("apps", "sparkK8s.executor.kill", "rows"),
  decommission: command("apps", "sparkK8s.executor.decommission", "rows"),
  delete: command("apps", "sparkK8s.application.delete", "rows"),
  cleanUp: command("apps", "sparkK8s.application.cleanUp", "rows"),
  suspendApplication: command("apps", "sparkK8s.application.suspend", "rows"),
  resumeApplication: command("apps", "sparkK8s.application.resume", "rows"),
  restart: command("apps", "sparkK8s.application.restart", "rows"),
  scale: command("apps", "sparkK8s.application.scale", "rows"),
  terminal: command("apps", "sparkK8s.pod.terminal", "rows"),
  copyName: command("apps", "sparkK8s.name.copy", "rows"),
  showPod: command("apps", "sparkK8s.pod.show", "rows"),
  showConf: command("apps", "sparkK8s.conf.show", "rows"),
  showEffectiveConf: command("apps", "sparkK8s.conf.showEffective", "rows"),
  showExecutors: command("apps", "sparkK8s.executors.show", "rows"),
  explainFailure: command("apps", "sparkK8s.failure.explain", "rows"),
  showAdvice: command("apps", "sparkK8s.advice.show", "rows"),
  applyFix: command("apps", "sparkK8s.failure.fix", "rows"),
  showEvents: command("apps", "sparkK8s.events.show", "rows"),
  showTimeline: command("apps", "sparkK8s.timeline.show", "rows"),
  compare: command("apps", "sparkK8s.row.compare", "rows"),
  filter: command("apps", "sparkK8s.applications.filter", "rows"),
  clearFilter: command("apps", "sparkK8s.applications.clearFilter", "rows"),
  chooseCluster: command("apps", "sparkK8s.cluster.choose", "rows"),
  showGuards: command("apps", "sparkK8s.guards.show", "rows"),
  watchFurther: command("apps", "sparkK8s.cluster.watchFurther", "rows"),
  reconnect: command("apps", "sparkK8s.cluster.reconnect", "rows"),
  checkCluster: command("apps", "sparkK8s.cluster.check", "rows"),
  explainProblem: command("apps", "sparkK8s.cluster.explain", "rows"),
  chooseNamespace: command("apps", "sparkK8s.namespace.choose", "rows"),

  submit: command("submit", "sparkK8s.application.submit", "target"),
  runFile: command("submit", "sparkK8s.code.run", "target"),
  runFileWith: command("submit", "sparkK8s.code.runWith", "target"),
  debugFile: command("submit", "sparkK8s.code.debug", "target"),
  showSent: command("submit", "sparkK8s.code.showSent", "target"),
  runOnSave: command("submit", "sparkK8s.code.runOnSave", "target"),
  stopRunOnSave: command("submit", "sparkK8s.code.stopRunOnSave", "nothing"),
  recentRuns: command("submit", "sparkK8s.profile.recentRuns", "target"),
  openShell: command("submit", "sparkK8s.shell.open", "target"),
  startSession: command("submit", "sparkK8s.session.start", "nothing"),
  submitAgain: command("submit", "sparkK8s.application.submitAgain", "nothing"),
  submitPasted: command("submit", "sparkK8s.commandLine.submit", "line"),
  newProfile: command("submit", "sparkK8s.profile.create", "nothing"),
  preview: command("submit", "sparkK8s.submission.preview", "target"),
  check: command("submit", "sparkK8s.submission.check", "target"),
  convert: command("submit", "sparkK8s.submission.convert", "target", "desktop"),
  resubmit: command("submit", "sparkK8s.manifest.resubmit", "target"),
  suspend: command("submit", "sparkK8s.manifest.suspend", "target"),
  resume: command("submit", "sparkK8s.manifest.resume", "target"),
  compareSubmission: command("submit", "sparkK8s.submission.compare", "target"),
  runProfile: command("submit", "sparkK8s.profile.run", "profile"),
  previewProfile: command("submit", "sparkK8s.profile.preview", "target"),
  checkProfile: command("submit", "sparkK8s.profile.check", "target"),

  editProfile: command("profiles", "sparkK8s.profile.edit", "profile"),

  openRun: command("runs", "sparkK8s.run.open", "runs"),
  compareRuns: command("runs", "sparkK8s.run.compare", "runs"),
  repeatRun: command("runs", "sparkK8s.run.repeat", "runs"),
  postMortem: command("runs", "sparkK8s.run.postMortem", "runs"),
  runTimeline: command("runs", "sparkK8s.run.timeline", "runs"),
  runLog: command("runs", "sparkK8s.run.log", "runs"),
  deleteRuns: command("runs", "sparkK8s.run.delete", "runs"),

  startSandbox: command("sandbox", "sparkK8s.sandbox.start", "nothing"),
  stopSandbox: command("sandbox", "sparkK8s.sandbox.stop", "nothing"),
  simulate: command("sandbox", "sparkK8s.sandbox.simulate", "nothing"),
  createExample: command("sandbox", "sparkK8s.example.create", "nothing"),

  explainConf: command("conf", "sparkK8s.conf.explain", "place", "browser"),
  upgradeConf: command("conf", "sparkK8s.conf.upgrade", "nothing", "browser"),
  silenceRule: command("conf", "sparkK8s.rule.silence", "rule", "browser"),
};

export type CommandName = keyof typeof commandTable;

/** The commands that one feature handles. */
export type CommandOf<Feature extends CommandFeature> = {
  readonly [Name in CommandName]: (typeof commandTable)[Name]["feature"] extends Feature
    ? Name
    : never;
}[CommandName];

/** Commands that only quick fixes run. package.json does not declare them. */
export const undeclaredCommands: readonly CommandName[] = ["silenceRule"];

export const commandNames = Object.keys(commandTable) as readonly CommandName[];

export const isCommandOf = <Feature extends CommandFeature>(
  feature: Feature,
  name: CommandName,
): name is CommandOf<Feature> => commandTable[name].feature === feature;
