import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../../../src/base/emitter.ts";
import { keepApplication, type LogToKeep } from "../../../../src/engine/logs/keepApplication.ts";
import type { KeepOptions } from "../../../../src/engine/logs/keepLog.ts";
import type { KeptLogWriter } from "../../../../src/engine/ports/logs.ts";
import { start, type Running } from "../../../../src/engine/running.ts";
import type { TailEnd } from "../../../../src/engine/logs/tail.ts";
import { unreachable } from "../fakePodServer.ts";
import { keptLogName } from "../keptLogName.ts";
import { settle, VirtualClock } from "../virtualClock.ts";

/** An open log that is written to the kept logs. */
interface Open {
  readonly id: string;
  readonly writer: KeepOptions["writer"];
  /** Ends the log normally, or with an error. */
  readonly end: (how: TailEnd | Error) => Promise<void>;
}

interface LogSeen {
  readonly id: string;
  readonly hasEnded?: boolean;
}

/** An application as one window sees it, with its kept logs. */
class Rig {
  readonly clock = new VirtualClock();
  readonly told: string[] = [];
  readonly open: Open[] = [];
  readonly done: string[] = [];
  /** True if another window holds the writer lock. */
  isTaken = false;
  isWanted = true;
  isLost = false;
  isFinished = false;
  #seen: { readonly logs: readonly LogSeen[]; readonly isOver: boolean } | undefined;
  readonly #changes = new Emitter<undefined>(assert.ifError);
  readonly keeping: Running;

  constructor() {
    this.keeping = keepApplication({
      see: () =>
        this.#seen && { ...this.#seen, logs: this.#seen.logs.map((one) => this.#log(one)) },
      onDidChange: this.#changes.event,
      isWanted: () => this.isWanted,
      openWriter: () => Promise.resolve(this.isTaken ? undefined : this.#writer()),
      clock: this.clock,
      failed: ({ kind }) => {
        this.told.push(kind);
      },
      finished: () => {
        this.isFinished = true;
      },
    });
  }

  get ids(): readonly string[] {
    return this.open.map(({ id }) => id);
  }

  async show(logs: readonly LogSeen[] | undefined, isOver = false): Promise<void> {
    this.#seen = logs && { logs, isOver };
    this.#changes.fire(undefined);
    await this.clock.advance(500);
  }

  /** Ends the log that was opened most recently. */
  async end(how: TailEnd | Error): Promise<void> {
    await this.open.at(-1)?.end(how);
  }

  async close(): Promise<void> {
    this.keeping.dispose();
    await this.clock.advanceUntil(this.keeping.done);
    assert.equal(this.clock.pending, 0);
  }

  #writer(): KeptLogWriter {
    const stop = new AbortController();
    this.done.push("opened");
    return {
      append: () => Promise.resolve(this.isLost ? "lost" : "kept"),
      newest: () => Promise.resolve([]),
      end: () => Promise.resolve(),
      dispose: () => {
        if (!stop.signal.aborted) this.done.push("released");
        stop.abort();
      },
      done: Promise.resolve(),
    };
  }

  #log({ id, hasEnded = false }: LogSeen): LogToKeep {
    return {
      id,
      hasEnded,
      keep: (writer, ended) => {
        let resolve: () => void = () => undefined;
        let reject: (error: Error) => void = () => undefined;
        const over = new Promise<void>((...both) => {
          [resolve, reject] = both;
        });
        const keeping = start(async (signal) => {
          signal.addEventListener("abort", resolve);
          await over;
          // The last flush is asynchronous.
          await settle();
          this.done.push(`${id} flushed`);
          this.open.splice(this.open.indexOf(open), 1);
        });
        const open: Open = {
          id,
          writer,
          end: async (how) => {
            if (how instanceof Error) reject(how);
            else {
              ended(how);
              resolve();
            }
            await settle();
            await this.clock.advance(500);
          },
        };
        over.catch(() => this.open.splice(this.open.indexOf(open), 1));
        this.open.push(open);
        return keeping;
      },
    };
  }
}

test("keeps an application from the time it is visible until a live watch shows its end", async () => {
  const rig = new Rig();
  await rig.show(undefined);
  await rig.clock.advance(600_000);
  assert.deepEqual([rig.ids, rig.isFinished], [[], false]);
  await rig.show([{ id: "driver" }]);
  await rig.show([{ id: "driver" }, { id: "exec-1" }]);
  assert.deepEqual(rig.ids, ["driver", "exec-1"]);
  await rig.show(
    [
      { id: "driver", hasEnded: true },
      { id: "exec-1", hasEnded: true },
    ],
    true,
  );
  await rig.end({ kind: "finished" });
  assert.equal(rig.isFinished, false);
  await rig.end({ kind: "finished" });
  assert.ok(rig.isFinished);
  await rig.close();
});

test("keeps each log of one pod to its own end", async () => {
  const rig = new Rig();
  await rig.show([{ id: "u/load", hasEnded: true }, { id: "u/main" }]);
  await rig.open[0]?.end({ kind: "finished" });
  await rig.clock.advance(60_000);
  assert.deepEqual([rig.ids, rig.isFinished], [["u/main"], false]);
  await rig.show(
    [
      { id: "u/load", hasEnded: true },
      { id: "u/main", hasEnded: true },
    ],
    true,
  );
  assert.equal(rig.isFinished, false);
  await rig.end({ kind: "finished" });
  assert.ok(rig.isFinished);
  await rig.close();
});

test("resumes a log that ends while the window watches another namespace, and reports no failure", async () => {
  for (const how of [{ kind: "finished" }, { kind: "failed", error: unreachable }] as const) {
    const rig = new Rig();
    await rig.show([{ id: "driver" }]);
    await rig.show(undefined);
    await rig.end(how);
    assert.deepEqual([rig.ids, rig.isFinished, rig.told], [[], false, []]);
    await rig.show([{ id: "driver" }]);
    await rig.clock.advance(60_000);
    assert.deepEqual([rig.ids, rig.isFinished], [["driver"], false]);
    await rig.close();
  }
});

test("reports a log that cannot be kept once, and retries", async () => {
  const rig = new Rig();
  await rig.show([{ id: "driver" }]);
  for (let time = 0; time < 3; time += 1) {
    assert.deepEqual(rig.ids, ["driver"]);
    await rig.end({ kind: "failed", error: unreachable });
    assert.deepEqual([rig.ids, rig.told], [[], ["cluster"]]);
    await rig.clock.advance(60_000);
  }
  await rig.end(new Error("no space left"));
  await rig.clock.advance(60_000);
  assert.deepEqual([rig.ids, rig.told, rig.isFinished], [["driver"], ["cluster"], false]);
  await rig.close();
});

test("does not read the log of an ended executor again", async () => {
  const rig = new Rig();
  await rig.show([{ id: "exec-1" }]);
  await rig.show([{ id: "exec-1", hasEnded: true }]);
  await rig.end({ kind: "finished" });
  await rig.show([{ id: "exec-1", hasEnded: true }]);
  await rig.clock.advance(120_000);
  assert.deepEqual(rig.ids, []);
  await rig.close();
});

test("writes the last lines before another window may write", async () => {
  const rig = new Rig();
  await rig.show([{ id: "driver" }, { id: "exec-1" }]);
  await rig.close();
  assert.deepEqual(rig.done, ["opened", "driver flushed", "exec-1 flushed", "released"]);
  assert.equal(rig.isFinished, false);
});

test("stops when another window has taken over, and waits to take over again", async () => {
  const rig = new Rig();
  await rig.show([{ id: "driver" }]);
  [rig.isTaken, rig.isLost] = [true, true];
  await rig.open[0]?.writer.append(keptLogName, []);
  await rig.clock.advance(500);
  await rig.clock.advance(500);
  assert.deepEqual([rig.ids, rig.done], [[], ["opened", "driver flushed", "released"]]);
  [rig.isTaken, rig.isLost] = [false, false];
  await rig.clock.advance(20_000);
  assert.deepEqual(rig.ids, ["driver"]);
  await rig.close();
});

test("a window without a live watch leaves the application to other windows", async () => {
  const rig = new Rig();
  await rig.clock.advance(60_000);
  assert.equal(rig.done.length, 0);
  await rig.show([{ id: "driver" }]);
  assert.deepEqual([rig.ids, rig.done], [["driver"], ["opened"]]);
  await rig.show(undefined);
  await rig.clock.advance(10_000);
  await rig.show([{ id: "driver" }]);
  await rig.clock.advance(60_000);
  assert.deepEqual(rig.done, ["opened"], "it was away for a moment");
  await rig.show(undefined);
  await rig.clock.advance(20_000);
  await settle();
  assert.deepEqual([rig.ids, rig.done], [[], ["opened", "driver flushed", "released"]]);
  assert.equal(rig.isFinished, false);
  await rig.show([{ id: "driver" }]);
  assert.deepEqual([rig.ids, rig.done.at(-1)], [["driver"], "opened"]);
  await rig.close();
});

test("stops writing and waiting when keeping is switched off", async () => {
  for (const isTaken of [false, true]) {
    const rig = new Rig();
    rig.isTaken = isTaken;
    await rig.show([{ id: "driver" }]);
    await rig.clock.advance(60_000);
    assert.deepEqual([rig.ids, rig.isFinished], [isTaken ? [] : ["driver"], false]);
    rig.isTaken = false;
    rig.isWanted = false;
    await rig.clock.advance(20_000);
    await settle();
    assert.deepEqual(rig.done, isTaken ? [] : ["opened", "driver flushed", "released"]);
    assert.ok(rig.isFinished);
    await rig.close();
  }
});
