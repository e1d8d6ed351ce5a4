import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LogRecord } from "../../../src/spark/logs/logRecord.ts";
import { TraceCounts } from "../../../src/spark/logs/logView.ts";

const timestamp = "2026-01-02T03:04:05.000000000Z";

/** Returns a record with a stack trace, which differs for each name. */
const trace = (name: string): LogRecord => ({
  timestamp,
  text: `java.lang.IllegalStateException: ${name}`,
  rest: [{ timestamp, text: `\tat shop.${name}.run(${name}.scala:7)` }],
  level: "error",
  hasTrace: true,
  size: 100,
});

describe("repeated stack traces", () => {
  test("are counted from the second one on, with the number of the first", () => {
    const counts = new TraceCounts();
    assert.equal(counts.count(4, trace("Orders")), undefined);
    assert.equal(counts.count(5, trace("Items")), undefined);
    assert.deepEqual(counts.count(6, trace("Orders")), { number: 4, times: 2 });
    assert.deepEqual(counts.count(7, trace("Orders")), { number: 4, times: 3 });
  });

  test("need a trace with lines", () => {
    const counts = new TraceCounts();
    for (const record of [
      { ...trace("Orders"), hasTrace: false },
      { ...trace("Orders"), rest: [] },
    ]) {
      assert.equal(counts.count(1, record), undefined);
      assert.equal(counts.count(2, record), undefined);
    }
  });

  test("are forgotten after 2,000 different ones", () => {
    const counts = new TraceCounts();
    for (let number = 0; number < 2_000; number += 1) counts.count(number, trace(`C${number}`));
    assert.deepEqual(counts.count(2_000, trace("C0")), { number: 0, times: 2 });
    assert.equal(counts.count(2_001, trace("C2000")), undefined);
    assert.equal(counts.count(2_002, trace("C0")), undefined);
    assert.deepEqual(counts.count(2_003, trace("C2000")), { number: 2_001, times: 2 });
  });
});
