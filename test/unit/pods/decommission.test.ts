import assert from "node:assert/strict";
import { describe, test } from "node:test";
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

describe("the decommissioning of an executor", () => {
  const script = "/opt/decom.sh";
  const on = { "spark.decommission.enabled": "true" };
  const podWith = (command: readonly unknown[], fields: object = {}) => ({
    metadata: { labels: { "spark-version": "4.3.0" } },
    spec: {
      containers: [
        { name: "sidecar", lifecycle: { preStop: { exec: { command: ["/bin/other"] } } } },
        { name: "spark", lifecycle: { preStop: { exec: { command } } } },
      ],
      ...fields,
    },
  });
  const stateOf = (pod: unknown, conf: Readonly<Record<string, string>> | undefined) =>
    decommissioningOf(pod, "spark", conf && new Map(Object.entries(conf)));
  const started = {
    ...{ kind: "on", hasHook: true, gracePeriodSeconds: 300, signal: "PWR" },
    moves: { cachedBlocks: false, shuffleFiles: false, fallbackStorage: undefined },
  };

  test("is on by the conf, and off if the conf does not enable it", () => {
    assert.deepEqual(stateOf(podWith([script]), on), started);
    assert.deepEqual(stateOf(podWith([]), on), { ...started, hasHook: false });
    assert.deepEqual(stateOf(podWith([]), {}), { kind: "off", isKnown: true });
    const off = { "spark.decommission.enabled": "false" };
    assert.deepEqual(stateOf(podWith([]), off), { kind: "off", isKnown: true });
    const spaced = { "spark.decommission.enabled": " TRUE " };
    assert.deepEqual(stateOf(podWith([]), spaced), { ...started, hasHook: false });
  });

  test("is on if the pod has the hook of Spark, also without the conf", () => {
    const unknown = { ...started, moves: undefined };
    assert.deepEqual(stateOf(podWith([script]), {}), unknown);
    assert.deepEqual(stateOf(podWith([script]), undefined), unknown);
    assert.deepEqual(stateOf(podWith(["/any"]), undefined), unknown);
    assert.deepEqual(stateOf(podWith([]), undefined), { kind: "off", isKnown: false });
    const own = { "spark.kubernetes.decommission.script": "/own.sh" };
    assert.deepEqual(stateOf(podWith(["/own.sh"]), own), unknown);
    for (const hook of [[script], ["/own.sh", "x"], ["/other"]])
      assert.deepEqual(stateOf(podWith(hook), own), { kind: "off", isKnown: true });
  });

  test("has the longer of 300 s and the grace period of the pod", () => {
    const graceOf = (seconds: number) => {
      const state = stateOf(podWith([script], { terminationGracePeriodSeconds: seconds }), on);
      return state.kind === "on" && state.gracePeriodSeconds;
    };
    assert.deepEqual([30, 299, 300, 301, 3600].map(graceOf), [300, 300, 300, 301, 3600]);
  });

  test("has the signal of the conf if it is a name of capital letters and digits", () => {
    const signalOf = (signal: string) => {
      const state = stateOf(podWith([script]), {
        ...on,
        "spark.executor.decommission.signal": signal,
      });
      return state.kind === "on" && state.signal;
    };
    const signals = ["USR2", "TERM", "term", "PWR; x", ""];
    assert.deepEqual(signals.map(signalOf), ["USR2", "TERM", "PWR", "PWR", "PWR"]);
  });

  test("moves blocks if the storage is decommissioned, by default from Spark 3.4 on", () => {
    const storage = "spark.storage.decommission";
    const movesOf = (version: string | undefined, conf: Readonly<Record<string, string>>) => {
      const labels = version === undefined ? {} : { "spark-version": version };
      const state = stateOf({ metadata: { labels } }, { ...on, ...conf });
      return state.kind === "on" && state.moves;
    };
    const both = { cachedBlocks: true, shuffleFiles: true, fallbackStorage: undefined };
    const none = { ...both, cachedBlocks: false, shuffleFiles: false };
    const enabled = { [`${storage}.enabled`]: "true" };
    for (const version of ["3.4.0", "3.5.9", "4.0.0", "4.3.0", "10.0.0"])
      assert.deepEqual(movesOf(version, enabled), both, version);
    for (const version of ["3.3.4", "3.0.0", "2.4.8", undefined, "x"])
      assert.deepEqual(movesOf(version, enabled), none, version);
    const rdd = `${storage}.rddBlocks.enabled`;
    const shuffle = `${storage}.shuffleBlocks.enabled`;
    const cached = { ...none, cachedBlocks: true };
    assert.deepEqual(movesOf("4.3.0", { ...enabled, [shuffle]: "false" }), cached);
    assert.deepEqual(movesOf("3.3.4", { ...enabled, [rdd]: "true" }), cached);
    const files = { ...none, shuffleFiles: true };
    assert.deepEqual(movesOf("4.3.0", { ...enabled, [rdd]: "false" }), files);
    assert.deepEqual(movesOf("3.3.4", { ...enabled, [shuffle]: "true" }), files);
    assert.deepEqual(movesOf("4.3.0", { [rdd]: "true", [shuffle]: "true" }), none);
    assert.deepEqual(movesOf("4.3.0", {}), none);
  });

  test("uses the hook of the container whose name is given, or of the one without a name", () => {
    const preStop = { exec: { command: [script] } };
    const pod = { spec: { containers: [{ lifecycle: { preStop } }] } };
    assert.equal(decommissioningOf(pod, "", undefined).kind, "on");
    assert.equal(decommissioningOf(pod, "spark", undefined).kind, "off");
    assert.equal(decommissioningOf(podWith([script]), "other", undefined).kind, "off");
    for (const broken of [undefined, null, 5, { spec: { containers: "x" } }])
      assert.deepEqual(decommissioningOf(broken, "spark", undefined), {
        kind: "off",
        isKnown: false,
      });
  });
});
