import assert from "node:assert/strict";
import { test } from "node:test";
import { LogScreen } from "../../../src/editor/logs/logScreen.ts";
import { RecordReader } from "../../../src/spark/logs/logRecord.ts";
import type { MergedRecord } from "../../../src/spark/logs/mergeWindow.ts";
import { VirtualClock } from "../engine/virtualClock.ts";
import { clockOfStamp } from "../../../src/base/timeOfDay.ts";
import { inZone } from "../base/timeZone.ts";

interface Rig {
  readonly screen: LogScreen;
  readonly clock: VirtualClock;
  /** Returns the rows on the screen, without colors. */
  readonly shown: () => readonly string[];
  /** Returns the number of writes to the terminal. */
  readonly writes: () => number;
  readonly stop: () => void;
}

function rig(heldRows = Infinity): Rig {
  let text = "";
  let writes = 0;
  const clock = new VirtualClock();
  const stop = new AbortController();
  const screen = new LogScreen(
    {
      write: (more) => {
        writes += 1;
        text += more;
      },
      clock,
      words: {
        late: "late",
        moreLines: (count, number) => `… ${count} more lines (trace #${number})`,
        clock: clockOfStamp,
        sameTrace: (first, times, number) =>
          `… the same as trace #${first}, seen ${times} times (trace #${number})`,
        paused: "paused",
        notKept: (lines) => `${lines} lines not kept`,
        outOfReach: (rows) => `the last ${rows} rows`,
        filtered: (_, { shown, hidden }) => `filter: ${shown} shown, ${hidden} hidden`,
      },
      heldRows: () => heldRows,
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
    writes: () => writes,
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

test("hides filtered lines and shows them again without the filter", async () => {
  const { screen, clock, shown } = rig();
  screen.add(records("26/01/02 03:04:05 INFO A: one", "26/01/02 03:04:05 WARN A: two", "three"));
  await clock.advance(100);
  assert.equal(shown().length, 3);
  screen.choose({ leastLevel: "warn" });
  await clock.advance(100);
  const two = "driver 26/01/02 03:04:05 WARN A: two";
  assert.deepEqual(shown(), [two, "driver three", "-- filter: 2 shown, 1 hidden --"]);
  screen.choose({ text: "THREE" });
  await clock.advance(100);
  assert.deepEqual(shown(), ["driver three", "-- filter: 1 shown, 2 hidden --"]);
  screen.choose({ leastLevel: "trace", text: undefined });
  await clock.advance(100);
  assert.equal(shown().length, 3);
});

test("shows the number of lines that the filter hides below the rows, also above notes", async () => {
  const { screen, clock, shown } = rig();
  screen.note("orders");
  screen.choose({ text: "nowhere" });
  await clock.advance(100);
  assert.deepEqual(shown(), ["-- orders --", "-- filter: 0 shown, 0 hidden --"]);
  screen.add(records("one", "two"));
  await clock.advance(100);
  screen.choose({ leastLevel: "error" });
  await clock.advance(100);
  assert.deepEqual(shown(), ["-- orders --", "-- filter: 0 shown, 2 hidden --"]);
  screen.choose({ leastLevel: "trace", text: undefined });
  await clock.advance(100);
  assert.deepEqual(shown(), ["-- orders --", "driver one", "driver two"]);
});

test("keeps rows of other text in a redraw, above the filter and without control sequences", async () => {
  const { screen, clock, shown } = rig();
  screen.row("no such image\u001b[2J", { text: "error:", color: 31 });
  screen.add(records("one"));
  screen.choose({ text: "nowhere" });
  await clock.advance(100);
  assert.deepEqual(shown(), ["error: no such image", "-- filter: 0 shown, 1 hidden --"]);
});

test("is drained when the terminal has all rows, also after a pause", async () => {
  const { screen, clock, shown, stop } = rig();
  await screen.drained();
  screen.add(records("one"));
  await screen.drained();
  screen.pause();
  screen.add(records(...Array.from({ length: 9_000 }, () => "x".repeat(500))));
  let isDrained = false;
  const draining = screen.drained().then(() => {
    isDrained = true;
  });
  await clock.advance(99);
  assert.equal(isDrained, false);
  await clock.advance(1_000);
  await draining;
  assert.equal(shown().length, 9_001 + 1);
  screen.add(records("two"));
  const closing = screen.drained();
  stop();
  await closing;
});

test("collapses a trace to its error, counts a repeated one, and expands each", async () => {
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
    `${blank}  … the same as trace #1, seen 2 times (trace #2)`,
  ]);
  screen.turn(1);
  await clock.advance(100);
  assert.deepEqual(
    shown().slice(0, 4),
    trace.map((line, at) => (at === 0 ? `driver ${line}` : `${blank}${line}`)),
  );
});

test("shows the error of a folded Python trace, not its first line", async () => {
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

test("timestamps are shown on demand, in local time", async (t) => {
  inZone(t, "Asia/Kolkata");
  const { screen, clock, shown } = rig();
  screen.add(records("one"));
  screen.choose({ timestamps: true });
  await clock.advance(100);
  assert.deepEqual(shown(), ["driver 08:34:05.123 one"]);
});

test("shows nothing while it is paused; the logs wait and no line is lost", async () => {
  const { screen, clock, shown } = rig();
  screen.pause();
  screen.add(records("one", "x".repeat(3 << 20)));
  await clock.advance(1_000);
  assert.deepEqual(shown(), ["-- paused --"]);
  let hasRoom = false;
  const room = screen.room()?.then(() => {
    hasRoom = true;
  });
  await clock.advance(1_000);
  assert.equal(hasRoom, false);
  screen.resume();
  await clock.advance(1_000);
  await room;
  assert.equal(shown().length, 3);
});

test("redraws while paused only the lines before the pause", async () => {
  const { screen, clock, shown } = rig();
  screen.add(records("26/01/02 03:04:05 INFO A: one", "26/01/02 03:04:05 WARN A: two"));
  await clock.advance(100);
  screen.pause();
  screen.add(records("26/01/02 03:04:05 WARN A: three"));
  screen.choose({ leastLevel: "warn" });
  await clock.advance(1_000);
  const two = "driver 26/01/02 03:04:05 WARN A: two";
  const filter = "-- filter: 1 shown, 1 hidden --";
  assert.deepEqual(shown(), [two, filter, "-- paused --"]);
  screen.resume();
  await clock.advance(100);
  const three = "driver 26/01/02 03:04:05 WARN A: three";
  assert.deepEqual(shown(), [two, filter, "-- paused --", three]);
});

test("shows an important note at once while paused, and again after the waiting lines", async () => {
  const { screen, clock, shown } = rig();
  screen.add(records("one"));
  await clock.advance(100);
  screen.pause();
  screen.add(records("two"));
  screen.note("a pod joins");
  screen.noteAtOnce("stopped");
  assert.deepEqual(shown(), ["driver one", "-- paused --", "-- stopped --"]);
  screen.resume();
  await clock.advance(100);
  assert.deepEqual(shown().slice(3), ["driver two", "-- a pod joins --", "-- stopped --"]);
  screen.noteAtOnce("closed");
  await clock.advance(100);
  assert.deepEqual(shown().slice(6), ["-- closed --"]);
});

test("shows a pause during a flood at once, before waiting lines", async () => {
  const { screen, clock, shown } = rig();
  screen.add(records(...Array.from({ length: 2_000 }, () => "z".repeat(1_000))));
  screen.pause();
  assert.equal(shown().at(-1), "-- paused --");
  const stands = shown().length;
  assert.ok(stands < 2_000, "not all is shown at once");
  await clock.advance(60_000);
  assert.equal(shown().length, stands);
});

test("a flood of hidden lines does not evict shown lines", async () => {
  const { screen, clock, shown } = rig();
  const flood = Array.from(
    { length: 1_000 },
    () => `26/01/02 03:04:05 INFO A: ${"x".repeat(1_000)}`,
  );
  screen.choose({ leastLevel: "error" });
  for (let batch = 0; batch < 40; batch += 1) {
    screen.add(records(`26/01/02 03:04:05 ERROR A: ${batch}`, ...flood));
    const room = screen.room();
    if (room) await clock.advanceUntil(room);
  }
  const isError = (row: string): boolean => row.includes("ERROR");
  screen.choose({ timestamps: true });
  await clock.advance(60_000);
  assert.equal(shown().filter(isError).length, 40);
  assert.match(shown()[0] ?? "", /^-- \d+ lines not kept --$/);
  // Hidden lines count against the space limit, so only the newest of them are shown again.
  screen.choose({ leastLevel: "trace" });
  await clock.advance(60_000);
  assert.equal(shown().filter(isError).length, 40);
  assert.equal(shown().length, 1 + screen.records.length);
  assert.ok(screen.records.length > 5_000 && screen.records.length < 12_000);
  const kept = /^-- (\d+)/.exec(shown()[0] ?? "")?.[1];
  assert.equal(Number(kept) + screen.records.length, 40 * 1_001, "each line is kept or told of");
});

test("keeps the newest hidden lines if the filter matches many", async () => {
  const { screen, clock, shown } = rig();
  const line = (level: string): string => `26/01/02 03:04:05 ${level} A: ${"x".repeat(1_000)}`;
  screen.choose({ leastLevel: "warn" });
  for (let batch = 0; batch < 40; batch += 1) {
    screen.add(records(...Array.from({ length: 1_000 }, (_, n) => line(n % 4 ? "WARN" : "INFO"))));
    const room = screen.room();
    if (room) await clock.advanceUntil(room);
  }
  screen.choose({ leastLevel: "trace" });
  await clock.advance(60_000);
  assert.ok(shown().filter((row) => row.includes("INFO")).length > 4_000);
});

test("offers to expand only traces that are folded on the screen", () => {
  const { screen } = rig();
  const plan = ["26/01/02 03:04:05 INFO A: plan", "  a", "  b", "  c"];
  screen.add(records(...plan, ...trace));
  const numbers = (): readonly number[] => screen.foldedTraces.map(({ number }) => number);
  assert.deepEqual(numbers(), [2]);
  screen.choose({ text: "nowhere" });
  assert.deepEqual(numbers(), []);
  screen.choose({ text: undefined, folded: false });
  assert.deepEqual(numbers(), []);
});

test("returns the requested number of records before one in its own log", () => {
  const { screen } = rig();
  const other = records("other").map((one) => ({ ...one, source: "executor 1" }));
  screen.add(records("one", "two"));
  screen.add(other);
  const [three] = screen.add(records("three"));
  assert.ok(three);
  const texts = (max: number): readonly string[] =>
    screen.before(three, max).map(({ text }) => text);
  assert.deepEqual(texts(20), ["one", "two"]);
  assert.deepEqual(texts(1), ["two"]);
});

test("shows a flood at a bounded rate and keeps a bounded number of lines", async () => {
  const { screen, clock, shown } = rig();
  const line = "y".repeat(1_000);
  for (let batch = 0; batch < 40; batch += 1) {
    screen.add(records(...Array.from({ length: 1_000 }, () => line)));
    const room = screen.room();
    if (room) await clock.advanceUntil(room);
  }
  await clock.advance(60_000);
  assert.equal(shown().length, 40_000);
  assert.ok(screen.records.length < 15_000, String(screen.records.length));
  const kept = screen.records.length;
  screen.choose({ timestamps: true });
  await clock.advance(60_000);
  assert.equal(shown()[0], `-- ${40_000 - kept} lines not kept --`);
  assert.equal(shown().length, 1 + kept);
});

test("writes to the terminal at most ten times a second", async () => {
  const { screen, clock, shown, writes } = rig();
  screen.add(records("first"));
  assert.deepEqual(shown(), ["driver first"], "the first at once");
  for (let line = 0; line < 1_000; line += 1) {
    screen.add(records(`line ${line}`));
    await clock.advance(2);
  }
  await clock.advance(200);
  assert.equal(shown().length, 1_001);
  assert.ok(writes() <= 24, `${writes()} in 2.2 seconds`);
});

test("notes once below a redraw that exceeds the scrollback", async () => {
  const { screen, clock, shown } = rig(100);
  screen.add(records(...Array.from({ length: 300 }, (_, line) => `line ${line}`)));
  await clock.advance(1_000);
  assert.equal(shown().length, 300, "new lines scroll as in any terminal");
  screen.choose({ timestamps: true });
  await clock.advance(1_000);
  assert.equal(shown().length, 301);
  assert.equal(shown().at(-1), "-- the last 100 rows --");
  screen.choose({ text: "line 29" });
  await clock.advance(1_000);
  assert.equal(shown().length, 11 + 1);
  // Lines that arrive during the redraw are appended below the note.
  screen.choose({ text: undefined });
  for (let line = 0; line < 200; line += 1) {
    screen.add(records(`new ${line}`));
    await clock.advance(50);
  }
  await clock.advance(1_000);
  assert.equal(shown().indexOf("-- the last 100 rows --"), 300);
  assert.equal(shown().length, 501);
  screen.choose({ text: "line 2" });
  for (let line = 0; line < 200; line += 1) {
    screen.add(records(`line 2: ${line}`));
    await clock.advance(50);
  }
  await clock.advance(1_000);
  assert.equal(shown().length, 111 + 200 + 2);
});

test("a closed screen blocks no log", async () => {
  const { screen, stop } = rig();
  screen.pause();
  screen.add(records("x".repeat(3 << 20)));
  const room = screen.room();
  assert.ok(room);
  stop();
  await room;
});
