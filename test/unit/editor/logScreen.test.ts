import assert from "node:assert/strict";
import { test } from "node:test";
import { LogScreen } from "../../../src/editor/logs/logScreen.ts";
import { RecordReader } from "../../../src/spark/logs/logRecord.ts";
import type { MergedRecord } from "../../../src/spark/logs/mergeWindow.ts";
import { VirtualClock } from "../engine/virtualClock.ts";

interface Rig {
  readonly screen: LogScreen;
  readonly clock: VirtualClock;
  /** What stands on the screen, without colours. */
  readonly shown: () => readonly string[];
  readonly stop: () => void;
}

function rig(): Rig {
  let text = "";
  const clock = new VirtualClock();
  const stop = new AbortController();
  const screen = new LogScreen(
    {
      write: (more) => {
        text += more;
      },
      clock,
      words: {
        late: "late",
        moreLines: (count, number) => `… ${count} more lines (trace #${number})`,
        sameTrace: (number, times) => `… the same as trace #${number}, seen ${times} times`,
      },
      labelOf: (source) => ({ text: source, color: 36 }),
    },
    stop.signal,
  );
  const shown = (): readonly string[] => {
    const last = text.split("\u001b[2J\u001b[3J\u001b[H").at(-1) ?? "";
    return last
      .replaceAll(/\u001b\[[\d;?]*[a-zA-Z]/g, "")
      .split("\r\n")
      .slice(0, -1);
  };
  return {
    screen,
    clock,
    shown,
    stop: () => {
      stop.abort();
    },
  };
}

function records(...lines: readonly string[]): readonly MergedRecord[] {
  const reader = new RecordReader();
  const stamped = lines.map((text) => ({ timestamp: "2026-01-02T03:04:05.123456789Z", text }));
  const read = [...reader.read(stamped), ...reader.flush()];
  return read.map((record) => ({ source: "driver", record, isLate: false }));
}

const trace = [
  "26/01/02 03:04:05 ERROR Executor: Exception in task 0.0",
  "java.lang.ArithmeticException: / by zero",
  "\tat a.B.c(B.java:1)",
  "\tat a.B.d(B.java:2)",
];

test("a filter hides, and what it hid comes back with it", async () => {
  const { screen, clock, shown } = rig();
  screen.add(records("26/01/02 03:04:05 INFO A: one", "26/01/02 03:04:05 WARN A: two", "three"));
  await clock.advance(100);
  assert.equal(shown().length, 3);
  screen.choose({ leastLevel: "warn" });
  await clock.advance(100);
  assert.deepEqual(shown(), ["driver 26/01/02 03:04:05 WARN A: two", "driver three"]);
  screen.choose({ text: "THREE" });
  await clock.advance(100);
  assert.deepEqual(shown(), ["driver three"]);
  screen.choose({ leastLevel: "trace", text: undefined });
  await clock.advance(100);
  assert.equal(shown().length, 3);
});

test("a trace is folded to its error, a second one is counted, and each can be opened", async () => {
  const { screen, clock, shown } = rig();
  screen.add(records(...trace));
  screen.add(records(...trace));
  await clock.advance(100);
  const blank = " ".repeat(7);
  assert.deepEqual(shown(), [
    `driver ${trace[0]}`,
    `${blank}${trace[1]}`,
    `${blank}  … 2 more lines (trace #1)`,
    `driver ${trace[0]}`,
    `${blank}${trace[1]}`,
    `${blank}  … the same as trace #1, seen 2 times`,
  ]);
  screen.turn(1);
  await clock.advance(100);
  assert.deepEqual(
    shown().slice(0, 4),
    trace.map((line, at) => (at === 0 ? `driver ${line}` : `${blank}${line}`)),
  );
});

test("of a folded trace of Python the error is shown, not its first line", async () => {
  const { screen, clock, shown } = rig();
  screen.add(
    records(
      "Traceback (most recent call last):",
      '  File "a.py", line 1, in <module>',
      "    main()",
      "ValueError: no such day",
    ),
  );
  await clock.advance(100);
  assert.deepEqual(
    shown().map((row) => row.trim()),
    [
      "driver Traceback (most recent call last):",
      "ValueError: no such day",
      "… 2 more lines (trace #1)",
    ],
  );
});

test("timestamps are shown on demand", async () => {
  const { screen, clock, shown } = rig();
  screen.add(records("one"));
  screen.choose({ timestamps: true });
  await clock.advance(100);
  assert.deepEqual(shown(), ["driver 03:04:05.123 one"]);
});

test("while it is paused nothing is shown, the logs wait, and nothing is lost", async () => {
  const { screen, clock, shown } = rig();
  screen.pause();
  screen.add(records("one", "x".repeat(3 << 20)));
  await clock.advance(1_000);
  assert.deepEqual(shown(), []);
  let hasRoom = false;
  const room = screen.room()?.then(() => {
    hasRoom = true;
  });
  await clock.advance(1_000);
  assert.equal(hasRoom, false);
  screen.goOn();
  await clock.advance(1_000);
  await room;
  assert.equal(shown().length, 2);
});

test("a flood is shown at a bounded rate, and bounded is what is kept of it", async () => {
  const { screen, clock, shown } = rig();
  const line = "y".repeat(1_000);
  for (let batch = 0; batch < 40; batch += 1) {
    screen.add(records(...Array.from({ length: 1_000 }, () => line)));
    const room = screen.room();
    if (room) await clock.advanceUntil(room);
  }
  await clock.advance(60_000);
  assert.equal(shown().length, 40_000);
  assert.ok(screen.hasDropped);
  assert.ok(screen.records.length < 15_000, String(screen.records.length));
});

test("a closed screen keeps no log waiting", async () => {
  const { screen, stop } = rig();
  screen.pause();
  screen.add(records("x".repeat(3 << 20)));
  const room = screen.room();
  assert.ok(room);
  stop();
  await room;
});
