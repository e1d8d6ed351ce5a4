import assert from "node:assert/strict";
import { test } from "node:test";
import { actOnEach } from "../../../src/engine/actOnEach.ts";
import { VirtualClock } from "./virtualClock.ts";

async function within<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  await clock.advance(1000);
  return work;
}

const never = new AbortController().signal;

test("items are acted on in order, ten a second at most, and each has its result", async () => {
  const clock = new VirtualClock();
  const times: number[] = [];
  const done: number[] = [];
  const results = await within(
    clock,
    actOnEach(
      ["a", "b", "c"],
      (item) => {
        times.push(clock.now());
        return Promise.resolve(item.toUpperCase());
      },
      { clock, acted: (count) => done.push(count), isHopeless: () => false },
      never,
    ),
  );
  assert.deepEqual(results, ["A", "B", "C"]);
  assert.deepEqual(
    times.map((time) => time - (times[0] ?? 0)),
    [0, 100, 200],
  );
  assert.deepEqual(done, [1, 2, 3]);
});

test("after a hopeless result nothing more is tried", async () => {
  const clock = new VirtualClock();
  const results = await within(
    clock,
    actOnEach(
      [1, 2, 3],
      (item) => Promise.resolve(item),
      { clock, acted: () => undefined, isHopeless: (result) => result === 2 },
      never,
    ),
  );
  assert.deepEqual(results, [1, 2, undefined]);
});

test("cancelled, it lets the item under way end and leaves the others alone", async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const results = await within(
    clock,
    actOnEach(
      [1, 2, 3],
      (item) => {
        if (item === 2) stop.abort();
        return Promise.resolve(item);
      },
      { clock, acted: () => undefined, isHopeless: () => false },
      stop.signal,
    ),
  );
  assert.deepEqual(results, [1, 2, undefined]);
});
