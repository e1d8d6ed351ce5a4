import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { settingProblems, silencer } from "../../../src/spark/conf/lint/settingProblems.ts";

const known = [
  ["spark.executor.memory", "2g"],
  ["spark.kubernetes.driver.label.team", "etl"],
  ["spark.acme.region", "north"],
] as const;

test("names the keys that a Spark version does not know, with similar keys", () => {
  const unknown = [
    ["spark.executor.memroy", "2g"],
    ["spark.kubernetes.unheard", "1"],
  ] as const;
  const found = settingProblems([...known, ...unknown], "4.3");
  assert.deepEqual(
    found.map(({ message, isUnknown }) => [isUnknown, inEnglish(message)]),
    [
      [
        true,
        'Spark 4.3 does not know "spark.executor.memroy". Did you mean "spark.executor.memory"?',
      ],
      [true, 'Spark 4.3 does not know "spark.kubernetes.unheard".'],
    ],
  );
  assert.deepEqual(settingProblems(known, "3.3"), []);
});

test("names the values that a Spark version rejects", () => {
  const found = settingProblems(
    [
      ...known,
      ["spark.decommission.enabled", "yes"],
      ["spark.driver.memory", "${MEMORY}"],
      ["spark.task.cpus", "two"],
    ],
    "4.3",
  );
  assert.deepEqual(
    found.map(({ key, code, isUnknown }) => [key, code, isUnknown]),
    [
      ["spark.decommission.enabled", "bad-boolean", false],
      ["spark.task.cpus", "bad-number", false],
    ],
  );
});

test("is silenced by the setting, or by a comment of the file", () => {
  const off = new Map([["unknown-key", "off"] as const]);
  const none = new Map<string, "off">();
  const text = "# spark-k8s-next: unknown-key=off\nspark.a.b 1\nspark.c.d 2\n";
  const problem = { code: "unknown-key", isUnknown: true } as const;
  const [first, second] = [
    { ...problem, key: "spark.a.b" },
    { ...problem, key: "spark.c.d" },
  ];
  assert.equal(silencer("", off)(first), true);
  assert.equal(silencer("", none)(first), false);
  assert.equal(silencer(text, none)(first), true);
  assert.equal(silencer(text, none)(second), false);
  assert.equal(silencer(`# spark-k8s: all=off\n${text}`, none)(second), true);
  const value = { ...first, code: "bad-boolean", isUnknown: false } as const;
  assert.equal(silencer(text, none)(value), false);
});
