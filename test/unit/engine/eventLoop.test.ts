import assert from "node:assert/strict";
import { test } from "node:test";
import { FairQueue, inSlices, yieldingBetween } from "../../../src/engine/eventLoop.ts";

test("runs queued pieces in order, one per turn of the event loop", async () => {
  const turns = new FairQueue();
  const seen: string[] = [];
  const piece = async (name: string): Promise<void> => {
    await turns.next();
    seen.push(name);
    setImmediate(() => seen.push(`after ${name}`));
  };
  await Promise.all(["a", "b", "c"].map(piece));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    seen.filter((name) => name.length === 1),
    ["a", "b", "c"],
  );
  assert.ok(seen.indexOf("after a") < seen.indexOf("c"), seen.join());
  await piece("d");
  assert.equal(seen.at(-1), "d");
});

test("yields to immediates between two items, and not before the first", async () => {
  const seen: string[] = [];
  setImmediate(() => seen.push("other"));
  for await (const item of yieldingBetween(["a", "b"])) seen.push(item);
  assert.deepEqual(seen, ["a", "other", "b"]);
});

function* busySteps(seen: string[], ms: number): Generator<undefined, void> {
  for (let at = 0; at < 3; at += 1) {
    seen.push(`step ${at}`);
    for (const until = performance.now() + ms; performance.now() < until;);
    yield;
  }
}

test("yields between slices of long steps, and stops when the result is no longer wanted", async () => {
  const seen: string[] = [];
  setTimeout(() => seen.push("timer"), 0);
  await inSlices(busySteps(seen, 5), () => false);
  assert.ok(seen.indexOf("timer") > 0 && seen.indexOf("timer") < 3, seen.join());
  const few: string[] = [];
  await inSlices(busySteps(few, 5), () => true);
  assert.deepEqual(few, ["step 0"]);
});
