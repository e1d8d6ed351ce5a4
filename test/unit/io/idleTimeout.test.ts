import assert from "node:assert/strict";
import { test } from "node:test";
import { IdleTimeout } from "../../../src/io/idleTimeout.ts";
import { VirtualClock } from "../engine/virtualClock.ts";

test("detects silence within one more limit when the clock is set back", async () => {
  const clock = new VirtualClock();
  let isSilent = false;
  const limit = new IdleTimeout(clock, 60_000, () => {
    isSilent = true;
  });
  await clock.advance(10_000);
  limit.wait();
  clock.setBack(600_000);
  await clock.advance(49_000);
  assert.equal(isSilent, false);
  await clock.advance(61_000);
  assert.equal(isSilent, true);
});
