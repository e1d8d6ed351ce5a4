import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../../src/base/emitter.ts";
import { keepApplication, type LogToKeep } from "../../../src/engine/keepApplication.ts";
import type { KeepOptions } from "../../../src/engine/keepLog.ts";
import type { KeptLogWriter } from "../../../src/engine/ports.ts";
import { start, type Running } from "../../../src/engine/running.ts";
import type { TailEnd } from "../../../src/engine/tail.ts";
import { unreachable } from "./fakePodServer.ts";
import { keptLogName } from "./keptLogName.ts";
import { settle, VirtualClock } from "./virtualClock.ts";

/** One log that is being kept. */
interface Open {
  readonly id: string;
  readonly writer: KeepOptions["writer"];
  /** It comes to its end by itself. */
  readonly end: (how: TailEnd | Error) => Promise<void>;
}

interface LogSeen {
  readonly id: string;
  readonly hasEnded?: boolean;
}

/** An application as a window sees it, and what is kept of it. */
class Rig {
  readonly clock = new VirtualClock();
  readonly told: string[] = [];
  readonly open: Open[] = [];
  readonly done: string[] = [];
  /** Whether another window writes. */
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

  /** Ends the log that was opened last. */
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
          // The last flush takes its time.
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

test("an application is kept from when it can be seen until a live watch says that it is over", async () => {
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

test("the logs of one pod are each kept to their own end", async () => {
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

test("a log that ends as the window looks elsewhere is taken up again, and nobody hears of a failure", async () => {
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

test("a log that cannot be kept is told once and tried again", async () => {
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

test("an executor that has ended is not read again and again", async () => {
  const rig = new Rig();
  await rig.show([{ id: "exec-1" }]);
  await rig.show([{ id: "exec-1", hasEnded: true }]);
  await rig.end({ kind: "finished" });
  await rig.show([{ id: "exec-1", hasEnded: true }]);
  await rig.clock.advance(120_000);
  assert.deepEqual(rig.ids, []);
  await rig.close();
});

test("the last lines are on the disk before another window may write", async () => {
  const rig = new Rig();
  await rig.show([{ id: "driver" }, { id: "exec-1" }]);
  await rig.close();
  assert.deepEqual(rig.done, ["opened", "driver flushed", "exec-1 flushed", "released"]);
  assert.equal(rig.isFinished, false);
});

test("who finds that another window has taken over stops, and waits for its turn", async () => {
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

test("a window that cannot see the application leaves it to others until it can", async () => {
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

test("what is not wanted any more is let go of, by who writes and by who waits", async () => {
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
