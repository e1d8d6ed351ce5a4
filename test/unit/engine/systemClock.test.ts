import assert from "node:assert/strict";
import { test } from "node:test";
import { isAbort } from "../../../src/engine/running.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";

test("a sleep takes its time", async () => {
  const began = systemClock.now();
  await systemClock.sleep(20, new AbortController().signal);
  assert.ok(systemClock.now() - began >= 18);
});

test("an abort ends a sleep at once, with an AbortError, whatever the reason was", async () => {
  for (const reason of [undefined, "a word"]) {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await assert.rejects(sleeping, isAbort);
  }
});

test("an aborted signal lets no sleep begin", async () => {
  await assert.rejects(systemClock.sleep(60_000, AbortSignal.abort()), isAbort);
});
