import assert from "node:assert/strict";
import { test } from "node:test";
import type { Disposable } from "../../../src/base/disposable.ts";
import type { WatchedPods } from "../../../src/engine/containerNews.ts";
import { podsOfStore } from "../../../src/engine/containerNews.ts";
import { PodStore } from "../../../src/engine/podStore.ts";
import type { PodWatchItem } from "../../../src/engine/ports.ts";
import { RunPods } from "../../../src/engine/runPods.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { VirtualClock } from "./virtualClock.ts";

const driver = driverFixture({ resourceVersion: "7" });
const later = driverFixture({ resourceVersion: "8" });
const refused = { kind: "forbidden", verb: "watch", resource: "pods", namespace: "jobs" } as const;
const log = { error: assert.ifError, debug: () => undefined, warn: () => undefined };
const never = new AbortController().signal;

/** A window that watches, and stops doing so when a test says. */
class Window {
  readonly clock = new VirtualClock();
  readonly store = new PodStore({ clock: this.clock, log });
  isWatching = true;
  /** The stores of the run's own watches, and whether each is still open. */
  readonly own: { readonly store: PodStore; isOpen: boolean }[] = [];
  readonly #shared = podsOfStore(this.store);
  readonly pods: RunPods;

  constructor() {
    const shared: WatchedPods = {
      ...this.#shared,
      freshness: () => (this.isWatching ? this.store.freshness : undefined),
    };
    this.pods = new RunPods(shared, driver.uid, () => this.#begin(), { clock: this.clock, log });
  }

  show(pods: readonly PodRecord[], version: string, store = this.store): Promise<void> {
    store.replace(pods, { resourceVersion: version, mayLag: false });
    store.setFreshness({ kind: "live", polled: undefined });
    return this.clock.advance(500);
  }

  #begin(): Disposable & { readonly store: PodStore } {
    const entry = { store: new PodStore({ clock: this.clock, log }), isOpen: true };
    this.own.push(entry);
    const dispose = (): void => {
      entry.isOpen = false;
      entry.store.dispose();
    };
    return { store: entry.store, dispose };
  }

  /** What a watch of the driver tells from a version on, as it comes. */
  watch(resourceVersion: string): { readonly told: PodWatchItem[]; readonly over: () => boolean } {
    const told: PodWatchItem[] = [];
    let isOver = false;
    const read = async (): Promise<void> => {
      for await (const item of this.pods.watchPods({ resourceVersion }, never)) told.push(item);
      isOver = true;
    };
    read().catch(assert.ifError);
    return { told, over: () => isOver };
  }
}

const versions = (told: readonly PodWatchItem[]): readonly string[] =>
  told.flatMap((item) =>
    item.kind === "events"
      ? item.events.map((event) => (event.kind === "bookmark" ? "" : event.pod.resourceVersion))
      : [item.error.kind],
  );

test("a run in a namespace that the window watches opens no watch of its own", async () => {
  const window = new Window();
  await window.show([driver], "7");
  assert.deepEqual([...window.pods.pods()], [driver]);
  assert.equal(window.pods.findPod(driver.uid), driver);
  assert.equal(window.pods.areKnown("jobs"), true);
  assert.equal(window.own.length, 0);
});

test("a run watches for itself while the window looks elsewhere, and its listeners hear of both", async () => {
  const window = new Window();
  await window.show([driver], "7");
  let changes = 0;
  window.pods.onDidChange(() => {
    changes += 1;
  });
  window.isWatching = false;
  await window.show([], "8");
  assert.equal(window.own.length, 1);
  assert.equal(window.pods.areKnown("jobs"), false, "its own watch knows nothing yet");
  const before = changes;
  await window.show([later], "8", window.own[0]?.store);
  assert.ok(changes > before);
  assert.deepEqual([...window.pods.pods()], [later]);
  window.isWatching = true;
  await window.show([later], "9");
  assert.deepEqual(
    window.own.map(({ isOpen }) => isOpen),
    [false],
  );
  window.isWatching = false;
  await window.show([], "10");
  window.pods.dispose();
  assert.deepEqual(
    window.own.map(({ isOpen }) => isOpen),
    [false, false],
  );
});

test("a run that is let go of by who hears of the same change begins nothing", async () => {
  const store = new PodStore({ clock: new VirtualClock(), log });
  const shared = podsOfStore(store);
  const listeners: (() => void)[] = [];
  let begun = 0;
  let freshness: ReturnType<WatchedPods["freshness"]> = { kind: "live", polled: undefined };
  const pods = new RunPods(
    {
      ...shared,
      freshness: () => freshness,
      onDidChange: (listener) => {
        listeners.push(listener);
        return { dispose: () => undefined };
      },
    },
    driver.uid,
    () => {
      begun += 1;
      return { store, dispose: () => undefined };
    },
    { clock: new VirtualClock(), log },
  );
  pods.dispose();
  freshness = undefined;
  for (const listener of listeners) listener();
  await Promise.resolve();
  assert.equal(begun, 0);
});

test("a run keeps its own watch until the window's knows the pods", async () => {
  const window = new Window();
  window.isWatching = false;
  await window.show([], "1");
  await window.show([driver], "7", window.own[0]?.store);
  window.isWatching = true;
  window.store.setFreshness({ kind: "connecting" });
  await window.clock.advance(500);
  assert.deepEqual([...window.pods.pods()], [driver]);
  await window.show([later], "8");
  assert.deepEqual([...window.pods.pods()], [later]);
  assert.equal(window.own[0]?.isOpen, false);
});

test("what a window is refused later is no refusal of the run", async () => {
  const window = new Window();
  await window.show([driver], "7");
  const { told, over } = window.watch("7");
  const error = { ...refused, detail: "" };
  window.store.setFreshness({ kind: "stale", since: 0, error });
  await window.clock.advance(500);
  assert.equal(window.own.length, 1);
  assert.deepEqual(versions(told), []);
  assert.ok(!over());
  await window.show([later], "8", window.own[0]?.store);
  assert.deepEqual(versions(told), ["8"]);
});

test("while the window's first list does not come the run reads by itself", async () => {
  const window = new Window();
  const { over } = window.watch("7");
  await window.clock.advance(4_000);
  assert.ok(!over());
  await window.clock.advance(2_000);
  assert.ok(over());
  assert.equal(window.own.length, 0);
});

test("a window that is refused its watch leaves the run to its own", async () => {
  const window = new Window();
  window.store.setFreshness({ kind: "failed", error: { ...refused, detail: "" } });
  await window.clock.advance(500);
  assert.equal(window.own.length, 1);
});

test("what is told of the driver begins after the version that was read, each change once", async () => {
  const window = new Window();
  await window.show([driver], "7");
  const { told } = window.watch("7");
  await window.show([driver, driverFixture({ uid: "another", resourceVersion: "9" })], "9");
  assert.deepEqual(versions(told), []);
  await window.show([driverFixture({ resourceVersion: "10" })], "10");
  await window.show([driverFixture({ resourceVersion: "10" })], "11");
  assert.deepEqual(versions(told), ["10"]);
});

test("what is known is not told where the run has read something newer", async () => {
  const window = new Window();
  await window.show([driver], "7");
  const { told } = window.watch("8");
  await window.show([later], "8");
  assert.deepEqual(versions(told), []);
});

test("a driver that goes, or that is never seen, ends what is told of it, so that the run reads again", async () => {
  const window = new Window();
  await window.show([driver], "7");
  const seen = window.watch("7");
  await window.show([], "8");
  assert.ok(seen.over());
  const unseen = window.watch("9");
  // A busy namespace is no reason to wait for longer.
  for (let at = 0; at < 3; at += 1) {
    await window.clock.advance(1_000);
    await window.show([driverFixture({ uid: "another" })], String(20 + at));
  }
  assert.ok(!unseen.over(), "its watch may be late");
  await window.clock.advance(5_000);
  assert.ok(unseen.over());
});

test("a watch that stands still is told as its failure", async () => {
  const window = new Window();
  await window.show([driver], "7");
  const { told, over } = window.watch("7");
  const error = { kind: "badResponse", status: 500, detail: "" } as const;
  window.store.setFreshness({ kind: "stale", since: 0, error });
  await window.clock.advance(500);
  assert.deepEqual(versions(told), ["badResponse"]);
  assert.ok(over());
});
