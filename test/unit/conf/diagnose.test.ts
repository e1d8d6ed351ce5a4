import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openConf } from "../../../src/editor/conf/door.ts";

const application = "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nspec:\n";

test("judges a program of 2,000 statements in several steps, with the same findings", () => {
  const text = 'conf.set("spark.executor.cores", "x")\n'.repeat(2_000);
  const help = openConf();
  const steps = help.diagnosing(text, "python", "4.3")[Symbol.iterator]();
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count += 1;
  assert.ok(count >= 4);
  assert.equal(step.value.length, 2_000);
  assert.deepEqual(step.value, help.diagnose(text, "python", "4.3"));
});

test("reports every setting of a repeated key but the last", () => {
  for (const surface of ["properties", "manifest"] as const) {
    const line =
      surface === "manifest" ? "    spark.executor.cores: 1\n" : "spark.executor.cores 1\n";
    const head = surface === "manifest" ? `${application}  sparkConf:\n` : "";
    const help = openConf();
    for (const lines of [2000, 2001, 1990]) {
      const found = help.diagnose(head + line.repeat(lines), surface, "4.3");
      const starts = found
        .filter(({ code }) => code === "R195-duplicate-key")
        .map(({ span }) => (span.start - head.length) % line.length);
      assert.equal(starts.length, lines - 1);
      assert.equal(new Set(starts).size, 1);
      assert.equal(new Set(found.map(({ related }) => related?.span.start)).size <= 2, true);
    }
  }
});

test("a chain of calls continues after comments and empty lines", () => {
  const found = openConf().diagnose(
    'val s = SparkSession.builder\n  // first\n\n  .config("spark.executor.cores", "1")\n' +
      '  .config("spark.executor.cores", "2")\n',
    "scala",
    "4.3",
  );
  assert.deepEqual(
    found.map(({ code }) => code),
    ["R195-duplicate-key"],
  );
});

test("skips a line of 100,000 characters and judges the lines around it", () => {
  const found = openConf().diagnose(
    `conf.set("spark.executor.cores", "x")\n${"{".repeat(100_000)}\nconf.set("spark.executor.memory", "y")\n`,
    "python",
    "4.3",
  );
  assert.equal(found.length, 2);
});

test("retains no earlier version of a text", () => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  assert.ok(typeof collect === "function");
  const heapAfter = (): number => {
    Reflect.apply(collect, undefined, []);
    return process.memoryUsage().heapUsed;
  };
  for (const [surface, line] of [
    ["properties", "spark.executorEnv.NAME"],
    ["manifest", "  spark.executorEnv.NAME: x #"],
    ["command", "--conf spark.executorEnv.NAME="],
    ["python", "conf.set('spark.executorEnv.NAME', 'x') #"],
  ] as const) {
    const text = Array.from({ length: 2_000 }, (_, index) => `${line}${index} x\n`).join("");
    const help = openConf();
    const type = (key: number): unknown =>
      help.diagnose(`sparkConf:\n${text}# ${key}\n`, surface, "4.3");
    for (let key = 0; key < 20; key += 1) type(key);
    const before = heapAfter();
    for (let key = 20; key < 220; key += 1) type(key);
    const kept = (heapAfter() - before) / text.length;
    assert.ok(kept < 60, `${surface}: as much as ${kept.toFixed(0)} of 200 texts is retained`);
  }
});
