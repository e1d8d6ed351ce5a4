// Settings that Spark reads before the application's code runs.

export const launchOnlyKeys: ReadonlySet<string> = new Set([
  "spark.submit.deployMode",
  "spark.submit.pyFiles",
  "spark.driver.memory",
  "spark.driver.memoryOverhead",
  "spark.driver.memoryOverheadFactor",
  "spark.driver.minMemoryOverhead",
  "spark.driver.cores",
  "spark.driver.extraClassPath",
  "spark.driver.extraLibraryPath",
  "spark.driver.extraJavaOptions",
  "spark.driver.defaultJavaOptions",
  "spark.driver.userClassPathFirst",
  "spark.jars.packages",
  "spark.jars.excludes",
  "spark.jars.repositories",
  "spark.jars.ivy",
  "spark.jars.ivySettings",
  "spark.kubernetes.context",
  "spark.kubernetes.namespace",
  "spark.kubernetes.node.selector",
  "spark.kubernetes.file.upload.path",
  "spark.kubernetes.submission.waitAppCompletion",
  "spark.kubernetes.report.interval",
  "spark.kerberos.keytab",
  "spark.kerberos.principal",
]);

const prefixes = [
  "spark.kubernetes.driver.",
  "spark.kubernetes.driverEnv.",
  "spark.kubernetes.authenticate.driver.",
  "spark.kubernetes.authenticate.submission.",
  "spark.driver.resource.",
];

/** Exceptions to the prefixes: keys that the running driver reads. */
const runtimeKeys: ReadonlySet<string> = new Set([
  "spark.kubernetes.driver.pod.name",
  "spark.kubernetes.driver.reusePersistentVolumeClaim",
  "spark.kubernetes.driver.ownPersistentVolumeClaim",
  "spark.kubernetes.driver.waitToReusePersistentVolumeClaim",
]);

/** True if a value set by the application's code comes too late in cluster mode. */
export const isLaunchOnly = (key: string): boolean =>
  launchOnlyKeys.has(key) ||
  (!runtimeKeys.has(key) && prefixes.some((prefix) => key.startsWith(prefix)));
