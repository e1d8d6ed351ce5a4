import assert from "node:assert/strict";
import { test } from "node:test";
import {
  containersWithLog,
  hasTargetEnded,
  blockingInitContainers,
  logBegan,
  logTargetOf,
} from "../../../src/spark/logs/targets.ts";
import { displayState } from "../../../src/spark/pods/displayState.ts";
import type { ContainerRecord, PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { containerFixture, driverFixture, endedFixture, podFixture } from "../pods/podFixture.ts";

const containerOf = (pod: PodRecord, preferred?: string): string | undefined =>
  logTargetOf({ pod, state: { kind: "starting" } }, preferred).container;

const named = (name: string, firstArgument?: string) => containerFixture({ name, firstArgument });

test("follows the container that runs Spark, for any name and position", () => {
  const containers = [
    named("proxy"),
    named("main", "executor"),
    named("spark-kubernetes-executor"),
  ];
  assert.equal(containerOf(podFixture({ containers })), "main");
});

test("prefers the container named in the conf, if it exists", () => {
  const containers = [named("a", "executor"), named("b")];
  assert.equal(containerOf(podFixture({ containers }), "b"), "b");
  assert.equal(containerOf(podFixture({ containers }), "c"), "a");
});

test("without arguments, finds the container by Spark's names, then the operator's, then position", () => {
  const cases = [
    [["x", "executor", "spark-kubernetes-executor"], "spark-kubernetes-executor"],
    [["x", "executor"], "executor"],
    [["x", "y"], "x"],
    [[], undefined],
  ] as const;
  for (const [names, expected] of cases) {
    assert.equal(
      containerOf(podFixture({ containers: names.map((name) => named(name)) })),
      expected,
    );
  }
  const driver = driverFixture({ containers: [named("x"), named("spark-kubernetes-driver")] });
  assert.equal(containerOf(driver), "spark-kubernetes-driver");
});

test("a target has ended when its container has terminated for good or its pod was replaced or deleted", () => {
  const target = logTargetOf({ pod: podFixture(), state: { kind: "starting" } });
  const cases: [PodRecord | undefined, boolean][] = [
    [podFixture(), false],
    [podFixture({ phase: "Pending", containers: [containerFixture({ state: undefined })] }), false],
    [podFixture({ containers: [endedFixture(0)] }), true],
    [podFixture({ containers: [endedFixture(1)], restartPolicy: "Always" }), false],
    [podFixture({ phase: "Failed", containers: [] }), true],
    [podFixture({ uid: "another" }), true],
    [undefined, true],
  ];
  for (const [pod, expected] of cases) assert.equal(hasTargetEnded(pod, target), expected);
});

const waiting = { kind: "waiting", reason: "PodInitializing", message: undefined } as const;

test("an init container has ended when it succeeded, even if the pod restarts containers", () => {
  const pod = (exitCode: number, restartPolicy: string): PodRecord =>
    podFixture({ restartPolicy, initContainers: [endedFixture(exitCode, { name: "load" })] });
  const target = {
    ...logTargetOf({ pod: podFixture(), state: { kind: "starting" } }),
    container: "load",
  };
  assert.equal(hasTargetEnded(pod(0, "Always"), target), true);
  assert.equal(hasTargetEnded(pod(1, "Always"), target), false);
  assert.equal(hasTargetEnded(pod(1, "Never"), target), true);
  const running = podFixture({ initContainers: [containerFixture({ name: "load" })] });
  assert.equal(hasTargetEnded(running, target), false);
});

test("running and failed init containers block a pod until the Spark container starts", () => {
  const pod = (spark: Partial<ContainerRecord>): PodRecord =>
    podFixture({
      phase: "Pending",
      containers: [containerFixture({ ready: false, ...spark })],
      initContainers: [
        endedFixture(0, { name: "done", ready: true }),
        containerFixture({ name: "beside", ready: true }),
        endedFixture(1, { name: "failed" }),
        containerFixture({
          name: "again",
          ready: false,
          state: waiting,
          lastState: endedFixture(1).state,
        }),
        containerFixture({ name: "runs", ready: false }),
        containerFixture({ name: "waits", ready: false, state: waiting }),
      ],
    });
  const names = (spark: Partial<ContainerRecord>): readonly string[] =>
    blockingInitContainers(pod(spark)).map(({ name }) => name);
  assert.deepEqual(names({ state: waiting }), ["failed", "again", "runs"]);
  assert.deepEqual(names({ state: undefined }), ["failed", "again", "runs"]);
  assert.deepEqual(names({}), []);
  assert.deepEqual(names({ state: waiting, lastState: endedFixture(1).state }), []);
});

test("each started container has a log: first Spark, then init containers and sidecars", () => {
  const spark = containerFixture({ name: "main", firstArgument: "executor" });
  const failed = endedFixture(1, { name: "load" });
  const unbegun = { state: waiting, lastState: undefined };
  const cases: [Partial<PodRecord>, readonly string[]][] = [
    [
      {
        initContainers: [endedFixture(0, { name: "load" }), containerFixture({ name: "mesh" })],
        containers: [containerFixture({ name: "shipper", firstArgument: undefined }), spark],
      },
      ["main", "load", "mesh", "shipper"],
    ],
    [
      {
        phase: "Pending",
        initContainers: [containerFixture({ name: "load" })],
        containers: [
          { ...spark, ...unbegun },
          containerFixture({ name: "shipper", firstArgument: undefined, ...unbegun }),
        ],
      },
      ["load"],
    ],
    [
      {
        phase: "Pending",
        initContainers: [
          containerFixture({ name: "load", state: waiting, lastState: failed.state }),
        ],
        containers: [{ ...spark, ...unbegun }],
      },
      ["load"],
    ],
    [{ phase: "Failed", initContainers: [failed], containers: [spark] }, ["main", "load"]],
  ];
  for (const [facts, expected] of cases) {
    const pod = podFixture(facts);
    const found = containersWithLog({ pod, state: displayState(pod) });
    assert.deepEqual(
      found.map(({ name }) => name),
      expected,
    );
  }
});

test("a log begins with the last run of its container, or with the pod if unknown", () => {
  const [pod, run, lastRun] = [
    "2026-01-02T03:04:05Z",
    "2026-01-02T04:00:00Z",
    "2026-01-02T03:30:00Z",
  ];
  const ended = endedFixture(1).state;
  assert.ok(ended?.kind === "terminated");
  const lastState = { ...ended, startedAt: lastRun };
  const waiting = { kind: "waiting", reason: "CrashLoopBackOff", message: undefined } as const;
  const rows: readonly (readonly [Partial<ContainerRecord>, string])[] = [
    [{ state: { kind: "running", startedAt: run }, lastState }, run],
    [{ state: { ...ended, startedAt: run } }, run],
    [{ state: waiting, lastState }, lastRun],
    [{ state: undefined }, pod],
    [{ state: { kind: "running", startedAt: undefined } }, pod],
  ];
  for (const [fields, expected] of rows) {
    const container = containerFixture(fields);
    const record = podFixture({ containers: [container], creationTimestamp: pod });
    assert.equal(logBegan(record, container), Date.parse(expected), JSON.stringify(fields));
  }
});

test("a log of an unknown container begins with the pod: its start, or else its creation", () => {
  const creationTimestamp = "2026-01-02T03:04:05Z";
  const startTime = "2026-01-02T03:04:30Z";
  const record = podFixture({ containers: [], creationTimestamp });
  assert.equal(logBegan(record, undefined), Date.parse(creationTimestamp));
  assert.equal(logBegan({ ...record, startTime }, undefined), Date.parse(startTime));
});
