import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { diagnose } from "../../../src/spark/diagnosis/diagnose.ts";
import type { DiagnosedPod, Diagnosis } from "../../../src/spark/diagnosis/diagnosis.ts";
import { mayBeKilledByProbe } from "../../../src/spark/diagnosis/exits.ts";
import { areNodesNeeded } from "../../../src/spark/diagnosis/scheduling.ts";
import { displayState } from "../../../src/spark/pods/displayState.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { containerFixture, driverFixture, endedFixture, podFixture } from "../pods/podFixture.ts";
import {
  diagnosedFixture,
  endedSo,
  failed,
  failedDriver,
  noted,
  unscheduled,
} from "./diagnosedFixture.ts";

type Fields = Partial<DiagnosedPod>;
const firstOf = (pod: PodRecord, fields: Fields = {}): Diagnosis | undefined =>
  diagnose(diagnosedFixture(pod, fields))[0];
const factOf = (pod: PodRecord, fields: Fields = {}): string => {
  const first = firstOf(pod, fields);
  return `${first?.id ?? "none"}: ${inEnglish(first?.fact) ?? ""}`;
};
const keysOf = (pod: PodRecord, fields: Fields = {}) => firstOf(pod, fields)?.keys;
const idsOf = (pod: PodRecord, fields: Fields = {}): readonly string[] =>
  diagnose(diagnosedFixture(pod, fields)).map(({ id }) => id);

describe("the diagnosis by exit code", () => {
  test("names each crash in native code", () => {
    const crash = (name: string, code: number) => `D09: native crash: ${name}, exit code ${code}`;
    assert.equal(factOf(failed(134)), crash("aborted", 134));
    assert.equal(factOf(failed(135)), crash("bus error", 135));
    assert.equal(factOf(failed(136)), crash("arithmetic error", 136));
    assert.equal(factOf(failed(139)), crash("segmentation fault", 139));
    assert.equal(factOf(failedDriver(139)), crash("segmentation fault", 139));
  });

  test("belongs to a role", () => {
    for (const code of [53, 56, 57, 58])
      assert.equal(factOf(failedDriver(code)), `D103: failed, exit code ${code}`);
    for (const code of [11, 101, 124]) assert.deepEqual(idsOf(failed(code)), []);
    assert.equal(factOf(failed(57)), "D105: ended by the task reaper, exit code 57");
    assert.deepEqual(keysOf(failed(57)), ["spark.task.reaper.killTimeout"]);
    assert.deepEqual(keysOf(failed(58)), ["spark.driver.memory"]);
    for (const code of [50, 51]) {
      assert.equal(factOf(failed(code)), `D102: uncaught exception, exit code ${code}`);
      assert.equal(factOf(failedDriver(code)), `D102: uncaught exception, exit code ${code}`);
    }
  });

  test("of a driver is a generic one from 1 to 125", () => {
    for (const code of [1, 2, 125])
      assert.equal(factOf(failedDriver(code)), `D103: failed, exit code ${code}`);
    assert.deepEqual(idsOf(failedDriver(129)), []);
    const texts = [1, 2].map((code) => inEnglish(firstOf(failedDriver(code))?.what));
    assert.match(texts[0] ?? "", /^The application threw an exception/);
    assert.match(texts[1] ?? "", /^The program exited with this code/);
  });

  test("is a start that failed, by the code, the reason or the message", () => {
    const cannot = (why: string) => `D16: cannot run: ${why}`;
    const missing = cannot("a program is missing from the image");
    assert.equal(factOf(failed(127)), missing);
    assert.equal(
      factOf(failed(126)),
      cannot("a program in the image is not executable or built for another CPU architecture"),
    );
    const start = (message: string, reason = "StartError") =>
      factOf(failed(128, { reason, message }));
    assert.equal(start("exec: no such file or directory"), missing);
    assert.equal(
      start('exec: "x": executable file not found in $PATH', "ContainerCannotRun"),
      missing,
    );
    assert.equal(start("oh"), cannot("the image's program could not start"));
    assert.notEqual(start("oh", "Error"), cannot("the image's program could not start"));
    assert.deepEqual(keysOf(failedDriver(127)), ["spark.kubernetes.driver.container.image"]);
  });

  test("of an executor that failed within 60 s compares the images", () => {
    const short = (seconds: number) => factOf(failed(1, { seconds }));
    assert.equal(short(59), "D12: failed after 59 s, exit code 1");
    assert.equal(short(60), "D12: failed, exit code 1");
    assert.equal(short(0), "D12: failed after 0 s, exit code 1");
    assert.equal(short(-5), "D12: failed after 0 s, exit code 1");
    const other = { image: "example.org/apps/spark:3.5.9" };
    assert.equal(
      factOf(failed(1, { seconds: 59, container: other })),
      "D12: failed after 59 s with a different image than the driver: spark:3.5.9",
    );
    assert.equal(factOf(failed(1, { seconds: 60, container: other })), "D12: failed, exit code 1");
    const unknown = podFixture({ phase: "Failed", containers: [endedFixture(1)] });
    assert.equal(factOf(unknown), "D12: failed, exit code 1");
  });

  test("after SIGTERM offers decommissioning to executors only", () => {
    assert.deepEqual(keysOf(failed(143)), [
      ...["spark.decommission.enabled", "spark.storage.decommission.enabled"],
    ]);
    assert.deepEqual(keysOf(failedDriver(143)), []);
    assert.deepEqual(idsOf(failed(158)), ["D101"]);
  });

  test("after a liveness probe needs its event and SIGTERM or SIGKILL", () => {
    const events = [noted("Unhealthy", "Liveness probe failed: x\n")];
    assert.deepEqual(keysOf(failedDriver(143), { events }), [
      "spark.kubernetes.driver.podTemplateFile",
    ]);
    assert.equal(firstOf(failed(137), { events })?.told, "Liveness probe failed: x");
    const readiness = [noted("Unhealthy", "Readiness probe failed: x")];
    assert.deepEqual(idsOf(failed(143), { events: readiness }), ["D10"]);
    const may = (pod: PodRecord) => mayBeKilledByProbe({ pod, state: displayState(pod) });
    assert.deepEqual([failed(137), failed(143), failed(1), podFixture()].map(may), [
      ...[true, true, false, false],
    ]);
    assert.equal(may(failed(137, { reason: "OOMKilled" })), false);
  });

  test("of too many failed executors names a rejection by the API server", () => {
    const logCause = (kind: "quota" | "heap") =>
      ({ kind, error: "exceeded quota: q", at: 0 }) as const;
    const key = "spark.executor.maxNumFailures";
    assert.equal(firstOf(failedDriver(11), { logCause: logCause("quota") })?.logKind, "quota");
    assert.equal(firstOf(failedDriver(11), { logCause: logCause("heap") })?.logKind, undefined);
    assert.deepEqual(keysOf(failedDriver(11), { logCause: logCause("heap") })?.[0], key);
  });

  test("of a missing main class names it", () => {
    const driving = { mainClass: "org.example.Main", uiPort: 4040, exitException: undefined };
    assert.equal(factOf(failedDriver(101, {}, { driving })), "D19: class not found: Main");
    const unknown = { ...driving, mainClass: undefined };
    assert.equal(
      factOf(failedDriver(101, {}, { driving: unknown })),
      "D19: main class not found, exit code 101",
    );
    const logCause = { kind: "mainClass", error: "Failed to load class", at: 0 } as const;
    assert.equal(firstOf(failedDriver(101), { logCause })?.told, "Failed to load class");
    assert.equal(
      firstOf(failedDriver(101), { logCause: { ...logCause, kind: "heap" } })?.told,
      undefined,
    );
  });

  test("of an exception that ended a failed driver has no package", () => {
    const driving = (exitException: string) => ({ mainClass: "M", uiPort: 4040, exitException });
    const fact = (exception: string) =>
      factOf(failedDriver(2, {}, { driving: driving(exception) }));
    assert.equal(fact("a.b_c.Error: x\n\tat y"), "D97: Error: x");
    assert.equal(fact("Error: a.b.C"), "D97: Error: a.b.C");
    const running = driverFixture({ driving: driving("a.Error") });
    assert.deepEqual(idsOf(running), []);
  });

  test("of a sidecar depends on the state of the pod", () => {
    const beside = (code: number, message?: string) => [
      containerFixture(),
      endedSo(code, {
        ...(message === undefined ? {} : { message }),
        container: { name: "proxy", firstArgument: undefined },
      }),
    ];
    const running = podFixture({ containers: beside(2) });
    assert.equal(factOf(running), 'D104: container "proxy" failed, exit code 2');
    assert.deepEqual(keysOf(running), []);
    const labels = {
      ...{ "spark-role": "executor", "spark-version": "4.3.0", "spark-exec-inactive": "true" },
    };
    assert.deepEqual(keysOf(podFixture({ labels, containers: beside(2) })), [
      "spark.kubernetes.executor.checkAllContainers",
    ]);
    assert.equal(firstOf(podFixture({ containers: beside(2, "oh") }))?.told, "oh");
    assert.deepEqual(idsOf(podFixture({ containers: beside(0) })), []);
  });
});

describe("the diagnosis of a pod without a node", () => {
  const nodes = (clause: string) => unscheduled(`0/3 nodes are available: ${clause}.`);
  const memory = ["memory", "memoryOverhead", "memoryOverheadFactor"];
  const keysFor = (role: string) => memory.map((name) => `spark.${role}.${name}`);
  const driver = (clause: string): PodRecord => {
    const { conditions, containers, phase, nodeName } = nodes(clause);
    return driverFixture({ phase, nodeName, conditions, containers });
  };

  test("has the keys that add up to the request", () => {
    const lacks = "3 Insufficient memory";
    const offHeap = "spark.memory.offHeap.size";
    const python = "spark.executor.pyspark.memory";
    assert.deepEqual(keysOf(nodes(lacks)), [...keysFor("executor"), offHeap]);
    assert.deepEqual(keysOf(nodes(lacks), { isPython: true }), [
      ...[...keysFor("executor"), offHeap, python],
    ]);
    assert.deepEqual(keysOf(nodes(lacks), { isPython: false }), [...keysFor("executor"), offHeap]);
    assert.deepEqual(keysOf(driver(lacks), { isPython: true }), keysFor("driver"));
    const cpu = ["spark.kubernetes.executor.request.cores", "spark.executor.cores"];
    assert.deepEqual(keysOf(nodes("3 Insufficient cpu")), cpu);
    assert.deepEqual(keysOf(nodes("1 Insufficient cpu, 2 Insufficient memory")), [
      ...[...keysFor("executor"), offHeap, ...cpu],
    ]);
  });

  test("says that the pod fits on no node, if even the largest one is too small", () => {
    const mib = 2 ** 20;
    const fact = (clause: string, cores: number, mebibytes: number) =>
      factOf(nodes(clause), { largestNode: { cores, memoryBytes: mebibytes * mib } });
    const [cpu, memoryOnly, both] = [
      "3 Insufficient cpu",
      "3 Insufficient memory",
      "1 Insufficient cpu, 2 Insufficient memory",
    ];
    assert.equal(fact(memoryOnly, 4, 5529), "D39: larger than the largest node (5.4 GiB)");
    assert.equal(fact(memoryOnly, 4, 5530), "D39: no node has 5.4 GiB free");
    assert.equal(fact(cpu, 0.4, 9999), "D38: larger than the largest node (0.4 cores)");
    assert.equal(fact(cpu, 0.5, 9999), "D38: no node has 0.5 cores free");
    assert.equal(fact(cpu, 4, 1024), "D38: larger than the largest node (1 GiB)");
    assert.equal(fact(cpu, 0.4, 1024), "D38: larger than the largest node (0.4 cores)");
    assert.equal(fact(memoryOnly, 0.4, 1024), "D39: larger than the largest node (1 GiB)");
    assert.equal(fact(both, 4, 9999), "D39: no node has 0.5 cores and 5.4 GiB free");
    assert.deepEqual(
      [cpu, memoryOnly, "3 node(s) had untolerated taint(s)", "3 Too many pods"].map((clause) =>
        areNodesNeeded(displayState(nodes(clause))),
      ),
      [true, true, true, false],
    );
    assert.equal(areNodesNeeded(displayState(podFixture())), false);
  });

  test("names the taints, or the problems of the nodes behind them", () => {
    const clause = "3 node(s) had untolerated taint(s)";
    const taint = (key: string, value = "", effect = "NoSchedule") => ({ key, value, effect });
    const fact = (...taints: readonly ReturnType<typeof taint>[]) =>
      factOf(nodes(clause), { largestNode: { cores: 4, memoryBytes: 2 ** 33, taints } });
    const ready = taint("node.kubernetes.io/not-ready");
    const disk = taint("node.kubernetes.io/disk-pressure");
    assert.equal(fact(), "D42: its nodes have untolerated taints");
    assert.equal(fact(taint("a")), 'D42: its nodes have the taint "a:NoSchedule"');
    assert.equal(
      fact(taint("a", "b"), taint("c")),
      "D42: its nodes have taints: a=b:NoSchedule, c:NoSchedule",
    );
    assert.equal(
      fact(ready, disk, ready),
      "D42: its nodes are not usable: not-ready, disk-pressure",
    );
    assert.match(fact(ready, taint("a")), /^D42: its nodes have taints: /);
    const named = "3 node(s) had untolerated taint {node.kubernetes.io/not-ready: }";
    assert.equal(
      factOf(nodes(named), { largestNode: { cores: 4, memoryBytes: 2 ** 33, taints: [disk] } }),
      'D42: its nodes have the taint "node.kubernetes.io/not-ready"',
    );
  });

  test("says that a scheduler is silent after 30 s", () => {
    const pod = (fields: Partial<PodRecord> = {}) =>
      podFixture({
        ...{ phase: "Pending", nodeName: undefined, schedulerName: "volcano", containers: [] },
        ...fields,
      });
    const created = Date.parse(podFixture().creationTimestamp);
    const silent = 'D52: scheduler "volcano" is not responding';
    assert.equal(factOf(pod(), { now: created + 30_000 }), silent);
    assert.deepEqual(idsOf(pod(), { now: created + 29_999 }), []);
    assert.deepEqual(idsOf(pod({ schedulerName: undefined })), []);
    assert.deepEqual(idsOf(pod(), { events: [noted("Other", "x")] }), []);
    const condition = { type: "PodScheduled", status: "False", reason: "x", message: undefined };
    assert.deepEqual(idsOf(pod({ conditions: [condition] })), []);
  });

  test("uses the events of its claims and of the autoscaler", () => {
    const pod = unscheduled("pod has unbound immediate PersistentVolumeClaims");
    const fact = (reason: string, message: string) =>
      factOf(pod, { events: [noted(reason, message)] });
    const failing = "ProvisioningFailed";
    assert.match(
      fact(failing, 'storageclass.storage.k8s.io "fast" not found'),
      /^D\d+: no storage class "fast"$/,
    );
    assert.match(
      fact(
        failing,
        'failed to provision volume with StorageClass "x": rpc error: code = 1 desc = oh no',
      ),
      /^D\d+: volume not created: oh no$/,
    );
    assert.match(fact(failing, 'failed with StorageClass "x": oh'), /: volume not created: oh$/);
    assert.match(fact(failing, "oh"), /: volume not created: oh$/);
    assert.match(fact("ExternalProvisioning", "waiting"), /: its volume has not been created yet$/);
    const legacy = "spark.kubernetes.legacy.useReadWriteOnceAccessMode";
    const hasLegacy = (message: string) =>
      keysOf(pod, { events: [noted(failing, message)] })?.includes(legacy);
    assert.deepEqual(["unsupported access mode", "AccessMode x", "oh"].map(hasLegacy), [
      ...[true, true, false],
    ]);
    const plain = podFixture({ phase: "Pending", nodeName: undefined, containers: [] });
    assert.equal(
      factOf(plain, { events: [noted("NotTriggerScaleUp", "x")] }).replace(/^D\d+: /, ""),
      "the autoscaler does not add a node",
    );
    const running = podFixture();
    for (const reason of ["NotTriggerScaleUp", "TriggeredScaleUp", failing, "WaitForFirstConsumer"])
      assert.deepEqual(idsOf(running, { events: [noted(reason, "x")] }), [], reason);
  });

  test("says that a queue holds it, or that pods are evicted for it", () => {
    const held = (labels: Readonly<Record<string, string>>) =>
      podFixture({
        ...{ phase: "Pending", nodeName: undefined, containers: [] },
        labels: { "spark-role": "executor", ...labels },
        conditions: [
          { type: "PodScheduled", status: "False", reason: "SchedulingGated", message: "gated" },
        ],
      });
    assert.equal(factOf(held({})), "D53: held by a queue");
    assert.equal(firstOf(held({}))?.told, "gated");
    assert.equal(factOf(held({ "kueue.x-k8s.io/queue-name": "q" })), 'D53: held by queue "q"');
    const nominated = { ...unscheduled("x"), nominatedNodeName: "n1" };
    assert.match(factOf(nominated), /: preempting pods on node n1$/);
    assert.equal(factOf({ ...nominated, nominatedNodeName: "" }), "D108: x");
  });

  test("has the scheduler's message without its part about preemption", () => {
    const told = (message: string) => firstOf(unscheduled(message))?.told;
    assert.equal(told("no luck. preemption: none"), "no luck");
    assert.equal(told("no luck preemption: none preemption: x"), "no luck");
    assert.equal(told("gone. no new claims to deallocate, preemption: x"), "gone");
    assert.deepEqual(idsOf(unscheduled("")), []);
    const claim = 'persistentvolumeclaim "data" not found';
    assert.equal(
      factOf(unscheduled(`${claim}. preemption: x`)),
      'D47: volume claim "data" does not exist',
    );
  });
});
