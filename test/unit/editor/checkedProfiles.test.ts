import assert from "node:assert/strict";
import { test } from "node:test";
import { checkedProfilesOf } from "../../../src/editor/describe/checkedProfiles.ts";
import { taskType } from "../../../src/editor/ids.ts";

const profile = (members: object): string =>
  JSON.stringify({
    version: "2.0.0",
    tasks: [{ type: taskType, label: "etl", application: "local:///a.py", ...members }],
  });

test("sums the pods of a run profile, as many executors as it sets", () => {
  const [one] = checkedProfilesOf(
    profile({
      image: "spark:latest",
      sparkVersion: "3.5",
      conf: { "spark.executor.instances": "7", "spark.executor.memory": "3g" },
    }),
    "unnamed",
  );
  assert.deepEqual([one?.name, one?.minor], ["etl", "3.5"]);
  assert.deepEqual(
    one?.pods.map(({ role }) => role),
    ["driver", "executor"],
  );
  assert.match(JSON.stringify(one.pods[1]), /"count":7/);
});

test("assumes two executors, and no number with dynamic allocation or an invalid one", () => {
  const countOf = (conf: object): unknown =>
    checkedProfilesOf(profile({ image: "spark:4.0.1", conf }), "unnamed")[0]?.pods.map((pod) =>
      "count" in pod ? pod.count : "driver",
    );
  assert.deepEqual(countOf({}), ["driver", 2]);
  assert.deepEqual(
    countOf({ "spark.dynamicAllocation.enabled": "true", "spark.executor.instances": "3" }),
    ["driver", undefined],
  );
  assert.deepEqual(countOf({ "spark.executor.instances": "many" }), ["driver", undefined]);
});

test("names a profile without a label, whose Spark version is unknown", () => {
  const text = profile({ label: undefined, image: "spark:latest" });
  assert.deepEqual(
    checkedProfilesOf(text, "unnamed").map(({ name, minor }) => [name, minor]),
    [["unnamed", undefined]],
  );
});
