import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  driverExitOf,
  endOfDriver,
  outcomeOfExitCode,
  type EndedDriver,
} from "../../../src/editor/profiles/runOutcome.ts";
import { requestedEndLabel } from "../../../src/spark/labels.ts";
import { displayState } from "../../../src/spark/pods/displayState.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { driverFixture, endedFixture } from "../pods/podFixture.ts";

describe("outcome of an exit code", () => {
  const cases = [
    [0, true, "succeeded"],
    [0, false, "submitted"],
    [undefined, true, "detached"],
    [130, true, "detached"],
    [143, true, "stopped"],
    [137, true, "failed"],
    [1, true, "failed"],
    [1, false, "failed"],
  ] as const;
  for (const [exitCode, follows, outcome] of cases) {
    test(`${exitCode ?? "none"}, ${follows ? "followed" : "not followed"}: ${outcome}`, () => {
      assert.equal(outcomeOfExitCode(exitCode, follows), outcome);
    });
  }
});

describe("exit of a driver", () => {
  const failed: EndedDriver = {
    phase: "failed",
    exitCode: 1,
    reason: "Error",
    isDeleted: false,
  };
  const check = (driver: EndedDriver | undefined, exitCode: number, outcome: string): void => {
    assert.deepEqual(driverExitOf(driver), { exitCode, outcome });
  };

  test("a succeeded driver exits with 0", () => {
    check({ ...failed, phase: "succeeded", exitCode: undefined }, 0, "succeeded");
  });
  test("a failed driver keeps its exit code", () => {
    check({ ...failed, exitCode: 3 }, 3, "failed");
  });
  test("a failed driver without an exit code exits with 1", () => {
    check({ ...failed, exitCode: undefined }, 1, "failed");
    check({ ...failed, exitCode: 0 }, 1, "failed");
  });
  test("a deleted pod counts as stopped", () => {
    check(undefined, 143, "stopped");
  });
  test("SIGTERM counts as stopped", () => {
    check({ ...failed, exitCode: 143 }, 143, "stopped");
  });
  test("SIGKILL counts as stopped only while the pod is being deleted", () => {
    check({ ...failed, exitCode: 137, isDeleted: true }, 137, "stopped");
    check({ ...failed, exitCode: 137 }, 137, "failed");
  });
  test("out of memory is a failure even while the pod is being deleted", () => {
    check({ ...failed, exitCode: 137, reason: "OOMKilled", isDeleted: true }, 137, "failed");
  });
});

describe("end of a driver pod", () => {
  const now = Date.parse("2026-01-02T04:00:00Z");
  const ended = (exitCode: number, fields: Partial<PodRecord>): unknown => {
    const containers = [endedFixture(exitCode, { name: "spark-kubernetes-driver" })];
    const pod = driverFixture({
      phase: exitCode === 0 ? "Succeeded" : "Failed",
      containers,
      ...fields,
    });
    const { outcome, exitCode: shown } = endOfDriver({ pod, state: displayState(pod) }, now);
    return [outcome, shown];
  };

  test("keeps the exit code of a driver that the user stopped", () => {
    const labels = { [requestedEndLabel]: "stopped" };
    assert.deepEqual(ended(137, { labels }), ["stopped", 137]);
    assert.deepEqual(ended(143, { labels }), ["stopped", 143]);
  });
  test("succeeded and failed drivers keep their outcomes", () => {
    assert.deepEqual(ended(0, {}), ["succeeded", 0]);
    assert.deepEqual(ended(3, {}), ["failed", 3]);
  });
  test("a driver whose end was not seen counts as stopped", () => {
    assert.deepEqual(ended(0, { phase: "Running", containers: [] }), ["stopped", 143]);
  });
  test("has the present as its time if the pod has none", () => {
    const pod = driverFixture({ phase: "Failed", containers: [] });
    assert.equal(endOfDriver({ pod, state: displayState(pod) }, now).endedAt, now);
  });
});
