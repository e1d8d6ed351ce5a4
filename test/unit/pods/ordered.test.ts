import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  editOrdered,
  emptyOrdered,
  findIn,
  firstOf,
  itemsIn,
  lastOf,
  orderedOf,
  rankOf,
  sliceOf,
  type Ordered,
} from "../../../src/spark/pods/ordered.ts";

interface Item {
  readonly rank: number;
  readonly text: string;
}

const compare = (a: Item, b: Item): number => a.rank - b.rank;
const ranks = fc.integer({ min: 0, max: 600 });
const items = fc.record({ rank: ranks, text: fc.string({ maxLength: 2 }) });

test("a list has the content of a sorted map after any edits", () => {
  const edit = fc.record({
    gone: fc.array(items, { maxLength: 5 }),
    come: fc.oneof(fc.array(items, { maxLength: 5 }), fc.array(items, { maxLength: 500 })),
  });
  fc.assert(
    fc.property(
      fc.array(edit, { maxLength: 12 }),
      fc.nat(700),
      fc.nat(40),
      (edits, start, count) => {
        const map = new Map<number, Item>();
        let list: Ordered<Item> = emptyOrdered;
        for (const { gone, come } of edits) {
          const unique = [...new Map(come.map((item) => [item.rank, item])).values()];
          const before = [...itemsIn(list)];
          const old = list;
          list = editOrdered(list, gone, unique, compare);
          assert.deepEqual([...itemsIn(old)], before, "the list before stays as it was");
          for (const { rank } of gone) map.delete(rank);
          for (const item of unique) map.set(item.rank, item);
        }
        const sorted = [...map.values()].sort(compare);
        assert.deepEqual([...itemsIn(list)], sorted);
        assert.equal(list.size, sorted.length);
        assert.ok(list.runs.every((run) => run.length > 0 && run.length <= 256));
        assert.deepEqual(sliceOf(list, start, start + count), sorted.slice(start, start + count));
        assert.deepEqual([firstOf(list), lastOf(list)], [sorted[0], sorted.at(-1)]);
        for (const probe of [...sorted.slice(0, 20), { rank: start, text: "" }]) {
          const index = sorted.findIndex(({ rank }) => rank === probe.rank);
          assert.equal(rankOf(list, probe, compare), index === -1 ? undefined : index);
          assert.equal(findIn(list, probe, compare), sorted[index]);
        }
      },
    ),
  );
});

test("an edit of a long list replaces only the affected runs", () => {
  const long = orderedOf(
    Array.from({ length: 50_000 }, (_, rank) => ({ rank, text: "" })),
    compare,
  );
  const next = editOrdered(long, [{ rank: 7, text: "" }], [{ rank: 40_000, text: "new" }], compare);
  const kept = next.runs.filter((run) => long.runs.includes(run)).length;
  assert.equal(long.runs.length - kept, 2);
  assert.equal(next.size, 49_999);
});
