import assert from "node:assert/strict";
import { test } from "node:test";
import { isAbort } from "../../../src/base/isAbort.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";

test("sleep resolves after its time", async () => {
  const began = systemClock.now();
  await systemClock.sleep(20, new AbortController().signal);
  assert.ok(systemClock.now() - began >= 18);
});

test("sleep rejects with an AbortError at once on abort, for any reason", async () => {
  for (const reason of [undefined, "a word"]) {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await assert.rejects(sleeping, isAbort);
  }
});

test("sleep does not start with an aborted signal", async () => {
  await assert.rejects(systemClock.sleep(60_000, AbortSignal.abort()), isAbort);
});
