// The entry point of Spark's image, for all supported versions: builds the command line from the arguments.

type EntryPointEnvironment = Readonly<Record<string, string>>;

interface EntryPointPlace {
  /** The Spark version, such as "4.3.0". */
  readonly sparkVersion: string;
  readonly sparkHome: string;
  readonly workingDirectory: string;
  /** Folder of Java; undefined to run `java` from the PATH. */
  readonly javaHome: string | undefined;
  /** Spark properties for the driver's spark-submit. They override those that the image's entry point sets. */
  readonly driverConf: Readonly<Record<string, string>>;
}

/**
 * Returns the command line that the image's entry point runs for these arguments. The first argument is `driver`,
 * `executor`, or another program.
 */
export function entryPointCommand(
  args: readonly string[],
  env: EntryPointEnvironment,
  place: EntryPointPlace,
): readonly string[] {
  const [role, ...rest] = args;
  if (role === "driver") return driverCommand(rest, env, place);
  return role === "executor" ? executorCommand(env, place) : args;
}

function driverCommand(
  args: readonly string[],
  env: EntryPointEnvironment,
  { sparkHome, sparkVersion, driverConf }: EntryPointPlace,
): readonly string[] {
  const address = env["SPARK_DRIVER_BIND_ADDRESS"] ?? "";
  const own = {
    "spark.driver.bindAddress": address,
    ...(isVersionAtLeast(sparkVersion, 3, 5)
      ? { "spark.executorEnv.SPARK_DRIVER_POD_IP": address }
      : {}),
    ...driverConf,
  };
  return [
    `${sparkHome}/bin/spark-submit`,
    ...Object.entries(own).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
    "--deploy-mode",
    "client",
    ...args,
  ];
}

function executorCommand(env: EntryPointEnvironment, place: EntryPointPlace): readonly string[] {
  // The image's script does not quote these variables, so an empty variable leaves its option without a value.
  const unquoted = (name: string): readonly string[] =>
    (env[name] ?? "").split(/[ \t\n]+/).filter((word) => word !== "");
  const memory = env["SPARK_EXECUTOR_MEMORY"] ?? "";
  return [
    place.javaHome === undefined ? "java" : `${place.javaHome}/bin/java`,
    ...javaOptions(env),
    `-Xms${memory}`,
    `-Xmx${memory}`,
    "-cp",
    `${classPath(env, place)}:${env["SPARK_DIST_CLASSPATH"] ?? ""}`,
    "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend",
    ...["--driver-url", ...unquoted("SPARK_DRIVER_URL")],
    ...["--executor-id", ...unquoted("SPARK_EXECUTOR_ID")],
    ...["--cores", ...unquoted("SPARK_EXECUTOR_CORES")],
    ...["--app-id", ...unquoted("SPARK_APPLICATION_ID")],
    ...["--hostname", ...unquoted("SPARK_EXECUTOR_POD_IP")],
    ...["--resourceProfileId", ...unquoted("SPARK_RESOURCE_PROFILE_ID")],
    // All supported versions have this option: it exists since Spark 3.3.
    ...["--podName", ...unquoted("SPARK_EXECUTOR_POD_NAME")],
  ];
}

/** Returns the values of `SPARK_JAVA_OPT_0`, `SPARK_JAVA_OPT_1`, … in numeric order. */
function javaOptions(env: EntryPointEnvironment): readonly string[] {
  const number = (name: string): number =>
    Number(/^SPARK_JAVA_OPT_([0-9]+)$/.exec(name)?.[1] ?? -1);
  return Object.entries(env)
    .filter(([name]) => number(name) >= 0)
    .sort(([a], [b]) => number(a) - number(b))
    .map(([, option]) => option);
}

function classPath(env: EntryPointEnvironment, place: EntryPointPlace): string {
  const { sparkHome, sparkVersion, workingDirectory } = place;
  const extra = env["SPARK_EXTRA_CLASSPATH"] ?? "";
  const hadoop = env["HADOOP_CONF_DIR"];
  return [
    env["SPARK_CONF_DIR"] ?? `${sparkHome}/conf`,
    ...(hadoop === undefined ? [] : [hadoop]),
    env["SPARK_CLASSPATH"] ?? "",
    `${sparkHome}/jars/*`,
    ...(extra === "" ? [] : [extra]),
    // The files of `--files` and `--jars` are in the working directory (SPARK-43540).
    ...(isVersionAtLeast(sparkVersion, 3, 5) ? [workingDirectory] : []),
  ].join(":");
}

function isVersionAtLeast(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
