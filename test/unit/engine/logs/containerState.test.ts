import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../../../src/base/emitter.ts";
import {
  containerUpdates,
  podNow,
  type KnownPods,
} from "../../../../src/engine/logs/containerState.ts";
import { logTargetOf } from "../../../../src/spark/logs/targets.ts";
import type { PodRecord } from "../../../../src/spark/pods/podRecord.ts";
import { containerFixture, podFixture } from "../../pods/podFixture.ts";

/** Known pods, which the test changes. */
class PodsAtHand implements KnownPods {
  readonly #changes = new Emitter<undefined>(assert.ifError);
  readonly onDidChange = this.#changes.event;
  readonly watched = new Set(["jobs"]);
  #pod: PodRecord | undefined;

  readonly areKnown = (namespace: string): boolean => this.watched.has(namespace);

  readonly findPod = (uid: string): PodRecord | undefined =>
    this.#pod?.uid === uid ? this.#pod : undefined;

  show(pod: PodRecord | undefined): void {
    this.#pod = pod;
    this.#changes.fire(undefined);
  }
}

const waiting = { kind: "waiting", reason: undefined, message: undefined } as const;
const running = { kind: "running", startedAt: undefined } as const;
const podIn = (
  phase: string,
  state: typeof waiting | typeof running,
  restartCount = 0,
): PodRecord =>
  podFixture({ phase, containers: [containerFixture({ name: "main", state, restartCount })] });

const target = logTargetOf({ pod: podIn("Running", running), state: { kind: "starting" } });

test("only a pod that was seen can be deleted, and only while the watch is live", () => {
  const pods = new PodsAtHand();
  const { hasEnded } = containerUpdates(pods, target);
  assert.equal(hasEnded(), undefined);
  pods.show(podIn("Running", running));
  assert.equal(hasEnded(), false);
  pods.show(undefined);
  assert.equal(hasEnded(), true);
  pods.watched.clear();
  pods.watched.add("elsewhere");
  assert.equal(hasEnded(), undefined);
});

test("an ended pod counts as present while it is known, a deleted one does not", () => {
  const pods = new PodsAtHand();
  const { hasEnded, isGone = () => undefined } = containerUpdates(pods, target);
  assert.equal(isGone(), false, "it is not known yet");
  pods.show(podIn("Succeeded", running));
  assert.deepEqual([hasEnded(), isGone()], [true, false]);
  pods.show(podFixture({ uid: "of another pod", name: target.pod }));
  assert.deepEqual([hasEnded(), isGone()], [true, true]);
  pods.watched.clear();
  assert.equal(isGone(), false, "nobody can tell");
});

test("podNow returns the current state of a pod, and undefined after its deletion", () => {
  const pods = new PodsAtHand();
  const chosen = podIn("Pending", waiting);
  const begun = podIn("Running", running);
  pods.show(begun);
  assert.equal(podNow(pods, chosen), begun);
  pods.show(undefined);
  assert.equal(podNow(pods, chosen), undefined);
  pods.watched.clear();
  assert.equal(podNow(pods, chosen), chosen, "nobody can tell");
});

test("reports changes of an init container", () => {
  const pods = new PodsAtHand();
  const { hasEnded, restarts } = containerUpdates(pods, { ...target, container: "load" });
  const load = containerFixture({ name: "load", state: running, restartCount: 2 });
  pods.show({ ...podIn("Pending", waiting), initContainers: [load] });
  assert.equal(hasEnded(), false);
  assert.equal(restarts?.()?.count, 2);
});

test("reports start, restart and end of a container, and no other change of its pod", () => {
  const pods = new PodsAtHand();
  let news = 0;
  const listening = containerUpdates(pods, target).onDidChange?.(() => {
    news += 1;
  });
  const steps: readonly (readonly [PodRecord | undefined, number])[] = [
    [podIn("Pending", waiting), 1],
    [{ ...podIn("Pending", waiting), podIp: "10.0.0.1" }, 1],
    [podIn("Running", running), 2],
    [podIn("Running", running, 1), 3],
    [podIn("Succeeded", running, 1), 4],
    [undefined, 5],
  ];
  for (const [pod, expected] of steps) {
    pods.show(pod);
    assert.equal(news, expected);
  }
  listening?.dispose();
  pods.show(podIn("Running", running));
  assert.equal(news, 5);
});
