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
  stop: "sparkK8s.application.stop",
  tail: "sparkK8s.log.tail",
  killExecutor: "sparkK8s.executor.kill",
  chooseCluster: "sparkK8s.cluster.choose",
  reconnect: "sparkK8s.cluster.reconnect",
  explainProblem: "sparkK8s.cluster.explain",
  chooseNamespace: "sparkK8s.namespace.choose",
} as const;

/** Scheme of read-only documents of ours. */
export const documentScheme = "spark-k8s";

/** Type of the tasks that are run profiles. */
export const taskType = "spark";

export const applicationsViewId = "sparkK8s.applications";

/** Section of all settings; the names below are relative to it. */
export const settingsSection = "sparkK8s";

export const settings = {
  kubeconfig: "kubeconfig",
  context: "context",
  namespaces: "namespaces",
  guardedContexts: "guardedContexts",
  readOnlyContexts: "readOnlyContexts",
} as const;

/** Context key for the welcome views: one of `WatchState`'s kinds. */
export const watchStateKey = "sparkK8s.watchState";

/** Context key for menus: the paths of the documents that are known to hold manifests for an operator. */
export const manifestsKey = "sparkK8s.manifests";

/** Context values of tree items, for the menus' when-clauses. */
export const contextValues = {
  application: "application",
  runningApplication: "application.running",
  driver: "driver",
  runningDriver: "driver.running",
  executor: "executor",
  runningExecutor: "executor.running",
} as const;
