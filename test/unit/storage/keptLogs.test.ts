import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { ok } from "../../../src/base/result.ts";
import { keepLog } from "../../../src/engine/logs/keepLog.ts";
import type { KeptLogName, KeptLogs, KeptLogWriter } from "../../../src/engine/ports/logs.ts";
import { redactedLogs } from "../../../src/engine/logs/redactedLogs.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";
import type { LogLine } from "../../../src/spark/logs/logLine.ts";
import { keptLogs } from "../../../src/storage/logs/keptLogs.ts";
import { FakeLogSource } from "../engine/fakeLogSource.ts";
import { VirtualClock } from "../engine/virtualClock.ts";

const name: KeptLogName = {
  context: "dev",
  namespace: "etl",
  applicationId: "spark-1",
  application: "orders",
  source: "executor 1",
  pod: "orders-exec-1",
  uid: "u1",
  container: "main",
};

const line = (second: number, text: string): LogLine => ({
  timestamp: `2026-01-02T03:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}.000000001Z`,
  text,
});

interface Rig {
  readonly folder: string;
  readonly store: KeptLogs;
  readonly limits: { bytes: number; ageMs: number; logs: number };
  /** Offset of the test clock from the system clock, in ms. */
  readonly ahead: { ms: number };
}

async function rig(t: TestContext): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), "kept-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const limits = { bytes: 1 << 30, ageMs: 1e12, logs: 1_000 };
  const ahead = { ms: 0 };
  const store = keptLogs({
    folder,
    clock: { ...systemClock, now: () => systemClock.now() + ahead.ms },
    limits: () => limits,
    log: () => undefined,
  });
  return { folder, store, limits, ahead };
}

async function readAll(store: KeptLogs, log: KeptLogName = name): Promise<LogLine[]> {
  const all: LogLine[] = [];
  for await (const lines of store.read(log, new AbortController().signal)) {
    all.push(...(lines ?? [line(0, "-- unreadable --")]));
  }
  return all;
}

async function close(writer: KeptLogWriter | undefined): Promise<void> {
  writer?.dispose();
  await writer?.done;
}

const noise = (at: number): LogLine => line(at, Array.from({ length: 400 }, Math.random).join());

const bulks = new Map<number, readonly LogLine[]>();

/** Returns random lines, which fill one piece of a log because they compress badly. */
function bulk(number: number): readonly LogLine[] {
  const known = bulks.get(number);
  if (known) return known;
  const lines = Array.from({ length: 60 }, (_, at) => noise(number * 60 + at));
  bulks.set(number, lines);
  return lines;
}

async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .map((file) => join(folder, file))
    .filter((file) => /\.(?:gz|tail|json|index|lock)$/.test(file));
}

test("returns lines unchanged, with and without a timestamp", async (t) => {
  const { store } = await rig(t);
  const writer = await store.openWriter("dev", "spark-1");
  assert.ok(writer);
  const lines = [line(1, "one"), { timestamp: "", text: "-- said --" }, line(2, ""), line(3, " x")];
  await writer.append(name, lines.slice(0, 2));
  await writer.append(name, lines.slice(2));
  const read = await readAll(store);
  assert.deepEqual(
    read.map((one) => ({ ...one })),
    lines,
  );
  const [kept] = await store.list();
  assert.deepEqual(
    [kept?.application, kept?.source, kept?.lines, kept?.first, kept?.last],
    ["orders", "executor 1", 4, lines[0]?.timestamp, lines[3]?.timestamp],
  );
  await close(writer);
});

test("stores compressed files with owner-only permissions", async (t) => {
  const { store, folder } = await rig(t);
  const writer = await store.openWriter("dev", "spark-1");
  await writer?.append(
    name,
    Array.from({ length: 1_000 }, (_, at) => line(at, "the same words")),
  );
  const checkModes = async (count: number): Promise<readonly string[]> => {
    const files = await filesOf(folder);
    assert.equal(files.length, count);
    for (const file of files) assert.equal((await stat(file)).mode & 0o777, 0o600, file);
    return files;
  };
  await checkModes(3);
  await close(writer);
  const files = await checkModes(4);
  const packed = files.find((file) => file.endsWith(".gz")) ?? "";
  const bytes = await readFile(packed);
  assert.ok(bytes.length < 10_000 && !bytes.includes("same words"));
});

test("stores a slowly growing log in about its compressed size", async (t) => {
  const { store, folder } = await rig(t);
  const writer = await store.openWriter("dev", "spark-1");
  const words =
    "26/01/02 INFO TaskSetManager: Finished task 17.0 in stage 3.0 on executor 1 (1/200)";
  for (let at = 0; at < 500; at += 1) await writer?.append(name, [line(at, `${words} ${at}`)]);
  assert.equal((await readAll(store)).length, 500);
  await close(writer);
  assert.equal((await readAll(store)).length, 500);
  const sizes = await Promise.all(
    (await filesOf(folder)).map(async (file) => (await stat(file)).size),
  );
  const size = sizes.reduce((sum, one) => sum + one, 0);
  assert.ok(size < 15_000, String(size));
  const [kept] = await store.list();
  assert.ok(kept && Math.abs(kept.bytes - size) < 100, "all of its files are counted");
});

test("compresses a tail when its log ends and all tails when the writer closes", async (t) => {
  const { store, folder } = await rig(t);
  const logs = Array.from({ length: 8 }, (_, at) => ({ ...name, uid: `u${at}` }));
  const [first = name] = logs;
  const tails = async (): Promise<number> =>
    (await filesOf(folder)).filter((file) => file.endsWith(".tail")).length;
  const before = await store.openWriter("dev", "spark-1");
  await before?.append(first, bulk(0).slice(0, 30));
  await before?.end(first);
  assert.equal(await tails(), 0);
  // Append more than `pruneEveryBytes`, so that the writer prunes.
  for (const log of logs) await before?.append(log, bulk(0).slice(0, 30));
  assert.equal(await tails(), logs.length);
  await close(before);
  assert.equal(await tails(), 0);
  assert.equal((await readAll(store, first)).length, 60);
});

test("allows one writing window and takes over the lock of a crashed one", async (t) => {
  const { store, folder } = await rig(t);
  const first = await store.openWriter("dev", "spark-1");
  assert.ok(first);
  assert.equal(await store.openWriter("dev", "spark-1"), undefined);
  const other = await store.openWriter("dev", "spark-2");
  assert.ok(other, "another application has its own");
  await close(first);
  const second = await store.openWriter("dev", "spark-1");
  assert.ok(second);
  const locks = (await filesOf(folder)).filter((file) => file.endsWith(".lock"));
  for (const lock of locks) {
    await writeFile(lock, JSON.stringify({ pid: 2 ** 30, host: hostname(), id: "x" }));
  }
  const third = await store.openWriter("dev", "spark-1");
  assert.ok(third);
  assert.equal(await second.append(name, [line(1, "one")]), "lost");
  assert.equal(await third.append(name, [line(1, "two")]), "kept");
  assert.deepEqual(
    (await readAll(store)).map(({ text }) => text),
    ["two"],
  );
  for (const writer of [second, third, other]) await close(writer);
});

test("a writer that lost its lock removes no files of the new writer", async (t) => {
  const { store, folder } = await rig(t);
  const first = await store.openWriter("dev", "spark-1");
  const [lock = ""] = (await filesOf(folder)).filter((file) => file.endsWith(".lock"));
  await writeFile(lock, JSON.stringify({ pid: 2 ** 30, host: hostname(), id: "x" }));
  const second = await store.openWriter("dev", "spark-1");
  await second?.append(name, [line(1, "one")]);
  const [tail = ""] = (await filesOf(folder)).filter((file) => file.endsWith(".tail"));
  // Simulate a writer that has created a piece but not yet added it to the index.
  const piece = tail.replace(".tail", ".gz");
  await writeFile(piece, "");
  assert.deepEqual(await first?.newest(name), []);
  assert.ok((await filesOf(folder)).includes(piece));
  await close(first);
  await close(second);
});

test("takes over a stale lock with any content", async (t) => {
  const { store, folder } = await rig(t);
  const first = await store.openWriter("dev", "spark-1");
  const [lock = ""] = (await filesOf(folder)).filter((file) => file.endsWith(".lock"));
  const writers = [first];
  // A reused process id, and a lock file without content from a window that crashed while creating it.
  for (const text of [JSON.stringify({ pid: process.pid, host: hostname(), id: "x" }), ""]) {
    const [held = lock] = (await filesOf(folder)).filter((file) => file.endsWith(".lock"));
    await writeFile(held, text);
    assert.equal(await store.openWriter("dev", "spark-1"), undefined);
    const long = new Date(Date.now() - 120_000);
    await utimes(held, long, long);
    const next = await store.openWriter("dev", "spark-1");
    assert.ok(next, text);
    writers.push(next);
  }
  for (const writer of writers) await close(writer);
});

test("exactly one of several processes takes over the lock of a crashed window", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "lock-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const takers = Array.from({ length: 4 }, () => fork(join(import.meta.dirname, "lockTaker.ts")));
  t.after(() => {
    for (const taker of takers) taker.kill();
  });
  const ask = async (taker: ChildProcess, said: unknown): Promise<unknown> => {
    const answer = once(taker, "message");
    taker.send(said as string);
    return ((await answer) as unknown[])[0];
  };
  await Promise.all(takers.map((taker) => once(taker, "message")));
  for (let round = 0; round < 40; round += 1) {
    const own = join(folder, String(round));
    await mkdir(own);
    await writeFile(join(own, "writer.7.lock"), JSON.stringify({ pid: 2 ** 30, host: hostname() }));
    const at = Date.now() + 10;
    const taken = await Promise.all(takers.map((taker) => ask(taker, { folder: own, at })));
    assert.equal(taken.filter((one) => one === true).length, 1, `round ${round}`);
  }
});

test("removes the unfinished writes of a crashed window and keeps the complete lines", async (t) => {
  const { store, folder } = await rig(t);
  const first = await store.openWriter("dev", "spark-1");
  await first?.append(name, [line(1, "one")]);
  await close(first);
  const [packed = ""] = (await filesOf(folder)).filter((file) => file.endsWith(".gz"));
  const base = packed.slice(0, -".1.gz".length);
  await writeFile(`${base}.2.gz`, Buffer.from([0x1f, 0x8b, 8, 0]));
  await writeFile(`${base}.1.tail`, `${line(1, "one").timestamp} one\n`);
  await writeFile(`${base}.2.tail`, `${line(2, "two").timestamp} two\n2026-01-02T`);
  await appendFile(`${base}.index`, '{"number":');
  const second = await store.openWriter("dev", "spark-1");
  await second?.append(name, [line(3, "three")]);
  assert.deepEqual(
    (await readAll(store)).map(({ text }) => text),
    ["one", "two", "three"],
  );
  await close(second);
  assert.deepEqual(
    (await readAll(store)).map(({ text }) => text),
    ["one", "two", "three"],
  );
});

test("reports a corrupt or missing piece and reads the rest", async (t) => {
  const { store, folder } = await rig(t);
  for (const [at, text] of ["one", "two", "three"].entries()) {
    const writer = await store.openWriter("dev", "spark-1");
    await writer?.append(name, [line(at, text)]);
    await close(writer);
  }
  const pieces = (await filesOf(folder)).filter((file) => file.endsWith(".gz")).sort();
  assert.equal(pieces.length, 3);
  await writeFile(pieces[1] ?? "", "no such thing");
  assert.deepEqual(
    (await readAll(store)).map(({ text }) => text),
    ["one", "-- unreadable --", "three"],
  );
  await rm(pieces[0] ?? "");
  assert.deepEqual(
    (await readAll(store)).map(({ text }) => text),
    ["-- unreadable --", "-- unreadable --", "three"],
  );
});

test("reads the remaining lines when older ones are dropped during the read", async (t) => {
  const { store, limits } = await rig(t);
  const writer = await store.openWriter("dev", "spark-1");
  for (let piece = 0; piece < 8; piece += 1) await writer?.append(name, bulk(piece));
  const texts: string[] = [];
  for await (const lines of store.read(name, new AbortController().signal)) {
    if (texts.length === 0) {
      // Reduce the limit to the size of six of the eight pieces.
      limits.bytes = ((await store.list())[0]?.bytes ?? 0) * 0.75;
      for (let piece = 8; piece < 13; piece += 1) await writer?.append(name, bulk(piece));
    }
    texts.push(lines?.[0]?.timestamp ?? "gone");
  }
  assert.ok(texts.includes("gone"), "some were dropped");
  assert.equal(texts[7], bulk(7)[0]?.timestamp);
  await close(writer);
});

test("keeps the logs that another window is writing when space is short", async (t) => {
  const { store, limits } = await rig(t);
  const other = { ...name, applicationId: "spark-0" };
  const first = await store.openWriter("dev", "spark-0");
  await first?.append(other, bulk(0));
  limits.bytes = 1;
  const second = await store.openWriter("dev", "spark-1");
  for (let piece = 0; piece < 3; piece += 1) await second?.append(name, bulk(piece));
  await first?.append(other, bulk(1));
  const kept = await store.list();
  assert.deepEqual(kept.map(({ applicationId }) => applicationId).sort(), ["spark-0", "spark-1"]);
  assert.ok((await readAll(store, other)).some(({ text }) => text === bulk(1)[0]?.text));
  await close(first);
  await close(second);
});

test("forgets logs only when no window writes them", async (t) => {
  const { store, folder } = await rig(t);
  const writer = await store.openWriter("dev", "spark-1");
  await writer?.append(name, [line(1, "one")]);
  assert.equal(await store.forget("dev", "spark-1"), false);
  assert.equal((await store.list()).length, 1);
  await close(writer);
  assert.equal(await store.forget("dev", "spark-1"), true);
  assert.deepEqual(await store.list(), []);
  assert.deepEqual(await filesOf(folder), []);
  assert.equal(await store.forget("dev", "spark-1"), true, "it is gone already");
});

test("drops the oldest lines of a large log and keeps an older small log", async (t) => {
  const { store, limits } = await rig(t);
  const small = { ...name, applicationId: "spark-0" };
  const old = await store.openWriter("dev", "spark-0");
  await old?.append(small, bulk(0));
  await close(old);
  limits.bytes = 1 << 20;
  const writer = await store.openWriter("dev", "spark-1");
  for (let piece = 1; piece <= 12; piece += 1) await writer?.append(name, bulk(piece));
  const kept = await store.list();
  assert.deepEqual(
    kept.map(({ applicationId, isCutOff }) => [applicationId, isCutOff]),
    [
      ["spark-1", true],
      ["spark-0", false],
    ],
  );
  assert.equal((await readAll(store, small)).length, bulk(0).length);
  const lines = await readAll(store);
  assert.equal(lines.at(-1)?.timestamp, bulk(12).at(-1)?.timestamp);
  assert.ok((kept[0]?.bytes ?? 0) < 2 << 20);
  await close(writer);
});

test("compresses the writer's tails before dropping other logs when space is short", async (t) => {
  const { store, limits } = await rig(t);
  const small = { ...name, applicationId: "spark-0" };
  const old = await store.openWriter("dev", "spark-0");
  await old?.append(small, bulk(0));
  await close(old);
  const writer = await store.openWriter("dev", "spark-1");
  const writeAll = async (): Promise<void> => {
    for (let at = 1; at <= 8; at += 1) {
      await writer?.append({ ...name, uid: `u${at}` }, bulk(at).slice(0, 30));
    }
  };
  const kept = async (): Promise<readonly (readonly [string, number])[]> => {
    const all = await store.list();
    return ["spark-0", "spark-1"].map((id) => [
      id,
      all.filter(({ applicationId }) => applicationId === id).length,
    ]);
  };
  const both = [
    ["spark-0", 1],
    ["spark-1", 8],
  ];
  limits.bytes = 1.5 * (1 << 20);
  await writeAll();
  assert.deepEqual(await kept(), both);
  // This limit is smaller than the compressed tails.
  limits.bytes = 1 << 19;
  await writeAll();
  limits.bytes = 1 << 30;
  assert.deepEqual(await kept(), both);
  await close(writer);
});

test("drops the oldest logs of the largest inactive application first", async (t) => {
  const { store, limits, ahead } = await rig(t);
  const log = (applicationId: string, uid: string): KeptLogName => ({
    ...name,
    ...{ applicationId, uid },
  });
  const write = async (one: KeptLogName, pieces: readonly number[]): Promise<void> => {
    const writer = await store.openWriter("dev", one.applicationId);
    for (const piece of pieces) await writer?.append(one, bulk(piece));
    await close(writer);
    ahead.ms += 1_000;
  };
  await write(log("spark-0", "small"), [0]);
  await write(log("spark-1", "first"), [1]);
  await write(log("spark-1", "second"), [2, 3, 4]);
  const all = await store.list();
  const size = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const piece = all.find(({ uid }) => uid === "small")?.bytes ?? 0;
  limits.bytes = size - Math.round(1.5 * piece);
  const left = async (): Promise<readonly string[]> =>
    (await store.list()).map(({ uid, lines }) => `${uid} ${lines / 60}`).sort();
  assert.deepEqual(await left(), ["second 2", "small 1"]);
  limits.bytes = 1;
  assert.deepEqual(await left(), []);
});

test("drops expired pieces of a log and keeps the rest when a window starts to write", async (t) => {
  const { store, limits, ahead } = await rig(t);
  const writer = await store.openWriter("dev", "spark-1");
  for (let piece = 0; piece < 3; piece += 1) await writer?.append(name, bulk(piece));
  await close(writer);
  const day = 86_400_000;
  ahead.ms = 15 * day;
  const next = await store.openWriter("dev", "spark-1");
  await next?.append(name, bulk(3));
  await close(next);
  limits.ageMs = 14 * day;
  const last = await store.openWriter("dev", "spark-1");
  assert.deepEqual(
    (await readAll(store)).map(({ timestamp }) => timestamp),
    bulk(3).map(({ timestamp }) => timestamp),
  );
  assert.deepEqual(
    (await store.list()).map(({ lines, isCutOff }) => [lines, isCutOff]),
    [[60, true]],
  );
  await close(last);
});

test("prune drops expired logs and creates no folder when there are no logs", async (t) => {
  const { store, limits, folder } = await rig(t);
  const old = await store.openWriter("dev", "spark-0");
  await old?.append(name, [line(1, "one")]);
  await close(old);
  await wait(20);
  limits.ageMs = 1;
  await store.prune();
  assert.deepEqual(await readdir(folder), []);
  await rm(folder, { recursive: true });
  await store.prune();
  await assert.rejects(stat(folder));
});

test("drops expired logs when the logs are listed", async (t) => {
  const { store, limits, folder } = await rig(t);
  const old = await store.openWriter("dev", "spark-0");
  for (let piece = 0; piece < 4; piece += 1) await old?.append(name, bulk(piece));
  await wait(100);
  limits.bytes = 1;
  await old?.append(name, bulk(4));
  await old?.append(name, bulk(5));
  await close(old);
  await wait(20);
  limits.bytes = 1 << 30;
  limits.ageMs = 1;
  assert.deepEqual(await store.list(), []);
  assert.deepEqual(await filesOf(folder), []);
});

test("drops expired logs of other applications when a window starts to write", async (t) => {
  const { store, limits } = await rig(t);
  const old = await store.openWriter("dev", "spark-0");
  await old?.append({ ...name, applicationId: "spark-0" }, [line(1, "one")]);
  await close(old);
  await wait(20);
  limits.ageMs = 1;
  const writer = await store.openWriter("dev", "spark-1");
  assert.deepEqual(await store.list(), []);
  await close(writer);
});

test("continues a log of another window without duplicate lines or secrets", async (t) => {
  const { store } = await rig(t);
  const clock = new VirtualClock();
  const source = new FakeLogSource(clock);
  const secret = /password/i;
  const keep = async () => {
    const writer = await store.openWriter("dev", "spark-1");
    assert.ok(writer);
    const keeping = keepLog(
      name,
      { namespace: "etl", pod: "orders-exec-1", container: "main" },
      {
        logs: redactedLogs(source, () => Promise.resolve(ok((part) => secret.test(part)))),
        clock,
        random: () => 0.5,
        writer,
        news: { hasEnded: () => source.isOver },
        words: ({ kind }) => kind,
        ended: () => undefined,
      },
    );
    return { writer, keeping };
  };
  source.write(line(1, "one"));
  source.write(line(2, "password=hunter2"));
  // Disk writes take real time, so wait between the steps of the virtual clock.
  const advanceUntil = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isSo())) {
      await wait(5);
      await clock.advance(1_000);
    }
  };
  const first = await keep();
  await advanceUntil(async () => (await readAll(store)).length === 2);
  first.keeping.dispose();
  await clock.advance(10);
  await first.keeping.done;
  await close(first.writer);
  source.write(line(2, "password=hunter3"));
  source.write(line(3, "three"));
  source.end();
  const second = await keep();
  let isOver = false;
  const over = second.keeping.done.then(() => {
    isOver = true;
  });
  await advanceUntil(() => isOver);
  await over;
  assert.deepEqual(
    (await readAll(store)).map(({ text }) => text),
    ["one", "password=*********(redacted)", "password=*********(redacted)", "three"],
  );
  await close(second.writer);
});

/** Simulates a partial write: the disk stores `part` and the write fails. */
async function refusePart(
  path: string,
  part: string,
  write: () => Promise<unknown>,
): Promise<void> {
  const away = `${path}.away`;
  await rename(path, away);
  await mkdir(path);
  await assert.rejects(write);
  await rmdir(path);
  await appendFile(away, part);
  await rename(away, path);
}

for (const [what, extension, lines, part] of [
  ["a line", ".tail", [line(2, "two")], "2026-01-02T03:00:02.000000001Z t"],
  ["the index", ".index", bulk(1), '{"number":2,"by'],
] as const) {
  test(`removes a partial write of ${what} and completes the retry`, async (t) => {
    const { folder, store } = await rig(t);
    const writer = await store.openWriter("dev", "spark-1");
    assert.ok(writer);
    const before = [...bulk(0), line(1, "one")];
    await writer.append(name, bulk(0));
    await writer.append(name, [line(1, "one")]);
    const path = (await filesOf(folder)).find((file) => file.endsWith(extension));
    assert.ok(path);
    await refusePart(path, part, () => writer.append(name, lines));
    const newest = await writer.newest(name);
    assert.equal(newest.at(-1)?.text, "one");
    await writer.append(name, lines);
    await writer.append(name, bulk(2));
    const expected = [...before, ...lines, ...bulk(2)].map(({ text }) => text);
    assert.deepEqual(
      (await readAll(store)).map(({ text }) => text),
      expected,
    );
    await close(writer);
    assert.equal((await store.list())[0]?.lines, expected.length);
  });
}

test("starts a log on retry after the first attempt failed on disk", async (t) => {
  const { folder, store } = await rig(t);
  const before = await store.openWriter(name.context, name.applicationId);
  await before?.newest(name);
  await close(before);
  const [path = ""] = (await filesOf(folder)).filter((file) => file.endsWith(".json"));
  const writer = await store.openWriter(name.context, name.applicationId);
  assert.ok(writer);
  await refusePart(path, "", () => writer.newest(name));
  assert.deepEqual(await writer.newest(name), []);
  assert.equal(await writer.append(name, [line(1, "one")]), "kept");
  await close(writer);
  assert.deepEqual(
    (await readAll(store)).map(({ text }) => text),
    ["one"],
  );
});

test("drops the logs with the oldest lines beyond the maximum number, and none that is written", async (t) => {
  const { store, limits, ahead } = await rig(t);
  const keep = async (uid: string, applicationId: string): Promise<KeptLogWriter> => {
    const writer = await store.openWriter("dev", applicationId);
    assert.ok(writer);
    await writer.append({ ...name, uid, applicationId }, [line(1, "one")]);
    ahead.ms += 1_000;
    return writer;
  };
  const writing = await keep("u1", "spark-1");
  for (const [uid, id] of [
    ["u2", "spark-2"],
    ["u3", "spark-3"],
    ["u4", "spark-3"],
  ] as const) {
    const writer = await keep(uid, id);
    writer.dispose();
    await writer.done;
  }
  limits.logs = 2;
  const uids = async (): Promise<readonly string[]> =>
    (await store.list()).map(({ uid }) => uid).sort();
  assert.deepEqual(await uids(), ["u1", "u3", "u4"]);
  writing.dispose();
  await writing.done;
  // The store keeps u1, because its log was written last.
  assert.deepEqual(await uids(), ["u1", "u4"]);
});
