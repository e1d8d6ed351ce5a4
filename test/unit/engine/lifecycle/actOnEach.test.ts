import assert from "node:assert/strict";
import { test } from "node:test";
import { actOnEach } from "../../../../src/engine/lifecycle/actOnEach.ts";
import { VirtualClock } from "../virtualClock.ts";

async function within<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  await clock.advance(1000);
  return work;
}

const never = new AbortController().signal;
const unanswered = -1;

/** Simulates a request: it takes 50 ms, and fails when its signal aborts. */
async function request<T>(clock: VirtualClock, item: T, signal: AbortSignal): Promise<T> {
  await clock.sleep(50, signal);
  return item;
}

test("acts on items in order, at most ten a second, with a result for each", async () => {
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
      { clock, acted: (count) => done.push(count), isHopeless: () => false, unanswered: "" },
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

test("tries nothing after a hopeless result", async () => {
  const clock = new VirtualClock();
  const results = await within(
    clock,
    actOnEach(
      [1, 2, 3],
      (item) => Promise.resolve(item),
      { clock, acted: () => undefined, isHopeless: (result) => result === 2, unanswered: -1 },
      never,
    ),
  );
  assert.deepEqual(results, [1, 2, undefined]);
});

test("on cancel the running item completes and the rest is not tried", async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const results = await within(
    clock,
    actOnEach(
      [1, 2, 3],
      async (item, deadline) => {
        if (item === 2) stop.abort();
        return request(clock, item, deadline);
      },
      { clock, acted: () => undefined, isHopeless: () => false, unanswered },
      stop.signal,
    ),
  );
  assert.deepEqual(results, [1, 2, undefined]);
});

test("a closed connection keeps earlier results, and nothing more is tried", async () => {
  const clock = new VirtualClock();
  const connection = new AbortController();
  const results = await within(
    clock,
    actOnEach(
      [1, 2, 3],
      async (item) => {
        const answer = request(clock, item, connection.signal);
        if (item === 2) connection.abort();
        return answer;
      },
      { clock, acted: () => undefined, isHopeless: () => false, unanswered },
      never,
    ),
  );
  assert.deepEqual(results, [1, unanswered, undefined]);
});

test("a bug does not count as a missing answer", async () => {
  const pace = { acted: () => undefined, isHopeless: () => false, unanswered };
  const mistaken = actOnEach(
    [1],
    () => Promise.reject(new TypeError("a mistake")),
    { clock: new VirtualClock(), ...pace },
    never,
  );
  await assert.rejects(mistaken, TypeError);
});
