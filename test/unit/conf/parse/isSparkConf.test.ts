import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isSparkConf } from "../../../../src/spark/conf/parse/isSparkConf.ts";
import { cpuTime } from "../../../linearTime.ts";

describe("a file under any name", () => {
  for (const [name, text] of [
    ["settings with spaces", "spark.executor.memory   4g\nspark.app.name etl\n"],
    ["settings with signs", "spark.executor.memory=4g\nspark.app.name : etl"],
    ["a single setting", "spark.eventLog.enabled true"],
    ["a header before the settings", `${"# License\n".repeat(40)}\n\nspark.app.name=etl\n`],
    ["Windows line ends", "spark.app.name=etl\r\nspark.executor.cores=2\r\n"],
    [
      "a continued value that has other names",
      "spark.driver.extraJavaOptions -Da=b \\\n  -Dc=d \\\n  -De=f \\\n  -Dg=h\n",
    ],
    ["as many other settings", "spark.app.name=etl\nhive.metastore.uris=thrift://a\n"],
  ] as const) {
    test(`is Spark conf with ${name}`, () => {
      assert.equal(isSparkConf(text), true);
    });
  }

  for (const [name, text] of [
    ["nothing", ""],
    ["comments only", "# spark.executor.memory 4g\n! spark.app.name etl\n"],
    ["other settings", "server.port=8080\nlogging.level=INFO\n"],
    ["one setting of Spark among many", "a=1\nb=2\nc=3\nspark.app.name=etl\n"],
    ["loggers with the name of Spark", "logger.spark.name = org.apache.spark\n"],
    ["the sections of an INI file", "[spark]\nmaster=local\n"],
    ["keys that only begin like Spark's", "sparkle.color=red\nspark-mode=on\nspark=yes\n"],
    ["keys without a value", "spark.executor.memory\nspark.app.name\n"],
    [
      "prose about settings",
      "Notes on tuning.\nspark.executor.memory is the heap.\nRaise it slowly.\nThen measure.\n",
    ],
    ["settings far below", `${"a=1\n".repeat(100)}${"spark.app.name=etl\n".repeat(200)}`],
  ] as const) {
    test(`is not with ${name}`, () => {
      assert.equal(isSparkConf(text), false);
    });
  }

  test("is judged by its first lines, however long they are", () => {
    const start = cpuTime();
    assert.equal(isSparkConf(`spark.a ${"\\".repeat(1_000_000)}`), true);
    assert.equal(isSparkConf("a".repeat(5_000_000)), false);
    assert.equal(isSparkConf(`spark${".a".repeat(500_000)}`), false);
    assert.ok(cpuTime() - start < 200, "it took too long");
  });
});
