import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok, type Result } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import { podsOfStore } from "../../../../src/engine/logs/containerState.ts";
import type { StoredObject } from "../../../../src/engine/ports/objects.ts";
import { followDriver, type DriverEnd } from "../../../../src/engine/submit/followDriver.ts";
import { PodStore } from "../../../../src/engine/watch/podStore.ts";
import type { PodRecord } from "../../../../src/spark/pods/podRecord.ts";
import { driverFixture } from "../../pods/podFixture.ts";
import { forbidden } from "../fakeCluster.ts";
import { VirtualClock } from "../virtualClock.ts";

const name = driverFixture().name;
const target = { namespace: "jobs", driverPodName: name, applicationId: "spark-1" };
const gone: ClusterError = { kind: "notFound", resource: "pods", name, detail: "" };
const log = { error: assert.ifError, debug: () => undefined, warn: () => undefined };

const pod = (phase: string, resourceVersion: string): PodRecord =>
  driverFixture({ phase, resourceVersion });

const stored = (phase: string, resourceVersion: string, uid = "uid-driver"): StoredObject => {
  const metadata = { name, namespace: "jobs", uid, resourceVersion };
  const body = { metadata, status: { phase } };
  return { apiVersion: "v1", kind: "Pod", ...metadata, body };
};

/** Follows a driver in a pod store, with a server that serves reads of the driver pod. */
class Follow {
  readonly clock = new VirtualClock();
  readonly store = new PodStore({ clock: this.clock, log });
  readonly states: string[] = [];
  readonly phases: (string | undefined)[] = [];
  readonly stop = new AbortController();
  reads = 0;
  answer: Result<StoredObject, ClusterError> = err(gone);
  end: Result<DriverEnd, ClusterError> | undefined;
  readonly done: Promise<unknown>;

  constructor(reportIntervalMs = 3600_000) {
    this.done = followDriver(
      target,
      {
        objects: {
          read: () => {
            this.reads += 1;
            return Promise.resolve(this.answer);
          },
        },
        pods: podsOfStore(this.store),
        clock: this.clock,
        random: () => 0,
      },
      reportIntervalMs,
      (report) => {
        if (report.kind === "state") this.states.push(report.pod.resourceVersion);
        else this.phases.push(report.phase);
      },
      this.stop.signal,
    ).then((end) => (this.end = end));
    // Some tests expect the rejection; unhandled it would fail all of them.
    this.done.catch(() => undefined);
  }

  async show(pods: readonly PodRecord[], version: string): Promise<void> {
    this.store.replace(pods, { resourceVersion: version, mayLag: false });
    this.store.setFreshness({ kind: "live", polled: undefined });
    await this.clock.advance(500);
  }
}

test("reports each state of the driver once, until it has succeeded, without a request", async () => {
  const follow = new Follow();
  await follow.show([pod("Pending", "1")], "1");
  await follow.show([pod("Running", "2")], "2");
  await follow.show([pod("Running", "2"), driverFixture({ uid: "another" })], "3");
  await follow.clock.advance(60_000);
  await follow.show([pod("Succeeded", "4")], "4");
  assert.ok(follow.end?.ok);
  assert.equal(follow.end.value.kind, "succeeded");
  assert.deepEqual(follow.states, ["1", "2", "4"]);
  assert.equal(follow.reads, 0);
  assert.equal(follow.clock.pending, 0);
});

test("ends with the last state when the driver is deleted", async () => {
  const follow = new Follow();
  await follow.show([pod("Running", "1")], "1");
  await follow.show([], "2");
  assert.ok(follow.end?.ok && follow.end.value.kind === "gone");
  assert.equal(follow.end.value.last?.resourceVersion, "1");
  assert.equal(follow.reads, 1);
});

test("ends as deleted if another pod has the name", async () => {
  const follow = new Follow();
  follow.answer = ok(stored("Running", "9", "another-uid"));
  await follow.show([pod("Running", "1")], "1");
  await follow.show([], "2");
  assert.ok(follow.end?.ok && follow.end.value.kind === "gone");
});

test("waits for a watch that lags behind, and reads a driver that it does not show within 5 s", async () => {
  const follow = new Follow();
  follow.answer = ok(stored("Pending", "3"));
  for (let at = 0; at < 3; at += 1) await follow.show([], String(1 + at));
  assert.equal(follow.reads, 0);
  await follow.clock.advance(4_000);
  assert.deepEqual([follow.reads, follow.states], [1, ["3"]]);
  await follow.show([pod("Pending", "2")], "5");
  assert.deepEqual(follow.states, ["3"], "an older state is no news");
  await follow.show([pod("Failed", "7")], "7");
  assert.ok(follow.end?.ok && follow.end.value.kind === "failed");
  assert.deepEqual(follow.states, ["3", "7"]);
});

test("waits while the watch is broken, and continues when it is live again", async () => {
  const follow = new Follow();
  await follow.show([pod("Running", "1")], "1");
  const error = { kind: "badResponse", status: 500, detail: "" } as const;
  follow.store.setFreshness({ kind: "stale", since: 0, error });
  await follow.clock.advance(600_000);
  assert.deepEqual(follow.states, ["1"]);
  await follow.show([pod("Succeeded", "2")], "2");
  assert.ok(follow.end?.ok && follow.end.value.kind === "succeeded");
});

test("fails on a missing right of the watch or of the read", async () => {
  const refused = forbidden("list", "pods");
  const watch = new Follow();
  watch.store.setFreshness({ kind: "failed", error: refused });
  await watch.clock.advance(500);
  assert.deepEqual(watch.end, err(refused));
  const read = new Follow();
  read.answer = err(refused);
  await read.show([], "1");
  await read.clock.advance(6_000);
  assert.deepEqual(read.end, err(refused));
});

test("repeats a read that fails with back-off", async () => {
  const follow = new Follow();
  follow.answer = err({ kind: "badResponse", status: 500, detail: "" });
  await follow.show([], "1");
  await follow.clock.advance(20_000);
  assert.ok(follow.reads > 1 && follow.reads <= 6, String(follow.reads));
  follow.answer = err(gone);
  await follow.clock.advance(30_000);
  assert.ok(follow.end?.ok && follow.end.value.kind === "gone");
  assert.equal(follow.end.value.last, undefined);
});

test("reports the phase at each interval", async () => {
  const follow = new Follow(1_000);
  await follow.clock.advance(1_000);
  await follow.show([pod("Running", "1")], "1");
  await follow.clock.advance(1_000);
  assert.deepEqual(follow.phases, [undefined, "Running"]);
});

test("rejects with an AbortError on abort, and leaves no timer", async () => {
  const follow = new Follow();
  await follow.show([pod("Running", "1")], "1");
  follow.stop.abort();
  await assert.rejects(follow.done, { name: "AbortError" });
  follow.store.dispose();
  await follow.clock.advance(0);
  assert.equal(follow.clock.pending, 0);
});
