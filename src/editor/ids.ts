// Everything that package.json names too; a test holds the two together.

export const commands = {
  submit: "sparkK8s.application.submit",
  submitAgain: "sparkK8s.application.submitAgain",
  submitPasted: "sparkK8s.commandLine.submit",
  newProfile: "sparkK8s.profile.create",
  preview: "sparkK8s.submission.preview",
  check: "sparkK8s.submission.check",
  convert: "sparkK8s.submission.convert",
  resubmit: "sparkK8s.manifest.resubmit",
  suspend: "sparkK8s.manifest.suspend",
  resume: "sparkK8s.manifest.resume",
  compareSubmission: "sparkK8s.submission.compare",
  runProfile: "sparkK8s.profile.run",
  previewProfile: "sparkK8s.profile.preview",
  checkProfile: "sparkK8s.profile.check",
  editProfile: "sparkK8s.profile.edit",
  stop: "sparkK8s.application.stop",
  tail: "sparkK8s.log.tail",
  tailSeveral: "sparkK8s.log.tailSeveral",
  openLog: "sparkK8s.log.open",
  openPrevious: "sparkK8s.log.openPrevious",
  olderPage: "sparkK8s.log.olderPage",
  newerPage: "sparkK8s.log.newerPage",
  followDocument: "sparkK8s.log.followDocument",
  saveLog: "sparkK8s.log.save",
  compareLogs: "sparkK8s.log.compare",
  keepLogs: "sparkK8s.log.keep",
  openKept: "sparkK8s.log.openKept",
  searchKept: "sparkK8s.log.searchKept",
  forgetKept: "sparkK8s.log.forgetKept",
  forwardPort: "sparkK8s.port.forward",
  listPorts: "sparkK8s.port.list",
  killExecutor: "sparkK8s.executor.kill",
  decommission: "sparkK8s.executor.decommission",
  delete: "sparkK8s.application.delete",
  cleanUp: "sparkK8s.application.cleanUp",
  suspendApplication: "sparkK8s.application.suspend",
  resumeApplication: "sparkK8s.application.resume",
  restart: "sparkK8s.application.restart",
  scale: "sparkK8s.application.scale",
  terminal: "sparkK8s.pod.terminal",
  copyName: "sparkK8s.name.copy",
  showPod: "sparkK8s.pod.show",
  showConf: "sparkK8s.conf.show",
  showEffectiveConf: "sparkK8s.conf.showEffective",
  explainConf: "sparkK8s.conf.explain",
  upgradeConf: "sparkK8s.conf.upgrade",
  showEvents: "sparkK8s.events.show",
  compare: "sparkK8s.row.compare",
  filter: "sparkK8s.applications.filter",
  clearFilter: "sparkK8s.applications.clearFilter",
  chooseCluster: "sparkK8s.cluster.choose",
  watchFurther: "sparkK8s.cluster.watchFurther",
  reconnect: "sparkK8s.cluster.reconnect",
  explainProblem: "sparkK8s.cluster.explain",
  chooseNamespace: "sparkK8s.namespace.choose",
  startSandbox: "sparkK8s.sandbox.start",
  stopSandbox: "sparkK8s.sandbox.stop",
  rehearse: "sparkK8s.sandbox.rehearse",
  createExample: "sparkK8s.example.create",
} as const;

/** Scheme of read-only documents of ours. */
export const documentScheme = "spark-k8s";

/** Scheme of logs in editors. */
export const logScheme = "spark-k8s-log";

/** In the global memory: the keys of the applications whose logs are kept. */
export const keptMarksKey = "keptApplications";
export const redactionPatternsKey = "redactionPatterns";

/** Type of the tasks that are run profiles. */
export const taskType = "spark";

export const applicationsViewId = "sparkK8s.applications";

export const profilesViewId = "sparkK8s.profiles";

/** The context of the sandbox cluster, as its kubeconfig names it. */
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
  keepLogs: "logs.keep",
  keptMegabytes: "logs.keptMegabytes",
  keptDays: "logs.keptDays",
  showLogSecrets: "logs.showSecrets",
} as const;

/** Context key for the welcome views: one of `WatchState`'s kinds. */
export const watchStateKey = "sparkK8s.watchState";

/** Context key for menus: the paths of the documents that are known to hold manifests for an operator. */
export const manifestsKey = "sparkK8s.manifests";

/** Context key: whether the tree is filtered. */
export const filterKey = "sparkK8s.isFiltered";

/** Context values of tree items, for the menus' when-clauses. */
export const contextValues = {
  profile: "profile",
  application: "application",
  runningApplication: "application.running",
  /** Behind an application's: whether its operator can end it and start it anew. */
  scalable: ".scalable",
  suspendable: ".suspendable",
  suspended: ".suspended",
  driver: "driver",
  runningDriver: "driver.running",
  executor: "executor",
  runningExecutor: "executor.running",
  /** Behind a driver's or an executor's: its container was started again. */
  restarted: ".restarted",
  /** A page of living executors; one of ended ones is as the row of them all. */
  executorPage: "executorPage",
  endedExecutors: "endedExecutors",
} as const;
