import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish, verbatim } from "../../../src/base/message.ts";
import type { Diagnosis } from "../../../src/spark/diagnosis/diagnosis.ts";
import { describePod } from "../../../src/spark/diagnosis/describe.ts";
import type { ApplicationState } from "../../../src/spark/pods/application.ts";
import {
  describeApplicationState,
  describeCounts,
  describeExecutorCount,
  describePodCounts,
} from "../../../src/spark/pods/describeApplication.ts";
import { describeState, describeStateKind } from "../../../src/spark/pods/describeState.ts";
import type { DisplayState, StartProblem } from "../../../src/spark/pods/displayState.ts";
import type { OperatorResource } from "../../../src/spark/pods/operatorResource.ts";
import { describeExit, exitOf, type PodExit } from "../../../src/spark/pods/podExit.ts";
import { containerFixture, endedFixture, podFixture } from "./podFixture.ts";

const exit = (fields: Partial<PodExit>): PodExit => ({
  ...{ container: "main", isSpark: true, exitCode: undefined, signal: undefined },
  ...{ reason: undefined, message: undefined, ...fields },
});

test("describes each reason and exit code with which a pod can end", () => {
  const reasons = [
    ["OOMKilled", "out of memory"],
    ["ContainerStatusUnknown", "container status unknown"],
    ["Evicted", "evicted"],
    ["EvictionByEvictionAPI", "evicted"],
    ["DeletionByTaintManager", "evicted from a tainted node"],
    ["DeletionByPodGC", "its node was removed"],
    ["NodeLost", "node unreachable"],
    ["NodeShutdown", "its node was shutting down"],
    ["Shutdown", "its node was shutting down"],
    ["Terminated", "its node was shutting down"],
    ["TerminationByKubelet", "terminated by its node"],
    ["Preempting", "preempted by a critical pod"],
    ["PreemptionByScheduler", "preempted by a higher-priority pod"],
    ["DeadlineExceeded", "time limit reached"],
    ["StartError", "its program could not start"],
    ["ContainerCannotRun", "its program could not start"],
    ["Unlisted", "Unlisted"],
  ] as const;
  for (const [reason, words] of reasons) {
    assert.equal(inEnglish(describeExit(exit({ reason }))), words);
    const both = exit({ reason, exitCode: 137 });
    assert.equal(inEnglish(describeExit(both)), `${words}, exit code 137`);
  }
  const codes = [
    [52, "Java heap exhausted, exit code 52"],
    [137, "killed, exit code 137"],
    [143, "terminated, exit code 143"],
    [1, "exit code 1"],
    [0, "exit code 0"],
  ] as const;
  for (const [exitCode, words] of codes) {
    for (const reason of [undefined, "Error", "Completed"]) {
      assert.equal(inEnglish(describeExit(exit({ reason, exitCode }))), words);
    }
  }
});

test("names the container of an exit unless Spark ran in it", () => {
  const proxy = { container: "proxy", isSpark: false };
  assert.equal(
    inEnglish(describeExit(exit({ ...proxy, exitCode: 3 }))),
    'container "proxy": exit code 3',
  );
  assert.equal(inEnglish(describeExit(exit(proxy))), 'container "proxy"');
  assert.equal(describeExit(exit({})), undefined);
  assert.equal(describeExit(exit({ container: undefined, isSpark: false })), undefined);
});

test("prefers the reason of the pod to the disruption, and that to the container's", () => {
  const terminated = {
    kind: "terminated" as const,
    ...{ exitCode: 137, signal: 9, reason: "OOMKilled", message: "of the container" },
    ...{ startedAt: undefined, finishedAt: undefined },
  };
  const disruption = {
    ...{ type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler" },
    message: "of the disruption",
  };
  const pod = podFixture({
    ...{ reason: "Evicted", message: "of the pod", conditions: [disruption] },
    containers: [containerFixture({ state: terminated })],
  });
  const shared = { container: "spark-kubernetes-executor", isSpark: true };
  assert.deepEqual(exitOf(pod), {
    ...{ ...shared, exitCode: 137, signal: 9, reason: "Evicted", message: "of the pod" },
  });
  assert.deepEqual(exitOf({ ...pod, reason: "", message: "" }), {
    ...{ ...shared, exitCode: 137, signal: 9, reason: "PreemptionByScheduler" },
    message: "of the disruption",
  });
  const averted = { ...disruption, status: "False" };
  assert.deepEqual(exitOf({ ...pod, reason: "", message: "", conditions: [averted] }), {
    ...{ ...shared, exitCode: 137, signal: 9, reason: "OOMKilled", message: "of the container" },
  });
});

test("takes the exit of a failed container before that of one that succeeded", () => {
  const main = endedFixture(0);
  const proxy = endedFixture(2, { name: "proxy", firstArgument: undefined });
  const load = endedFixture(3, { name: "load", firstArgument: undefined });
  const containerOf = (...containers: readonly (typeof main)[]) =>
    exitOf(podFixture({ containers }))?.container;
  assert.equal(containerOf(main, proxy), "proxy");
  assert.equal(containerOf(endedFixture(1), proxy), "spark-kubernetes-executor");
  assert.equal(containerOf(main), "spark-kubernetes-executor");
  assert.equal(
    exitOf(podFixture({ containers: [main, proxy], initContainers: [load] }))?.container,
    "load",
  );
  assert.equal(exitOf(podFixture()), undefined);
});

const problem = (reason: string): StartProblem => ({
  ...{ container: "main", image: "spark:4", reason, message: undefined },
});

const states: readonly (readonly [DisplayState, string, string])[] = [
  [{ kind: "requested" }, "pending", "requested"],
  [{ kind: "unscheduled", held: false, message: undefined }, "pending", "pending: no node yet"],
  [{ kind: "unscheduled", held: true, message: undefined }, "pending", "pending: held by a queue"],
  [{ kind: "scheduled" }, "pending", "pending: scheduled"],
  [
    { kind: "initializing", container: "load" },
    "pending",
    'pending: init container "load" is running',
  ],
  [{ kind: "pulling", image: "spark:4" }, "pending", 'pending: pulling image "spark:4"'],
  [{ kind: "starting" }, "pending", "starting"],
  [
    { kind: "running", restarts: 0, lastExit: undefined, failedSidecar: undefined },
    "running",
    "running",
  ],
  [
    { kind: "running", restarts: 1, lastExit: exit({ exitCode: 52 }), failedSidecar: "proxy" },
    "running",
    'running, restarted once (Java heap exhausted, exit code 52), container "proxy" failed',
  ],
  [
    { kind: "running", restarts: 2, lastExit: undefined, failedSidecar: undefined },
    "running",
    "running, restarted 2 times",
  ],
  [{ kind: "terminating" }, "terminating", "terminating"],
  [{ kind: "succeeded", heldBy: undefined, isDeleting: false }, "succeeded", "succeeded"],
  [
    { kind: "succeeded", heldBy: "proxy", isDeleting: true },
    "succeeded",
    'succeeded, container "proxy" keeps the pod running, being deleted',
  ],
  [{ kind: "failed", exit: undefined, isDeleting: false }, "failed", "failed"],
  [
    { kind: "failed", exit: exit({ reason: "Evicted" }), isDeleting: true },
    "failed",
    "failed: evicted, being deleted",
  ],
  [{ kind: "stopped", by: "killed", isDeleting: false }, "killed", "killed"],
  [{ kind: "stopped", by: "killed", isDeleting: true }, "stopping", "stopping"],
  [{ kind: "stopped", by: "stopped", isDeleting: true }, "stopping", "stopping"],
  [{ kind: "stopped", by: "deleted", isDeleting: true }, "deleted", "deleted"],
  [
    { kind: "stopped", by: "decommissioned", isDeleting: false },
    "decommissioned",
    "decommissioned",
  ],
  [{ kind: "stopped", by: "stopped", isDeleting: false }, "stopped", "stopped"],
  [{ kind: "stopped", by: "deleted", isDeleting: false }, "deleted", "deleted"],
  [{ kind: "deleted" }, "stopped before starting", "stopped before starting"],
  [
    { kind: "unknown", phase: "Unknown", isDeleting: true },
    "unknown",
    "unknown: node unreachable, being deleted",
  ],
  [{ kind: "unknown", phase: "Later", isDeleting: false }, "unknown", "unknown: Later"],
  ...(
    [
      ["ErrImagePull", 'image "spark:4" cannot be pulled'],
      ["ImagePullBackOff", 'image "spark:4" cannot be pulled'],
      ["ImageInspectError", 'image "spark:4" cannot be pulled'],
      ["RegistryUnavailable", 'image "spark:4" cannot be pulled'],
      ["SignatureValidationFailed", 'signature of image "spark:4" rejected'],
      ["ErrImageNeverPull", 'image "spark:4" is not on the node and its pull policy is Never'],
      ["InvalidImageName", '"spark:4" is not a valid image name'],
      ["CrashLoopBackOff", 'container "main" keeps crashing'],
      ["CreateContainerConfigError", 'container "main" cannot be configured'],
      ["Unlisted", 'container "main": Unlisted'],
    ] as const
  ).map(
    ([reason, words]) =>
      [{ kind: "blocked", problem: problem(reason) }, "pending", `pending: ${words}`] as const,
  ),
];

test("describes each state of a pod, with and without its cause", () => {
  for (const [state, kind, whole] of states) {
    assert.equal(inEnglish(describeStateKind(state)), kind);
    assert.equal(inEnglish(describeState(state)), whole);
  }
});

test("shows the fact of a diagnosis in place of the cause, and keeps the deletion", () => {
  const diagnosis = { fact: verbatim("no node has 5 GiB free") } as Diagnosis;
  const words = (state: DisplayState, found?: Diagnosis) => inEnglish(describePod(state, found));
  const failed: DisplayState = { kind: "failed", exit: exit({ exitCode: 1 }), isDeleting: true };
  assert.equal(words(failed), "failed: exit code 1, being deleted");
  assert.equal(words(failed, diagnosis), "failed, being deleted · no node has 5 GiB free");
  assert.equal(words({ kind: "scheduled" }, diagnosis), "pending · no node has 5 GiB free");
  for (const named of ["failed, exit code 1", "failed after 3 s, exit code 1"]) {
    const fact = { fact: verbatim(named) } as Diagnosis;
    assert.equal(
      words({ kind: "failed", exit: exit({ exitCode: 1 }), isDeleting: false }, fact),
      named,
    );
    assert.equal(words(failed, fact), `failed, being deleted · ${named}`);
  }
});

test("describes the state of an application without a driver pod", () => {
  const operated = (outlook: OperatorResource["outlook"], word = "WORD"): ApplicationState => ({
    kind: "operated",
    resource: { outlook, word } as OperatorResource,
  });
  const rows: readonly (readonly [ApplicationState, string])[] = [
    [{ kind: "orphaned" }, "no driver pod"],
    [{ kind: "driverElsewhere", owner: undefined }, "running, driver outside the cluster"],
    [{ kind: "driverElsewhere", owner: "shell" }, "running, driver in pod shell"],
    [{ kind: "starting" }, "starting"],
    [operated("waiting"), "waiting: WORD"],
    [operated("waiting", ""), "not yet seen by its operator"],
    [operated("running"), "running"],
    [operated("succeeded"), "succeeded"],
    [operated("suspended"), "suspended"],
    [operated("failed"), "failed: WORD"],
  ];
  for (const [state, words] of rows) {
    assert.equal(inEnglish(describeApplicationState(state)), words);
  }
});

test("counts the executors of each state, and omits those without any", () => {
  const none = { pending: 0, running: 0, failed: 0, finished: 0, unknown: 0 };
  assert.equal(describePodCounts(none), undefined);
  assert.equal(
    inEnglish(describePodCounts({ pending: 1, running: 2, failed: 3, finished: 4, unknown: 5 })),
    "1 pending, 2 running, 3 failed, 4 finished, 5 unknown",
  );
  for (const kind of ["pending", "running", "failed", "finished", "unknown"] as const) {
    assert.equal(inEnglish(describePodCounts({ ...none, [kind]: 1 })), `1 ${kind}`);
  }
  assert.equal(inEnglish(describeExecutorCount(1)), "1 executor");
  assert.equal(inEnglish(describeExecutorCount(0)), "0 executors");
});

test("counts the running executors, with the others in parentheses", () => {
  const none = { pending: 0, running: 0, failed: 0, finished: 0, unknown: 0 };
  for (const [counts, words] of [
    [{}, undefined],
    [{ pending: 1 }, "no executors (1 pending)"],
    [{ running: 1, pending: 2 }, "1 executor (2 pending)"],
    [{ running: 3, failed: 1 }, "3 executors (1 failed)"],
    [{ running: 2 }, "2 executors"],
    [{ finished: 2, failed: 1 }, "3 executors (1 failed, 2 finished)"],
    [{ unknown: 1 }, "1 executor (1 unknown)"],
  ] as const) {
    const described = describeCounts({ ...none, ...counts });
    assert.equal(described && inEnglish(described), words);
  }
});
