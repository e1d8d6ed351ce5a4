import assert from "node:assert/strict";
import { test } from "node:test";
import { dryRunPlan } from "../../../../src/engine/submit/dryRun.ts";
import { conf, planOf, withOptions } from "../../submit/prepared.ts";
import { fakeCluster, forbidden, type FakeContents } from "../fakeCluster.ts";

const soon = (): AbortSignal => AbortSignal.timeout(5_000);
const plan = planOf(withOptions());

const outcomesOf = async (contents: FakeContents = {}, given = plan): Promise<readonly string[]> =>
  (await dryRunPlan(given, fakeCluster(contents), soon())).map(
    ({ object, outcome, isWithoutOwner }) =>
      `${object.kind} ${outcome.kind}${isWithoutOwner ? " without owner" : ""}`,
  );

test("sends every write as a dry run, without the owner that does not exist yet", async () => {
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

test("creates owned objects for older versions of Spark", async () => {
  const cluster = fakeCluster();
  await dryRunPlan(planOf(withOptions(), { version: "3.4.4" }), cluster, soon());
  assert.deepEqual(cluster.asked, [
    "create Pod dryRun",
    "create Service dryRun",
    "create ConfigMap dryRun",
  ]);
});

test("reports which object was rejected, and continues with the others", async () => {
  const refused = { "apply Service": forbidden("patch", "services") };
  const results = await dryRunPlan(plan, fakeCluster({ refused }), soon());
  const [service] = results.filter(({ outcome }) => outcome.kind === "refused");
  assert.equal(service?.object.kind, "Service");
  assert.deepEqual(service.outcome, { kind: "refused", error: refused["apply Service"] });
  assert.equal(results.length, 4);
});

test("accepts an existing claim that the user named", async () => {
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

test("sends nothing after an abort", async () => {
  const cluster = fakeCluster();
  await assert.rejects(dryRunPlan(plan, cluster, AbortSignal.abort()), { name: "AbortError" });
  assert.deepEqual(cluster.asked, []);
});
