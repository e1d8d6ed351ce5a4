// Tests the problem matchers of package.json on real stack traces.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

interface Pattern {
  readonly regexp: string;
  readonly file?: number;
  readonly line?: number;
  readonly message?: number;
}

const manifest = JSON.parse(
  await readFile(new URL("../../../package.json", import.meta.url), "utf8"),
) as {
  contributes: {
    problemMatchers: readonly { name: string; pattern: Pattern | readonly Pattern[] }[];
  };
};

/** Matches like VS Code: consecutive lines, one for each pattern. */
function found(name: string, text: string): readonly string[] {
  const matcher = manifest.contributes.problemMatchers.find((one) => one.name === name);
  assert.ok(matcher);
  const patterns = [matcher.pattern].flat() as readonly Pattern[];
  const lines = text.split("\n");
  return lines.flatMap((_, at) => {
    let [file, line, message] = ["", "", ""];
    for (const [index, pattern] of patterns.entries()) {
      const match = new RegExp(pattern.regexp).exec(lines[at + index] ?? "");
      if (match === null) return [];
      file = match[pattern.file ?? -1] ?? file;
      line = match[pattern.line ?? -1] ?? line;
      message = match[pattern.message ?? -1] ?? message;
    }
    return [`${file}:${line} ${message}`];
  });
}

/** Returns the problems found by all Python matchers together. */
const foundOfPython = (text: string): readonly string[] =>
  manifest.contributes.problemMatchers
    .filter(({ name }) => name.startsWith("spark-py"))
    .flatMap(({ name }) => found(name, text));

test("a Python traceback reports its last frame and its exception", () => {
  const text = `Traceback (most recent call last):
  File "/opt/spark/work-dir/jobs/orders.py", line 10, in <module>
    print(share(1, 0))
  File "/opt/spark/work-dir/jobs/orders.py", line 7, in share
    return part / whole
ZeroDivisionError: division by zero`;
  assert.deepEqual(foundOfPython(text), ["jobs/orders.py:7 ZeroDivisionError: division by zero"]);
  const marked = `Traceback (most recent call last):
  File "/opt/spark/work-dir/jobs/orders.py", line 10, in <module>
    print(share(1, 0))
          ^^^^^^^^^^^
  File "/opt/spark/work-dir/jobs/orders.py", line 7, in share
    return part / whole
           ~~~~~^~~~~~~
ZeroDivisionError: division by zero`;
  assert.deepEqual(foundOfPython(marked), ["jobs/orders.py:7 ZeroDivisionError: division by zero"]);
  const next = `Traceback (most recent call last):
  File "/opt/spark/work-dir/jobs/orders.py", line 20, in main
    next(iter([]))
StopIteration`;
  assert.deepEqual(foundOfPython(next), ["jobs/orders.py:20 StopIteration"]);
});

// The tracebacks are output of Spark 3.5.9 and 4.3.0; the last lines of a message describe the query plan.
test("a traceback that ends in PySpark reports the program's last frame", () => {
  const zip = "/opt/spark/python/lib/pyspark.zip/pyspark";
  const py4j = "/opt/spark/python/lib/py4j-0.10.9.9-src.zip/py4j/java_gateway.py";
  const head = `Traceback (most recent call last):
  File "/opt/spark/work-dir/jobs/orders.py", line 23, in <module>
    main()
  File "/opt/spark/work-dir/jobs/orders.py", line 7, in main`;
  const gateway = `  File "${py4j}", line 1362, in __call__
  File "${zip}/errors/exceptions/captured.py", line 262, in deco`;
  const [call, marks] = ['    spark.sql("select * from nowhere").show()', "    ^^^^^^^^^^^"];
  const sql = `  File "${zip}/sql/session.py", line 1934, in sql\n${gateway}`;
  const show = `  File "${zip}/sql/dataframe.py", line 945, in show
  File "${zip}/sql/dataframe.py", line 963, in _show_string\n${gateway}`;
  const name = "pyspark.errors.exceptions.captured.AnalysisException";
  const message = `${name}: [TABLE_OR_VIEW_NOT_FOUND] It cannot be found.`;
  for (const lines of [
    [head, call, sql, message],
    [head, call, marks, sql, message],
    [head, call, show, message],
    [head, call, marks, show, message],
  ]) {
    const text = [...lines, "To tolerate the error; line 1 pos 14;", "'Project [*]"].join("\n");
    assert.deepEqual(foundOfPython(text), [`jobs/orders.py:7 ${message}`], text);
  }
  const empty = [head, call, sql, "pyspark.errors.exceptions.captured.ParseException: "].join("\n");
  assert.deepEqual(foundOfPython(empty), [
    "jobs/orders.py:7 pyspark.errors.exceptions.captured.ParseException: ",
  ]);
});

test("skips frames of installed packages, also on Windows", () => {
  const traceOf = (path: string): string => `Traceback (most recent call last):
  File "C:\\jobs\\orders.py", line 7, in main
    spark.sql("select * from nowhere")
  File "${path}", line 262, in deco
ValueError: no`;
  for (const path of [
    String.raw`C:\jobs\env\Lib\site-packages\pyspark\errors\exceptions\captured.py`,
    "/usr/lib/python3/dist-packages/pyspark/errors/exceptions/captured.py",
    "/srv/env/lib/python3.11/site-packages/pyspark/errors/exceptions/captured.py",
  ]) {
    assert.deepEqual(
      foundOfPython(traceOf(path)),
      [String.raw`C:\jobs\orders.py:7 ValueError: no`],
      path,
    );
  }
});

test("a JVM stack trace reports the program's frames, not those of Spark", () => {
  const text = `java.lang.ArithmeticException: / by zero
\tat com.acme.Totals.of(Totals.java:7)
\tat org.apache.spark.rdd.RDD.map(RDD.scala:100)
\tat java.base/java.lang.Thread.run(Thread.java:840)
\tat com.acme.Orders$.main(Orders.scala:42)`;
  assert.deepEqual(found("spark-jvm", text), [
    "Totals.java:7 com.acme.Totals.of",
    "Orders.scala:42 com.acme.Orders$.main",
  ]);
});
