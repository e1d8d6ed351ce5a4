import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  emptyTrie,
  trieGet,
  trieRemove,
  trieSet,
  trieValues,
  type Trie,
} from "../../../src/spark/pods/trie.ts";

// Three pairs of keys with equal FNV-1a hashes.
const colliding = ["costarring", "liquid", "declinate", "macallums", "altarage", "zinke"];
const keys = fc.oneof(
  fc.constantFrom(...colliding),
  fc.integer({ min: 0, max: 300 }).map((number) => `uid-${number}`),
  fc.string({ maxLength: 3 }),
);

test("a trie has the content of a Map, and old versions never change", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), keys, fc.integer()), { maxLength: 300 }),
      (operations) => {
        const expected = new Map<string, number>();
        let trie: Trie<number> = emptyTrie;
        const versions: [Trie<number>, ReadonlyMap<string, number>][] = [];
        for (const [adds, key, value] of operations) {
          if (adds) expected.set(key, value);
          else expected.delete(key);
          trie = adds ? trieSet(trie, key, value) : trieRemove(trie, key);
          versions.push([trie, new Map(expected)]);
        }
        for (const [version, map] of versions.filter((_, index) => index % 40 === 0)) {
          assert.equal(version.size, map.size);
          for (const [key, value] of map) assert.equal(trieGet(version, key), value);
          assert.deepEqual(
            [...trieValues(version)].sort(byNumber),
            [...map.values()].sort(byNumber),
          );
        }
        for (const [, key] of operations) assert.equal(trieGet(trie, key), expected.get(key));
      },
    ),
    { numRuns: 150 },
  );
});

const byNumber = (a: number, b: number): number => a - b;

test("distinguishes keys with equal hashes", () => {
  let trie: Trie<string> = emptyTrie;
  for (const key of colliding) trie = trieSet(trie, key, key);
  assert.equal(trie.size, colliding.length);
  for (const key of colliding) assert.equal(trieGet(trie, key), key);
  trie = trieRemove(trie, "liquid");
  assert.equal(trieGet(trie, "liquid"), undefined);
  assert.equal(trieGet(trie, "costarring"), "costarring");
});

test("removing a missing key returns the same trie", () => {
  const trie = trieSet(emptyTrie as Trie<number>, "a", 1);
  assert.equal(trieRemove(trie, "b"), trie);
});

test("adding and removing keys restores the original structure", () => {
  let trie: Trie<number> = emptyTrie;
  for (let number = 0; number < 20; number += 1) trie = trieSet(trie, `kept-${number}`, number);
  const before = trie;
  for (let number = 0; number < 500; number += 1) trie = trieSet(trie, `brief-${number}`, number);
  for (let number = 0; number < 500; number += 1) trie = trieRemove(trie, `brief-${number}`);
  assert.deepEqual(trie, before);
});
