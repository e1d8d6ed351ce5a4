import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { describeCause } from "../../../src/spark/diagnosis/describeLogCause.ts";
import { kindOfError, type LogCauseKind } from "../../../src/spark/diagnosis/logCauseKinds.ts";

/** Errors of each kind, without package names. Kinds whose text depends on the error have several. */
const errors: Readonly<Record<LogCauseKind, readonly string[]>> = {
  heap: ["OutOfMemoryError: Java heap space"],
  taskHeap: [
    "OutOfMemoryError: Java heap space",
    "ExecutorLostFailure (executor 4 exited caused by one of the running tasks) Reason: The executor with id 4 exited with exit code 52(JVM OOM).",
  ],
  ivyHome: ["IllegalArgumentException: basedir must be absolute: ?/.ivy2.5.2/local"],
  exception: ["IllegalStateException: no more rows"],
  architecture: ["exec /opt/entrypoint.sh: exec format error"],
  javaStart: [
    "Error opening zip file or JAR manifest missing : /opt/agent.jar",
    "Unrecognized VM option 'UseNoSuchGC'",
  ],
  dependency: [
    "RuntimeException: [unresolved dependency: org.example#etl;1.0: not found]",
    "RuntimeException: [download failed: ",
  ],
  pythonCircle: [
    "ImportError: cannot import name 'is_remote_only' from partially initialized module 'pyspark.util' (most likely due to a circular import)",
    "AttributeError: partially initialized module ",
  ],
  entrypoint: ["exec /opt/entrypoint.sh: no such file or directory"],
  quota: ['pods "etl" is forbidden: exceeded quota: q-1, requested: cpu=2'],
  limitRange: [
    'pods "etl-exec-2" is forbidden: maximum memory usage per Container is 1Gi, but limit is 1284Mi.',
    'pods "etl-exec-2" is forbidden: cpu max limit to request ratio per Container is 2, but provided ratio is 5.000000.',
  ],
  admission: ['admission webhook "check.example.org" denied the request: no team label'],
  apiServer: ["KubernetesClientException"],
  forbidden: [
    'pods is forbidden: User "system:serviceaccount:dev:runner" cannot list resource "pods" in API group "" in the namespace "dev"',
    'cannot create resource "',
  ],
  shuffleTracking: [
    "SparkException: Dynamic allocation of executors requires one of the following conditions: 1) enabling external shuffle service through spark.shuffle.service.enabled.",
  ],
  podLimit: ["SparkException: Exceed the pod creation limit: 10"],
  executorFailures: ["Max number of executor failures (6) reached"],
  driverService: ["UnknownHostException: pi-1f-driver-svc.dev.svc"],
  pythonVersion: [
    "PySparkRuntimeError: [PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.11 than that in driver: 3.9, PySpark cannot run with different minor versions.",
    "PySparkRuntimeError: [PYTHON_VERSION_MISMATCH] Python in worker has different version",
  ],
  pythonModule: [
    "ModuleNotFoundError: No module named 'polars.x'",
    "ImportError: No module named ",
  ],
  pythonWorker: [
    "SparkException: Python worker exited unexpectedly (crashed)",
    "Python worker failed to connect back",
  ],
  pythonMemory: ["MemoryError"],
  pythonProgram: ['IOException: Cannot run program "/opt/venv/bin/python3": error=2'],
  minimumMemory: [
    "SparkIllegalArgumentException: [INVALID_EXECUTOR_MEMORY.CONFIG_MEMORY] Insufficient executor memory: Executor memory 314572800 must be at least 471859200.",
    'SparkIllegalArgumentException: [INVALID_DRIVER_MEMORY] System memory 304087040 must be at least 471859200. Please increase heap size using the --driver-memory option or "spark.driver.memory" in Spark configuration.',
  ],
  heartbeat: [
    "SparkIllegalArgumentException: [INVALID_SPARK_CONFIG.INVALID_EXECUTOR_HEARTBEAT_INTERVAL] Invalid Spark config: The value of spark.network.timeout=120000ms must be greater than the value of spark.executor.heartbeatInterval=200000ms. SQLSTATE: 42616",
  ],
  taskCores: [
    "SparkException: The number of cores per executor (=1) has to be >= the number of cpus per task = 4.",
  ],
  offeredSetting: [
    `SparkUpgradeException: [INCONSISTENT_BEHAVIOR_CROSS_VERSION.PARSE_DATETIME_BY_NEW_PARSER] You may get a different result due to the upgrading to Spark >= 3.0: Fail to parse '2020-01-27 08:00:00' in the new parser. You can set "spark.sql.legacy.timeParserPolicy" to "LEGACY" to restore the behavior before Spark 3.0, or set to "CORRECTED" and treat it as an invalid datetime string.`,
  ],
  driverOnly: [
    "PicklingError: Could not serialize object: PySparkRuntimeError: [CONTEXT_ONLY_VALID_ON_DRIVER] It appears that you are attempting to reference SparkContext from a broadcast variable, action, or transformation. SparkContext can only be used on the driver, not in code that runs on workers. For more information, see SPARK-5063.",
  ],
  notSerializable: [
    "NotSerializableException: com.example.Client",
    "SparkException: Task not serializable",
    "PicklingError: Could not serialize object: TypeError: cannot pickle '_thread.lock' object",
  ],
  confValue: [
    "SparkIllegalArgumentException: [INVALID_CONF_VALUE.TYPE_MISMATCH] The value 'abc' in the config \"spark.sql.shuffle.partitions\" is invalid. It should be a/an 'int' value. SQLSTATE: 22022",
    "IllegalArgumentException: spark.sql.shuffle.partitions should be int, but was abc",
    "IllegalArgumentException: '-1' in spark.sql.shuffle.partitions is invalid. The value of spark.sql.shuffle.partitions must be positive",
  ],
  driverUnreachable: [
    "RpcTimeoutException: Future timed out after [120 seconds]. This timeout is controlled by spark.rpc.lookupTimeout",
  ],
  pathExists: [
    'AnalysisException: [PATH_ALREADY_EXISTS] Path file:/tmp/p already exists. Set mode as "overwrite" to overwrite the existing path.',
    "AnalysisException: path s3a://lake/orders already exists.",
    "FileAlreadyExistsException: Output directory hdfs://name/out already exists",
  ],
  ansi: [
    'NumberFormatException: [CAST_INVALID_INPUT] The value \'two\' of the type "STRING" cannot be cast to "INT" because it is malformed.',
    "ArithmeticException: [DIVIDE_BY_ZERO] Division by zero. Use `try_divide` to tolerate divisor being 0 and return NULL instead.",
  ],
  scalaVersion: ["NoSuchMethodError: scala.Predef$.refArrayOps"],
  fileSystem: [
    "ClassNotFoundException: org.apache.hadoop.fs.s3a.S3AFileSystem",
    'UnsupportedFileSystemException: No FileSystem for scheme "gs"',
  ],
  dataSource: [
    "ClassNotFoundException: [DATA_SOURCE_NOT_FOUND] Failed to find the data source: delta.",
    "ClassNotFoundException: delta.DefaultSource",
  ],
  jdbcDriver: ["SQLException: No suitable driver", "ClassNotFoundException: org.postgresql.Driver"],
  sparkVersion: [
    "RuntimeException: java.io.InvalidClassException: org.apache.spark.rpc.netty.RpcEndpointVerifier$CheckExistence; local class incompatible: stream classdesc serialVersionUID = 7789290765573734431, local class serialVersionUID = 5378738997755484868",
  ],
  classVersion: ["UnsupportedClassVersionError: Main has been compiled by a more recent version"],
  bucket: [
    "NoSuchBucket: The specified bucket does not exist",
    "FileNotFoundException: bucket does not exist: s3a://data.example.",
  ],
  s3Credentials: ["NoAuthWithAWSException: No AWS Credentials provided"],
  unknownHost: ["UnknownHostException: db.example.org", "Name or service not known"],
  resultSize: [
    "SparkException: Total size of serialized results of 5 tasks (1.5 GiB) is bigger than spark.driver.maxResultSize",
  ],
  broadcastTimeout: ["SparkException: Could not execute broadcast in 300 secs."],
  broadcastSize: ["SparkException: Cannot broadcast the table that is larger than 8.0 GiB"],
  executorLost: ["ExecutorLostFailure (executor 1 exited): The executor exited with code 137"],
  fetchFailed: ["FetchFailedException: Connection reset"],
  blockMissing: ["BlockMissingException: Could not obtain block: BP-1"],
  diskFull: ["IOException: No space left on device"],
  permission: ["PermissionError: [Errno 13] Permission denied: '/data/out'"],
  connection: ["ConnectException: Connection refused"],
  bindAddress: ["BindException: Cannot assign requested address"],
  table: [
    "AnalysisException: [TABLE_OR_VIEW_NOT_FOUND] The table or view `sales`.`orders` cannot be found",
  ],
  ambiguousColumn: [
    "AnalysisException: [AMBIGUOUS_REFERENCE] Reference `id` is ambiguous, could be: [`id`, `id`]. SQLSTATE: 42704",
    "AnalysisException: [AMBIGUOUS_REFERENCE] two columns",
  ],
  javaStack: ["StackOverflowError"],
  column: [
    "AnalysisException: [UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name `prize` cannot be resolved",
  ],
  claimWait: ["Wait to reuse one of the existing 3 PVCs."],
  noResources: ["Initial job has not accepted any resources; check your cluster UI"],
  shuffleService: [
    "SparkException: Unable to register with external shuffle server due to: refused",
  ],
  mainClass: ["ClassNotFoundException: org.example.Main", "No main class set in JAR"],
  file: [
    "FileNotFoundError: [Errno 2] No such file or directory: '/data/in.csv'",
    "AnalysisException: [PATH_NOT_FOUND] Path does not exist: s3a://b/x.parquet.",
    "NoSuchFileException: /opt/a.jar",
  ],
};

const kinds = Object.entries(errors).flatMap(([kind, all]) =>
  all.map((error) => [kind as LogCauseKind, error] as const),
);

test("recognizes the kind of each error", () => {
  for (const [kind, error] of kinds) {
    const isPlaced = error.startsWith("OutOfMemoryError") || kind === "exception";
    const expected = isPlaced ? undefined : kind;
    assert.equal(kindOfError(error), expected, error);
  }
});

// `node --test --test-update-snapshots` updates the snapshot file.
test("keeps the words and conf keys for each error and role", (t) => {
  const textOf = (kind: LogCauseKind, error: string, role: "driver" | "executor"): string => {
    const { fact, what, change, keys } = describeCause({ kind, error, at: 0 }, role);
    return [inEnglish(fact), inEnglish(what), inEnglish(change), ...keys].join("\n    ");
  };
  const texts = kinds.map(([kind, error]) => {
    const [driver, executor] = [textOf(kind, error, "driver"), textOf(kind, error, "executor")];
    const own =
      driver === executor ? [`  ${driver}`] : [`  driver: ${driver}`, `  executor: ${executor}`];
    return [`${kind}: ${error}`, ...own].join("\n");
  });
  t.assert.fileSnapshot(texts.join("\n\n"), join(import.meta.dirname, "logCauseTexts.txt"), {
    serializers: [(text: string) => `${text}\n`],
  });
});
