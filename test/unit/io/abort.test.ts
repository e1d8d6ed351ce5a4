import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  abortError,
  ignoreAbort,
  linkSignals,
  onAbort,
  throwIfAborted,
  waitFor,
} from "../../../src/io/abort.ts";
import { deadline } from "../../../src/io/deadline.ts";
import { IdleTimeout } from "../../../src/io/idleTimeout.ts";
import { VirtualClock } from "../engine/virtualClock.ts";

/** Returns a function that counts its calls. */
function counter() {
  let count = 0;
  return { add: () => void (count += 1), count: () => count };
}

describe("an abort", () => {
  test("is an AbortError for any reason of the signal", () => {
    assert.equal(abortError().name, "AbortError");
    const controller = new AbortController();
    throwIfAborted(controller.signal);
    controller.abort(new Error("mine"));
    assert.throws(() => {
      throwIfAborted(controller.signal);
    }, abortError());
  });

  test("is ignored, other errors are not", () => {
    ignoreAbort(abortError());
    const other = new Error("other");
    assert.throws(() => {
      ignoreAbort(other);
    }, other);
  });

  test("calls a listener once, at once if it has happened, and not after disposal", () => {
    const controller = new AbortController();
    const [kept, disposed, late] = [counter(), counter(), counter()];
    onAbort(controller.signal, kept.add);
    onAbort(controller.signal, disposed.add).dispose();
    controller.abort();
    controller.signal.dispatchEvent(new Event("abort"));
    onAbort(controller.signal, late.add).dispose();
    assert.deepEqual([kept.count(), disposed.count(), late.count()], [1, 0, 1]);
  });

  test("of any linked signal aborts the link, until it is disposed", () => {
    const [first, second, third] = [1, 2, 3].map(() => new AbortController());
    assert.ok(first && second && third);
    const link = linkSignals(first.signal, second.signal);
    const detached = linkSignals(second.signal, third.signal);
    detached.dispose();
    assert.equal(link.signal.aborted, false);
    second.abort();
    assert.equal(link.signal.aborted, true);
    assert.equal(detached.signal.aborted, false);
    assert.equal(linkSignals(first.signal, second.signal).signal.aborted, true);
  });

  test("ends a wait, but not the promise", async () => {
    const controller = new AbortController();
    let resolve: (value: number) => void = () => undefined;
    const promise = new Promise<number>((done) => {
      resolve = done;
    });
    const waits = [
      waitFor(promise, controller.signal),
      waitFor(promise, new AbortController().signal),
    ] as const;
    controller.abort();
    await assert.rejects(waits[0], abortError());
    resolve(7);
    assert.equal(await waits[1], 7);
    const endless = new Promise<never>(() => undefined);
    await assert.rejects(waitFor(endless, controller.signal), abortError());
    const failed = Promise.reject(new Error("no"));
    await assert.rejects(waitFor(failed, new AbortController().signal), /^Error: no$/);
  });
});

test("a deadline is called after its time, unless it is disposed", async () => {
  const clock = new VirtualClock();
  const [due, disposed] = [counter(), counter()];
  deadline(clock, 1000, due.add);
  deadline(clock, 1000, disposed.add).dispose();
  await clock.advance(999);
  assert.equal(due.count(), 0);
  await clock.advance(1);
  assert.deepEqual([due.count(), disposed.count(), clock.pending], [1, 0, 0]);
});

describe("an idle timeout", () => {
  function start() {
    const clock = new VirtualClock();
    const silent = counter();
    return { clock, silent, limit: new IdleTimeout(clock, 6000, silent.add) };
  }

  test("is called once after its limit of waiting", async () => {
    const { clock, silent, limit } = start();
    limit.wait();
    await clock.advance(5999);
    assert.equal(silent.count(), 0);
    await clock.advance(1);
    assert.equal(silent.count(), 1);
    assert.equal(clock.pending, 0);
  });

  test("counts from the wait, not from the last check", async () => {
    const { clock, silent, limit } = start();
    await clock.advance(500);
    limit.wait();
    await clock.advance(5999);
    assert.equal(silent.count(), 0);
    await clock.advance(1);
    assert.equal(silent.count(), 1);
  });

  test("starts again with each wait", async () => {
    const { clock, silent, limit } = start();
    for (let count = 0; count < 5; count += 1) {
      limit.wait();
      await clock.advance(4000);
    }
    assert.equal(silent.count(), 0);
    await clock.advance(2000);
    assert.equal(silent.count(), 1);
  });

  test("does not count before a wait, nor while it is paused", async () => {
    const { clock, silent, limit } = start();
    await clock.advance(20_000);
    limit.wait();
    await clock.advance(3000);
    limit.pause();
    await clock.advance(20_000);
    assert.equal(silent.count(), 0);
    limit.wait();
    await clock.advance(5000);
    assert.equal(silent.count(), 0);
    await clock.advance(1000);
    assert.equal(silent.count(), 1);
  });

  test("counts at most a sixth of the limit for a sleep of the machine", async () => {
    const { clock, silent, limit } = start();
    limit.wait();
    clock.sleepThrough(60_000);
    await clock.advance(4999);
    assert.equal(silent.count(), 0);
    await clock.advance(1001);
    assert.equal(silent.count(), 1);
  });

  test("is not called after disposal", async () => {
    const { clock, silent, limit } = start();
    limit.wait();
    limit.dispose();
    await clock.advance(20_000);
    assert.deepEqual([silent.count(), clock.pending], [0, 0]);
  });
});
