import assert from "node:assert/strict";
import { test } from "node:test";
import {
  appNameLabelValue,
  driverServiceName,
  newApplicationId,
  resourceNamePrefix,
  uniqueId,
} from "../../../../src/spark/submit/conf/names.ts";

const id = "0011223344556677";

const rows: readonly (readonly [name: string, prefix: string, label: string])[] = [
  ["Spark Pi", `spark-pi-${id}`, "spark-pi"],
  ["  My_App--Test!! ", `my-app-test-${id}`, "my-app-test"],
  ["123abc", `x23abc-${id}`, "123abc"],
  ["9", `x-${id}`, "9"],
  ["-lead", `lead-${id}`, "lead"],
  ["spark.pi.v1", `spark-pi-v1-${id}`, "spark-pi-v1"],
  ["ÄÖ x", `x-${id}`, "x"],
  ["数据 job", `job-${id}`, "job"],
  ["ı İ K", `i-k-${id}`, "i-k"],
  ["1-2-3", `x-2-3-${id}`, "1-2-3"],
  ["--x--", `x-${id}`, "x"],
  ["!!!", "x011223344556677", ""],
  ["😀", "x011223344556677", ""],
  ["", "x011223344556677", ""],
  ["A".repeat(70), `${"a".repeat(70)}-${id}`, "a".repeat(63)],
  [
    "org.apache.spark.examples.SparkPi",
    `org-apache-spark-examples-sparkpi-${id}`,
    "org-apache-spark-examples-sparkpi",
  ],
];

for (const [name, prefix, label] of rows) {
  test(`the application "${name.slice(0, 40)}" has Spark's name`, () => {
    assert.equal(resourceNamePrefix(name, id), prefix);
    assert.equal(appNameLabelValue(name), label);
  });
}

test("replaces Service names longer than 35 letters plus suffix", () => {
  const service = (length: number): string =>
    driverServiceName(resourceNamePrefix("a".repeat(length), id), "f00");
  assert.equal(service(35), `${"a".repeat(35)}-${id}-driver-svc`);
  assert.equal(service(36), "spark-f00-driver-svc");
});

test("makes an id of six random hex digits and 40 bits of time", () => {
  const bytes = (count: number): Uint8Array => new Uint8Array(count).fill(0xab);
  assert.equal(uniqueId(bytes, 0x19a_0000_0001), "ababab9a00000001");
  assert.equal(uniqueId(bytes, 2 ** 40 + 5), "ababab5");
});

test("makes an application id of a version 4 UUID without dashes", () => {
  const bytes = (count: number): Uint8Array => new Uint8Array(count).fill(0xff);
  assert.equal(newApplicationId(bytes), `spark-ffffffffffff4fffbf${"f".repeat(14)}`);
});
