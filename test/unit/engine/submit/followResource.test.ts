import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok, type Result } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import { followResource } from "../../../../src/engine/submit/followResource.ts";
import { podsOfStore } from "../../../../src/engine/logs/containerState.ts";
import type { ObjectApi, StoredObject } from "../../../../src/engine/ports/objects.ts";
import type { ResourceSource } from "../../../../src/engine/ports/resources.ts";
import { PodStore } from "../../../../src/engine/watch/podStore.ts";
import { decodePod } from "../../../../src/spark/pods/decodePod.ts";
import { decodeOperatorResource } from "../../../../src/spark/pods/operatorResource.ts";
import { forbidden } from "../fakeCluster.ts";
import { settle, VirtualClock } from "../virtualClock.ts";

const reference = {
  apiVersion: "sparkoperator.k8s.io/v1beta2",
  kind: "SparkApplication",
  namespace: "etl",
  name: "pi",
};

const withState = (state: string, uid = "u1", errorMessage = ""): StoredObject => ({
  ...reference,
  uid,
  resourceVersion: "1",
  body: {
    metadata: { name: "pi", namespace: "etl", uid },
    status: state === "" ? {} : { applicationState: { state, errorMessage } },
  },
});

const driver = (uid: string, owner: string): StoredObject => ({
  apiVersion: "v1",
  kind: "Pod",
  name: `pi-${uid}`,
  namespace: "etl",
  uid,
  resourceVersion: "1",
  body: {
    metadata: {
      uid,
      name: `pi-${uid}`,
      labels: { "spark-role": "driver" },
      ownerReferences: [{ uid: owner }],
    },
  },
});

type Answer = StoredObject | ClusterError;

interface Played {
  /** The results of reads of the resource, in order; the last one repeats. */
  readonly reads: readonly Answer[];
  /** Events of the resource's watch, one per second; undefined if watching is forbidden. */
  readonly watched?: readonly (StoredObject | "deleted")[];
  /** The pods in the store; an error is the reason why the store is stale. */
  readonly pods?: Result<readonly StoredObject[], ClusterError>;
  /** Drivers that only a list request returns. */
  readonly unseen?: readonly StoredObject[];
}

interface Followed {
  /** The reports, one word each. */
  readonly told: readonly string[];
  readonly requests: readonly string[];
}

async function follow({ reads, watched, pods = none, unseen = [] }: Played): Promise<Followed> {
  const clock = new VirtualClock();
  let read = 0;
  const requests: string[] = [];
  const objects: Pick<ObjectApi, "read" | "list"> = {
    read: () => {
      requests.push("read");
      const answer = reads[Math.min(read++, reads.length - 1)];
      assert.ok(answer);
      return Promise.resolve("body" in answer ? ok(answer) : err(answer));
    },
    list: () => {
      requests.push("list");
      return Promise.resolve(ok(unseen));
    },
  };
  const resources: Pick<ResourceSource, "watchResources"> = {
    async *watchResources(_kind, _namespace, version, signal) {
      requests.push(`watch@${version}`);
      if (watched === undefined) {
        yield { kind: "failed", error: forbidden("watch", "sparkapplications") };
        return;
      }
      for (const one of watched) {
        await clock.sleep(1_000, signal);
        const kind = one === "deleted" ? "deleted" : "changed";
        const of = one === "deleted" ? withState("") : one;
        const resource = decodeOperatorResource(of.apiVersion, of.kind, of.body);
        assert.ok(resource);
        yield { kind: "events", events: [{ kind, resource }] };
      }
      await clock.sleep(3600_000, signal);
    },
  };
  const log = { debug: () => undefined, warn: () => undefined, error: assert.ifError };
  const store = new PodStore({ clock, log });
  if (pods.ok) {
    const records = pods.value.flatMap(({ body }) => decodePod(body) ?? []);
    store.replace(records, { resourceVersion: "1", mayLag: false });
  } else store.setFreshness({ kind: "failed", error: pods.error });
  const told: string[] = [];
  const stop = new AbortController();
  const work = followResource(
    withState(""),
    { objects, resources, pods: podsOfStore(store), clock, random: () => 0, log },
    (news) => {
      if (news.kind === "state")
        told.push(`${news.resource.word} ${news.resource.message ?? ""}`.trim());
      else told.push(news.kind === "driver" ? news.driver.name : news.kind);
    },
    stop.signal,
  ).then(
    (end) => told.push(end.ok ? end.value.kind : `failed: ${end.error.kind}`),
    () => told.push("stopped"),
  );
  for (let second = 0; second < 40; second++) await clock.advance(1000);
  stop.abort();
  await work;
  await settle();
  store.dispose();
  await clock.advance(0);
  assert.equal(clock.pending, 0);
  return { told, requests };
}

const none = ok([]);
const absent: ClusterError = { kind: "notFound", resource: "x", name: "pi", detail: "" };
const lost: ClusterError = { kind: "unreachable", server: "s", detail: "", requestSent: false };

const states = (...words: readonly string[]): readonly StoredObject[] =>
  words.map((state) => withState(state));

test("reports each state once, with the operator's message, up to the last", async () => {
  const failed = withState("FAILED", "u1", "driver container failed");
  const expected = ["SUBMITTED", "RUNNING", "FAILED driver container failed", "ended"];
  const changes = [...states("SUBMITTED", "SUBMITTED", "RUNNING"), failed];
  const { told, requests } = await follow({ reads: states(""), watched: changes });
  assert.deepEqual(told, expected);
  assert.deepEqual(requests, ["read", "watch@1", "list"], "one read, one watch, one last list");
});

test("reads the resource every second if watching is forbidden", async () => {
  const reads = states("", "SUBMITTED", "SUBMITTED", "RUNNING", "COMPLETED");
  const { told, requests } = await follow({ reads });
  assert.deepEqual(told, ["SUBMITTED", "RUNNING", "COMPLETED", "ended"]);
  assert.equal(requests.filter((each) => each.startsWith("watch")).length, 1);
});

test("reports each driver of the resource once, and lists drivers only at the end", async () => {
  const pods = ok([driver("d1", "u1"), driver("d2", "another"), driver("d3", "u1")]);
  const watched = states("RUNNING", "COMPLETED");
  const unseen = [driver("d1", "u1"), driver("d4", "u1"), driver("d5", "another")];
  const { told, requests } = await follow({ reads: states("RUNNING"), watched, pods, unseen });
  assert.deepEqual(told, ["RUNNING", "pi-d1", "pi-d3", "COMPLETED", "pi-d4", "ended"]);
  assert.equal(requests.filter((each) => each === "list").length, 1);
});

test("reports once that no operator touches the resource", async () => {
  const { told } = await follow({ reads: states(""), watched: [] });
  assert.deepEqual(told, ["unattended", "stopped"]);
});

test("ends when the resource is deleted or replaced", async () => {
  const running = states("RUNNING");
  const replaced = [withState("RUNNING", "u2")];
  for (const [played, expected] of [
    [{ reads: [...running, absent] }, ["RUNNING", "gone"]],
    [{ reads: running, watched: ["deleted"] }, ["RUNNING", "gone"]],
    [{ reads: running, watched: replaced }, ["RUNNING", "gone"]],
    [{ reads: replaced }, ["gone"]],
  ] as const) {
    assert.deepEqual((await follow(played)).told, expected);
  }
});

test("retries after a cut connection, and fails on a missing right", async () => {
  const reads = [withState("RUNNING"), lost, lost, withState("COMPLETED")];
  assert.deepEqual((await follow({ reads })).told, ["RUNNING", "COMPLETED", "ended"]);
  const refused = forbidden("get", "sparkapplications");
  assert.deepEqual((await follow({ reads: [refused] })).told, ["failed: forbidden"]);
  const pods = err(forbidden("list", "pods"));
  assert.deepEqual((await follow({ reads: states("RUNNING"), pods })).told, [
    "RUNNING",
    "failed: forbidden",
  ]);
});
