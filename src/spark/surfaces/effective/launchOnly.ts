// Settings that Spark reads before the code of the application runs.

const keys: ReadonlySet<string> = new Set([
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

/** The driver reads these of its pods while it runs, although their names are the driver's. */
const lateOnes: ReadonlySet<string> = new Set([
  "spark.kubernetes.driver.pod.name",
  "spark.kubernetes.driver.reusePersistentVolumeClaim",
  "spark.kubernetes.driver.ownPersistentVolumeClaim",
  "spark.kubernetes.driver.waitToReusePersistentVolumeClaim",
]);

/** Whether a value that the application's own code sets comes too late, in cluster mode. */
export const isLaunchOnly = (key: string): boolean =>
  keys.has(key) || (!lateOnes.has(key) && prefixes.some((prefix) => key.startsWith(prefix)));
