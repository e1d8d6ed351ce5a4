import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { describeCause, describeException } from "../../../src/spark/diagnosis/describeLogCause.ts";
import { causeInLog } from "../../../src/spark/diagnosis/logCause.ts";

function check(name: string, log: string, expected: string | undefined): void {
  test(name, () => {
    const cause = causeInLog(log.split("\n"));
    assert.equal(cause && `${cause.kind}: ${cause.error}`, expected);
  });
}

describe("the cause in the last lines of a log", () => {
  check(
    "is undefined without an error",
    "25/01/02 INFO SparkContext: stopped\nPi is 3.14",
    undefined,
  );
  const ofWorker =
    "org.apache.spark.SparkException: Python worker exited unexpectedly (crashed). Consider setting 'spark.python.worker.faulthandler.enabled'";
  const late = `26/11/26 11:33:31 ERROR TransportRequestHandler: Error while invoking RpcHandler#receive() for one-way message from /10.244.0.42:56578.
org.apache.spark.SparkException: Could not find CoarseGrainedScheduler.
\tat org.apache.spark.rpc.netty.Dispatcher.postMessage(Dispatcher.scala:179)`;
  const killedWorker = `Traceback (most recent call last):
  File "/opt/spark-k8s/code/etl.py", line 10, in <module>
py4j.protocol.Py4JJavaError: An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 0.0 failed 4 times, most recent failure: Lost task 0.3 in stage 0.0 (TID 6) (10.244.0.42 executor 1): ${ofWorker}
Caused by: java.io.EOFException
\t... 22 more`;
  const worker = `pythonWorker: ${ofWorker.replace("org.apache.spark.", "")}`;
  check("is not a message that arrives after the scheduler", `${killedWorker}\n${late}`, worker);
  check(
    "is not an error after a program has failed and its context stops",
    `${killedWorker}
26/11/26 11:33:30 INFO SparkContext: SparkContext is stopping with exitCode 1 from stop at SparkSubmit.scala:1053.
org.apache.spark.SparkException: Could not find CoarseGrainedScheduler.`,
    worker,
  );
  check(
    "is an error after the program itself has stopped its context",
    `26/11/26 11:33:30 INFO SparkContext: SparkContext is stopping with exitCode 0 from stop at Etl.java:10.
java.lang.IllegalStateException: no rows`,
    "exception: IllegalStateException: no rows",
  );
  check("is undefined for an empty log", "", undefined);
  check(
    "is a full Java heap, also before later exceptions",
    `java.lang.OutOfMemoryError: Java heap space
\tat java.util.Arrays.copyOf(Arrays.java:3512)
org.apache.spark.SparkException: Job aborted
\tat Main.main`,
    "heap: OutOfMemoryError: Java heap space",
  );
  const taskHeap =
    "Lost task 0.0 in stage 0.0 (TID 0) (10.244.0.55 executor 1): java.lang.OutOfMemoryError: Java heap space";
  check(
    "is the heap of an executor for a task in the log of a driver",
    `26/11/25 02:35:46 WARN TaskSetManager: ${taskHeap}
py4j.protocol.Py4JJavaError: An error occurred while calling o42.collect.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 0.0 failed 1 times, most recent failure: ${taskHeap}
Caused by: java.lang.OutOfMemoryError: Java heap space`,
    "taskHeap: OutOfMemoryError: Java heap space",
  );
  check(
    "is the heap of the driver also after one of a task",
    `26/11/25 02:35:46 WARN TaskSetManager: ${taskHeap}
Exception in thread "main" java.lang.OutOfMemoryError: Java heap space`,
    "heap: OutOfMemoryError: Java heap space",
  );
  check(
    "is the exception of a thread",
    `Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure
\tat org.apache.spark.Main.main(Main.scala:1)
Caused by: java.io.IOException: disk
25/01/02 INFO ShutdownHookManager: Shutdown hook called`,
    "exception: SparkException: Job aborted due to stage failure",
  );
  check(
    "is the failed fetch of shuffle data, not the file or host that is missing for it",
    `Traceback (most recent call last):
  File "/code/p_fetch.py", line 8, in <module>
py4j.protocol.Py4JJavaError: An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure: ResultStage 4 (count at /code/p_fetch.py:8) has failed the maximum allowable number of times: 1. Most recent failure reason: org.apache.spark.shuffle.FetchFailedException
\tat org.apache.spark.errors.SparkCoreErrors$.fetchFailedError(SparkCoreErrors.scala:398)
Caused by: java.nio.file.NoSuchFileException: /var/data/spark-2742d58e/blockmgr-8edbd48d/30/shuffle_0_0_0.index`,
    "fetchFailed: SparkException: Job aborted due to stage failure: ResultStage 4 (count at /code/p_fetch.py:8) has failed the maximum allowable number of times: 1. Most recent failure reason: org.apache.spark.shuffle.FetchFailedException",
  );
  check(
    "is a full disk behind a failed fetch",
    `org.apache.spark.shuffle.FetchFailedException: x
Caused by: java.io.IOException: No space left on device`,
    "diskFull: IOException: No space left on device",
  );
  check(
    "is the last line of a Python traceback, not one of its frames",
    `Traceback (most recent call last):
  File "/app/etl.py", line 3, in <module>
    open("/data/in.csv")
FileNotFoundError: [Errno 2] No such file or directory: '/data/in.csv'`,
    "file: FileNotFoundError: [Errno 2] No such file or directory: '/data/in.csv'",
  );
  check(
    "has no package for Python exceptions either",
    `Traceback (most recent call last):
  File "/app/etl.py", line 3, in <module>
pyspark.errors.exceptions.captured.AnalysisException: [PATH_NOT_FOUND] Path does not exist: s3a://x.`,
    "file: AnalysisException: [PATH_NOT_FOUND] Path does not exist: s3a://x.",
  );
  check(
    "is the exception of the JVM behind one of Py4J",
    `Traceback (most recent call last):
  File "/app/etl.py", line 3, in <module>
py4j.protocol.Py4JJavaError: An error occurred while calling o42.collect.
: java.lang.ClassNotFoundException: org.example.Missing
\tat java.net.URLClassLoader`,
    "mainClass: ClassNotFoundException: org.example.Missing",
  );
  check(
    "is a script that Python cannot open",
    "python3: can't open file '/opt/app.py': [Errno 2] No such file or directory",
    "file: can't open file '/opt/app.py': [Errno 2] No such file or directory",
  );
  check(
    "is an error of spark-submit",
    "Error: Failed to load class org.example.Main.",
    "mainClass: Failed to load class org.example.Main.",
  );
  check(
    "is the reason of a JVM that does not start",
    `Error opening zip file or JAR manifest missing : /nope.jar
Error occurred during initialization of VM
agent library failed to init: instrument`,
    "javaStart: Error opening zip file or JAR manifest missing : /nope.jar",
  );
  check(
    "is a Maven package that no repository has",
    `:: USE VERBOSE OR DEBUG MESSAGE LEVEL FOR MORE DETAILS
Exception in thread "main" java.lang.RuntimeException: [unresolved dependency: org.example#nope;1.0: not found]
\tat org.apache.spark.deploy.SparkSubmitUtils$`,
    "dependency: RuntimeException: [unresolved dependency: org.example#nope;1.0: not found]",
  );
  check(
    "has the message on the line after the class",
    `Traceback (most recent call last):
  File "/app/etl.py", line 4, in <module>
    raise converted from None
pyspark.errors.exceptions.captured.ParseException: 
[PARSE_SYNTAX_ERROR] Syntax error at or near 'SELEC'. SQLSTATE: 42601 (line 1, pos 0)

== SQL ==
SELEC 1`,
    "exception: ParseException: [PARSE_SYNTAX_ERROR] Syntax error at or near 'SELEC'. SQLSTATE: 42601 (line 1, pos 0)",
  );
  check(
    "has the exit code of a lost executor on the line after the reason",
    `Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 8.0 failed 1 times, most recent failure: Lost task 0.0 in stage 8.0 (TID 15) (10.0.0.1 executor 1): ExecutorLostFailure (executor 1 exited caused by one of the running tasks) Reason: 
The executor with id 1 exited with exit code 137(SIGKILL, possible container OOM).`,
    "executorLost: ExecutorLostFailure (executor 1 exited caused by one of the running tasks) Reason: The executor with id 1 exited with exit code 137(SIGKILL, possible container OOM).",
  );
  check(
    "is a missing data source, not the class that Spark tried",
    `Exception in thread "main" org.apache.spark.SparkClassNotFoundException: [DATA_SOURCE_NOT_FOUND] Failed to find the data source: delta.
Caused by: java.lang.ClassNotFoundException: delta.DefaultSource
\t... 23 more`,
    "dataSource: ClassNotFoundException: delta.DefaultSource",
  );
  check(
    "is a bare exception after a log line",
    `25/01/02 ERROR SparkContext: Error initializing SparkContext.
java.io.FileNotFoundException: File file:/tmp/spark-events does not exist
\tat org.apache.hadoop.fs`,
    "file: FileNotFoundException: File file:/tmp/spark-events does not exist",
  );
  check(
    "is a missing shuffle service, not the refused connection behind it",
    `26/01/02 ERROR Executor: Exception
java.lang.reflect.UndeclaredThrowableException
\tat org.apache.hadoop.security.UserGroupInformation.doAs
Caused by: org.apache.spark.SparkException: Unable to register with external shuffle server due to : Failed to connect to /10.0.0.1:7337
\tat org.apache.spark.errors.SparkCoreErrors
Caused by: java.io.IOException: Failed to connect to /10.0.0.1:7337
Caused by: java.net.ConnectException: Connection refused`,
    "shuffleService: SparkException: Unable to register with external shuffle server due to : Failed to connect to /10.0.0.1:7337",
  );
  const scheduler = (...causes: readonly string[]): string =>
    [
      'Exception in thread "main" org.apache.spark.SparkException: External scheduler cannot be instantiated',
      "\tat org.apache.spark.SparkContext$.createTaskScheduler",
      "Caused by: java.lang.reflect.InvocationTargetException",
      ...causes.map((cause) => `Caused by: ${cause}\n\t... 9 more`),
    ].join("\n");
  const operation =
    "io.fabric8.kubernetes.client.KubernetesClientException: Operation: [get]  for kind: [Pod]  with name: [pi-driver]  in namespace: [jobs]  failed.";
  check(
    "is the timeout behind a scheduler that cannot be instantiated",
    scheduler(operation, "java.util.concurrent.TimeoutException"),
    "apiServer: TimeoutException",
  );
  check(
    "is the service account behind a scheduler that cannot be instantiated",
    scheduler(
      "io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: GET at: https://kubernetes.default.svc/api/v1/namespaces/jobs/pods/pi-driver. Message: Forbidden!Configured service account doesn't have access. Service account may have been revoked.",
    ),
    "forbidden: KubernetesClientException: Failure executing: GET at: https://kubernetes.default.svc/api/v1/namespaces/jobs/pods/pi-driver. Message: Forbidden!Configured service account doesn't have access. Service account may have been revoked.",
  );
  check(
    "is the innermost cause behind a scheduler that cannot be instantiated",
    scheduler(operation, "javax.net.ssl.SSLHandshakeException: PKIX path building failed"),
    "exception: SSLHandshakeException: PKIX path building failed",
  );
  check(
    "is the exception of the program, not the one that it wraps",
    `Exception in thread "main" com.example.LoadError: cannot load table orders
Caused by: java.lang.NullPointerException`,
    "exception: LoadError: cannot load table orders",
  );
  check(
    "is the last of several",
    "java.io.IOException: first\njava.lang.IllegalStateException: second\nINFO end",
    "exception: IllegalStateException: second",
  );
});

describe("the cause that Spark or Java words in several lines", () => {
  check(
    "is the missing Python, not the error code of the system",
    `Exception in thread "main" java.io.IOException: Cannot run program "/opt/venv/bin/python3": error=2, No such file or directory
\tat java.base/java.lang.ProcessBuilder.start(ProcessBuilder.java:1110)
Caused by: java.io.IOException: error=2, No such file or directory
\tat java.base/java.lang.ProcessImpl.forkAndExec(Native Method)`,
    'pythonProgram: IOException: Cannot run program "/opt/venv/bin/python3": error=2, No such file or directory',
  );
  check(
    "is the setting with an invalid value, not the state of the session that it prevents",
    `Traceback (most recent call last):
  File "/code/confvalue.py", line 5, in <module>
    print(spark.range(100).repartition(3).groupBy('id').count().count())
  File "/opt/spark/python/lib/pyspark.zip/pyspark/errors/exceptions/captured.py", line 262, in deco
pyspark.errors.exceptions.captured.IllegalArgumentException: Error while instantiating 'org.apache.spark.sql.internal.SessionStateBuilder':

JVM stacktrace:
java.lang.IllegalArgumentException: Error while instantiating 'org.apache.spark.sql.internal.SessionStateBuilder':
\tat org.apache.spark.sql.classic.SparkSession.range(SparkSession.scala:421)
Caused by: org.apache.spark.SparkIllegalArgumentException: [INVALID_CONF_VALUE.TYPE_MISMATCH] The value 'abc' in the config "spark.sql.shuffle.partitions" is invalid. It should be a/an 'int' value. SQLSTATE: 22022
\tat org.apache.spark.internal.config.ConfigHelpers$.configTypeMismatchError(ConfigBuilder.scala:119)
\t... 19 more`,
    `confValue: SparkIllegalArgumentException: [INVALID_CONF_VALUE.TYPE_MISMATCH] The value 'abc' in the config "spark.sql.shuffle.partitions" is invalid. It should be a/an 'int' value. SQLSTATE: 22022`,
  );
  check(
    "of an executor is the connection to its driver that timed out",
    `26/11/27 14:15:05 ERROR RpcOutboxMessage: Ask terminated before connecting successfully
Exception in thread "main" java.lang.reflect.UndeclaredThrowableException
\tat org.apache.spark.deploy.SparkHadoopUtil.runAsSparkUser(SparkHadoopUtil.scala:60)
Caused by: org.apache.spark.rpc.RpcTimeoutException: Future timed out after [120 seconds]. This timeout is controlled by spark.rpc.lookupTimeout
\tat org.apache.spark.rpc.RpcTimeout.awaitResult(RpcTimeout.scala:75)
\t... 4 more
Caused by: java.util.concurrent.TimeoutException: Future timed out after [120 seconds]
\t... 18 more`,
    "driverUnreachable: RpcTimeoutException: Future timed out after [120 seconds]. This timeout is controlled by spark.rpc.lookupTimeout",
  );
  check(
    "is the setting that restores an earlier behavior",
    `Traceback (most recent call last):
  File "/opt/app/times.py", line 3, in <module>
    spark.sql("select to_timestamp(v, 'yyyy-MM-dd')").show()
pyspark.errors.exceptions.captured.SparkUpgradeException: [INCONSISTENT_BEHAVIOR_CROSS_VERSION.PARSE_DATETIME_BY_NEW_PARSER] You may get a different result due to the upgrading to Spark >= 3.0:
Fail to parse 'x' in the new parser. You can set "spark.sql.legacy.timeParserPolicy" to "LEGACY" to restore the behavior before Spark 3.0.`,
    `offeredSetting: SparkUpgradeException: [INCONSISTENT_BEHAVIOR_CROSS_VERSION.PARSE_DATETIME_BY_NEW_PARSER] You may get a different result due to the upgrading to Spark >= 3.0: Fail to parse 'x' in the new parser. You can set "spark.sql.legacy.timeParserPolicy" to "LEGACY" to restore the behavior before Spark 3.0.`,
  );
  check(
    "is the setting of a version change in the third line, as Spark 4 writes it",
    `pyspark.errors.exceptions.captured.SparkUpgradeException: [INCONSISTENT_BEHAVIOR_CROSS_VERSION.PARSE_DATETIME_BY_NEW_PARSER] You may get a different result due to the upgrading to Spark >= 3.0:
Fail to parse 'x' in the new parser.
You can set "spark.sql.legacy.timeParserPolicy" to "LEGACY" to restore the behavior before Spark 3.0. SQLSTATE: 42K0B
26/11/28 01:17:52 INFO SparkContext: SparkContext is stopping with exitCode 1 from stop at SparkSubmit.scala:1053.`,
    `offeredSetting: SparkUpgradeException: [INCONSISTENT_BEHAVIOR_CROSS_VERSION.PARSE_DATETIME_BY_NEW_PARSER] You may get a different result due to the upgrading to Spark >= 3.0: Fail to parse 'x' in the new parser. You can set "spark.sql.legacy.timeParserPolicy" to "LEGACY" to restore the behavior before Spark 3.0. SQLSTATE: 42K0B`,
  );
  check(
    "is a known kind only for settings of SQL with the name of a choice",
    'java.lang.IllegalStateException: set "spark.driver.extraJavaOptions" to "-agentpath:/tmp/x"',
    'exception: IllegalStateException: set "spark.driver.extraJavaOptions" to "-agentpath:/tmp/x"',
  );
  check(
    "is the memory of Python in a task",
    `Traceback (most recent call last):
  File "/opt/app/work.py", line 12, in <module>
    data.mapPartitions(work).collect()
pyspark.errors.exceptions.captured.PythonException: An exception was thrown from the Python worker:
Traceback (most recent call last):
  File "/opt/app/work.py", line 6, in work
    held = bytearray(mib << 20)
MemoryError`,
    "pythonMemory: MemoryError",
  );
});

test("redacts secrets in the row and in the message", () => {
  const cause = causeInLog(["java.lang.IllegalStateException: password=hunter2hunter2"]);
  assert.ok(cause);
  assert.doesNotMatch(JSON.stringify(describeCause(cause, "driver")), /hunter2/);
});

describe("the row of a cause", () => {
  const rowOf = (...log: readonly string[]): string | undefined => {
    const cause = causeInLog(log);
    return cause && inEnglish(describeCause(cause, "driver").fact);
  };

  test("names the missing file without its folder", () => {
    assert.equal(
      rowOf(
        "Traceback (most recent call last):",
        "FileNotFoundError: [Errno 2] No such file or directory: '/data/in.csv'",
      ),
      "not found: in.csv",
    );
    assert.equal(
      rowOf("java.io.FileNotFoundException: File file:/tmp/spark-events does not exist"),
      "not found: spark-events",
    );
    assert.equal(
      rowOf(
        "org.apache.spark.sql.AnalysisException: [PATH_NOT_FOUND] Path does not exist: s3a://b/x.",
      ),
      "not found: x",
    );
    assert.equal(
      rowOf("java.nio.file.NoSuchFileException: /opt/missing.jar"),
      "not found: missing.jar",
    );
  });

  test("is known for a single exception, unless that has no words of its own", () => {
    const words = (name: string, message: string): string | undefined => {
      const found = describeException(name, message);
      return found && inEnglish(found);
    };
    assert.equal(
      words(
        "pyspark.errors.exceptions.captured.AnalysisException",
        "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name `amout` cannot be resolved",
      ),
      "column not found: amout",
    );
    assert.equal(words("java.lang.ClassNotFoundException", "org.example.A"), "class not found: A");
    assert.equal(words("KeyError", "'total'"), undefined);
    assert.equal(words("ZeroDivisionError", "division by zero"), undefined);
  });

  test("names the missing class without its package", () => {
    assert.equal(rowOf("Error: Failed to load class org.example.Main."), "class not found: Main");
    assert.equal(
      rowOf("java.lang.ClassNotFoundException: org.example.Main"),
      "class not found: Main",
    );
  });
});

test("redacts a secret whose end looks like the name of a file", () => {
  const cause = causeInLog([
    "java.io.FileNotFoundException: File /x?password=hunter/2hunter does not exist",
  ]);
  assert.ok(cause);
  assert.doesNotMatch(JSON.stringify(describeCause(cause, "driver")), /2hunter/);
});

test("says on which line the error is", () => {
  const at = (...log: readonly string[]): number | undefined => causeInLog(log)?.at;
  assert.equal(at("INFO", "java.lang.OutOfMemoryError: Java heap space", "\tat Main"), 1);
  assert.equal(at("INFO", "Traceback (most recent call last):", "  File", "KeyError: 1"), 3);
  assert.equal(
    at("Traceback (most recent call last):", " x", "py4j.protocol.Py4JJavaError: y", ": a.B: c"),
    3,
  );
});

// The wrapped error, the failed clean-up and the exit handler are output of Spark 4.3.0 and CPython, shortened. The
// other logs follow the formats of CPython and Spark.
describe("the cause of several errors in a log", () => {
  const lines = (...texts: readonly string[]): string => texts.join("\n");
  const trace = (error: string): string =>
    lines(
      "Traceback (most recent call last):",
      '  File "/opt/jobs/etl.py", line 5, in load',
      error,
    );
  const direct = "\nThe above exception was the direct cause of the following exception:\n";
  const during = "\nDuring handling of the above exception, another exception occurred:\n";
  const noFile = "FileNotFoundError: [Errno 2] No such file or directory: '/data/in/orders.csv'";
  const noTable = lines(
    "pyspark.errors.exceptions.captured.AnalysisException: [TABLE_OR_VIEW_NOT_FOUND] The table or view `orders` cannot be found.",
    "'Project [*]",
    "+- 'UnresolvedRelation [orders], [], false",
    "",
  );
  const noSession = "AttributeError: 'NoneType' object has no attribute 'sc'";

  check(
    "is the known cause of a Python error that wraps it",
    lines(trace(noFile), direct, trace("RuntimeError: cannot load the orders")),
    `file: ${noFile}`,
  );
  check(
    "is the outer error of Python if no cause is of a known kind",
    lines(trace("KeyError: 'a'"), direct, trace("ValueError: no column a")),
    "exception: ValueError: no column a",
  );
  check(
    "is the error of the job if the clean-up fails after it",
    lines(trace(noTable), during, trace(noSession)),
    "table: AnalysisException: [TABLE_OR_VIEW_NOT_FOUND] The table or view `orders` cannot be found.",
  );
  check(
    "is the error of the job, of no known kind, if the clean-up has no session",
    lines(trace("ValueError: no rows"), during, trace(noSession)),
    "exception: ValueError: no rows",
  );
  check(
    "is the later error if a missing optional module was tolerated",
    lines(
      trace("ModuleNotFoundError: No module named 'ujson'"),
      during,
      trace("ValueError: bad json"),
    ),
    "exception: ValueError: bad json",
  );
  check(
    "is the missing module if the program says so",
    lines(
      trace("ModuleNotFoundError: No module named 'ujson'"),
      direct,
      trace("RuntimeError: cannot start"),
    ),
    "pythonModule: ModuleNotFoundError: No module named 'ujson'",
  );
  for (const [name, head] of [
    ["an exit handler", "Exception ignored in atexit callback: <function close at 0x7f6cded79620>"],
    ["an exit handler of an older Python", "Error in atexit._run_exitfuncs:"],
    ["a finalizer", "Exception ignored in: <function Job.__del__ at 0x7f6cded79620>"],
    ["a log call", "--- Logging error ---"],
    ["a thread", "Exception in thread Thread-3 (poll):"],
  ] as const) {
    const refused = trace("ConnectionRefusedError: [Errno 111] Connection refused");
    check(
      `is not the later error of ${name}`,
      lines(trace(noFile), head, refused),
      `file: ${noFile}`,
    );
    check(
      `is the error of ${name} if there is no other`,
      lines(head, refused),
      "connection: ConnectionRefusedError: [Errno 111] Connection refused",
    );
  }

  const main = lines(
    'Exception in thread "main" java.lang.IllegalStateException: asked to fail',
    "\tat SparkdevExamples.main(SparkdevExamples.java:28)",
  );
  const hook = "26/11/25 07:23:04 INFO SparkContext: Invoking stop() from shutdown hook";
  check(
    "is not an error during the shutdown",
    lines(
      main,
      hook,
      "26/11/25 07:23:05 ERROR ShutdownHookManager: Exception while deleting Spark temp dir: /var/data/spark-1",
      "java.io.IOException: Failed to delete: /var/data/spark-1",
      "\tat org.apache.spark.util.Utils.deleteRecursively(Utils.scala:1)",
      'Exception in thread "shutdown-hook-0" java.lang.IllegalStateException: stopped',
    ),
    "exception: IllegalStateException: asked to fail",
  );
  check(
    "is not the cause of a later record",
    lines(
      main,
      "26/11/25 07:23:05 WARN NettyRpcEnv: Cannot send",
      "Caused by: java.net.ConnectException: Connection refused",
    ),
    "exception: IllegalStateException: asked to fail",
  );
  check(
    "is a late error of Python that the JVM's shutdown precedes",
    lines(hook, trace(noFile)),
    `file: ${noFile}`,
  );
});
