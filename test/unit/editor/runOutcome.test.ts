import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  driverExitOf,
  outcomeOfExitCode,
  type EndedDriver,
} from "../../../src/editor/profiles/runOutcome.ts";

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
