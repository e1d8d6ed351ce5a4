import assert from "node:assert/strict";
import { test } from "node:test";
import { Backoff } from "../../../src/engine/watch/backoff.ts";
import { Interruption } from "../../../src/engine/watch/interruption.ts";
import { isAbort } from "../../../src/base/isAbort.ts";
import { start } from "../../../src/engine/running.ts";
import { withinTime } from "../../../src/engine/withinTime.ts";
import { VirtualClock } from "./virtualClock.ts";

test("done resolves after an abort and rejects after a bug", async () => {
  const clock = new VirtualClock();
  const waiting = start((signal) => clock.sleep(1_000, signal));
  waiting.dispose();
  await waiting.done;
  const mistaken = start(() => Promise.reject(new Error("mistake")));
  await assert.rejects(mistaken.done, /mistake/);
});

test("an interruption cancels the part and not the whole", async () => {
  const clock = new VirtualClock();
  const whole = new AbortController();
  const attention = new Interruption();
  const first = attention.run((signal) => clock.sleep(1_000, signal), whole.signal);
  attention.interrupt();
  assert.equal(await first, undefined);
  assert.equal(await attention.run(() => Promise.resolve("done"), whole.signal), "done");
  const second = attention.run((signal) => clock.sleep(1_000, signal), whole.signal);
  whole.abort();
  await assert.rejects(second, isAbort);
  assert.equal(clock.pending, 0);
});

test("an abort of the whole wins over an interruption of the part", async () => {
  const clock = new VirtualClock();
  const whole = new AbortController();
  const attention = new Interruption();
  const part = attention.run((signal) => clock.sleep(1_000, signal), whole.signal);
  attention.interrupt();
  whole.abort();
  await assert.rejects(part, isAbort);
});

test("an interruption passes other errors through", async () => {
  const attention = new Interruption();
  const failing = attention.run(() => {
    attention.interrupt();
    return Promise.reject(new Error("mistake"));
  }, new AbortController().signal);
  await assert.rejects(failing, /mistake/);
});

test("back-off starts over after two minutes without a failure", () => {
  const backoff = new Backoff(() => 0);
  assert.deepEqual(
    [backoff.next(0), backoff.next(1_000), backoff.next(2_000)],
    [800, 1_600, 3_200],
  );
  assert.equal(backoff.next(122_001), 800);
});

test("jitter adds up to a sixth, so that the longest wait stays acceptable", () => {
  const backoff = new Backoff(() => 1);
  assert.equal(Math.round(backoff.next(0)), 933);
  const waits = Array.from({ length: 9 }, () => backoff.next(1));
  assert.equal(Math.max(...waits), 35_000);
});

test("work within a time limit returns its result, and undefined after the limit", async () => {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const limit = { clock, ms: 1_000 };
  assert.equal(await withinTime(() => Promise.resolve("done"), limit, signal), "done");
  assert.equal(clock.pending, 0);
  const slow = withinTime((soon) => clock.sleep(5_000, soon), limit, signal);
  await clock.advance(999);
  assert.equal(clock.pending, 2);
  await clock.advance(1);
  assert.equal(await slow, undefined);
  assert.equal(clock.pending, 0);
});

test("work within a time limit rejects after an abort, and passes errors on", async () => {
  const clock = new VirtualClock();
  const whole = new AbortController();
  const limit = { clock, ms: 1_000 };
  const mistake = withinTime(() => Promise.reject(new Error("mistake")), limit, whole.signal);
  await assert.rejects(mistake, /mistake/);
  const slow = withinTime((soon) => clock.sleep(5_000, soon), limit, whole.signal);
  whole.abort();
  await assert.rejects(slow, isAbort);
  assert.equal(clock.pending, 0);
});
