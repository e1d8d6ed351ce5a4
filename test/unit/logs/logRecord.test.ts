import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { levelOf } from "../../../src/spark/logs/logLevel.ts";
import { RecordReader, type LogRecord } from "../../../src/spark/logs/logRecord.ts";
import { placeOfSql } from "../../../src/spark/logs/sqlPlace.ts";
import { fileOfFrame, frameIn } from "../../../src/spark/logs/traceFrames.ts";
import { thrownBy, traceKeyOf } from "../../../src/spark/logs/traces.ts";

const read = (text: string): readonly LogRecord[] => {
  const reader = new RecordReader();
  const lines = text.split("\n").map((line) => ({ timestamp: "", text: line }));
  return [...reader.read(lines), ...reader.flush()];
};

/** Checks the number of lines of each record. */
const check = (text: string, lengths: readonly number[]): void => {
  assert.deepEqual(
    read(text).map(({ rest }) => rest.length + 1),
    lengths,
  );
};

const jvm = `26/01/02 03:04:05 ERROR Executor: Exception in task 0.0 in stage 0.0 (TID 0)
org.apache.spark.SparkException: Job aborted
\tat com.acme.jobs.Orders$.main(Orders.scala:42)
\tat com.acme.jobs.Orders.main(Orders.scala)
Caused by: java.lang.ArithmeticException: / by zero
\tat com.acme.jobs.Totals.of(Totals.java:7)
\t... 20 more
26/01/02 03:04:06 INFO DAGScheduler: going on`;

const python = `Traceback (most recent call last):
  File "/opt/spark/work-dir/jobs/orders.py", line 12, in <module>
    main()
  File "/opt/spark/python/pyspark/sql/dataframe.py", line 900, in collect
    raise converted from None
pyspark.errors.exceptions.captured.AnalysisException: [UNRESOLVED_COLUMN.WITH_SUGGESTION] A column cannot be resolved. SQLSTATE: 42703; line 2 pos 7;
'Project ['amont]
+- SubqueryAlias orders

26/01/02 03:04:06 INFO SparkContext: Invoking stop() from shutdown hook`;

// The next four logs are output of Spark 3.5.9 and 4.3.0 with some frames removed.
const tableOfPython = `Traceback (most recent call last):
  File "/opt/spark/work-dir/jobs/orders.py", line 7, in main
    spark.sql("select * from nowhere").show()
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/opt/spark/python/lib/pyspark.zip/pyspark/sql/session.py", line 1934, in sql
  File "/opt/spark/python/lib/pyspark.zip/pyspark/errors/exceptions/captured.py", line 262, in deco
pyspark.errors.exceptions.captured.AnalysisException: [TABLE_OR_VIEW_NOT_FOUND] The table or view \`nowhere\` cannot be found. Verify the spelling and correctness of the schema and catalog.
Search path: [\`system\`.\`builtin\`, \`system\`.\`session\`, \`spark_catalog\`.\`default\`].
If you did not qualify the name with a schema, verify the current_schema() output, or qualify the name with the correct schema and catalog.
To tolerate the error on drop use DROP VIEW IF EXISTS or DROP TABLE IF EXISTS. SQLSTATE: 42P01; line 1 pos 14;
'Project [*]
+- 'UnresolvedRelation [nowhere], [], false

26/11/22 21:34:30 INFO SparkContext: Invoking stop() from shutdown hook`;

const tableOfJvm = `Exception in thread "main" org.apache.spark.sql.AnalysisException: [TABLE_OR_VIEW_NOT_FOUND] The table or view \`nowhere\` cannot be found. Verify the spelling and correctness of the schema and catalog.
If you did not qualify the name with a schema, verify the current_schema() output, or qualify the name with the correct schema and catalog.
To tolerate the error on drop use DROP VIEW IF EXISTS or DROP TABLE IF EXISTS.; line 1 pos 14;
'Project [*]
+- 'UnresolvedRelation [nowhere], [], false

\tat org.apache.spark.sql.catalyst.analysis.package$AnalysisErrorAt.tableNotFound(package.scala:87)
\tat com.acme.jobs.Orders.main(Orders.scala:42)
26/11/22 21:36:59 INFO SparkContext: Invoking stop() from shutdown hook`;

const parseOfPython = `Traceback (most recent call last):
  File "/opt/spark/work-dir/jobs/orders.py", line 12, in main
    spark.sql("selec x from y where")
  File "/opt/spark/python/lib/pyspark.zip/pyspark/errors/exceptions/captured.py", line 185, in deco
pyspark.errors.exceptions.captured.ParseException: 
[PARSE_SYNTAX_ERROR] Syntax error at or near 'selec'. SQLSTATE: 42601 (line 1, pos 0)

== SQL ==
selec x from y where
^^^
`;

const taskOfPython = `26/11/22 21:35:19 INFO DAGScheduler: ResultStage 0 failed in 2.1 s due to Job aborted due to stage failure: Lost task 0.0 in stage 0.0 (TID 0) (10.0.0.1 executor 1): org.apache.spark.api.python.PythonException: [PYTHON_EXCEPTION] An exception was thrown from the Python worker: Traceback (most recent call last):
  File "/opt/spark/work-dir/jobs/orders.py", line 15, in <lambda>
    f = udf(lambda x: 1/0)
                      ~^~
ZeroDivisionError: division by zero
 SQLSTATE: 38000
\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:1097)

Driver stacktrace:
26/11/22 21:35:19 ERROR Executor: Exception in task 0.0 in stage 0.0 (TID 0)
org.apache.spark.api.python.PythonException: [PYTHON_EXCEPTION] An exception was thrown from the Python worker: Traceback (most recent call last):
  File "/opt/spark/work-dir/jobs/orders.py", line 15, in <lambda>
    f = udf(lambda x: 1/0)
                      ~^~
ZeroDivisionError: division by zero
 SQLSTATE: 38000
\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:1097)`;

test("a record contains a multi-line exception message with its frames and plan", () => {
  check(tableOfPython, [13, 1]);
  check(tableOfJvm, [8, 1]);
  check(parseOfPython, [11]);
  check(taskOfPython, [9, 8]);
  check(
    "java.io.IOException: one\ntwo\n  three\n\nfour\n\tat com.acme.Orders.main(Orders.scala:4)",
    [6],
  );
  check(
    "py4j.protocol.Py4JJavaError: An error occurred\nwhile calling\n: java.io.IOException: x",
    [3],
  );
});

test("output after a one-line exception is not part of its record", () => {
  check("ValueError: y\none\n  two\n\nthree\n26/01/02 03:04:05 INFO A: x", [1, 1, 1, 1, 1, 1]);
  check("ValueError: y\none\nKeyError: z\n+---+\n|  a|", [1, 1, 1, 1, 1]);
  const prints = Array.from({ length: 40 }, (_, at) => `print ${at}`).join("\n");
  check(`ValueError: y\n${prints}\n\tat com.acme.Orders.main(Orders.scala:4)`, [
    ...Array.from({ length: 40 }, () => 1),
    2,
  ]);
});

test("a Python exception of any name ends its traceback", () => {
  for (const [exception, name, message] of [
    ["StopIteration", "StopIteration", ""],
    [
      "subprocess.TimeoutExpired: Command 'x' timed out",
      "subprocess.TimeoutExpired",
      "Command 'x' timed out",
    ],
    ["jobs.run.<locals>.BadThing: ERROR in row 1", "jobs.run.<locals>.BadThing", "ERROR in row 1"],
  ] as const) {
    const trace = `Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n${exception}`;
    check(`${trace}\ndone\n26/01/02 03:04:05 INFO A: x`, [3, 1, 1]);
    const [record] = read(trace);
    assert.ok(record);
    assert.deepEqual(thrownBy(record), { name, message, sqlPosition: undefined });
  }
  check('Traceback (most recent call last):\n  File "a.py", line 1\nERROR:root:other', [2, 1]);
});

test("a JVM stack trace belongs to the line before it", () => {
  check(jvm, [7, 1]);
  const named = "de.läden.GrößeException: zu klein\n\tat de.läden.Größe$.prüfe(Größe.scala:12)";
  check(`${named}\n26/01/02 03:04:06 INFO A: going on`, [2, 1]);
  const [record] = read(named);
  assert.equal(record && thrownBy(record)?.name, "de.läden.GrößeException");
});

test("a Python traceback extends to its exception and the plan after it", () => {
  check(python, [9, 1]);
});

test("a chained Python traceback is one record, and later output is another", () => {
  check(
    `Traceback (most recent call last):
  File "a.py", line 1, in <module>
KeyError: 'x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 3, in <module>
ValueError: y
done`,
    [9, 1],
  );
});

test("indented output and tables are separate records", () => {
  check("+---+\n|  a|\n+---+\n    indented\n\nplain", [1, 1, 1, 1, 1, 1]);
});

test("no line is lost or reordered in any log", () => {
  const texts = [jvm, python, tableOfPython, tableOfJvm, parseOfPython, taskOfPython, "print"];
  const line = fc.oneof(fc.string(), fc.constantFrom(...texts.join("\n").split("\n")));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), fc.nat(40), (all, cut) => {
      const reader = new RecordReader();
      const lines = all.map((text) => ({ timestamp: "", text }));
      const records = [
        ...reader.read(lines.slice(0, cut)),
        ...reader.read(lines.slice(cut)),
        ...reader.flush(),
      ];
      const back = records.flatMap(({ text, rest }) => [text, ...rest.map((one) => one.text)]);
      assert.deepEqual(back, all);
    }),
  );
});

test("reads log levels in the layouts of Spark, Python and JSON", () => {
  for (const [text, level] of [
    ["26/01/02 03:04:05 WARN TaskSetManager: Lost task", "warn"],
    ["2026-01-02 03:04:05,123 - orders - WARNING - low", "warn"],
    ["2026-01-02T03:04:05.123Z  INFO 1 --- [main] x", "info"],
    ['{"ts":"2026-01-02T03:04:05.123Z","level":"ERROR","msg":"x"}', "error"],
    ["CRITICAL: disk full", "error"],
    ["the ERRORS are few", undefined],
    ["Pi is roughly 3.14", undefined],
  ] as const) {
    assert.equal(levelOf(text), level, text);
  }
});

test("the error of a trace is its innermost cause, in Python the last one, with its SQL position", () => {
  const [first] = read(jvm);
  assert.ok(first);
  assert.deepEqual(thrownBy(first), {
    name: "java.lang.ArithmeticException",
    message: "/ by zero",
    sqlPosition: undefined,
  });
  const [second] = read(python);
  assert.ok(second);
  const thrown = thrownBy(second);
  assert.equal(thrown?.name, "pyspark.errors.exceptions.captured.AnalysisException");
  assert.deepEqual(thrown.sqlPosition, { line: 2, column: 8 });
  for (const [text, column] of [
    [tableOfPython, 15],
    [tableOfJvm, 15],
    [parseOfPython, 1],
  ] as const) {
    const [record] = read(text);
    assert.ok(record);
    assert.deepEqual(thrownBy(record)?.sqlPosition, { line: 1, column });
  }
  for (const record of read(taskOfPython)) {
    assert.equal(thrownBy(record)?.name, "ZeroDivisionError");
  }
});

test("finds the error of a trace: the root cause in Java, the last one in Python", () => {
  const at = "\tat a.B.c(B.java:1)";
  const rows = [
    [
      ["ERROR x", "java.io.IOException: first", at, "java.lang.Error: second", at],
      "java.io.IOException",
      "first",
    ],
    [["java.io.IOException", at], "java.io.IOException", ""],
    [
      ["java.io.IOException: a", at, "Caused by: x.YException: b", "Caused by: x.ZError: c"],
      "x.ZError",
      "c",
    ],
    [['Exception in thread "main" a.StackOverflowError', at], "a.StackOverflowError", ""],
    [
      [
        "Traceback (most recent call last):",
        '  File "a", line 1',
        "KeyError: 'k'",
        "",
        "During handling",
        "Traceback (most recent call last):",
        '  File "b", line 2',
        "mine.Problem:  d",
        "e: f",
      ],
      "mine.Problem",
      "d",
    ],
    [
      ["Traceback (most recent call last):", '  File "a", line 1', "KeyboardInterrupt"],
      "KeyboardInterrupt",
      "",
    ],
  ] as const;
  for (const [[text, ...rest], name, message] of rows) {
    const line = { timestamp: "", text };
    const record: LogRecord = {
      ...{ ...line, level: "error", hasTrace: true, size: 1 },
      rest: rest.map((one) => ({ timestamp: "", text: one })),
    };
    assert.deepEqual(thrownBy(record), { name, message, sqlPosition: undefined }, text);
    const unfinished = { ...record, text: "Traceback (most recent call last):", rest: [] };
    assert.equal(thrownBy(unfinished), undefined);
  }
});

test("traces are equal if errors and frames are equal, for any task number", () => {
  const [one] = read(jvm);
  const [other] = read(jvm.replace("TID 0", "TID 17"));
  const [third] = read(jvm.replace("Totals.java:7", "Totals.java:9"));
  assert.ok(one && other && third);
  assert.equal(traceKeyOf(one), traceKeyOf(other));
  assert.notEqual(traceKeyOf(one), traceKeyOf(third));
});

test("traces are equal in all executors despite generated names in each JVM", () => {
  const keyOf = (frame: string): string => {
    const [record] = read(
      `26/01/02 03:04:05 ERROR Executor: x\njava.io.IOException: y\n\tat ${frame}`,
    );
    assert.ok(record);
    return traceKeyOf(record);
  };
  for (const [one, other] of [
    [
      "a.B$$Lambda$1042/0x0000000840a1b040.call(Unknown Source)",
      "a.B$$Lambda$977/0x00007f01c0.call(Unknown Source)",
    ],
    [
      "a.B$$Lambda/0x00007f0001.call(Unknown Source)",
      "a.B$$Lambda/0x00007f00ff.call(Unknown Source)",
    ],
    ["a.B$$Lambda$23/1183888521.call(Unknown Source)", "a.B$$Lambda$24/77.call(Unknown Source)"],
    [
      "java.base/java.lang.invoke.LambdaForm$MH/0x0001.invoke(LambdaForm$MH)",
      "java.base/java.lang.invoke.LambdaForm$MH/0x0a2.invoke(LambdaForm$MH)",
    ],
    [
      "jdk.internal.reflect.GeneratedMethodAccessor12.invoke(Unknown Source)",
      "jdk.internal.reflect.GeneratedMethodAccessor9.invoke(Unknown Source)",
    ],
    [
      "jdk.internal.reflect.GeneratedConstructorAccessor12.newInstance(Unknown Source)",
      "jdk.internal.reflect.GeneratedConstructorAccessor1.newInstance(Unknown Source)",
    ],
    [
      "o.a.GeneratedClass$GeneratedIteratorForCodegenStage1.processNext(Unknown Source)",
      "o.a.GeneratedClass$GeneratedIteratorForCodegenStage12.processNext(Unknown Source)",
    ],
    ["com.sun.proxy.$Proxy12.run(Unknown Source)", "com.sun.proxy.$Proxy7.run(Unknown Source)"],
  ] as const) {
    assert.equal(keyOf(one), keyOf(other), one);
  }
  assert.notEqual(keyOf("a.B$$Lambda$1/0x01.call(X)"), keyOf("a.C$$Lambda$1/0x01.call(X)"));
  assert.notEqual(keyOf("a.B.call(B.java:1)"), keyOf("a.B.call(B.java:2)"));
});

test("keeps a short digest of a long trace", () => {
  const frames = Array.from({ length: 900 }, (_, at) => `\tat a.B.c${at}(B.java:${at + 1})`);
  const [record] = read([...jvm.split("\n").slice(0, 2), ...frames].join("\n"));
  assert.ok(record && record.rest.length > 800);
  assert.ok(traceKeyOf(record).length < 60);
});

test("reads file and line from frames of Python, Java and Scala", () => {
  for (const [text, path, line] of [
    ['  File "/opt/jobs/orders.py", line 12, in main', "/opt/jobs/orders.py", 12],
    ["\tat com.acme.Orders$.main(Orders.scala:42)", "com/acme/Orders.scala", 42],
    ["\tat java.base/java.lang.Thread.run(Thread.java:840)", "java/lang/Thread.java", 840],
    ["Job 0 failed: count at orders.py:12, took 1 s", "orders.py", 12],
    ["\tat de.laden.Größe$.run(Größe.scala:12)", "de/laden/Größe.scala", 12],
    ["\tat com.shop.作业.运行(作业.java:3)", "com/shop/作业.java", 3],
    ["Job 0 failed: count at größe.py:12, took 1 s", "größe.py", 12],
    [
      '  File "C:\\Users\\me\\jobs\\orders.py", line 12, in <module>',
      "C:/Users/me/jobs/orders.py",
      12,
    ],
  ] as const) {
    const frame = frameIn(text);
    assert.deepEqual([frame?.path, frame?.line], [path, line], text);
  }
  assert.equal(frameIn("at 10.0.0.1:4040"), undefined);
  assert.equal(frameIn('File "x", line 0'), undefined);
});

test("maps a frame to the file that shares most of its path, and to no other file of that name", () => {
  const frame = (text: string) => {
    const found = frameIn(text);
    assert.ok(found);
    return found;
  };
  const files = ["/w/a/src/main/scala/com/acme/Orders.scala", "/w/b/other/Orders.scala"];
  assert.equal(fileOfFrame(frame("at com.acme.Orders.main(Orders.scala:1)"), files), files[0]);
  assert.equal(fileOfFrame(frame("at org.else.Orders.main(Orders.scala:1)"), files), undefined);
  const python = ["/w/jobs/orders.py", "/w/old/orders.py"];
  assert.equal(fileOfFrame(frame('File "/opt/jobs/orders.py", line 1'), python), python[0]);
  assert.equal(fileOfFrame(frame('File "/opt/x/orders.py", line 1'), python), undefined);
});

test("maps a frame of an installed package to a workspace file only by its whole path", () => {
  const means = (path: string, files: readonly string[], least = 1) => {
    const frame = frameIn(`File "${path}", line 117, in deco`);
    assert.ok(frame);
    return fileOfFrame(frame, files, least);
  };
  const own = "/ws/etl/utils.py";
  for (const installed of [
    "/opt/spark/python/lib/pyspark.zip/pyspark/sql/utils.py",
    "/opt/spark/python/pyspark/sql/utils.py",
    "/usr/lib/python3/dist-packages/utils.py",
    "/usr/lib/python3.11/utils.py",
    "/opt/venv/lib/python3.11/site-packages/pandas/utils.py",
    "/opt/spark/python/lib/py4j-0.10.9.9-src.zip/py4j/utils.py",
  ]) {
    assert.equal(means(installed, [own]), undefined, installed);
  }
  assert.equal(means("/opt/venv/lib/python3.11/site-packages/etl/utils.py", [own]), own);
  assert.equal(means("/tmp/spark-1/jobs.zip/etl/utils.py", [own]), own);
  assert.equal(means("/opt/spark/work-dir/utils.py", [own]), own);
  assert.equal(means("/opt/spark/work-dir/utils.py", [own], 2), undefined);
  const spark = "/ws/python/pyspark/sql/utils.py";
  assert.equal(
    means("/opt/spark/python/lib/pyspark.zip/pyspark/sql/utils.py", [own, spark]),
    spark,
  );
});

test("maps a file of the image by its bare name only in a folder that receives sent files", () => {
  const means = (path: string, file: string) => {
    const frame = frameIn(`File "${path}", line 3, in main`);
    assert.ok(frame);
    return fileOfFrame(frame, [file]);
  };
  const own = "/ws/jobs/pi.py";
  for (const image of ["/opt/spark/examples/src/main/python/pi.py", "/app/pi.py", "C:/app/pi.py"]) {
    assert.equal(means(image, own), undefined, image);
  }
  assert.equal(means("/app/jobs/pi.py", own), own);
  for (const folder of [
    "/opt/spark-k8s/code",
    "/opt/spark-k8s/code/modules.zip",
    "/opt/spark/work-dir",
    "/tmp/sandbox/root/opt/spark/work-dir",
    "/tmp/spark-1f0b7d1e-5c0a-4f4e-9a55-0c2f1b6d7a80",
    "/tmp/spark-1f0b7d1e-5c0a-4f4e-9a55-0c2f1b6d7a80/userFiles-2e3b7d1e-5c0a-4f4e-9a55-0c2f1b6d7a80",
  ]) {
    assert.equal(means(`${folder}/pi.py`, own), own, folder);
  }
  assert.equal(means("pi.py", own), own);
});

test("never maps a frame to a file in a virtual environment of the workspace", () => {
  const environment = "/ws/env/lib/python3.11/site-packages/pyspark/sql/session.py";
  for (const text of [
    'File "/usr/local/lib/python3.11/site-packages/pyspark/sql/session.py", line 1934, in sql',
    `File "${environment}", line 1934, in sql`,
  ]) {
    const frame = frameIn(text);
    assert.ok(frame);
    assert.equal(fileOfFrame(frame, [environment]), undefined, text);
  }
  const frame = frameIn('File "/opt/spark/work-dir/session.py", line 7, in main');
  assert.ok(frame);
  assert.equal(fileOfFrame(frame, [environment, "/ws/session.py"]), "/ws/session.py");
});

test("finds a SQL position in the string literal of the call", () => {
  const lines = ['df = spark.sql("""select', '  amont from orders""")'];
  assert.deepEqual(placeOfSql(lines, { line: 2, column: 3 }), { line: 1, column: 2 });
  assert.deepEqual(placeOfSql(['spark.sql("select x")'], { line: 1, column: 8 }), {
    line: 0,
    column: 18,
  });
  assert.equal(placeOfSql(["df.select(x)"], { line: 1, column: 1 }), undefined);
  // Past the end of the line, and past the end of the text.
  assert.equal(placeOfSql(['spark.sql("x")'], { line: 1, column: 20 }), undefined);
  assert.equal(placeOfSql(['spark.sql("x")'], { line: 2, column: 1 }), undefined);
  assert.equal(placeOfSql([], { line: 1, column: 1 }), undefined);
});
