import assert from "node:assert/strict";
import { test } from "node:test";
import { keepSent, lastSent } from "../../../src/editor/profiles/sentTexts.ts";
import { memoryMemento } from "./memoryMemento.ts";

test("keeps the latest text of each profile", async () => {
  const kept = memoryMemento();
  await keepSent(kept, { name: "a", at: 1, text: "one" });
  await keepSent(kept, { name: "b", at: 2, text: "other" });
  await keepSent(kept, { name: "a", at: 3, text: "two" });
  assert.deepEqual(lastSent(kept, "a"), { name: "a", at: 3, text: "two" });
  assert.equal(lastSent(kept, "b")?.text, "other");
  assert.equal(lastSent(kept, "c"), undefined);
});

test("keeps the latest twenty profiles, and no text that is too long", async () => {
  const kept = memoryMemento();
  for (let at = 0; at < 25; at++) await keepSent(kept, { name: `p${at}`, at, text: "x" });
  assert.equal(lastSent(kept, "p4"), undefined);
  assert.equal(lastSent(kept, "p5")?.at, 5);
  await keepSent(kept, { name: "p5", at: 30, text: "x".repeat(256 * 1024 + 1) });
  assert.equal(lastSent(kept, "p5"), undefined, "an old text would be taken for the last one");
});
