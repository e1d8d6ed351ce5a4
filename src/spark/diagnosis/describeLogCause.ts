import { inEnglish, msg, type Message } from "../../base/message.ts";
import { withoutEnd } from "../../base/withoutEnd.ts";
import { defaultSecretRule } from "../redact.ts";
import { deniedRequestIn } from "../deniedRequest.ts";
import { redactLine } from "../redactLine.ts";
import type { DiagnosedPod, DiagnosisText } from "./diagnosis.ts";
import type { LogCause } from "./logCause.ts";
import {
  invalidValue,
  kindOfError,
  limitRange,
  offeredSetting,
  pathExists,
} from "./logCauseKinds.ts";
import { shortened, words } from "./rule.ts";

// Maximum length of a name, in characters. A row has room for about 60, including the words before the name.
const nameLength = 45;

/** Returns `not found: in.csv`, with only the last segment of the path because a row has little room. */
function missingFile(error: string): Message {
  const path =
    / '([^']+)'/.exec(error)?.[1] ??
    /does not exist: (\S+)/.exec(error)?.[1] ??
    /File (\S+) does not exist/.exec(error)?.[1] ??
    /Exception: (\/\S+)/.exec(error)?.[1];
  const name = path && withoutPunctuation(path).split("/").at(-1);
  return name === undefined || name === ""
    ? shortened(error)
    : msg`not found: ${shortened(name, nameLength)}`;
}

/**
 * Returns the title `not permitted: list pods` and a sentence about the cause, for a request that the API server
 * denied.
 */
function missingRight(error: string): { readonly title: Message; readonly cause: Message } {
  const unnamed = msg("The service account of the driver lacks a permission in the namespace.");
  const denied = deniedRequestIn(error);
  if (!denied) return { title: msg("the API server rejects a request"), cause: unnamed };
  const { serviceAccount, verb, resource, namespace } = denied;
  return {
    title: msg`not permitted: ${shortened(`${verb} ${resource}`, nameLength)}`,
    cause:
      serviceAccount === undefined || namespace === undefined
        ? unnamed
        : msg`The service account "${serviceAccount}" cannot ${verb} ${resource} in the namespace "${namespace}".`,
  };
}

/** Returns the qualified name of the class that an error reports as missing. Undefined if the error names no class. */
export function classIn(error: string): string | undefined {
  const name = /(?:class|ClassNotFoundException:) ([\w$.]{1,300})/.exec(error)?.[1];
  return name && withoutPunctuation(name);
}

/** Returns `class not found: Main`, without the package. */
export const missingClassNamed = (name: string): Message =>
  msg`class not found: ${shortened(name.split(".").at(-1) ?? name, nameLength)}`;

function missingClass(error: string): Message {
  if (/^No main class\b/.test(error)) return msg("no main class specified");
  const name = classIn(error);
  return name === undefined ? shortened(error) : missingClassNamed(name);
}

/**
 * Returns the Python versions in the error of Spark's Python worker. Undefined if the error names none. Spark 4.3.0
 * writes colons before the versions; 3.5.9 does not.
 */
function pythonVersions(told: string): Message | undefined {
  const [, worker, driver] =
    /different version:? (\d[\d.]{0,9}\d) than that in driver:? (\d[\d.]{0,9}\d)/.exec(told) ?? [];
  return worker === undefined || driver === undefined
    ? undefined
    : msg`executors have Python ${worker}, the driver has ${driver}`;
}

type Describe = (told: string, role: DiagnosedPod["role"]) => DiagnosisText;

/** Returns cause and advice for an error in the log of a driver or an executor. Redacts the error's text. */
export function describeCause(
  { kind, error }: LogCause,
  role: DiagnosedPod["role"],
): DiagnosisText {
  const told = redactLine(error, defaultSecretRule);
  return { ...described[kind](told, role), told };
}

/** Returns the short cause of an exception in the driver's log; undefined if the exception is of no known kind. */
export function describeException(name: string, message: string): Message | undefined {
  const error = `${name.split(".").at(-1) ?? name}: ${message}`;
  const kind = kindOfError(error);
  return kind && describeCause({ kind, error, at: 0 }, "driver").fact;
}

const nameIn = (told: string, pattern: RegExp): string | undefined => {
  const name = pattern.exec(told)?.[1];
  return name === undefined || name === "" ? undefined : inEnglish(shortened(name, nameLength));
};

/** Returns `withName` of the name that the pattern captures. Returns `without` if the error contains no name. */
const named = (
  told: string,
  pattern: RegExp,
  withName: (name: string) => Message,
  without: Message,
): Message => {
  const name = nameIn(told, pattern);
  return name === undefined ? without : withName(name);
};

const described: Readonly<Record<LogCause["kind"], Describe>> = {
  heap: (_, role) =>
    words(
      msg("Java heap exhausted"),
      msg("The Java heap is full. The memory limit of the container was not exceeded."),
      role === "driver"
        ? msg("Raise the driver's memory, or process less data at once.")
        : msg("Raise the executor's memory, or process less data at once."),
      [`spark.${role}.memory`],
    ),
  taskHeap: () =>
    words(
      msg("Java heap of an executor exhausted"),
      msg("A task filled the Java heap of its executor."),
      msg(
        "Raise the executor's memory, run fewer concurrent tasks per executor, or use more partitions.",
      ),
      ["spark.executor.memory", "spark.executor.cores", "spark.sql.shuffle.partitions"],
    ),
  ivyHome: () =>
    words(
      msg("no home directory for the package cache"),
      msg(
        "By default, Spark caches packages in the home directory, but the user of the pod has none.",
      ),
      msg("Set the package cache to a directory that this user can write to."),
      ["spark.jars.ivy"],
    ),
  architecture: (_, role) =>
    words(
      msg("image for another CPU architecture"),
      msg("The image's program was built for a different CPU architecture than the node has."),
      msg("Build the image for the node's architecture, or select other nodes."),
      [
        `spark.kubernetes.${role}.container.image`,
        "spark.kubernetes.node.selector.kubernetes.io/arch",
      ],
    ),
  entrypoint: (_, role) =>
    words(
      msg("cannot start the image's entrypoint"),
      msg(
        "The image's entrypoint, or the interpreter named in its first line, is missing or not executable.",
      ),
      msg("Use a Spark image that contains its entrypoint, bash and tini, or rebuild the image."),
      ["spark.kubernetes.container.image", `spark.kubernetes.${role}.container.image`],
    ),
  javaStart: (told, role) =>
    words(
      named(
        told,
        /JAR manifest missing ?: (\S+)/,
        (name) => msg`Java does not start: cannot open ${name}`,
        msg`Java does not start: ${shortened(told, nameLength)}`,
      ),
      msg("The JVM rejects one of its options, or cannot read a file that an option names."),
      msg(
        "Correct the Java options for the Java version of the image. A Java agent must be a file in the image.",
      ),
      [`spark.${role}.extraJavaOptions`, `spark.${role}.defaultJavaOptions`],
    ),
  dependency: (told) =>
    words(
      named(
        told,
        /(?:dependency|failed): ([\w.-]{1,100}#[\w.-]{1,100};[\w.-]{1,100})/,
        (name) => msg`package not found: ${name.replace("#", ":").replace(";", ":")}`,
        msg("package not found"),
      ),
      msg(
        "No repository contains a package that the conf requires, or the driver cannot reach the repositories.",
      ),
      msg(
        "Correct the coordinates, add a repository that the pod can reach, or add the jars to the image.",
      ),
      ["spark.jars.packages", "spark.jars.repositories", "spark.jars.ivySettings"],
    ),
  pythonCircle: (told) =>
    words(
      named(
        told,
        /partially initialized module '([\w.]+)'/,
        (name) => msg`circular import of Python module ${name}`,
        msg("circular import of a Python module"),
      ),
      msg(
        "A Python module imports itself, directly or through other modules. Usually, an application file has the name of a standard module, such as random.py.",
      ),
      msg("Rename the application file."),
    ),
  file: (told) => {
    const isProgram = /can't open file '\//.test(told);
    return words(
      missingFile(told),
      isProgram
        ? msg("The image has no program at this path.")
        : msg("A file or directory does not exist."),
      isProgram
        ? msg("Correct the path of the application, or add the program to the image.")
        : msg(
            "Check the path. The path of a program in the image begins with local://. Data must be in the pods that read it, or in storage that they can reach.",
          ),
    );
  },
  mainClass: (told) =>
    words(
      missingClass(told),
      msg("A class is missing from the jars of the application."),
      msg("Check the class name, the jars and their Scala and Spark versions."),
      ["spark.jars", "spark.jars.packages"],
    ),
  pythonModule: (told) =>
    words(
      named(
        told,
        /No module named '?([\w.]+)/,
        (name) => msg`Python module not installed: ${name}`,
        msg("Python module not installed"),
      ),
      msg("The image's Python does not have a module that the application imports."),
      msg(
        "Send the missing packages with the run (pythonPackages in the run profile), or add them to the image.",
      ),
      ["spark.submit.pyFiles", "spark.archives"],
    ),
  pythonVersion: (told) =>
    words(
      pythonVersions(told) ?? msg("driver and executors have different Python versions"),
      msg("The driver and the executors run different minor versions of Python."),
      msg("Use one image for the driver and the executors, or set one Python for both."),
      ["spark.pyspark.python", "spark.pyspark.driver.python", "spark.kubernetes.container.image"],
    ),
  pythonWorker: () =>
    words(
      msg("Python worker ended unexpectedly"),
      msg(
        "The Python process of a task crashed, was killed because of its memory usage, or could not start.",
      ),
      msg(
        "Raise the memory overhead, which Python uses, and check that the image has the configured Python.",
      ),
      ["spark.executor.memoryOverhead", "spark.executor.pyspark.memory", "spark.pyspark.python"],
    ),
  pythonMemory: () =>
    words(
      msg("Python memory exhausted"),
      msg(
        "Python could not allocate memory. If the PySpark memory is set, it limits the Python processes of tasks.",
      ),
      msg("Raise the PySpark memory, or process less data at once in Python."),
      ["spark.executor.pyspark.memory"],
    ),
  pythonProgram: (told) =>
    words(
      named(
        told,
        /Cannot run program "([^"]{1,200})"/,
        (name) => msg`cannot start Python: ${name}`,
        msg("cannot start Python"),
      ),
      msg("The image has no Python at the configured path, or it is not executable."),
      msg("Correct the path, or remove the property. Spark then uses the image's default Python."),
      ["spark.pyspark.python", "spark.pyspark.driver.python"],
    ),
  minimumMemory: (told) => {
    const isDriver = /System memory/.test(told);
    return words(
      isDriver
        ? msg("driver memory below Spark's minimum")
        : msg("executor memory below Spark's minimum"),
      msg("Spark does not start with a heap below 450 MiB."),
      msg("Raise the memory."),
      [isDriver ? "spark.driver.memory" : "spark.executor.memory"],
    );
  },
  heartbeat: () =>
    words(
      msg("heartbeat interval not below the network timeout"),
      msg("An executor would time out between two heartbeats, so Spark does not start."),
      msg("Remove the properties, or set the timeout to several intervals."),
      ["spark.executor.heartbeatInterval", "spark.network.timeout"],
    ),
  taskCores: (told) =>
    words(
      named(
        told,
        /cpus per task = (\d{1,6})/,
        (cores) => msg`a task needs ${cores} cores, more than an executor has`,
        msg("a task needs more cores than an executor has"),
      ),
      msg("No executor could run a task, so Spark does not start."),
      msg("Set at least as many executor cores as a task needs, or lower the cores per task."),
      ["spark.executor.cores", "spark.task.cpus"],
    ),
  offeredSetting: (told) => {
    const key = offeredSetting.exec(told)?.[1];
    return words(
      shortened(ownWords(told)),
      msg("The program relies on the behavior of an earlier Spark version."),
      msg("Correct the data or the program, or set the Spark property that the message names."),
      key === undefined ? [] : [key],
    );
  },
  driverOnly: () =>
    words(
      msg("Spark context used in a task"),
      msg(
        "A function that runs in executors uses the Spark session, its context, or a DataFrame. They exist only in the driver.",
      ),
      msg(
        "In the driver, read the values that the function needs. Use these values or a broadcast variable in the function.",
      ),
    ),
  notSerializable: (told) => {
    const name = /NotSerializableException: ([\w$.]{1,300})/.exec(told)?.[1]?.split(".").at(-1);
    return words(
      name === undefined
        ? msg("a function cannot be sent to executors")
        : msg`not serializable: ${shortened(name, nameLength)}`,
      msg("A function that runs in executors uses an object that cannot be sent to them."),
      msg("Create the object inside the function, or use only its values there."),
    );
  },
  confValue: (told) => {
    const [, quoted, bare] = invalidValue.exec(told) ?? [];
    const key = quoted ?? bare;
    return words(
      key === undefined ? shortened(ownWords(told)) : msg`invalid value for ${key}`,
      msg("Spark rejects the value of this property."),
      msg("Correct the value, or remove the property to use Spark's default."),
      key === undefined ? [] : [key],
    );
  },
  pathExists: (told) =>
    words(
      named(
        told,
        pathExists,
        (name) => msg`path already exists: ${name}`,
        msg("path already exists"),
      ),
      msg("The program writes to an existing path, but its save mode does not allow that."),
      msg("Use the save mode append or overwrite, or write to another path."),
    ),
  ansi: (told) =>
    words(
      shortened(ownWords(told)),
      msg(
        "In ANSI mode, Spark SQL reports this as an error. ANSI mode is enabled by default in Spark 4.0 and later.",
      ),
      msg(
        "Correct the data, use a function that returns NULL instead, such as try_cast or try_divide, or disable ANSI mode.",
      ),
      ["spark.sql.ansi.enabled"],
    ),
  scalaVersion: () =>
    words(
      msg("library built for another Scala version"),
      msg(
        "A class of the Scala library is missing or different. A jar was built for a different Scala version than the image's Spark.",
      ),
      msg(
        "Use jars for the Scala version of the image. Their names end with _2.12 or _2.13. Spark 4 supports only Scala 2.13.",
      ),
      ["spark.jars", "spark.jars.packages"],
    ),
  sparkVersion: () =>
    words(
      msg("driver and executors have different Spark versions"),
      msg("The executor image has a different Spark version than the driver image."),
      msg("Use one image for the driver and the executors."),
      ["spark.kubernetes.executor.container.image", "spark.kubernetes.container.image"],
    ),
  classVersion: () =>
    words(
      msg("library built for another version"),
      msg(
        "A class has a different version than its caller expects, because of two versions of a library or a newer Java version.",
      ),
      msg(
        "Build the application for the Spark and Java versions of the image, and look for duplicate jars.",
      ),
      ["spark.jars", "spark.jars.packages", "spark.jars.excludes"],
    ),
  fileSystem: (told) =>
    words(
      named(
        told,
        /Class (?:[\w.]*\.)?(\w+) not found/,
        (name) => msg`file system not installed: ${name}`,
        named(
          told,
          /scheme:? "?(\w+)/,
          (name) => msg`file system not installed: ${name}`,
          msg("file system not installed"),
        ),
      ),
      msg("The image has no library for the file system of a path, such as s3a, abfs or gs."),
      msg(
        "Add the library to the image, or load it at start. For s3a, use org.apache.hadoop:hadoop-aws in the Hadoop version of the image.",
      ),
      ["spark.jars.packages"],
    ),
  dataSource: (told) =>
    words(
      named(
        told,
        /(?:data source: ?"?|ClassNotFoundException: )(\w+(?:\.(?!DefaultSource)\w+)*)/,
        (name) => msg`data source not installed: ${name}`,
        msg("data source not installed"),
      ),
      msg("The image has no library for a data source that the application reads or writes."),
      msg("Load the library of the data source that matches the image's Spark and Scala versions."),
      ["spark.jars.packages"],
    ),
  jdbcDriver: (told) =>
    words(
      named(
        told,
        /ClassNotFoundException: ([\w.]+)/,
        (name) => msg`JDBC driver not installed: ${name}`,
        msg("JDBC driver not installed"),
      ),
      msg("The image has no JDBC driver for the database that the application reads or writes."),
      msg("Load the JDBC driver with the run, or add its jar to the image."),
      ["spark.jars.packages", "spark.jars"],
    ),
  bucket: (told) =>
    words(
      named(
        told,
        /s3a?:\/\/([\w-]+(?:\.[\w-]+)*)/,
        (name) => msg`bucket not found: ${name}`,
        msg("bucket not found"),
      ),
      msg("The object store has no bucket with this name."),
      msg("Correct the name, or check the endpoint and the region of the object store."),
      ["spark.hadoop.fs.s3a.endpoint", "spark.hadoop.fs.s3a.endpoint.region"],
    ),
  s3Credentials: () =>
    words(
      msg("object store denies access"),
      msg(
        "The credentials for the object store are missing, wrong or expired, or lack a permission.",
      ),
      msg(
        "Assign the service account an identity with access to the object store, or refer to a Secret with access keys. Do not put keys into the conf.",
      ),
      [
        "spark.kubernetes.driver.secretKeyRef.AWS_ACCESS_KEY_ID",
        "spark.kubernetes.executor.secretKeyRef.AWS_ACCESS_KEY_ID",
        "spark.hadoop.fs.s3a.aws.credentials.provider",
      ],
    ),
  driverService: () =>
    words(
      msg("the driver's Service has no address"),
      msg(
        "DNS has no address for the driver's Service: the Service is missing, its selector does not match the driver pod, or the driver pod is not ready.",
      ),
      msg(
        "Compare the selector of the Service with the labels of the driver pod. A pod that is not ready has a failing readiness probe or container.",
      ),
    ),
  unknownHost: (told) =>
    words(
      named(
        told,
        /UnknownHostException: (?:java\.net\.UnknownHostException: )?([\w.-]+)/,
        (name) => msg`unknown host: ${name}`,
        msg("unknown host"),
      ),
      msg("The pod's DNS cannot resolve a host name from the application or its conf."),
      msg("Correct the name. For a Service in another namespace, use name.namespace.svc."),
    ),
  driverUnreachable: () =>
    words(
      msg("cannot reach the driver"),
      msg("The executor could not connect to its driver within the timeout."),
      msg(
        "Check that the network policies and sidecar proxies of the namespace allow executors to connect to ports 7078 and 7079 of the driver.",
      ),
      ["spark.driver.port", "spark.driver.blockManager.port"],
    ),
  connection: () =>
    words(
      msg("connection failed"),
      msg(
        "The host is known but unreachable, its port is closed, or a network policy blocks the connection.",
      ),
      msg("Check the port, the state of the Service, and the network policies of the namespace."),
    ),
  bindAddress: (_, role) =>
    words(
      msg("cannot listen on its address"),
      msg("Spark cannot bind a server to its address or port."),
      msg("Do not set the driver's host or bind address in cluster mode, and use free ports."),
      role === "driver"
        ? ["spark.driver.bindAddress", "spark.driver.host", "spark.driver.port"]
        : ["spark.blockManager.port"],
    ),
  permission: () =>
    words(
      msg("permission denied"),
      msg("The user of the pod cannot read or write a file or directory."),
      msg(
        "Write to a directory that the image's user owns, or set fsGroup and runAsUser in the pod template.",
      ),
      ["spark.kubernetes.driver.podTemplateFile", "spark.kubernetes.executor.podTemplateFile"],
    ),
  diskFull: () =>
    words(
      msg("disk full"),
      msg(
        "A volume of the pod or the disk of its node is full. Spark writes shuffle files and spilled data to local directories.",
      ),
      msg("Mount a larger volume named spark-local-dir-…, or raise its size limit."),
      [
        "spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.options.sizeLimit",
        "spark.kubernetes.executor.volumes.persistentVolumeClaim.spark-local-dir-1.options.sizeLimit",
      ],
    ),
  apiServer: () =>
    words(
      msg("API server did not respond in time"),
      msg(
        "The API server did not respond to the driver within the timeout. The server or the node is overloaded, or a network policy blocks the connection.",
      ),
      msg("Raise the timeouts of the driver, and check that its pod can reach the API server."),
      ["spark.kubernetes.driver.connectionTimeout", "spark.kubernetes.driver.requestTimeout"],
    ),
  forbidden: (told) => {
    const { title, cause } = missingRight(told);
    return words(
      title,
      cause,
      msg("Use a service account with this permission, or ask an administrator for the Role."),
      ["spark.kubernetes.authenticate.driver.serviceAccountName"],
    );
  },
  quota: (told) =>
    words(
      named(
        told,
        /quota:? "?([\w.-]+)/,
        (name) => msg`quota exceeded: ${name}`,
        msg("quota of the namespace exceeded"),
      ),
      msg(
        "The quota of the namespace does not allow another pod, or requires limits that the pod does not set.",
      ),
      msg("Request less, run fewer executors, or ask an administrator for a larger quota."),
      [
        "spark.executor.instances",
        "spark.executor.memory",
        "spark.kubernetes.executor.limit.cores",
      ],
    ),
  limitRange: (told) =>
    words(
      named(
        told,
        limitRange,
        (name) => msg`limit range: ${name}`,
        msg("outside the limit range of the namespace"),
      ),
      msg("The resources of the pods are outside the limit range of the namespace."),
      msg(
        "Request an amount that the limit range allows, or ask an administrator to change the limit range.",
      ),
      [
        "spark.executor.memory",
        "spark.executor.memoryOverhead",
        "spark.kubernetes.executor.request.cores",
        "spark.kubernetes.executor.limit.cores",
      ],
    ),
  admission: (told) =>
    words(
      named(
        told,
        /admission webhook "([\w.-]+)"/,
        (name) => msg`rejected by policy ${name}`,
        msg("rejected by a policy of the cluster"),
      ),
      msg("A policy of the cluster rejects the pods of the application."),
      msg(
        "Correct what the message names, such as the security context, host paths, or required labels.",
      ),
      ["spark.kubernetes.driver.podTemplateFile", "spark.kubernetes.executor.podTemplateFile"],
    ),
  podLimit: () =>
    words(
      msg("the driver cannot create more pods"),
      msg(
        "The driver has reached the limit of executor pods that it can create over its lifetime.",
      ),
      msg("Raise or remove the limit, and check why executors had to be replaced."),
      ["spark.kubernetes.allocation.maximum"],
    ),
  claimWait: (told) =>
    words(
      named(
        told,
        /existing (\d{1,6}) PVCs/,
        (count) => msg`waiting for one of ${count} volume claims`,
        msg("waiting for a volume claim"),
      ),
      msg(
        "The driver has created its maximum number of volume claims and waits until an executor releases one.",
      ),
      msg("Wait until an executor ends, or allow the driver to create more volume claims."),
      ["spark.kubernetes.driver.waitToReusePersistentVolumeClaim"],
    ),
  noResources: () =>
    words(
      msg("no executors for a waiting job"),
      msg(
        "A job is waiting, but no executor is registered. The driver cannot create executor pods, or they end before they register.",
      ),
      msg("Check the driver's log and events, the quota of the namespace, and its executors."),
    ),
  shuffleService: () =>
    words(
      msg("no external shuffle service"),
      msg(
        "The executor cannot register with an external shuffle service, which does not exist on Kubernetes.",
      ),
      msg(
        "Disable the external shuffle service. Dynamic allocation needs shuffle tracking instead.",
      ),
      ["spark.shuffle.service.enabled", "spark.dynamicAllocation.shuffleTracking.enabled"],
    ),
  shuffleTracking: () =>
    words(
      msg("dynamic allocation without shuffle tracking"),
      msg(
        "Dynamic allocation must not lose shuffle data, but Kubernetes has no external shuffle service.",
      ),
      msg(
        "Enable shuffle tracking, which keeps executors as long as their shuffle data is needed.",
      ),
      ["spark.dynamicAllocation.shuffleTracking.enabled", "spark.dynamicAllocation.enabled"],
    ),
  executorFailures: () =>
    words(
      msg("too many executors failed"),
      msg("More executors failed than the conf allows, so the driver ended the application."),
      msg("Check why the executors failed. You can raise the limit."),
      ["spark.executor.maxNumFailures", "spark.executor.failuresValidityInterval"],
    ),
  executorLost: (told) =>
    words(
      named(
        told,
        /exit code (-?\d{1,6})/,
        (code) => msg`task failed: its executor ended, exit code ${code}`,
        msg("task failed: its executor was lost"),
      ),
      /137|OOM/.test(told)
        ? msg("Executors that ran the task were killed, most likely because of their memory usage.")
        : msg("Executors that ran the task ended before the task finished."),
      msg("Find the cause in the rows or logs of these executors, and fix it."),
      ["spark.executor.memory", "spark.executor.memoryOverhead"],
    ),
  fetchFailed: () =>
    words(
      msg("shuffle data lost"),
      msg(
        "A task could not fetch shuffle data because the executor that wrote it has ended or does not respond.",
      ),
      msg(
        "Fix the cause of the executors' end. Enable decommissioning so that they migrate their shuffle data first.",
      ),
      ["spark.decommission.enabled", "spark.storage.decommission.shuffleBlocks.enabled"],
    ),
  blockMissing: () =>
    words(
      msg("block missing"),
      msg("No copy is left of a block of cached data or of the file system."),
      msg("Replicate cached data, or checkpoint it, and check the health of the file system."),
      ["spark.storage.replication.proactive", "spark.storage.decommission.rddBlocks.enabled"],
    ),
  resultSize: (told) =>
    words(
      named(
        told,
        /\(([\d.]+ [KMG]i?B)\) is bigger/,
        (size) => msg`results too large for the driver: ${size}`,
        msg("results too large for the driver"),
      ),
      msg("The total size of the task results exceeds the driver's limit."),
      msg(
        "Write the result to storage instead of collecting it, or raise the limit and the driver's memory.",
      ),
      ["spark.driver.maxResultSize", "spark.driver.memory"],
    ),
  broadcastTimeout: (told) =>
    words(
      named(
        told,
        /broadcast in (\d{1,9}) secs/,
        (seconds) => msg`broadcast took longer than ${seconds} s`,
        msg("broadcast took too long"),
      ),
      msg("The table of a broadcast join was not ready within its timeout."),
      msg("Raise the timeout, or disable broadcast joins for this query."),
      ["spark.sql.broadcastTimeout", "spark.sql.autoBroadcastJoinThreshold"],
    ),
  broadcastSize: () =>
    words(
      msg("table too large for a broadcast"),
      msg(
        "The table of a broadcast join does not fit into the driver's memory, or exceeds 8 GiB or Spark's row limit.",
      ),
      msg("Disable broadcast joins for this query, or raise the driver's memory."),
      ["spark.sql.autoBroadcastJoinThreshold", "spark.driver.memory"],
    ),
  table: (told) =>
    words(
      named(
        told,
        /view (`[^ ]+`) cannot/,
        (name) => msg`table not found: ${name.replaceAll("`", "")}`,
        msg("table not found"),
      ),
      msg("The catalog has no table or view with this name."),
      msg("Correct the name, or configure the catalog of the table."),
      ["spark.sql.catalog.*", "spark.sql.catalogImplementation"],
    ),
  column: (told) =>
    words(
      named(
        told,
        /with name (`[^ ]+`) cannot/,
        (name) => msg`column not found: ${name.replaceAll("`", "")}`,
        msg("column not found"),
      ),
      msg("The data has no column with this name."),
      msg("Correct the name in the program."),
    ),
  ambiguousColumn: (told) =>
    words(
      named(
        told,
        /Reference (`[^ ]+`) is ambiguous/,
        (name) => msg`ambiguous column: ${name.replaceAll("`", "")}`,
        msg("ambiguous column"),
      ),
      msg("Several columns of the data have this name, usually after a join."),
      msg("Qualify the column with its DataFrame or alias, or rename one of the columns."),
    ),
  javaStack: (_, role) =>
    words(
      msg("Java stack exhausted"),
      msg(
        "A thread has too many nested calls, for example because of a long chain of expressions.",
      ),
      msg("Build shorter plans, such as one select instead of many added columns, or raise -Xss."),
      [`spark.${role}.extraJavaOptions`],
    ),
  exception: (told, role) =>
    words(
      // Removes the exception class, because the message is more specific and a row has little room.
      shortened(told.replace(/^(?:SparkException: (?=\S)|\w+Exception: (?=\[[A-Z]))/, "")),
      role === "driver"
        ? msg("The driver ended with this exception.")
        : msg("The executor ended with this exception."),
      msg("Fix the cause of the exception. The log contains its stack trace."),
    ),
};

/** Removes the exception class, Spark's error class in brackets, and its general sentence about an upgrade. */
const ownWords = (told: string): string =>
  told
    .replace(/^\w{1,60}(?:Exception|Error): (?=\S)/, "")
    .replace(/^\[[A-Z_.]{1,120}\] (?=\S)/, "")
    .replace(
      /^You may get a different result due to the upgrading to Spark >= \d\.\d: ?(?=\S)/,
      "",
    );

const withoutPunctuation = (text: string): string => withoutEnd(text, ".;,/");
