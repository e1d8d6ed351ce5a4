// F16: a slow subscriber while the server keeps sending events.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { PodDelivery } from "../../src/engine/watch/podSubscription.ts";
import { lastVersion, passingPods, stayingPods, versionsARound } from "./chattyServer.ts";
import { realClock } from "./clocks.ts";
import { connectTo } from "./rig.ts";
import { names, watchPods } from "./watched.ts";

const busyMs = 300;

const ways: readonly (readonly [string, () => void | Promise<void>])[] = [
  ["waits for something", () => wait(busyMs)],
  [
    "keeps the thread busy",
    () => {
      const until = performance.now() + busyMs;
      while (performance.now() < until);
    },
  ],
];

for (const [way, beBusy] of ways) {
  test(`a subscriber that ${way} gets each pod once per delivery, and every ending`, async (t) => {
    const worker = new Worker(new URL("./chattyServer.ts", import.meta.url));
    t.after(() => worker.terminate());
    const [port] = (await once(worker, "message")) as [number];
    const { connection } = await connectTo(t, `http://127.0.0.1:${port}`);
    const { store } = watchPods(t, connection, realClock, () => 0);
    const saidAll = once(worker, "message");
    const told = new Map<string, string>();
    const ends = new Map<string, string[]>();
    const sizes: number[] = [];
    let maxLeap = 0;
    let missed = 0;
    const note = ({ changes, endings, isWhole }: PodDelivery): void => {
      const all = [...changes()];
      const come = all.flatMap(({ added, modified }) => [
        ...added,
        ...modified.map(({ after }) => after),
      ]);
      const gone = all.flatMap(({ removed }) => removed.map(({ last }) => last));
      const uids = new Set([...come, ...gone].map(({ uid }) => uid));
      assert.equal(uids.size, come.length + gone.length, "no pod stands twice in a delivery");
      sizes.push(uids.size);
      for (const { before, after } of all.flatMap(({ modified }) => modified)) {
        const leap = Number(after.resourceVersion) - Number(before.resourceVersion);
        maxLeap = Math.max(maxLeap, leap);
      }
      if (isWhole) told.clear();
      for (const { name, resourceVersion } of come) told.set(name, `${name}@${resourceVersion}`);
      for (const { name } of gone) told.delete(name);
      for (const { kind, pod } of endings)
        ends.set(pod.name, [...(ends.get(pod.name) ?? []), kind]);
    };
    const failures: unknown[] = [];
    let isBusy = false;
    store.subscribe(
      async (delivery) => {
        try {
          assert.equal(isBusy, false, "who is busy is told of nothing");
          note(delivery);
        } catch (error) {
          failures.push(error);
        }
        const { version } = store.snapshot;
        isBusy = true;
        await beBusy();
        isBusy = false;
        missed = Math.max(missed, store.snapshot.version - version);
      },
      { intervalMs: 50 },
    );
    await saidAll;
    const last = Array.from({ length: stayingPods }, (_, index) => `stays-${index}@${lastVersion}`);
    while (![...told.values()].includes(`stays-0@${lastVersion}`)) await wait(20);
    assert.deepEqual(names(store), last.sort());
    assert.deepEqual([...told.values()].sort(), last.sort());
    assert.deepEqual(failures, []);
    const passed = Array.from({ length: passingPods }, (_, index) => `passes-${index}`);
    assert.deepEqual(
      [...ends].sort(),
      passed.map((name): [string, string[]] => [name, ["failed", "gone"]]).sort(),
    );
    assert.ok(Math.max(...sizes) <= stayingPods + passingPods);
    assert.ok(maxLeap > versionsARound, "changes of one pod are told as one");
    if (way === "waits for something") assert.ok(missed > 0, "the store goes on meanwhile");
  });
}
