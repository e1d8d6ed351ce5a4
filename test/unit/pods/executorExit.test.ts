import assert from "node:assert/strict";
import { test } from "node:test";
import { hasExecutorExited, wasKilledByTimeout } from "../../../src/spark/pods/executorExit.ts";
import { containerFixture, endedFixture, podFixture } from "./podFixture.ts";

const running = podFixture();

test("an executor has exited when its process has ended, even if its container restarts", () => {
  assert.equal(hasExecutorExited(running, running), false);
  assert.equal(
    hasExecutorExited(running, podFixture({ deletionTimestamp: "2026-01-02T03:09:00Z" })),
    false,
  );
  assert.equal(hasExecutorExited(running, podFixture({ containers: [endedFixture(0)] })), true);
  const again = podFixture({ containers: [containerFixture({ restartCount: 1 })] });
  assert.equal(hasExecutorExited(running, again), true);
  assert.equal(hasExecutorExited(again, again), false, "that was before it was told to");
});

test("an executor killed with exit code 137 did not finish its migration", () => {
  const killed = endedFixture(137);
  assert.equal(wasKilledByTimeout(running), false);
  assert.equal(wasKilledByTimeout(podFixture({ containers: [endedFixture(0)] })), false);
  assert.equal(wasKilledByTimeout(podFixture({ containers: [killed] })), true);
  const again = containerFixture({ restartCount: 1, lastState: killed.state });
  assert.equal(wasKilledByTimeout(podFixture({ containers: [again] })), true);
});
