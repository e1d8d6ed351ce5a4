// What the entry point of Spark's image does, for the versions that there are: from arguments to a command line.

export type Environment = Readonly<Record<string, string>>;

export interface EntryPointPlace {
  /** "4.3.0" */
  readonly sparkVersion: string;
  readonly sparkHome: string;
  readonly workingDirectory: string;
  /** Undefined: `java` from the PATH. */
  readonly javaHome: string | undefined;
  /** Arguments for the driver's spark-submit, after all that the image gives. */
  readonly driverConf: Readonly<Record<string, string>>;
}

/** What the container runs when its pod names no command: `driver …`, `executor`, or a command of its own. */
export function entryPointCommand(
  args: readonly string[],
  env: Environment,
  place: EntryPointPlace,
): readonly string[] {
  const [role, ...rest] = args;
  if (role === "driver") return driverCommand(rest, env, place);
  return role === "executor" ? executorCommand(env, place) : args;
}

function driverCommand(
  args: readonly string[],
  env: Environment,
  { sparkHome, sparkVersion, driverConf }: EntryPointPlace,
): readonly string[] {
  const address = env["SPARK_DRIVER_BIND_ADDRESS"] ?? "";
  const own = {
    "spark.driver.bindAddress": address,
    ...(isAtLeast(sparkVersion, 3, 5) ? { "spark.executorEnv.SPARK_DRIVER_POD_IP": address } : {}),
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

function executorCommand(env: Environment, place: EntryPointPlace): readonly string[] {
  // A word that the shell does not quote vanishes when it is empty, and its option takes the next one's place.
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
    // Since 3.3.
    ...["--podName", ...unquoted("SPARK_EXECUTOR_POD_NAME")],
  ];
}

/** `SPARK_JAVA_OPT_0`, `SPARK_JAVA_OPT_1`, … by their numbers. */
function javaOptions(env: Environment): readonly string[] {
  const number = (name: string): number =>
    Number(/^SPARK_JAVA_OPT_([0-9]+)$/.exec(name)?.[1] ?? -1);
  return Object.entries(env)
    .filter(([name]) => number(name) >= 0)
    .sort(([a], [b]) => number(a) - number(b))
    .map(([, option]) => option);
}

function classPath(env: Environment, place: EntryPointPlace): string {
  const { sparkHome, sparkVersion, workingDirectory } = place;
  const extra = env["SPARK_EXTRA_CLASSPATH"] ?? "";
  const hadoop = env["HADOOP_CONF_DIR"];
  return [
    env["SPARK_CONF_DIR"] ?? `${sparkHome}/conf`,
    ...(hadoop === undefined ? [] : [hadoop]),
    env["SPARK_CLASSPATH"] ?? "",
    `${sparkHome}/jars/*`,
    ...(extra === "" ? [] : [extra]),
    // What `--files` and `--jars` bring lies in the working directory (SPARK-43540).
    ...(isAtLeast(sparkVersion, 3, 5) ? [workingDirectory] : []),
  ].join(":");
}

export function isAtLeast(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
