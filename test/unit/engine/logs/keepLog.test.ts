import assert from "node:assert/strict";
import { test } from "node:test";
import { keepLog, type KeepOptions } from "../../../../src/engine/logs/keepLog.ts";
import type { Running } from "../../../../src/engine/running.ts";
import type { LogLine } from "../../../../src/spark/logs/logLine.ts";
import { FakeLogSource } from "../fakeLogSource.ts";
import { keptLogName } from "../keptLogName.ts";
import { VirtualClock } from "../virtualClock.ts";

/** Keeps the log of a source on a simulated disk. */
function keep(
  clock: VirtualClock,
  source: FakeLogSource,
  disk: Partial<KeepOptions["writer"]>,
): Running {
  return keepLog(
    keptLogName,
    { namespace: "etl", pod: "p", container: "main" },
    {
      logs: source,
      clock,
      random: () => 0.5,
      writer: {
        newest: () => Promise.resolve([]),
        append: () => Promise.resolve("kept"),
        end: () => Promise.resolve(),
        ...disk,
      },
      news: { hasEnded: () => source.isOver },
      words: ({ kind }) => kind,
      ended: () => undefined,
    },
  );
}

const line = (second: number, text: string): LogLine => ({
  timestamp: `2026-01-02T03:04:0${second}.000000001Z`,
  text,
});

test("after a disk failure it writes no later lines, but reads again from the last kept one", async () => {
  const clock = new VirtualClock();
  const source = new FakeLogSource(clock);
  const disk: LogLine[] = [];
  let isFull = true;
  const writer: Partial<KeepOptions["writer"]> = {
    newest: () => Promise.resolve([...disk]),
    append: async (_, lines) => {
      const refuses = isFull;
      isFull = false;
      await clock.sleep(500, new AbortController().signal);
      if (refuses) throw new Error("no space left");
      disk.push(...lines);
      return "kept";
    },
  };
  const first = keep(clock, source, writer);
  const refused = assert.rejects(first.done, /no space left/);
  source.write(line(1, "one"));
  await clock.advance(2_100);
  // This line is larger than one flush.
  source.write(line(2, "x".repeat(1 << 20)));
  await clock.advanceUntil(refused);
  await clock.advance(10_000);
  assert.equal(disk.length, 0);
  const second = keep(clock, source, writer);
  source.write(line(3, "three"));
  await clock.advance(5_000);
  assert.deepEqual(
    disk.map(({ text }) => text.slice(0, 5)),
    ["one", "xxxxx", "three"],
  );
  second.dispose();
  await clock.advanceUntil(second.done);
});

test("ends the kept log after its last line, and not on an abort", async () => {
  for (const isOver of [true, false]) {
    const clock = new VirtualClock();
    const source = new FakeLogSource(clock);
    const done: string[] = [];
    const keeping = keep(clock, source, {
      append: (_, lines) => {
        done.push(...lines.map(({ text }) => text));
        return Promise.resolve("kept");
      },
      end: () => {
        done.push("ended");
        return Promise.resolve();
      },
    });
    source.write(line(1, "one"));
    if (isOver) source.end();
    await clock.advance(100);
    if (!isOver) keeping.dispose();
    await clock.advanceUntil(keeping.done);
    assert.deepEqual(done, isOver ? ["one", "ended"] : ["one"]);
  }
});
