import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { LogRecord } from "../../../src/spark/logs/logRecord.ts";
import { MergeWindow, type MergedRecord } from "../../../src/spark/logs/mergeWindow.ts";

const at = (ms: number, text = ""): LogRecord => ({
  timestamp: ms < 0 ? "" : new Date(ms).toISOString(),
  text,
  rest: [],
  level: undefined,
  hasTrace: false,
  size: 100,
});

const told = (records: readonly MergedRecord[]): string[] =>
  records.map(({ source, record, isLate }) => `${source} ${record.text}${isLate ? " late" : ""}`);

test("orders records of several sources by timestamp", () => {
  const merge = new MergeWindow();
  merge.push("a", [at(1, "1"), at(4, "4")], 0);
  merge.push("b", [at(2, "2"), at(3, "3")], 0);
  assert.deepEqual(told(merge.take(100, 9)), []);
  assert.deepEqual(told(merge.take(300, 9)), ["a 1", "b 2", "b 3", "a 4"]);
});

test("waits for a lagging source that was recently active, with a limit", () => {
  const merge = new MergeWindow();
  merge.push("a", [at(10, "10"), at(900, "900")], 0);
  merge.push("b", [at(5, "5")], 0);
  assert.deepEqual(told(merge.take(299, 9)), []);
  merge.push("b", [at(20, "20")], 290);
  assert.deepEqual(told(merge.take(300, 9)), ["b 5", "a 10"]);
  assert.deepEqual(told(merge.take(600, 9)), ["b 20", "a 900"]);
});

test("waits for a joined source before its first record, unless it has left", () => {
  const merge = new MergeWindow();
  for (const source of ["a", "b", "c"]) merge.join(source, 100);
  merge.push("a", [at(10, "10")], 50);
  merge.leave("c");
  assert.deepEqual(told(merge.take(399, 9)), []);
  assert.deepEqual(told(merge.take(400, 9)), ["a 10"]);
});

test("does not wait for a paused source that has left", () => {
  const merge = new MergeWindow();
  merge.push("a", [at(10, "10")], 0);
  merge.push("b", [at(5, "5")], 0);
  merge.pause("b");
  assert.deepEqual(told(merge.take(300, 1)), ["b 5"]);
  merge.leave("b");
  assert.deepEqual(told(merge.take(10_000, 9)), ["a 10"]);
});

const today = 100_000;

test("holds back old records while any source still sends old records", () => {
  const merge = new MergeWindow();
  for (const source of ["a", "b", "c"]) merge.join(source, today);
  merge.push("a", [at(10, "10")], today);
  merge.push("c", [at(20, "20")], today + 250);
  assert.deepEqual(told(merge.take(today + 500, 9)), []);
  merge.push("b", [at(5, "5")], today + 540);
  assert.deepEqual(told(merge.take(today + 839, 9)), []);
  assert.deepEqual(told(merge.take(today + 840, 9)), ["b 5", "a 10", "c 20"]);
});

test("recognizes old records by date after the clock was set back", () => {
  const merge = new MergeWindow();
  const now = today + 3_600_000;
  for (const source of ["a", "b", "c"]) merge.join(source, now);
  merge.push("a", [at(today, "now")], now, today);
  merge.push("c", [at(today + 250, "later")], now + 250, today + 250);
  assert.deepEqual(told(merge.take(now + 300, 9, today + 300)), ["a now"]);
});

test("holds back old records for one source while the others have full buffers", () => {
  const merge = new MergeWindow();
  for (const source of ["a", "b", "c"]) merge.join(source, today);
  const many = Array.from({ length: 2_700 }, (_, index) => at(10 + index));
  merge.push("a", many, today);
  merge.push("c", many, today);
  assert.deepEqual(told(merge.take(today + 2_000, 9)), []);
  merge.push("b", [at(5, "5")], today + 2_000);
  assert.equal(told(merge.take(today + 2_000, 9))[0], "b 5");
});

test("waits for a paused source, regardless of its last record", () => {
  const merge = new MergeWindow();
  merge.push("a", [at(10, "10")], 0);
  merge.pause("a");
  merge.push("b", [at(20, "20")], 0);
  assert.deepEqual(told(merge.take(5_000, 9)), ["a 10"]);
  assert.deepEqual(told(merge.take(9_000, 9)), []);
  merge.resume("a", 9_000);
  assert.deepEqual(told(merge.take(9_299, 9)), []);
  merge.push("a", [at(15, "15")], 9_299);
  assert.deepEqual(told(merge.take(9_599, 9)), ["a 15", "b 20"]);
});

test("limits the wait for a silent source with old records, and does not wait with new ones", () => {
  const merge = new MergeWindow();
  merge.join("silent", today);
  merge.push("old", [at(1, "1")], today);
  for (let ms = 200; ms < 3_000; ms += 200) {
    merge.push("old", [at(ms, "more")], today + ms);
    assert.deepEqual(told(merge.take(today + ms, 99)), []);
  }
  assert.equal(merge.take(today + 3_000, 99).length, 14);

  const live = new MergeWindow();
  live.join("silent", today);
  for (let ms = 0; ms < 500; ms += 100) live.push("new", [at(today + ms, `${ms}`)], today + ms);
  assert.deepEqual(told(live.take(today + 500, 9)), ["new 0", "new 100", "new 200"]);
});

test("marks a late record, but never a line without a timestamp", () => {
  const merge = new MergeWindow();
  merge.push("a", [at(10, "10")], 0);
  assert.equal(merge.take(500, 9).length, 1);
  merge.push("b", [at(5, "5"), at(-1, "bare")], 500);
  assert.deepEqual(told(merge.take(900, 9)), ["b 5 late", "b bare"]);
});

test("a single source does not wait", () => {
  const merge = new MergeWindow();
  merge.push("a", [at(10, "10")], 0);
  assert.deepEqual(told(merge.take(0, 9)), ["a 10"]);
});

test("a source far ahead is full, and has room again after its records were taken", () => {
  const merge = new MergeWindow();
  merge.push(
    "a",
    Array.from({ length: 6_000 }, (_, index) => at(index)),
    0,
  );
  assert.ok(merge.isFull("a"));
  while (merge.take(1_000, 1_000).length > 0);
  assert.ok(!merge.isFull("a"));
});

test("returns each record once, in source order, and in global order unless marked late", () => {
  const push = fc.record({
    source: fc.constantFrom("a", "b", "c"),
    stamps: fc.array(fc.nat(50), { maxLength: 5 }),
    wait: fc.constantFrom(0, 10, 200, 400),
    most: fc.constantFrom(1, 3, 100),
  });
  fc.assert(
    fc.property(fc.array(push, { maxLength: 30 }), fc.constantFrom(0, today), (pushes, start) => {
      const merge = new MergeWindow();
      merge.join("c", start);
      const sent = new Map<string, string[]>();
      const got: MergedRecord[] = [];
      let now = start;
      let count = 0;
      for (const { source, stamps, wait, most } of pushes) {
        const records = stamps.map((stamp) => at(stamp, String((count += 1))));
        sent.set(source, [...(sent.get(source) ?? []), ...records.map(({ text }) => text)]);
        merge.push(source, records, now);
        now += wait;
        got.push(...merge.take(now, most));
      }
      for (let more = merge.take(now + 10_000, 7); more.length > 0;) {
        got.push(...more);
        more = merge.take(now + 10_000, 7);
      }
      for (const [source, texts] of sent) {
        const own = got.filter((one) => one.source === source).map(({ record }) => record.text);
        assert.deepEqual(own, texts);
      }
      let newest = "";
      for (const { record, isLate } of got) {
        assert.equal(isLate, record.timestamp < newest);
        if (!isLate) newest = record.timestamp;
      }
    }),
  );
});
