import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "../../../../src/base/json.ts";
import {
  containerStateLines,
  podStateLines,
} from "../../../../src/spark/submit/plan/podStateText.ts";

const container = (state: JsonObject): readonly string[] =>
  containerStateLines({ status: { containerStatuses: [{ name: "main", image: "i", state }] } }, 1);

describe("the state of a pod as spark-submit prints it", () => {
  test("has all its fields", () => {
    assert.deepEqual(
      podStateLines({
        metadata: {
          ...{ name: "etl", namespace: "dev", uid: "u", creationTimestamp: "t0" },
          labels: { a: "1", b: "2" },
        },
        spec: {
          serviceAccountName: "spark",
          volumes: [{ name: "v" }, { name: "w" }],
          nodeName: "n",
        },
        status: {
          ...{ startTime: "t1", phase: "Running" },
          containerStatuses: [
            { name: "main", image: "i", state: { running: { startedAt: "t2" } } },
          ],
        },
      }),
      [
        ...["\t pod name: etl", "\t namespace: dev", "\t labels: a -> 1, b -> 2", "\t pod uid: u"],
        ...["\t creation time: t0", "\t service account name: spark", "\t volumes: v, w"],
        ...["\t node name: n", "\t start time: t1", "\t phase: Running", "\t container status: "],
        ...["\t\t container name: main", "\t\t container image: i"],
        ...["\t\t container state: running", "\t\t container started at: t2"],
      ],
    );
  });

  test("has N/A in the place of absent fields", () => {
    const lines = podStateLines({});
    assert.equal(lines.length, 11);
    for (const line of lines) assert.match(line, /^\t [a-z ]+: N\/A$/);
    assert.equal(lines.at(-1), "\t container status: N/A");
  });
});

describe("the state of a container as spark-submit prints it", () => {
  const head = ["\t container name: main", "\t container image: i"];

  test("says that it is running, waiting or terminated", () => {
    assert.deepEqual(container({ waiting: { reason: "ErrImagePull" } }), [
      ...head,
      ...["\t container state: waiting", "\t pending reason: ErrImagePull"],
    ]);
    const terminated = { startedAt: "a", finishedAt: "b", exitCode: 0, reason: "Completed" };
    assert.deepEqual(container({ terminated }), [
      ...head,
      ...["\t container state: terminated", "\t container started at: a"],
      ...["\t container finished at: b", "\t exit code: 0", "\t termination reason: Completed"],
    ]);
    assert.deepEqual(container({}), [...head, "\t container state: N/A"]);
  });

  test("is separated from the next by an empty line", () => {
    const one = { name: "a", image: "i", state: {} };
    const lines = containerStateLines({ status: { containerStatuses: [one, one] } }, 2);
    assert.deepEqual(
      lines.map((line) => line === ""),
      [false, false, false, true, false, false, false],
    );
    assert.ok(lines[0]?.startsWith("\t\t container name"));
  });
});
