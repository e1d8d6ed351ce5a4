import assert from "node:assert/strict";
import { test } from "node:test";
import { dryRunPlan } from "../../../src/engine/dryRun.ts";
import { conf, planOf, withOptions } from "../submit/prepared.ts";
import { fakeCluster, forbidden, type FakeContents } from "./fakeCluster.ts";

const soon = (): AbortSignal => AbortSignal.timeout(5_000);
const plan = planOf(withOptions());

const outcomesOf = async (contents: FakeContents = {}, given = plan): Promise<readonly string[]> =>
  (await dryRunPlan(given, fakeCluster(contents), soon())).map(
    ({ object, outcome, isWithoutOwner }) =>
      `${object.kind} ${outcome.kind}${isWithoutOwner ? " without owner" : ""}`,
  );

test("every write is tried as a dry run, without the owner that is not there yet", async () => {
  const cluster = fakeCluster();
  await dryRunPlan(plan, cluster, soon());
  assert.deepEqual(cluster.asked, [
    "create Pod dryRun",
    "apply Service dryRun",
    "apply NetworkPolicy dryRun",
    "apply ConfigMap dryRun",
  ]);
  assert.deepEqual(await outcomesOf(), [
    "Pod accepted",
    "Service accepted without owner",
    "NetworkPolicy accepted without owner",
    "ConfigMap accepted without owner",
  ]);
});

test("older versions of Spark create what they own", async () => {
  const cluster = fakeCluster();
  await dryRunPlan(planOf(withOptions(), { version: "3.4.4" }), cluster, soon());
  assert.deepEqual(cluster.asked, [
    "create Pod dryRun",
    "create Service dryRun",
    "create ConfigMap dryRun",
  ]);
});

test("a refusal is told of the object that was refused, and the others go on", async () => {
  const refused = { "apply Service": forbidden("patch", "services") };
  const results = await dryRunPlan(plan, fakeCluster({ refused }), soon());
  const [service] = results.filter(({ outcome }) => outcome.kind === "refused");
  assert.equal(service?.object.kind, "Service");
  assert.deepEqual(service.outcome, { kind: "refused", error: refused["apply Service"] });
  assert.equal(results.length, 4);
});

test("a claim that the user named may be there already", async () => {
  const claim = "spark.kubernetes.driver.volumes.persistentVolumeClaim.v.";
  const own = planOf(
    withOptions(
      ...conf(
        `${claim}mount.path=/m`,
        `${claim}options.claimName=mine`,
        `${claim}options.storageClass=fast`,
        `${claim}options.sizeLimit=1Gi`,
      ),
    ),
  );
  const conflict = { kind: "conflict", resource: "", name: "mine", detail: "" } as const;
  const outcomes = await outcomesOf({ refused: { "create PersistentVolumeClaim": conflict } }, own);
  assert.ok(outcomes.includes("PersistentVolumeClaim kept without owner"));
  const pod = await outcomesOf({ refused: { "create Pod": conflict } });
  assert.ok(pod.includes("Pod refused"));
});

test("an aborted dry run asks nothing", async () => {
  const cluster = fakeCluster();
  await assert.rejects(dryRunPlan(plan, cluster, AbortSignal.abort()), { name: "AbortError" });
  assert.deepEqual(cluster.asked, []);
});
