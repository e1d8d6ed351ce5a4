import assert from "node:assert/strict";
import { test } from "node:test";
import { SilenceLimit } from "../../../src/storage/s3/silenceLimit.ts";
import { VirtualClock } from "../engine/virtualClock.ts";

test("a clock that is set back makes silence last one more time at most", async () => {
  const clock = new VirtualClock();
  let isSilent = false;
  const limit = new SilenceLimit(clock, 60_000, () => {
    isSilent = true;
  });
  await clock.advance(10_000);
  limit.heard();
  clock.setBack(600_000);
  await clock.advance(49_000);
  assert.equal(isSilent, false);
  await clock.advance(61_000);
  assert.equal(isSilent, true);
});
