import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LatestRun } from "../../../../src/engine/submit/latestRun.ts";
import { VirtualClock } from "../virtualClock.ts";

/** Creates a run that takes 1 s to start and 1 s to remove. */
function rig(isRemoved = true) {
  const clock = new VirtualClock();
  const told: string[] = [];
  let runs = 0;
  const latest = new LatestRun(
    {
      clock,
      quietMs: 500,
      start: async () => {
        runs += 1;
        const run = runs;
        told.push(`start ${run}`);
        await clock.sleep(1_000, new AbortController().signal);
        return {
          remove: async (signal) => {
            told.push(`remove ${run}`);
            await clock.sleep(1_000, signal);
            if (isRemoved) told.push(`removed ${run}`);
            return isRemoved;
          },
        };
      },
    },
    (error) => {
      throw error;
    },
  );
  return { clock, told, latest };
}

describe("the latest run", () => {
  test("starts at once, and again 500 ms after the last of several saves", async () => {
    const { clock, told, latest } = rig();
    latest.begin();
    await clock.advance(1_000);
    assert.deepEqual(told, ["start 1"]);
    latest.ask();
    await clock.advance(400);
    latest.ask();
    await clock.advance(400);
    assert.deepEqual(told, ["start 1"]);
    await clock.advance(100);
    assert.deepEqual(told, ["start 1", "remove 1"]);
    await clock.advance(1_000);
    assert.deepEqual(told, ["start 1", "remove 1", "removed 1", "start 2"]);
    await clock.advance(1_000);
    assert.equal(clock.pending, 0);
  });

  test("starts one run after several saves during a removal", async () => {
    const { clock, told, latest } = rig();
    latest.begin();
    await clock.advance(1_000);
    latest.ask();
    await clock.advance(900);
    latest.ask();
    await clock.advance(300);
    latest.ask();
    await clock.advance(10_000);
    assert.deepEqual(told, ["start 1", "remove 1", "removed 1", "start 2"]);
  });

  test("replaces a run whose files were saved while it started", async () => {
    const { clock, told, latest } = rig();
    latest.begin();
    await clock.advance(100);
    latest.ask();
    await clock.advance(10_000);
    assert.deepEqual(told, ["start 1", "remove 1", "removed 1", "start 2"]);
  });

  test("starts nothing beside a run that cannot be removed, and tries again with the next save", async () => {
    const { clock, told, latest } = rig(false);
    latest.begin();
    await clock.advance(1_000);
    latest.ask();
    await clock.advance(10_000);
    assert.deepEqual(told, ["start 1", "remove 1"]);
    latest.ask();
    await clock.advance(10_000);
    assert.deepEqual(told, ["start 1", "remove 1", "remove 1"]);
  });

  test("starts nothing after it was switched off", async () => {
    const { clock, told, latest } = rig();
    latest.begin();
    await clock.advance(1_000);
    latest.ask();
    await clock.advance(200);
    latest.dispose();
    latest.ask();
    await clock.advance(10_000);
    assert.deepEqual(told, ["start 1"]);
    assert.equal(clock.pending, 0);
  });
});
