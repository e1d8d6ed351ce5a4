import assert from "node:assert/strict";
import { test } from "node:test";
import type { Disposable } from "../../../../src/base/disposable.ts";
import type { WatchedPods } from "../../../../src/engine/logs/containerState.ts";
import { podsOfStore } from "../../../../src/engine/logs/containerState.ts";
import { PodStore } from "../../../../src/engine/watch/podStore.ts";
import { RunPodWatch } from "../../../../src/engine/submit/runPods.ts";
import type { PodRecord } from "../../../../src/spark/pods/podRecord.ts";
import { driverFixture } from "../../pods/podFixture.ts";
import { VirtualClock } from "../virtualClock.ts";

const driver = driverFixture({ resourceVersion: "7" });
const later = driverFixture({ resourceVersion: "8" });
const refused = { kind: "forbidden", verb: "watch", resource: "pods", namespace: "jobs" } as const;
const log = { error: assert.ifError, debug: () => undefined, warn: () => undefined };

/** A window with a watch that the test switches on and off. */
class Window {
  readonly clock = new VirtualClock();
  readonly store = new PodStore({ clock: this.clock, log });
  isWatching = true;
  /** The watches that the run opened itself. */
  readonly own: { readonly store: PodStore; isOpen: boolean }[] = [];
  readonly #shared = podsOfStore(this.store);
  readonly pods: RunPodWatch;

  constructor() {
    const shared: WatchedPods = {
      ...this.#shared,
      freshness: () => (this.isWatching ? this.store.freshness : undefined),
    };
    this.pods = new RunPodWatch(shared, () => this.#begin(), { clock: this.clock, log });
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
}

test("uses the window's watch of the namespace", async () => {
  const window = new Window();
  await window.show([driver], "7");
  assert.deepEqual([...window.pods.pods()], [driver]);
  assert.equal(window.pods.findPod(driver.uid), driver);
  assert.equal(window.pods.areKnown("jobs"), true);
  assert.equal(window.own.length, 0);
});

test("watches on its own while the window watches other namespaces, and reports changes of both", async () => {
  const window = new Window();
  await window.show([driver], "7");
  let changes = 0;
  window.pods.onDidChange(() => {
    changes += 1;
  });
  window.isWatching = false;
  await window.show([], "8");
  assert.equal(window.own.length, 1);
  assert.equal(window.pods.areKnown("jobs"), false, "its own watch has no list yet");
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

test("starts no watch if another listener of the same change disposed it", async () => {
  const store = new PodStore({ clock: new VirtualClock(), log });
  const shared = podsOfStore(store);
  const listeners: (() => void)[] = [];
  let begun = 0;
  let freshness: ReturnType<WatchedPods["freshness"]> = { kind: "live", polled: undefined };
  const pods = new RunPodWatch(
    {
      ...shared,
      freshness: () => freshness,
      onDidChange: (listener) => {
        listeners.push(listener);
        return { dispose: () => undefined };
      },
    },
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

test("keeps its own watch until the window's is live", async () => {
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

test("starts its own watch if the window's is refused later", async () => {
  const window = new Window();
  await window.show([driver], "7");
  window.store.setFreshness({ kind: "stale", since: 0, error: { ...refused, detail: "" } });
  await window.clock.advance(500);
  assert.equal(window.own.length, 1);
  assert.equal(window.pods.freshness()?.kind, "connecting");
  await window.show([later], "8", window.own[0]?.store);
  assert.deepEqual([...window.pods.pods()], [later]);
});

test("starts its own watch if the window's first list takes more than 5 s", async () => {
  const window = new Window();
  await window.clock.advance(4_000);
  assert.equal(window.own.length, 0);
  await window.clock.advance(2_000);
  assert.equal(window.own.length, 1);
  await window.show([driver], "7");
  assert.equal(window.own[0]?.isOpen, false);
});

test("keeps the window's watch during an outage", async () => {
  const window = new Window();
  await window.show([driver], "7");
  const error = { kind: "badResponse", status: 500, detail: "" } as const;
  window.store.setFreshness({ kind: "stale", since: 0, error });
  await window.clock.advance(60_000);
  assert.equal(window.own.length, 0);
  assert.equal(window.pods.freshness()?.kind, "stale");
});

test("starts its own watch if the window's is forbidden", async () => {
  const window = new Window();
  window.store.setFreshness({ kind: "failed", error: { ...refused, detail: "" } });
  await window.clock.advance(500);
  assert.equal(window.own.length, 1);
});
