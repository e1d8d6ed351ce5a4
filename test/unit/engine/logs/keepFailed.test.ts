import assert from "node:assert/strict";
import { test } from "node:test";
import {
  keepFailedLogs,
  type FailedLog,
  type FailedLogKeeper,
} from "../../../../src/engine/logs/keepFailed.ts";
import { keepLog } from "../../../../src/engine/logs/keepLog.ts";
import type { KeptLogName } from "../../../../src/engine/ports/logs.ts";
import { start } from "../../../../src/engine/running.ts";
import type { TailEnd } from "../../../../src/engine/logs/tail.ts";
import { FakeLogSource } from "../fakeLogSource.ts";
import { keptLogName } from "../keptLogName.ts";
import { settle, VirtualClock } from "../virtualClock.ts";

interface Rig {
  readonly clock: VirtualClock;
  readonly keeper: FailedLogKeeper;
  /** The kept lines by pod. */
  readonly lines: Map<string, string[]>;
  readonly told: KeptLogName[];
  /** The applications that another window writes. */
  readonly locked: Set<string>;
  /** The number of open writers. */
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

/** A failed pod whose log has this many lines. */
function failedPod(clock: VirtualClock, pod: string, count: number): FailedLog {
  const source = new FakeLogSource(clock);
  for (let at = 0; at < count; at += 1) {
    const second = String(at).padStart(2, "0");
    source.write({ timestamp: `2026-01-02T03:04:${second}.000000001Z`, text: `${pod} ${at}` });
  }
  source.end();
  const name = { ...keptLogName, pod, uid: pod };
  return {
    name,
    keep: (writer, ended) =>
      keepLog(
        name,
        { namespace: "etl", pod, container: "main" },
        {
          ...{ logs: source, clock, random: () => 0.5, writer, ended, tailLines: 3 },
          news: { hasEnded: () => true },
          words: () => undefined,
        },
      ),
  };
}

/** A pod whose log cannot be read, or does not answer. */
const badPod = (pod: string, end: TailEnd | undefined, reads: string[]): FailedLog => ({
  name: { ...keptLogName, pod, uid: pod },
  keep: (_, ended) =>
    start(async (signal) => {
      reads.push(pod);
      if (end !== undefined) ended(end);
      else {
        await new Promise((resolve) => {
          signal.addEventListener("abort", resolve);
        });
      }
    }),
});

test("keeps the last lines of each failed pod once", async () => {
  const { clock, keeper, lines, told, open, close } = rig();
  const pods = [failedPod(clock, "a", 9), failedPod(clock, "b", 2)];
  keeper.add(pods);
  await clock.advance(5_000);
  keeper.add(pods);
  await clock.advance(5_000);
  assert.deepEqual(Object.fromEntries(lines), { a: ["a 6", "a 7", "a 8"], b: ["b 0", "b 1"] });
  assert.deepEqual(
    told.map(({ pod }) => pod),
    ["a", "b"],
  );
  assert.equal(open(), 0);
  await close();
});

test("leaves logs that are there, and those of an application that is kept elsewhere", async () => {
  const { clock, keeper, lines, told, locked, close } = rig();
  lines.set("a", ["from the session before"]);
  locked.add("spark-2");
  const b = failedPod(clock, "b", 2);
  keeper.add([failedPod(clock, "a", 2), { ...b, name: { ...b.name, applicationId: "spark-2" } }]);
  await clock.advance(5_000);
  assert.deepEqual(Object.fromEntries(lines), { a: ["from the session before"] });
  assert.deepEqual(told, []);
  await close();
});

test("asks a namespace that denies a log for no other one", async () => {
  const { clock, keeper, lines, close } = rig();
  const reads: string[] = [];
  const denied: TailEnd = {
    kind: "failed",
    error: { kind: "forbidden", verb: "get", resource: "pods/log", namespace: "etl", detail: "" },
  };
  const c = failedPod(clock, "c", 1);
  keeper.add([
    badPod("a", denied, reads),
    badPod("b", denied, reads),
    { ...c, name: { ...c.name, namespace: "other" } },
  ]);
  await clock.advance(5_000);
  assert.deepEqual(reads, ["a"]);
  assert.deepEqual([...lines.keys()], ["c"]);
  await close();
});

test("continues after 30 s with a node that does not answer, and ends within it", async () => {
  const { clock, keeper, lines, open, close } = rig();
  const reads: string[] = [];
  keeper.add([badPod("a", undefined, reads), failedPod(clock, "b", 1)]);
  await clock.advance(29_000);
  assert.deepEqual([...lines.keys()], []);
  await clock.advance(2_000);
  await clock.advance(5_000);
  assert.deepEqual([...lines.keys()], ["b"]);
  keeper.add([badPod("c", undefined, reads)]);
  await clock.advance(100);
  await close();
  assert.equal(open(), 0);
});
