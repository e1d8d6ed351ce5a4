import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok, type Result } from "../../../src/base/result.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import { followResource } from "../../../src/engine/followResource.ts";
import type { ObjectApi, StoredObject } from "../../../src/engine/ports.ts";
import { forbidden } from "./fakeCluster.ts";
import { settle, VirtualClock } from "./virtualClock.ts";

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
  body: { metadata: { uid, name: `pi-${uid}`, ownerReferences: [{ uid: owner }] } },
});

type Answer = StoredObject | ClusterError;

/** One answer a poll, the last one from then on; what was told as one word each. */
async function follow(
  answers: readonly Answer[],
  pods: Result<readonly StoredObject[], ClusterError>,
) {
  const clock = new VirtualClock();
  let poll = 0;
  const never = (): never => {
    throw new Error("nothing is written");
  };
  const objects: ObjectApi = {
    read: () => {
      const answer = answers[Math.min(poll++, answers.length - 1)];
      assert.ok(answer);
      return Promise.resolve("body" in answer ? ok(answer) : err(answer));
    },
    list: () => Promise.resolve(pods),
    create: never,
    apply: never,
    replace: never,
    patch: never,
    delete: never,
  };
  const told: string[] = [];
  const stop = new AbortController();
  const work = followResource(
    withState(""),
    { objects, clock, random: () => 0.5 },
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
  assert.equal(clock.pending, 0);
  return told;
}

const none = ok([]);
const absent: ClusterError = { kind: "notFound", resource: "x", name: "pi", detail: "" };
const lost: ClusterError = { kind: "unreachable", server: "s", detail: "", requestSent: false };

test("each state is told once, with the operator's message, up to the last", async () => {
  const states = ["", "SUBMITTED", "SUBMITTED", "RUNNING"].map((state) => withState(state));
  const failed = withState("FAILED", "u1", "driver container failed");
  assert.deepEqual(await follow([...states, failed], none), [
    "SUBMITTED",
    "RUNNING",
    "FAILED driver container failed",
    "ended",
  ]);
});

test("the drivers of this very application are told of, each once", async () => {
  const pods = ok([driver("d1", "u1"), driver("d2", "another"), driver("d3", "u1")]);
  const answers = [withState("RUNNING"), withState("RUNNING"), withState("COMPLETED")];
  assert.deepEqual(await follow(answers, pods), [
    "RUNNING",
    "pi-d1",
    "pi-d3",
    "COMPLETED",
    "ended",
  ]);
});

test("an application that nobody takes up is told of once", async () => {
  assert.deepEqual(await follow([withState("")], none), ["unattended", "stopped"]);
});

test("an application that is deleted or replaced has gone", async () => {
  assert.deepEqual(await follow([withState("RUNNING"), absent], none), ["RUNNING", "gone"]);
  assert.deepEqual(await follow([withState("RUNNING", "u2")], none), ["gone"]);
});

test("a connection that breaks is tried again, a missing right is told", async () => {
  const answers = [withState("RUNNING"), lost, lost, withState("COMPLETED")];
  assert.deepEqual(await follow(answers, none), ["RUNNING", "COMPLETED", "ended"]);
  const refused = forbidden("get", "sparkapplications");
  assert.deepEqual(await follow([refused], none), ["failed: forbidden"]);
  assert.deepEqual(await follow([withState("RUNNING")], err(forbidden("list", "pods"))), [
    "RUNNING",
    "failed: forbidden",
  ]);
});
