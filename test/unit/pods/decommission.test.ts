import assert from "node:assert/strict";
import { test } from "node:test";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { countMigrationTargets, decommissioningOf } from "../../../src/spark/pods/decommission.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, executorFixture as executor } from "./podFixture.ts";

function takersOf(
  pods: readonly PodRecord[],
  leaving: readonly string[],
  registered?: readonly string[],
): number {
  const { snapshot } = replacePods(emptySnapshot, [driverFixture(), ...pods]);
  const application = firstOf(buildApplications(snapshot).applications);
  assert.ok(application);
  return countMigrationTargets(application, new Set(leaving), registered && new Set(registered));
}

test("only live, registered executors that stay can take over blocks", () => {
  const pods = [
    executor(1),
    executor(2),
    executor(3, { phase: "Pending" }),
    executor(4, { phase: "Failed" }),
    executor(5, { deletionTimestamp: "2026-01-02T03:09:00Z" }),
  ];
  assert.equal(takersOf(pods, ["exec-1"]), 1);
  assert.equal(takersOf(pods, ["exec-1", "exec-2"]), 0);
  assert.equal(takersOf(pods, ["exec-1"], ["1"]), 0);
  assert.equal(takersOf(pods, ["exec-1"], ["1", "2"]), 1);
});

test("reports the fallback storage for shuffle files", () => {
  const conf = new Map([
    ["spark.decommission.enabled", "true"],
    ["spark.storage.decommission.enabled", "true"],
    ["spark.storage.decommission.fallbackStorage.path", "s3a://etl/fallback/"],
  ]);
  const pod = { metadata: { labels: { "spark-version": "4.3.0" } } };
  const state = decommissioningOf(pod, undefined, conf);
  assert.deepEqual(state.kind === "on" && state.moves, {
    cachedBlocks: true,
    shuffleFiles: true,
    fallbackStorage: "s3a://etl/fallback/",
  });
});

test("does not infer what migrates if the conf does not enable decommissioning", () => {
  const preStop = { exec: { command: ["/opt/decom.sh"] } };
  const pod = { spec: { containers: [{ name: "spark", lifecycle: { preStop } }] } };
  const state = decommissioningOf(pod, "spark", new Map([["spark.app.name", "etl"]]));
  assert.equal(state.kind === "on" && state.hasHook, true);
  assert.equal(state.kind === "on" && state.moves, undefined);
});
