import assert from "node:assert/strict";
import { test } from "node:test";
import { base, conf, errorsOf, memoryOf, planOf, propertiesOf, withOptions } from "../prepared.ts";

const jvm = "local:///opt/a.jar";
const python = "local:///opt/a.py";
const r = "local:///opt/a.R";
const factor = "spark.kubernetes.memoryOverheadFactor";
const driverFactor = "spark.driver.memoryOverheadFactor";

const rows: readonly (readonly [
  resource: string,
  memory: string,
  conf: readonly string[],
  sum: string,
])[] = [
  [jvm, "1g", [], "1408Mi"],
  [python, "1g", [], "1433Mi"],
  [jvm, "512m", [], "896Mi"],
  [jvm, "8g", [], "9011Mi"],
  [jvm, "4g", [`${factor}=0.25`], "5120Mi"],
  [jvm, "4g", [`${driverFactor}=0.25`], "5120Mi"],
  [jvm, "4g", ["spark.driver.memoryOverhead=512"], "4608Mi"],
  [python, "4g", [`${driverFactor}=0.1`], "4505Mi"],
  [python, "1g", [`${factor}=0.1`], "1408Mi"],
  [jvm, "1g", ["spark.driver.minMemoryOverhead=200m"], "1224Mi"],
  [jvm, "1g", ["spark.driver.memoryOverhead=0"], "1024Mi"],
  [jvm, "100g", [], "112640Mi"],
  [jvm, "1t", [], "1153433Mi"],
  [python, "256m", [], "640Mi"],
  [r, "2g", [], "2867Mi"],
  [python, "3g", [`${factor}=0.2`, `${driverFactor}=0.3`], "3993Mi"],
  [jvm, "512k", [], "384Mi"],
  [jvm, "2048", [], "2432Mi"],
  // As in Java, a fraction is capped at the int range, and a sum overflows.
  [jvm, "2097151t", [], "2201169690623Mi"],
  [jvm, "9223372036854775807", [], "-9223372034707292162Mi"],
  [jvm, "1g", [`${driverFactor}=Infinity`], "2147484671Mi"],
];

for (const [resource, memory, pairs, sum] of rows) {
  test(`${resource} with ${[memory, ...pairs].join(" ")} requests ${sum}`, () => {
    const plan = planOf([...base, "--driver-memory", memory, ...conf(...pairs), resource]);
    assert.equal(memoryOf(plan), sum);
  });
}

test("sets the default factor for executors, not the driver's", () => {
  const pairs = conf(`${factor}=0.2`, `${driverFactor}=0.3`);
  assert.equal(propertiesOf(planOf([...base, ...pairs, python])).get(factor), "0.2");
  assert.equal(propertiesOf(planOf([...base, python])).get(factor), "0.4");
  assert.equal(propertiesOf(planOf(withOptions(...conf(`${factor}=1e-3`)))).get(factor), "0.001");
  assert.equal(propertiesOf(planOf(withOptions(...conf(`${factor}=1`)))).get(factor), "1.0");
});

test("uses a fixed minimum overhead before Spark 4.0", () => {
  const tokens = withOptions(...conf("spark.driver.minMemoryOverhead=200m"));
  assert.equal(memoryOf(planOf(tokens, { version: "3.5.9" })), "1408Mi");
});

test("accepts binary unit names from Spark 4.2 on", () => {
  const tokens = withOptions("--driver-memory", "512Mi");
  assert.equal(memoryOf(planOf(tokens)), "896Mi");
  assert.deepEqual(errorsOf(tokens, { version: "4.1.4" }), ["E-09"]);
});

test("rejects invalid and non-positive sizes", () => {
  for (const memory of ["1.5g", "0", "-1g", "abc", "1 g"]) {
    assert.deepEqual(errorsOf(withOptions("--driver-memory", memory)), ["E-09"], memory);
  }
  assert.deepEqual(errorsOf(withOptions(...conf(`${driverFactor}=0`))), ["E-50"]);
  assert.deepEqual(errorsOf(withOptions(...conf(`${factor}=-1`))), ["E-50"]);
});
