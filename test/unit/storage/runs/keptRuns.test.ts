import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { RunRecord } from "../../../../src/spark/history/runRecord.ts";
import { addMark, emptyTimeline } from "../../../../src/spark/timeline/timeline.ts";
import { keptRuns, runLimits } from "../../../../src/storage/runs/keptRuns.ts";
import { runFixture } from "../../history/runFixture.ts";

const now = Date.parse("2026-11-24T12:00:00Z");
const clock = { now: () => now, sleep: () => Promise.reject(new Error("no sleep")) };
const hour = 3_600_000;

describe("kept runs", () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "runs-")), "runs");
  });
  afterEach(async () => {
    await rm(join(folder, ".."), { recursive: true });
  });
  const open = (limits: Partial<typeof runLimits> = {}) =>
    keptRuns(folder, clock, { ...runLimits, ...limits });
  const run = (id: string, ageMs = hour): RunRecord => runFixture({ id, startedAt: now - ageMs });
  const ids = async (store: ReturnType<typeof open>): Promise<readonly string[]> =>
    (await store.list()).map(({ id }) => id);

  test("are listed newest first, also by another window", async () => {
    const store = open();
    await store.update("a", () => run("a", 2 * hour));
    await store.update("b", () => run("b", hour));
    assert.deepEqual(await ids(store), ["b", "a"]);
    assert.deepEqual(await ids(open()), ["b", "a"]);
  });

  test("keep the timeline beside the record", async () => {
    const store = open();
    const timeline = addMark(emptyTimeline, { at: 1, kind: "killed", pod: "1", exit: "" });
    await store.update("a", () => run("a"), timeline);
    await store.update("a", (before) => before && { ...before, outcome: "succeeded" });
    assert.deepEqual((await open().timeline("a"))?.marks, timeline.marks);
    assert.deepEqual((await store.list())[0]?.outcome, "succeeded");
    assert.equal(await store.timeline("b"), undefined);
  });

  test("apply concurrent changes of one record one after another", async () => {
    const store = open();
    await store.update("a", () => run("a"));
    const count = async (): Promise<void> =>
      store.update("a", (before) => before && { ...before, exitCode: (before.exitCode ?? 0) + 1 });
    await Promise.all(Array.from({ length: 20 }, count));
    assert.equal((await store.list())[0]?.exitCode, 21);
  });

  test("store nothing if the change returns nothing", async () => {
    const store = open();
    await store.update("a", (before) => before);
    assert.deepEqual(await store.list(), []);
  });

  test("are bounded by their number, their size and their age, the oldest first", async () => {
    for (const [id, age] of [
      ["a", 3],
      ["b", 2],
      ["c", 1],
    ] as const) {
      await open().update(id, () => run(id, age * hour));
    }
    assert.deepEqual(await ids(open({ ageMs: 2.5 * hour })), ["c", "b"]);
    assert.deepEqual(await ids(open({ runs: 1 })), ["c"]);
    await open().update("d", () => run("d", hour / 2));
    assert.deepEqual(await ids(open({ bytes: 10 })), ["d"]);
    assert.equal((await readdir(folder)).length, 1);
  });

  test("are removed with their timelines", async () => {
    const store = open();
    await store.update("a", () => run("a"), emptyTimeline);
    await store.remove(["a", "unknown"]);
    assert.deepEqual(await readdir(folder), []);
  });

  test("ignore damaged and foreign files", async () => {
    const store = open();
    await store.update("a", () => run("a"), emptyTimeline);
    const [json = "", packed = ""] = (await readdir(folder)).sort();
    await writeFile(join(folder, packed), "no gzip");
    assert.equal(await store.timeline("a"), undefined);
    await writeFile(join(folder, "other.json"), JSON.stringify(run("b")));
    await writeFile(join(folder, "half.json"), '{"id":');
    assert.deepEqual(await ids(store), ["a"]);
    await writeFile(join(folder, json), "{");
    assert.deepEqual(await ids(store), []);
  });

  test("never use an id from a cluster as a path, and are private", async () => {
    const store = open();
    await store.update("../../evil", () => run("../../evil"));
    const [name = ""] = await readdir(folder);
    assert.match(name, /^[0-9a-f]{24}\.json$/);
    assert.equal((await stat(join(folder, name))).mode & 0o077, 0);
    assert.deepEqual(await ids(store), ["../../evil"]);
  });
});
