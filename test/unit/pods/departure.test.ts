import assert from "node:assert/strict";
import { test } from "node:test";
import { hasLeft, wasCutShort } from "../../../src/spark/pods/departure.ts";
import { containerFixture, endedFixture, podFixture } from "./podFixture.ts";

const running = podFixture();

test("an executor has left when its process has ended, also where its container starts again", () => {
  assert.equal(hasLeft(running, running), false);
  assert.equal(hasLeft(running, podFixture({ deletionTimestamp: "2026-01-02T03:09:00Z" })), false);
  assert.equal(hasLeft(running, podFixture({ containers: [endedFixture(0)] })), true);
  const again = podFixture({ containers: [containerFixture({ restartCount: 1 })] });
  assert.equal(hasLeft(running, again), true);
  assert.equal(hasLeft(again, again), false, "that was before it was told to");
});

test("who was ended by force did not hand over everything", () => {
  const killed = endedFixture(137);
  assert.equal(wasCutShort(running), false);
  assert.equal(wasCutShort(podFixture({ containers: [endedFixture(0)] })), false);
  assert.equal(wasCutShort(podFixture({ containers: [killed] })), true);
  const again = containerFixture({ restartCount: 1, lastState: killed.state });
  assert.equal(wasCutShort(podFixture({ containers: [again] })), true);
});
