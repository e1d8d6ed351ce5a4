import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { followLogs, type LogFollow } from "../../../../src/engine/logs/followLogs.ts";
import { openLogPages, logTextChunks, type LogLoss } from "../../../../src/engine/logs/logPages.ts";
import type { LogSource } from "../../../../src/engine/ports/logs.ts";
import type { LogLine } from "../../../../src/spark/logs/logLine.ts";
import { FakeLogSource } from "../fakeLogSource.ts";
import { unreachable } from "../fakePodServer.ts";
import { VirtualClock } from "../virtualClock.ts";

const line = (ms: number, text: string): LogLine => ({
  timestamp: `2026-01-02T03:04:${String(10 + Math.floor(ms / 1000)).padStart(2, "0")}.${String(ms % 1000).padStart(3, "0")}000000Z`,
  text,
});

interface Rig {
  readonly clock: VirtualClock;
  readonly follow: LogFollow;
  readonly log: (pod: string) => FakeLogSource;
  readonly join: (pod: string) => void;
  readonly told: readonly string[];
  readonly close: () => Promise<void>;
}

function rig(
  records?: () => Promise<void>,
  clock = new VirtualClock(),
  readLog?: LogSource["readLog"],
): Rig {
  const files = new Map<string, FakeLogSource>();
  const log = (pod: string): FakeLogSource => {
    const file = files.get(pod) ?? new FakeLogSource(clock);
    files.set(pod, file);
    return file;
  };
  const logs: LogSource = {
    readLog: readLog ?? ((request, signal) => log(request.pod).readLog(request, signal)),
  };
  const told: string[] = [];
  const ports = {
    clock,
    random: () => 0.5,
    log: { error: assert.ifError, debug: () => undefined, warn: () => undefined },
  };
  const follow = followLogs(ports, {
    records: (merged) => {
      for (const { source, record, isLate } of merged) {
        told.push(
          `${source} ${record.text}${isLate ? " late" : ""}${record.rest.length > 0 ? ` +${record.rest.length}` : ""}`,
        );
      }
      return records?.();
    },
    notice: (id, { kind }) => told.push(`${id} -- ${kind}`),
    ended: (id, { kind }) => told.push(`${id} -- ${kind}`),
  });
  const join = (pod: string): void => {
    follow.join({
      id: pod,
      logs,
      target: { namespace: "etl", pod, container: "c" },
      tailLines: undefined,
      hasEnded: () => log(pod).isOver,
    });
  };
  const close = async (): Promise<void> => {
    follow.dispose();
    await clock.advance(10);
    await follow.done;
    assert.equal(clock.pending, 0, "no timer outlives the follow");
    for (const file of files.values()) assert.equal(file.openStreams, 0);
  };
  return { clock, follow, log, join, told, close };
}

test("merges logs in time order, with each end after its lines", async () => {
  const { clock, log, join, told, close } = rig();
  log("a").write(line(1, "one"));
  log("b").write(line(2, "two"));
  log("a").write(line(3, "three"));
  for (const pod of ["a", "b", "a"]) join(pod);
  log("b").end();
  await clock.advance(2_000);
  const records = told.filter((one) => !one.includes("--"));
  assert.deepEqual(records, ["a one", "b two", "a three"]);
  assert.ok(told.indexOf("b -- finished") > told.indexOf("b two"));
  await close();
});

test("reads each log from its own cluster, also with equal pod names", async () => {
  const { clock, follow, log, told, close } = rig();
  for (const cluster of ["dev", "test"]) {
    follow.join({
      id: cluster,
      logs: log(cluster),
      target: { namespace: "etl", pod: "driver", container: "c" },
      tailLines: undefined,
      hasEnded: () => false,
    });
  }
  log("dev").write(line(1, "one"));
  log("test").write(line(2, "two"));
  await clock.advance(2_000);
  assert.deepEqual(told, ["dev one", "test two"]);
  await close();
});

test("a stack trace that arrives in pieces is one record", async () => {
  const { clock, log, join, told, close } = rig();
  join("a");
  await clock.advance(10);
  log("a").write(line(1, "26/01/02 03:04:05 ERROR X: failed"));
  await clock.advance(20);
  log("a").write(line(1, "java.lang.RuntimeException: boom"));
  log("a").write(line(1, "\tat a.B.c(B.java:1)"));
  await clock.advance(2_000);
  assert.deepEqual(told, ["a 26/01/02 03:04:05 ERROR X: failed +2"]);
  await close();
});

const trace = [
  "26/01/02 03:04:05 ERROR X: failed",
  "java.lang.RuntimeException: boom",
  "\tat a.B.c(B.java:1)",
  "\tat a.B.d(B.java:2)",
  "Caused by: java.io.IOException: disk",
  "\tat a.B.e(B.java:3)",
];

test("a stack trace with a pause or a cut is one record, in its place among other logs", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 20, 180), { minLength: 6, maxLength: 6 }),
      fc.option(fc.integer({ min: 2, max: 5 }), { nil: undefined }),
      fc.constantFrom<"next" | undefined>("next", undefined),
      async (pauses, cutAt, next) => {
        const { clock, log, join, told, close } = rig();
        join("a");
        join("b");
        await clock.advance(1_000);
        let ms = 1_000;
        log("b").write(line(ms, "before"));
        // A pause within a trace would let lines of another record come between its lines.
        const waits = pauses.map((pause, at) => (at === 1 ? 0 : pause));
        for (const [at, text] of trace.entries()) {
          await clock.advance(waits[at] ?? 0);
          ms += 2 + (waits[at] ?? 0);
          if (at === cutAt) log("a").cutAfter(0, unreachable);
          log("a").write(line(ms, text));
          log("b").write(line(ms + 1, `b${at}`));
        }
        await clock.advance(500);
        if (next) log("a").write(line(ms + 500, next));
        await clock.advance(10_000);
        const whole = `a ${trace[0] ?? ""} +5`;
        const ofOther = trace.map((_, at) => `b b${at}`);
        const records = told.filter((one) => !one.includes("--"));
        const last = next ? [`a ${next}`] : [];
        assert.deepEqual(
          records.filter((one) => one !== whole),
          ["b before", ...ofOther, ...last],
        );
        assert.equal(records.indexOf(whole), 1);
        const notices = cutAt === undefined ? [] : ["a -- reconnecting", "a -- resumed"];
        const ofTrace = told.filter((one) => one.startsWith("a "));
        assert.deepEqual(ofTrace, [whole, ...notices, ...last]);
        await close();
      },
    ),
    { numRuns: 100, examples: [[[0, 0, 180, 180, 180, 180], 5, "next"]] },
  );
});

test("shows a record that continues endlessly after a trace, and does not block other logs", async () => {
  const { clock, log, join, told, close } = rig();
  join("a");
  join("b");
  await clock.advance(10);
  for (const text of trace) log("a").write(line(1, text));
  for (let n = 1; n <= 20; n += 1) {
    await clock.advance(200);
    log("a").write(line(200 * n, "  and on"));
    log("b").write(line(200 * n, `b${n}`));
  }
  assert.ok(told.includes(`a ${trace[0] ?? ""} +12`), told.join());
  assert.ok(told.includes("b b10"));
  await close();
});

test("a clock that is set back delays no line, of one log or several", async () => {
  for (const pods of [["a"], ["a", "b"]]) {
    const { clock, log, join, told, close } = rig();
    for (const pod of pods) join(pod);
    await clock.advance(3_000);
    for (const pod of pods) log(pod).write(line(3_000, "before"));
    await clock.advance(100);
    clock.setBack(3_600_000);
    log("a").write(line(3_200, "after"));
    await clock.advance(1_000);
    assert.deepEqual(told, [...pods.map((pod) => `${pod} before`), "a after"]);
    await close();
  }
});

test("reports a cut after the lines before it, for that log only", async () => {
  const { clock, log, join, told, close } = rig();
  join("a");
  join("b");
  await clock.advance(10);
  log("a").write(line(1, "one"));
  log("a").cutAfter(1, unreachable);
  await clock.advance(10_000);
  log("a").write(line(9_000, "two"));
  await clock.advance(10_000);
  assert.deepEqual(told, ["a one", "a -- reconnecting", "a -- resumed", "a two"]);
  await close();
});

test("reports a gap between the lines around it, even with a slow reader", async () => {
  const clock = new VirtualClock();
  const { log, join, told, close } = rig(
    () => clock.sleep(5_000, new AbortController().signal),
    clock,
  );
  join("a");
  await clock.advance(10);
  for (let n = 0; n < 3_000; n += 1) log("a").write(line(n, `${n}`));
  log("a").cutAfter(3_000, unreachable);
  await clock.advance(10);
  for (let n = 4_000; n < 8_000; n += 1) log("a").write(line(n, `${n}`));
  log("a").rotate(3_000);
  await clock.advance(600_000);
  const numbers = (first: number): readonly string[] =>
    Array.from({ length: 3_000 }, (_, n) => `a ${first + n}`);
  const notices = ["a -- reconnecting", "a -- resumed", "a -- gap"];
  assert.deepEqual(told, [...numbers(0), ...notices, ...numbers(5_000)]);
  await close();
});

test("a slow reader pauses the logs", async () => {
  let release: () => void = () => undefined;
  const { clock, log, join, told, close } = rig(
    () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  );
  join("a");
  await clock.advance(10);
  const block = "x".repeat(1 << 18);
  for (let n = 0; n < 40; n += 1) {
    log("a").write(line(n, block));
    await clock.advance(100);
  }
  assert.ok(told.length <= 2, `${told.length} records`);
  // Tail and merge window buffer only a small part of the ten million characters.
  for (let n = 0; n < 100 && told.length < 40; n += 1) {
    release();
    await clock.advance(500);
  }
  assert.equal(told.length, 40);
  release();
  await close();
});

test("keeps the time order of logs that exceed the window, even with a slow reader", async () => {
  const clock = new VirtualClock();
  const pods = ["a", "b", "c"];
  const { log, join, told, close } = rig(
    () => clock.sleep(400, new AbortController().signal),
    clock,
    async function* ({ pod }, signal) {
      for (let n = 0; n < 60; n += 1) {
        await clock.sleep(1, signal);
        const text = `${n} ${"x".repeat(16 << 10)}`;
        yield { kind: "lines", take: () => [line(3 * n + pods.indexOf(pod), text)] };
      }
    },
  );
  for (const pod of pods) {
    log(pod).end();
    join(pod);
  }
  await clock.advance(600_000);
  const records = told.filter((one) => !one.includes("--"));
  const all = Array.from({ length: 180 }, (_, at) => `${pods[at % 3] ?? ""} ${Math.floor(at / 3)}`);
  assert.deepEqual(
    records.map((one) => one.replace(/ x+/, "")),
    all,
  );
  await close();
});

test("a stack trace is one record even if its log is paused in the middle", async () => {
  const { clock, log, join, told, close } = rig();
  join("a");
  join("b");
  await clock.advance(10);
  log("b").write(line(1, "first"));
  await clock.advance(10);
  // This record is larger than the merge window, and later than the next lines of the other log.
  log("a").write(line(500, "x".repeat(1 << 19)));
  log("a").write(line(501, "26/01/02 03:04:05 ERROR X: failed"));
  await clock.advance(10);
  log("a").write(line(501, "java.lang.RuntimeException: boom"));
  log("a").write(line(501, "\tat a.B.c(B.java:1)"));
  for (let n = 2; n < 10; n += 1) {
    log("b").write(line(n, "next"));
    await clock.advance(100);
  }
  assert.equal(told.at(-1), "b next");
  await clock.advance(5_000);
  assert.equal(told.at(-1), "a 26/01/02 03:04:05 ERROR X: failed +2");
  await close();
});

test("reports an end after the last lines, even if more lines are awaited", async () => {
  for (let endsAfterMs = 250; endsAfterMs < 550; endsAfterMs += 1) {
    const { clock, log, join, told, close } = rig();
    join("a");
    join("b");
    await clock.advance(10);
    log("b").write(line(1, "one"));
    log("b").write(line(5, "last"));
    // The record is larger than the merge window, so the log is paused until earlier lines are delivered.
    log("a").write(line(10, "x".repeat(300_000)));
    log("a").write(line(20, "open"));
    await clock.advance(endsAfterMs);
    log("b").end();
    await clock.advance(5_000);
    const ofB = told.filter((one) => one.startsWith("b ")).map((one) => one.slice(0, 6));
    assert.deepEqual(ofB, ["b one", "b last", "b -- f"], `after ${endsAfterMs} ms`);
    await close();
  }
});

test("delivers all lines of several logs once, in order, before their ends, with any pauses", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          pod: fc.constantFrom("a", "b", "c", "d"),
          lines: fc.integer({ min: 1, max: 12 }),
          length: fc.constantFrom(10, 1 << 15, 1 << 18),
          pauseMs: fc.constantFrom(0, 1, 40, 400),
        }),
        { maxLength: 12 },
      ),
      fc.array(fc.constantFrom(0, 3, 700), { maxLength: 8 }),
      async (writes, sinkMs) => {
        const clock = new VirtualClock();
        let sunk = 0;
        const { log, join, told, close } = rig(async () => {
          const ms = sinkMs[sunk % Math.max(1, sinkMs.length)] ?? 0;
          sunk += 1;
          if (ms > 0) await clock.sleep(ms, new AbortController().signal);
        }, clock);
        const pods = ["a", "b", "c", "d"];
        const wrote = new Map(pods.map((pod) => [pod, 0]));
        for (const pod of pods) join(pod);
        let at = 0;
        for (const [index, { pod, lines, length, pauseMs }] of writes.entries()) {
          for (let n = 0; n < lines; n += 1) {
            const number = (wrote.get(pod) ?? 0) + 1;
            wrote.set(pod, number);
            log(pod).write(line((at += 1), `${number} ${"x".repeat(length)}`));
          }
          if (!writes.slice(index + 1).some((later) => later.pod === pod)) log(pod).end();
          await clock.advance(pauseMs);
        }
        for (const pod of pods) log(pod).end();
        await clock.advance(600_000);
        for (const pod of pods) {
          const of = told.filter((one) => one.startsWith(`${pod} `));
          const numbers = of.map((one) => one.split(" ")[1]);
          const all = Array.from({ length: wrote.get(pod) ?? 0 }, (_, n) => String(n + 1));
          assert.deepEqual(numbers, [...all, "--"]);
        }
        await close();
      },
    ),
    { numRuns: 30 },
  );
});

test("opens a long log in pages: the newest at once, others by reading again, all complete", async () => {
  const clock = new VirtualClock();
  const source = new FakeLogSource(clock);
  const all = Array.from({ length: 120_000 }, (_, at) => line(Math.floor(at / 10), String(at)));
  for (const one of all) source.write(one);
  source.end();
  const never = new AbortController().signal;
  const target = { namespace: "etl", pod: "a", container: "c" };
  const opening = openLogPages(source, target, "current", never);
  await clock.advanceUntil(opening);
  const opened = await opening;
  assert.ok(opened.kind === "pages");
  assert.equal(opened.pages.count, 3);
  assert.equal(opened.pages.last.length, 20_000);
  const read: LogLine[] = [];
  for (const page of [0, 1, 2]) {
    const reading = opened.pages.read(page, never);
    await clock.advanceUntil(reading);
    read.push(...((await reading) ?? []));
  }
  assert.deepEqual(read, all);
  source.rotate(10);
  const gone = opened.pages.read(0, never);
  await clock.advanceUntil(gone);
  assert.equal(await gone, undefined);
});

const nth = (at: number, text = String(at)): LogLine => line(Math.floor(at / 10), text);

/** Opens a log of `count` short lines, which is then saved to a file. */
async function openSmall(count: number) {
  const clock = new VirtualClock();
  const source = new FakeLogSource(clock);
  for (let at = 0; at < count; at += 1) source.write(nth(at));
  const never = new AbortController().signal;
  const opening = openLogPages(
    source,
    { namespace: "etl", pod: "a", uid: "1", container: "c" },
    "current",
    never,
  );
  await clock.advanceUntil(opening);
  const opened = await opening;
  assert.ok(opened.kind === "pages");
  const { pages } = opened;
  const save = async () => {
    const losses: LogLoss["kind"][] = [];
    const lost = ({ kind }: LogLoss): string => {
      losses.push(kind);
      return kind;
    };
    const reading = (async () => {
      let text = "";
      for await (const piece of logTextChunks(pages, lost, never)) text += piece;
      return text;
    })();
    await clock.advanceUntil(reading);
    return { text: await reading, losses };
  };
  const read = async (page: number) => {
    const reading = pages.read(page, never);
    await clock.advanceUntil(reading);
    return reading;
  };
  return { source, pages, save, read };
}

test("saves the current log, with a note in place of missing lines", async () => {
  const { source, save } = await openSmall(3);
  source.write(nth(3));
  assert.deepEqual(await save(), { text: "0\n1\n2\n3\n", losses: [] });
  source.rotate(2);
  assert.deepEqual(await save(), { text: "-- cutOff --\n2\n3\n", losses: ["cutOff"] });
  source.refuse(unreachable);
  assert.deepEqual(await save(), { text: "-- failed --\n", losses: ["failed"] });
});

test("neither a file nor a page contains lines of another pod of the same name", async () => {
  const { source, save, read } = await openSmall(60_000);
  source.replacePod("2");
  for (let at = 0; at < 60_000; at += 1) source.write(nth(at));
  assert.deepEqual(await save(), { text: "-- failed --\n", losses: ["failed"] });
  assert.equal(await read(0), undefined);
});

test("a page that was read partially is undefined", async () => {
  const { source, read } = await openSmall(60_000);
  assert.equal((await read(0))?.length, 50_000);
  source.refuse(unreachable);
  assert.equal(await read(0), undefined);
});

test("pages grow with the log: a full page can be read again, and an unfinished line is replaced", async () => {
  const { source, pages, read } = await openSmall(49_999);
  const add = (one: LogLine): boolean => {
    source.write(one);
    return pages.add(one);
  };
  assert.ok(!pages.add({ ...nth(49_999, "ha"), isUnfinished: true }));
  assert.ok(!add(nth(49_999, "half")));
  assert.deepEqual(pages.last.at(-1), nth(49_999, "half"));
  assert.ok(add(nth(50_000, "next")));
  assert.equal(pages.count, 2);
  assert.deepEqual(pages.last, [nth(50_000, "next")]);
  assert.equal((await read(0))?.length, 50_000);
  assert.deepEqual(await read(1), pages.last);
});

test("reconnects all logs soon after the server is back, however often it was cut", async () => {
  const clock = new VirtualClock();
  let isUp = true;
  const files = new Map<string, FakeLogSource>();
  const { join, told, log, close } = rig(undefined, clock, async function* (request, signal) {
    await clock.sleep(1, signal);
    if (!isUp) yield { kind: "failed", error: unreachable };
    else yield* log(request.pod).readLog(request, signal);
  });
  const pods = Array.from({ length: 20 }, (_, index) => `pod-${index}`);
  for (const pod of pods) {
    files.set(pod, log(pod));
    join(pod);
  }
  let at = 0;
  const write = (): void => {
    at += 100;
    for (const pod of pods) log(pod).write(line(at, `${at}`));
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) {
      write();
      await clock.advance(100);
    }
  };
  for (let cut = 0; cut < 5; cut += 1) {
    await pass(2_000);
    isUp = false;
    for (const file of files.values()) file.cutAfter(0, unreachable);
    await pass(400);
    isUp = true;
  }
  const start = clock.now();
  for (const file of files.values()) file.end();
  while (told.filter((one) => one.endsWith("-- finished")).length < pods.length) {
    await clock.advance(100);
  }
  assert.ok(clock.now() - start <= 4_000, `${clock.now() - start} ms`);
  const lines = told.filter((one) => !one.includes("--"));
  assert.equal(new Set(lines).size, lines.length, "no line comes twice");
  assert.equal(lines.length, (at / 100) * pods.length, "no line is lost");
  await close();
});
