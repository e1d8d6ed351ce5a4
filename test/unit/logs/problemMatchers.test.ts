// What the manifest offers for tasks, tried on traces as programs print them.
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

/** As the editor does it: consecutive lines, one for each pattern. */
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

test("a trace of Python gives its last place and its exception", () => {
  const text = `Traceback (most recent call last):
  File "/opt/spark/work-dir/jobs/orders.py", line 10, in <module>
    print(share(1, 0))
  File "/opt/spark/work-dir/jobs/orders.py", line 7, in share
    return part / whole
ZeroDivisionError: division by zero`;
  assert.deepEqual(found("spark-python", text), [
    "orders.py:7 ZeroDivisionError: division by zero",
  ]);
});

test("a trace of the JVM gives the program's own lines, not those of Spark", () => {
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
