import assert from "node:assert/strict";
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { keepLog } from "../../../src/engine/keepLog.ts";
import type { KeptLogName, KeptLogs } from "../../../src/engine/ports.ts";
import { redactedLogs } from "../../../src/engine/redactedLogs.ts";
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
  readonly limits: { bytes: number; ageMs: number };
}

async function rig(t: TestContext): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), "kept-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const limits = { bytes: 1 << 30, ageMs: 1e12 };
  const store = keptLogs({
    folder,
    clock: systemClock,
    limits: () => limits,
    log: () => undefined,
  });
  return { folder, store, limits };
}

async function readAll(store: KeptLogs, log: KeptLogName = name): Promise<LogLine[]> {
  const all: LogLine[] = [];
  for await (const lines of store.read(log, new AbortController().signal)) all.push(...lines);
  return all;
}

async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .map((file) => join(folder, file))
    .filter((file) => /\.(?:gz|json|index|lock)$/.test(file));
}

test("lines come back as they were written, with and without a time stamp", async (t) => {
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
  writer.dispose();
});

test("only this user may read the files, whose text is compressed", async (t) => {
  const { store, folder } = await rig(t);
  const writer = await store.openWriter("dev", "spark-1");
  await writer?.append(
    name,
    Array.from({ length: 1_000 }, (_, at) => line(at, "the same words")),
  );
  const files = await filesOf(folder);
  assert.equal(files.length, 4);
  for (const file of files) assert.equal((await stat(file)).mode & 0o777, 0o600, file);
  const packed = files.find((file) => file.endsWith(".gz")) ?? "";
  const bytes = await readFile(packed);
  assert.ok(bytes.length < 10_000 && !bytes.includes("same words"));
  writer?.dispose();
});

test("one window writes at a time; the lock of a window that has died is taken over", async (t) => {
  const { store, folder } = await rig(t);
  const first = await store.openWriter("dev", "spark-1");
  assert.ok(first);
  assert.equal(await store.openWriter("dev", "spark-1"), undefined);
  const other = await store.openWriter("dev", "spark-2");
  assert.ok(other, "another application has its own");
  first.dispose();
  await wait(50);
  const second = await store.openWriter("dev", "spark-1");
  assert.ok(second);
  const locks = (await filesOf(folder)).filter((file) => file.endsWith(".lock"));
  for (const lock of locks) {
    await writeFile(lock, JSON.stringify({ pid: 2 ** 30, host: hostname(), id: "x" }));
  }
  const third = await store.openWriter("dev", "spark-1");
  assert.ok(third);
  for (const writer of [second, third, other]) writer.dispose();
});

test("what a window that died had begun to write is taken away, and the rest is whole", async (t) => {
  const { store, folder } = await rig(t);
  const first = await store.openWriter("dev", "spark-1");
  await first?.append(name, [line(1, "one")]);
  first?.dispose();
  await wait(50);
  const [packed = ""] = (await filesOf(folder)).filter((file) => file.endsWith(".gz"));
  await appendFile(packed, Buffer.from([0x1f, 0x8b, 8, 0]));
  await appendFile(`${packed}.index`, '{"offset":');
  const second = await store.openWriter("dev", "spark-1");
  await second?.append(name, [line(2, "two")]);
  assert.deepEqual(
    (await readAll(store)).map(({ text }) => text),
    ["one", "two"],
  );
  second?.dispose();
});

test("the oldest goes for the sake of space, and of what is being written the older half", async (t) => {
  const { store, limits } = await rig(t);
  const old = await store.openWriter("dev", "spark-0");
  const noise = (at: number): LogLine => line(at, Array.from({ length: 400 }, Math.random).join());
  await old?.append(
    { ...name, applicationId: "spark-0" },
    Array.from({ length: 100 }, (_, at) => noise(at)),
  );
  old?.dispose();
  limits.bytes = 1 << 20;
  const writer = await store.openWriter("dev", "spark-1");
  for (let block = 0; block < 12; block += 1) {
    await writer?.append(
      name,
      Array.from({ length: 60 }, (_, at) => noise(block * 60 + at)),
    );
  }
  const kept = await store.list();
  assert.deepEqual(
    kept.map(({ applicationId, isCutOff }) => [applicationId, isCutOff]),
    [["spark-1", true]],
  );
  const lines = await readAll(store);
  assert.equal(lines.at(-1)?.timestamp, line(719, "").timestamp);
  assert.ok((kept[0]?.bytes ?? 0) < 2 << 20);
  writer?.dispose();
});

test("what is too old is dropped when a window begins to write", async (t) => {
  const { store, limits } = await rig(t);
  const old = await store.openWriter("dev", "spark-0");
  await old?.append({ ...name, applicationId: "spark-0" }, [line(1, "one")]);
  old?.dispose();
  await wait(20);
  limits.ageMs = 1;
  const writer = await store.openWriter("dev", "spark-1");
  assert.deepEqual(await store.list(), []);
  writer?.dispose();
});

test("a log is kept on where another window left off, each line once and without its secrets", async (t) => {
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
        logs: redactedLogs(source, () => Promise.resolve((part) => secret.test(part))),
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
  // The disk takes as long as it takes, whatever the clock of the tail says.
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
  first.writer.dispose();
  await wait(50);
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
  second.writer.dispose();
});
