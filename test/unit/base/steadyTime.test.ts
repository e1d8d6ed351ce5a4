import assert from "node:assert/strict";
import { test } from "node:test";
import { steadyTime } from "../../../src/base/steadyTime.ts";

test("time stands still when the clock is set back, then continues", () => {
  let wall = 600_000;
  const time = steadyTime({ now: () => wall });
  const began = time();
  wall += 1_000;
  assert.equal(time() - began, 1_000);
  wall -= 500_000;
  assert.equal(time() - began, 1_000);
  wall += 2_000;
  assert.equal(time() - began, 3_000);
  wall += 500_000;
  assert.equal(time() - began, 503_000);
});
