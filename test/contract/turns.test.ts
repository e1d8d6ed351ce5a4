import assert from "node:assert/strict";
import { test } from "node:test";
import { Turns } from "../../src/cluster/turns.ts";

test("pieces that come at once have a turn each, in their order, and others have theirs in between", async () => {
  const turns = new Turns();
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
