import assert from "node:assert/strict";
import { test } from "node:test";
import {
  keepFailedLogs,
  type FailedLog,
  type FailedLogKeeper,
} from "../../../../src/engine/logs/keepFailed.ts";
import type { KeptLogName } from "../../../../src/engine/ports/logs.ts";
import { keptLogName } from "../keptLogName.ts";
import { settle, VirtualClock } from "../virtualClock.ts";

interface Rig {
  readonly clock: VirtualClock;
  readonly keeper: FailedLogKeeper;
  /** The kept lines by pod name. */
  readonly lines: Map<string, string[]>;
  readonly told: KeptLogName[];
  /** The applications whose writer lock another window holds. */
  readonly locked: Set<string>;
  /** Returns the number of open writers. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

function rig(): Rig {
  const clock = new VirtualClock();
  const lines = new Map<string, string[]>();
  const told: KeptLogName[] = [];
  const locked = new Set<string>();
  let open = 0;
  const keeper = keepFailedLogs({
    openWriter: ({ applicationId }) => {
      if (locked.has(applicationId)) return Promise.resolve(undefined);
      open += 1;
      let resolve = (): void => undefined;
      const done = new Promise<void>((settled) => {
        resolve = settled;
      });
      return Promise.resolve({
        append: ({ pod }, added) => {
          lines.set(pod, [...(lines.get(pod) ?? []), ...added.map(({ text }) => text)]);
          return Promise.resolve("kept");
        },
        end: () => Promise.resolve(),
        newest: ({ pod }) =>
          Promise.resolve((lines.get(pod) ?? []).map((text) => ({ timestamp: "", text }))),
        done,
        dispose: () => {
          open -= 1;
          resolve();
        },
      });
    },
    clock,
    kept: (name) => told.push(name),
    failed: assert.ifError,
  });
  const close = async (): Promise<void> => {
    keeper.dispose();
    await keeper.done;
    await settle();
    assert.equal(clock.pending, 0, "no timer outlives the keeper");
  };
  return { clock, keeper, lines, told, locked, open: () => open, close };
}

/** Returns the log of a failed pod, with these lines. */
const failedPod = (pod: string, ...texts: readonly string[]): FailedLog => ({
  name: { ...keptLogName, pod, uid: pod },
  read: () => Promise.resolve(texts.map((text) => ({ timestamp: "", text }))),
});

/** Returns a log that cannot be read; adds the pod to `reads` at each attempt. */
const unreadable = (pod: string, reads: string[]): FailedLog => ({
  name: { ...keptLogName, pod, uid: pod },
  read: () => {
    reads.push(pod);
    return Promise.resolve(undefined);
  },
});

/** Returns a log whose server never responds. */
const silent = (pod: string): FailedLog => ({
  name: { ...keptLogName, pod, uid: pod },
  read: (signal) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        reject(signal.reason as Error);
      });
    }),
});

test("keeps the last lines of each failed pod once", async () => {
  const { clock, keeper, lines, told, open, close } = rig();
  const pods = [failedPod("a", "a 7", "a 8"), failedPod("b", "b 0")];
  keeper.add(pods);
  await clock.advance(5_000);
  keeper.add(pods);
  await clock.advance(5_000);
  assert.deepEqual(Object.fromEntries(lines), { a: ["a 7", "a 8"], b: ["b 0"] });
  assert.deepEqual(
    told.map(({ pod }) => pod),
    ["a", "b"],
  );
  assert.equal(open(), 0);
  await close();
});

test("leaves logs that are there, and those of an application that is kept elsewhere", async () => {
  const { clock, keeper, lines, told, locked, close } = rig();
  const reads: string[] = [];
  lines.set("a", ["from the session before"]);
  locked.add("spark-2");
  const b = unreadable("b", reads);
  keeper.add([unreadable("a", reads), { ...b, name: { ...b.name, applicationId: "spark-2" } }]);
  await clock.advance(5_000);
  assert.deepEqual(Object.fromEntries(lines), { a: ["from the session before"] });
  assert.deepEqual([told, reads], [[], []]);
  await close();
});

test("continues after a log that cannot be read or is empty, and says nothing about it", async () => {
  const { clock, keeper, lines, told, close } = rig();
  const reads: string[] = [];
  keeper.add([unreadable("a", reads), failedPod("b"), failedPod("c", "c 0")]);
  await clock.advance(5_000);
  assert.deepEqual([reads, [...lines.keys()], told.map(({ pod }) => pod)], [["a"], ["c"], ["c"]]);
  await close();
});

test("reads a log that cannot be read twice again, a minute later each time", async () => {
  const { clock, keeper, close } = rig();
  const reads: string[] = [];
  const pod = unreadable("a", reads);
  keeper.add([pod]);
  await clock.advance(50_000);
  assert.equal(reads.length, 1);
  keeper.add([pod, failedPod("b", "b 0")]);
  await clock.advance(50_000);
  assert.equal(reads.length, 1);
  await clock.advance(600_000);
  assert.equal(reads.length, 3);
  await close();
});

test("ends while a log does not answer, and gives its writer back", async () => {
  const { clock, keeper, open, close } = rig();
  keeper.add([silent("a")]);
  await clock.advance(5_000);
  assert.equal(open(), 1);
  await close();
  assert.equal(open(), 0);
});
