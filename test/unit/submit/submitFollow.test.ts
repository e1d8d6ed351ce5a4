import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok, type Result } from "../../../src/base/result.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { ObjectApi, PodWatchItem, StoredObject } from "../../../src/engine/ports.ts";
import { decodePod } from "../../../src/spark/pods/decodePod.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";
import { followDriver, type FollowReport } from "../../../src/engine/submitFollow.ts";

const target = { namespace: "n", driverPodName: "d", applicationId: "spark-1" };
const gone: ClusterError = { kind: "notFound", resource: "pods", name: "d", detail: "" };
const expired: ClusterError = { kind: "expired", detail: "" };
const forbidden: ClusterError = {
  kind: "forbidden",
  verb: "get",
  resource: "pods",
  namespace: "n",
  detail: "",
};

function pod(phase: string, resourceVersion: string): StoredObject {
  const metadata = { name: "d", namespace: "n", uid: "u", resourceVersion };
  const body = { metadata, status: { phase } };
  return { apiVersion: "v1", kind: "Pod", ...metadata, body };
}

const bookmark: PodWatchItem = {
  kind: "events",
  events: [{ kind: "bookmark", resourceVersion: "0", initialEventsEnd: false }],
};

/** Plays reads and watches from lists; the last read stays. */
function play(
  reads: readonly (StoredObject | ClusterError)[],
  watches: readonly (readonly PodWatchItem[])[],
): { readonly objects: Pick<ObjectApi, "read">; readonly watched: (string | undefined)[] } & {
  readonly pods: { watchPods: Parameters<typeof followDriver>[1]["pods"]["watchPods"] };
} {
  let read = 0;
  const watched: (string | undefined)[] = [];
  return {
    watched,
    objects: {
      read: (): Promise<Result<StoredObject, ClusterError>> => {
        const next = reads[Math.min(read++, reads.length - 1)];
        if (next === undefined) throw new Error("nothing to read");
        return Promise.resolve("body" in next ? ok(next) : err(next));
      },
    },
    pods: {
      watchPods: async function* ({ resourceVersion }) {
        watched.push(resourceVersion);
        await Promise.resolve();
        yield* watches[watched.length - 1] ?? [];
      },
    },
  };
}

async function follow(
  played: ReturnType<typeof play>,
  signal = new AbortController().signal,
): Promise<{ end: Awaited<ReturnType<typeof followDriver>>; phases: readonly string[] }> {
  const phases: string[] = [];
  const report = (each: FollowReport): void => {
    if (each.kind === "state") phases.push(each.pod.resourceVersion);
  };
  // The rest of the port is not used.
  const objects = played.objects as ObjectApi;
  const ports = { objects, pods: played.pods, clock: systemClock, random: () => 0 };
  const end = await followDriver(target, ports, 1000, report, signal);
  return { end, phases };
}

test("the driver is followed from state to state until it has ended", async () => {
  const record = decodePod({ metadata: { uid: "u", name: "d" } });
  assert.ok(record);
  const event: PodWatchItem = { kind: "events", events: [{ kind: "modified", pod: record }] };
  const reads = [pod("Pending", "1"), pod("Running", "2"), pod("Succeeded", "3")];
  const played = play(reads, [[event, event]]);
  const { end, phases } = await follow(played);
  assert.ok(end.ok);
  assert.equal(end.value.kind, "succeeded");
  assert.deepEqual(phases, ["1", "2", "3"]);
  assert.deepEqual(played.watched, ["1"]);
});

test("a watch that was closed, or whose state is forgotten, goes on from a new read", async () => {
  const played = play(
    [pod("Running", "1"), pod("Running", "1"), pod("Failed", "9")],
    [[bookmark], [{ kind: "failed", error: expired }]],
  );
  const { end, phases } = await follow(played);
  assert.ok(end.ok);
  assert.equal(end.value.kind, "failed");
  assert.deepEqual(phases, ["1", "9"]);
  assert.deepEqual(played.watched, ["1", "1"]);
});

test("a pod that is gone ends it, with what was last seen", async () => {
  const { end } = await follow(play([pod("Running", "1"), gone], [[]]));
  assert.ok(end.ok && end.value.kind === "gone");
  assert.equal(end.value.last?.resourceVersion, "1");
});

test("a missing right ends it with a failure", async () => {
  const { end } = await follow(play([forbidden], []));
  assert.ok(!end.ok);
  assert.equal(end.error, forbidden);
});

test("an abort ends it with an AbortError", async () => {
  const stop = new AbortController();
  const played = play([{ kind: "badResponse", status: 500, detail: "" }], []);
  const following = follow(played, stop.signal);
  stop.abort();
  await assert.rejects(following, { name: "AbortError" });
});
