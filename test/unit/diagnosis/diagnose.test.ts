import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { isKept } from "../../../src/spark/diagnosis/describe.ts";
import { diagnose, neededLog, rules } from "../../../src/spark/diagnosis/diagnose.ts";
import type { DiagnosedPod, Diagnosis } from "../../../src/spark/diagnosis/diagnosis.ts";
import { endCauseInLog, rejectionInLog } from "../../../src/spark/diagnosis/starving.ts";
import { causeInLog } from "../../../src/spark/diagnosis/logCause.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { ContainerRecord, PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { containerFixture, driverFixture, endedFixture, podFixture } from "../pods/podFixture.ts";
import {
  disrupted,
  endedSo,
  failed,
  failedDriver,
  noted,
  now,
  diagnosedFixture,
  rejected,
  starting,
  unscheduled,
  waiting,
} from "./diagnosedFixture.ts";
import { checkTranslated } from "../../pseudoLanguage.ts";
import { inEnglish } from "../../../src/base/message.ts";

const golden = join(import.meta.dirname, "diagnoses.txt");
const seen = new Set<string>();
/** The texts of all diagnoses that `check` has seen. */
const texts: string[] = [];

function check(
  id: string,
  pod: PodRecord,
  expected: string,
  fields: Partial<DiagnosedPod> = {},
): void {
  test(`${id}: ${expected}`, () => {
    const [first] = diagnose(diagnosedFixture(pod, fields));
    assert.equal(`${first?.id}: ${inEnglish(first?.fact)}`, `${id}: ${expected}`);
    seen.add(id);
    for (const text of [first?.fact, first?.what, first?.change]) checkTranslated(text);
    if (first !== undefined) texts.push(textsOf(first));
  });
}

const textsOf = ({ id, fact, what, change, keys, told }: Diagnosis): string =>
  [
    `${id}: ${inEnglish(fact)}`,
    inEnglish(what),
    inEnglish(change),
    ...keys,
    ...(told === undefined ? [] : [`> ${told}`]),
  ].join("\n  ");

after(() => {
  const all = [...new Set(rules.map(({ id }) => id))].sort();
  assert.deepEqual([...seen].sort(), all, "each diagnosis has a row here");
});

// Memory.
const oom = { reason: "OOMKilled" };
check("D01", failed(137, oom), "out of memory, limit 1.4 GiB", { isPython: true });
check("D02", failed(137, oom), "out of memory, limit 1.4 GiB", { isPython: false });
check("D03", failedDriver(137, oom), "out of memory, limit 1.4 GiB");
check("D03", failedDriver(137, oom), "out of memory, limit 1.4 GiB", { isPython: true });
const sidecar = { name: "proxy", firstArgument: undefined, memoryLimit: "64Mi" };
const besideOom = [containerFixture(), endedSo(137, { ...oom, container: sidecar })];
const inactive = {
  "spark-role": "executor",
  "spark-version": "4.3.0",
  "spark-exec-inactive": "true",
};
check(
  "D04",
  podFixture({ containers: besideOom }),
  'container "proxy" out of memory, limit 64 MiB',
);
check(
  "D04",
  podFixture({ labels: inactive, containers: besideOom }),
  'container "proxy" out of memory, limit 64 MiB',
);
check(
  "D05",
  failed(137, {}, { deletionTimestamp: "2026-01-02T03:09:00Z" }),
  "killed after its grace period",
);
check(
  "D05",
  failed(137, { seconds: 30 }, { phase: "Running", deletionTimestamp: "2026-01-02T03:04:41Z" }),
  "killed after its grace period",
);
check(
  "D07",
  failed(137, { seconds: 30 }, { phase: "Running", deletionTimestamp: "2026-01-02T03:05:11Z" }),
  "killed, exit code 137",
);
check("D06", failed(137, { reason: "ContainerStatusUnknown" }), "container status unknown");
check("D07", failed(137), "killed, exit code 137");
check("D07", failed(137), "killed: its node ran out of memory", {
  events: [noted("SystemOOM", "System OOM encountered")],
});
check("D08", failed(52), "Java heap exhausted, exit code 52");

// Exit codes.
check("D09", failed(134), "native crash: aborted, exit code 134");
check("D09", failed(139), "native crash: segmentation fault, exit code 139");
check("D10", failed(143), "terminated by SIGTERM, exit code 143");
check("D12", failed(1, { seconds: 12 }), "failed after 12 s, exit code 1");
check("D12", failed(1), "failed, exit code 1");
check(
  "D12",
  failed(1, { seconds: 3, container: { image: "registry.example.org/spark:3.5.9" } }),
  "failed after 3 s with a different image than the driver: spark:3.5.9",
);
check("D116", failed(143), "killed by its liveness probe, exit code 143", {
  events: [noted("Unhealthy", "Liveness probe failed: ")],
});
check("D116", failed(137), "killed by its liveness probe, exit code 137", {
  events: [noted("Unhealthy", "Liveness probe failed: ")],
});
test("an executor whose log names the cause has no guessed one, but the other image stays", () => {
  const logCause = { kind: "unknownHost", error: "UnknownHostException: x", at: 0 } as const;
  const idsOf = (container: Partial<ContainerRecord>) =>
    diagnose(diagnosedFixture(failed(1, { seconds: 3, container }), { logCause })).map(
      ({ id }) => id,
    );
  assert.deepEqual(idsOf({}), ["D113"]);
  assert.deepEqual(idsOf({ image: "registry.example.org/spark:3.5.9" }), ["D113", "D12"]);
});
test("an evicted container has no other cause than its eviction", () => {
  const message = 'Usage of EmptyDir volume "spark-local-dir-1" exceeds the limit "20Mi". ';
  const pod = failed(143, {}, { reason: "Evicted", message });
  assert.deepEqual(
    diagnose(diagnosedFixture(pod)).map(({ id }) => id),
    ["D22"],
  );
});
test("a container that its liveness probe ended has no other cause", () => {
  const events = [noted("Unhealthy", "Liveness probe failed: cat: /tmp/none\n")];
  for (const code of [143, 137]) {
    const found = diagnose(diagnosedFixture(failed(code), { events }));
    assert.deepEqual(
      found.map(({ id, told }) => `${id} ${told}`),
      ["D116 Liveness probe failed: cat: /tmp/none"],
    );
  }
});
check("D14", failed(53), "local directory not writable, exit code 53");
check("D15", failed(56), "lost the driver, exit code 56");
check("D16", failed(127), "cannot run: a program is missing from the image");
check(
  "D16",
  failed(128, { reason: "StartError", message: "exec format error" }),
  "cannot run: the image's program could not start",
);
check("D17", failedDriver(11), "too many executors failed, exit code 11");
check("D18", failedDriver(124), "time limit reached, exit code 124");
check("D19", failedDriver(101), "main class not found, exit code 101");
check(
  "D97",
  failedDriver(
    1,
    {},
    {
      driving: {
        mainClass: "Main",
        uiPort: 4040,
        exitException: "java.lang.IllegalStateException: asked to fail\n\tat Main.main",
      },
    },
  ),
  "IllegalStateException: asked to fail",
);
check("D101", failed(158), "killed by SIGPWR, exit code 158");
check("D102", failed(50), "uncaught exception, exit code 50");
check("D103", failedDriver(1), "failed, exit code 1");
check(
  "D104",
  podFixture({ containers: [containerFixture(), endedFixture(2, sidecar)] }),
  'container "proxy" failed, exit code 2',
);
check(
  "D104",
  podFixture({ labels: inactive, containers: [containerFixture(), endedFixture(3, sidecar)] }),
  'container "proxy" failed, exit code 3',
);
check("D105", failed(58), "could not re-register its blocks, exit code 58");

// Actions on the pod.
check(
  "D20",
  rejected("Evicted", "The node was low on resource: memory. Threshold quantity: 100Mi"),
  "evicted: its node ran out of memory",
);
check(
  "D21",
  rejected("Evicted", "The node was low on resource: ephemeral-storage."),
  "evicted: its node's disk is full",
);
check(
  "D22",
  rejected("Evicted", 'Usage of EmptyDir volume "spark-local-dir-1" exceeds the limit "1Gi".'),
  "evicted: an emptyDir volume exceeded its limit",
);
check(
  "D23",
  rejected(
    "Evicted",
    "Pod ephemeral local storage usage exceeds the total limit of containers 1Gi",
  ),
  "evicted: local storage limit exceeded",
);
check(
  "D24",
  rejected("Evicted", "The node was low on resource: inodes."),
  "evicted: its node ran out of inodes or process ids",
);
check("D106", rejected("Evicted", "for its own reasons"), "evicted by its node");
check("D25", disrupted("PreemptionByScheduler"), "preempted by a higher-priority pod");
check("D26", disrupted("EvictionByEvictionAPI"), "evicted through the API");
check("D27", disrupted("DeletionByTaintManager"), "evicted: its node was tainted");
check("D28", disrupted("TerminationByKubelet"), "terminated by its node");
check("D32", disrupted("DeletionByPodGC"), "its node was removed");
check("D29", rejected("Terminated", "imminent node shutdown"), "its node was shutting down");
check("D30", rejected("NodeShutdown"), "rejected: its node was shutting down");
check("D31", podFixture({ phase: "Unknown", reason: "NodeLost" }), "node node-1 is unreachable");
check("D33", rejected("Preempting"), "preempted by a critical pod");
check("D34", rejected("OutOfcpu"), "rejected by its node: out of cpu");
check("D35", rejected("UnexpectedAdmissionError"), "rejected by its node: no device available");
check("D36", rejected("NodeAffinity"), "rejected by its node: labels do not match");
check("D37", rejected("DeadlineExceeded"), "pod deadline exceeded");

// The scheduler.
const preemption = "preemption: 0/3 nodes are available: 3 No preemption victims found.";
const nodes = (clause: string): PodRecord =>
  unscheduled(`0/3 nodes are available: ${clause}. ${preemption}`);
check("D38", nodes("3 Insufficient cpu"), "no node has 0.5 cores free");
check("D39", nodes("3 Insufficient memory"), "no node has 5.4 GiB free");
check(
  "D39",
  nodes("1 Insufficient cpu, 2 Insufficient memory"),
  "no node has 0.5 cores and 5.4 GiB free",
);
const unhelped = (refused: string, count: number) =>
  unscheduled(
    `0/3 nodes are available: ${refused}. no new claims to deallocate, preemption: 0/3 nodes are available: ${count} Preemption is not helpful for scheduling.`,
  );
check("D39", unhelped("3 Insufficient memory", 3), "no node is large enough for 5.4 GiB");
check("D38", unhelped("3 Insufficient cpu", 3), "no node is large enough for 0.5 cores");
check(
  "D39",
  unhelped("3 Insufficient cpu, 3 Insufficient memory", 3),
  "no node is large enough for 0.5 cores and 5.4 GiB",
);
check(
  "D39",
  unhelped("1 node(s) had untolerated taint, 2 Insufficient memory", 3),
  "no node has 5.4 GiB free",
);
check("D39", unhelped("3 Insufficient memory", 2), "no node has 5.4 GiB free");
check("D40", nodes("3 Insufficient nvidia.com/gpu"), "no node has 2 nvidia.com/gpu free");
check(
  "D40",
  unscheduled(
    "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
  ),
  "no node has 2 nvidia.com/gpu free",
);
check("D41", nodes("3 Insufficient ephemeral-storage"), "no node has 20 GiB of disk space free");
check("D41", nodes("3 Too many pods"), "the nodes have too many pods");
check(
  "D42",
  nodes("3 node(s) had untolerated taint {dedicated: gpu}"),
  'its nodes have the taint "dedicated: gpu"',
);
check(
  "D42",
  nodes("3 node(s) had taint {spot: }, that the pod didn't tolerate"),
  'its nodes have the taint "spot"',
);
const unmatched = nodes("1 node(s) didn't match Pod's node affinity/selector");
check(
  "D43",
  { ...unmatched, nodeSelector: { disk: "ssd" } },
  "no usable node has the label disk=ssd",
);
check(
  "D43",
  { ...unmatched, nodeSelector: { disk: "ssd", zone: "a" } },
  "no usable node has the labels disk=ssd, zone=a",
);
check(
  "D43",
  nodes("3 node(s) didn't match Pod's node affinity/selector"),
  "no node matches its node selector",
);
check(
  "D44",
  nodes("3 node(s) didn't match pod anti-affinity rules"),
  "anti-affinity excludes all nodes",
);
check("D45", nodes("3 node(s) were unschedulable"), "its nodes are cordoned");
check(
  "D46",
  nodes("pod has unbound immediate PersistentVolumeClaims"),
  "a volume claim is not bound",
);
check(
  "D47",
  unscheduled('persistentvolumeclaim "data" not found'),
  'volume claim "data" does not exist',
);
check("D48", nodes("3 node(s) had volume node affinity conflict"), "its volume is in another zone");
check(
  "D49",
  nodes(
    "3 node has pod using PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod",
  ),
  "its volume is used by another pod",
);
check("D50", nodes("3 node(s) exceed max volume count"), "its nodes have too many volumes");
check(
  "D52",
  podFixture({ phase: "Pending", nodeName: undefined, schedulerName: "volcano", containers: [] }),
  'scheduler "volcano" is not responding',
);
check(
  "D53",
  podFixture({
    phase: "Pending",
    nodeName: undefined,
    labels: { "spark-role": "executor", "kueue.x-k8s.io/queue-name": "team-a" },
    conditions: [
      { type: "PodScheduled", status: "False", reason: "SchedulingGated", message: "gated" },
    ],
  }),
  'held by queue "team-a"',
);
check("D108", unscheduled("no such luck"), "no such luck");
const alone = podFixture({ phase: "Pending", nodeName: undefined, containers: [] });
check("D90", alone, "a node is being added", {
  events: [noted("TriggeredScaleUp", "pod triggered scale-up: [{pool 1->2 (max: 5)}]")],
});
check("D91", alone, "the autoscaler does not add a node", {
  events: [
    noted("NotTriggerScaleUp", "pod didn't trigger scale-up: 1 max node group size reached"),
  ],
});

// Images.
test("an image of another container than Spark's is in the pod template", () => {
  const keysOf = (reason: string, message: string): readonly string[] => {
    const agent = { name: "agent", firstArgument: undefined, image: "apps/agent:9" };
    const pod = podFixture({
      phase: "Pending",
      containers: [
        containerFixture(),
        containerFixture({ ...agent, state: { kind: "waiting", reason, message } }),
      ],
    });
    return diagnose(diagnosedFixture(pod))[0]?.keys ?? [];
  };
  const template = "spark.kubernetes.executor.podTemplateFile";
  assert.deepEqual(keysOf("ErrImagePull", "failed to pull: not found"), [template]);
  assert.deepEqual(keysOf("ErrImageNeverPull", "no"), [template]);
  assert.deepEqual(keysOf("ErrImagePull", "failed to pull: unauthorized"), [
    "spark.kubernetes.container.image.pullSecrets",
    template,
  ]);
});
const pull = (message: string): PodRecord => waiting("ErrImagePull", message);
check("D54", pull('failed to pull "apps/etl:7": not found'), "image not found: etl:7");
check("D55", pull("failed to pull: 401 Unauthorized"), "image access denied: etl:7");
check("D56", pull("429 toomanyrequests"), "image pull rate-limited: etl:7");
check(
  "D57",
  pull("failed to do request: dial tcp: lookup apps: no such host"),
  "registry not found: etl:7",
);
check("D57", pull("dial tcp 10.0.0.9:443: i/o timeout"), "registry unreachable: etl:7");
check(
  "D57",
  pull("tls: failed to verify certificate: x509: certificate signed by unknown authority"),
  "registry certificate not trusted: etl:7",
);
check(
  "D58",
  pull("no match for platform in manifest: not found"),
  "image for another CPU architecture: etl:7",
);
check("D107", pull("rpc error: unknown"), "cannot pull image: etl:7");
check(
  "D54",
  waiting("ImagePullBackOff", 'Back-off pulling image "apps/etl:7"'),
  "image not found: etl:7",
  { events: [noted("Failed", 'Failed to pull image "apps/etl:7": manifest unknown')] },
);
check("D59", waiting("ErrImageNeverPull", ""), "image not on the node: etl:7");
check("D60", waiting("InvalidImageName", ""), "invalid image name: etl:7");
check("D61", waiting("SignatureValidationFailed", ""), "image rejected by its node: etl:7");

// Containers and volumes.
const configError = (message: string): PodRecord => waiting("CreateContainerConfigError", message);
check("D62", configError('secret "db" not found'), 'Secret "db" does not exist');
check(
  "D62",
  configError("couldn't find key password in Secret jobs/db"),
  'Secret "db" has no key "password"',
);
check(
  "D63",
  configError('configmap "spark-drv-1" not found'),
  'ConfigMap "spark-drv-1" does not exist',
);
check(
  "D64",
  configError("container has runAsNonRoot and image will run as root"),
  "the image runs as root, which is forbidden",
);
check(
  "D64",
  configError(
    'container\'s runAsUser breaks non-root policy (pod: "etl-driver_dev(1a2b)", container: spark)',
  ),
  "the image runs as root, which is forbidden",
);
check(
  "D65",
  waiting("CreateContainerError", "context deadline exceeded"),
  'container "spark-kubernetes-executor" cannot be created: context deadline exceeded',
);
check(
  "D66",
  waiting("RunContainerError", "no"),
  'container "spark-kubernetes-executor" does not start',
);
check(
  "D67",
  waiting("CrashLoopBackOff", "", {
    restartPolicy: "Always",
    containers: [
      containerFixture({
        state: { kind: "waiting", reason: "CrashLoopBackOff", message: undefined },
        lastState: endedSo(1).state,
      }),
    ],
  }),
  "keeps crashing, exit code 1",
);
check(
  "D68",
  waiting("CrashLoopBackOff", ""),
  'container "spark-kubernetes-executor" keeps crashing',
);
check(
  "D68",
  podFixture({ initContainers: [endedSo(1, { container: sidecar })] }),
  'container "proxy" keeps crashing',
);
check(
  "D69",
  podFixture({
    phase: "Failed",
    containers: [containerFixture({ state: undefined })],
    initContainers: [endedFixture(3, { name: "fetch", firstArgument: undefined })],
  }),
  'init container "fetch" failed, exit code 3',
);
check("D70", starting, 'ConfigMap "spark-exec-1" does not exist', {
  events: [
    noted(
      "FailedMount",
      'MountVolume.SetUp failed for volume "conf" : configmap "spark-exec-1" not found',
    ),
  ],
});
const ownMap = noted(
  "FailedMount",
  'MountVolume.SetUp failed for volume "spark-conf-volume-driver" : configmap "spark-drv-1a2b-conf-map" not found',
);
test("ignores the first failed mount of Spark's own ConfigMap, which follows the pod", () => {
  const young = { ...starting, startTime: new Date(now - 9_000).toISOString() };
  assert.deepEqual(diagnose(diagnosedFixture(young, { events: [ownMap] })), []);
});
test("names the volume of the driver, and no lack of memory, for a driver evicted over its emptyDir", () => {
  const message = 'Usage of EmptyDir volume "scr" exceeds the limit "10Mi". ';
  const found = diagnose(diagnosedFixture({ ...failedDriver(137), reason: "Evicted", message }));
  assert.deepEqual(
    found.map(({ id, keys }) => [id, ...keys]),
    [["D22", "spark.kubernetes.driver.volumes.emptyDir.spark-local-dir-1.options.sizeLimit"]],
  );
});
test("ignores a failed mount once the kubelet pulls the image", () => {
  const events = [ownMap, noted("Pulling", 'Pulling image "apps/etl:7"')];
  assert.deepEqual(diagnose(diagnosedFixture(starting, { events })), []);
});
check("D71", starting, "its volume cannot be attached to its node", {
  events: [noted("FailedAttachVolume", "Multi-Attach error for volume")],
});
check("D72", starting, 'volume "data" cannot be mounted', {
  events: [noted("FailedMount", 'MountVolume.SetUp failed for volume "data" : permission denied')],
});
check("D72", starting, "not on the node: /nope/data", {
  events: [
    noted(
      "FailedMount",
      'MountVolume.SetUp failed for volume "data" : hostPath type check failed: /nope/data is not a directory',
    ),
  ],
});
check("D72", starting, 'NFS volume "data" cannot be mounted', {
  events: [
    noted(
      "FailedMount",
      'MountVolume.SetUp failed for volume "data" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs 127.0.0.1:/export /var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/data\nOutput: mount.nfs: Connection refused\n',
    ),
  ],
});
check("D73", starting, "no free IP address in the pod network", {
  events: [noted("FailedCreatePodSandBox", "plugin failed to assign an IP address")],
});
check("D89", podFixture(), "its node is not ready", {
  events: [noted("NodeNotReady", "Node is not ready")],
});

// Start and termination.
check("D86", podFixture(), "probe fails", {
  events: [noted("Unhealthy", "Liveness probe failed")],
});
const leaving = { deletionTimestamp: "2026-01-02T03:10:20Z" };
check("D87", podFixture(leaving), "decommissioning script failed", {
  events: [noted("FailedPreStopHook", "")],
});
check("D88", podFixture(leaving), "ends within 20 s");
const killed = { ...podFixture().labels, "spark-k8s/requested-end": "killed" };
check("D88", podFixture({ ...leaving, labels: killed }), "stopping, ends within 20 s");
const nowLeaving = { deletionTimestamp: "2026-01-02T03:10:00Z" };
check("D88", podFixture({ ...nowLeaving, labels: killed }), "stopping");
// spark-submit --kill sets no grace period. The kubelet needs some seconds after it.
check("D88", podFixture({ deletionTimestamp: "2026-01-02T03:10:00Z" }), "ending");
check("D88", podFixture({ deletionTimestamp: "2026-01-02T03:09:51Z" }), "ending");
check("D88", podFixture({ deletionTimestamp: "2026-01-02T03:09:50Z" }), "overdue by 10 s");

const preemptor = { ...nodes("3 Insufficient memory"), nominatedNodeName: "node-7" };

// Executor states that only the driver reports.
const over = diagnosedFixture(driverFixture({ phase: "Failed" })).application;
check("D94", podFixture(), "its driver has ended", { application: over });
const report = (registered: string[], removed: [string, string][] = []) => ({
  readAt: 0,
  registered: new Set(registered),
  removed: new Map(removed),
  allocation: undefined,
});
check("D95", podFixture({ phase: "Failed" }), "ended, but still registered with the driver", {
  report: report(["1"]),
});
check("D96", podFixture(), "not registered for 6 min", { report: report([]) });
check("D96", podFixture(), "removed by its driver", {
  report: report([], [["1", "Executor killed by driver."]]),
});

check("D112", podFixture(), "excluded by its driver", {
  report: { ...report(["1"]), excluded: new Set(["1"]) },
});
const heapLog = ["INFO done", "java.lang.OutOfMemoryError: Java heap space", "\tat Main.main"];
check("D113", failedDriver(1), "Java heap exhausted", { logCause: causeInLog(heapLog) });
check("D113", failedDriver(2), "not found: etl.py", {
  logCause: causeInLog([
    "python3: can't open file '/app/etl.py': [Errno 2] No such file or directory",
  ]),
});

// Other texts of the same diagnoses.
const exitUnknown = (name: string) => {
  const ended = endedSo(1, { container: { name, firstArgument: undefined } });
  return { ...ended, state: { ...ended.state, exitCode: undefined } } as ContainerRecord;
};
check("D01", failed(137, { ...oom, container: { memoryLimit: undefined } }), "out of memory", {
  isPython: true,
});
check("D08", failedDriver(52), "Java heap exhausted, exit code 52");
check("D10", failedDriver(143), "terminated by SIGTERM, exit code 143");
check(
  "D16",
  failed(126),
  "cannot run: a program in the image is not executable or built for another CPU architecture",
);
check(
  "D31",
  podFixture({ phase: "Unknown", reason: "NodeLost", nodeName: undefined }),
  "its node is unreachable",
);
// Kubernetes 1.36 writes taints without their names.
const unnamed = nodes("1 node(s) had untolerated taint(s)");
check("D42", unnamed, "its nodes have untolerated taints");
const tainted = (...taints: readonly (readonly [string, string, string])[]) => ({
  largestNode: {
    ...{ cores: 2, memoryBytes: 2 ** 34 },
    taints: taints.map(([key, value, effect]) => ({ key, value, effect })),
  },
});
const etl = ["dedicated", "etl", "NoSchedule"] as const;
const spot = ["spot", "", "NoExecute"] as const;
const full = ["node.kubernetes.io/disk-pressure", "", "NoSchedule"] as const;
check("D42", unnamed, 'its nodes have the taint "dedicated=etl:NoSchedule"', tainted(etl));
check(
  "D42",
  unnamed,
  "its nodes have taints: dedicated=etl:NoSchedule, spot:NoExecute",
  tainted(etl, spot),
);
check("D42", unnamed, "its nodes are not usable: disk-pressure", tainted(full));
check(
  "D44",
  nodes("3 node(s) didn't match pod topology spread constraints"),
  "topology spread constraints exclude all nodes",
);
check("D48", nodes("3 node(s) found no available volume zone"), "its volume is in another zone");
check(
  "D69",
  podFixture({
    phase: "Failed",
    containers: [containerFixture({ state: undefined })],
    initContainers: [exitUnknown("fetch")],
  }),
  'init container "fetch" failed, exit code unknown',
);
check("D72", starting, "a volume cannot be mounted", {
  events: [noted("FailedMapVolume", "MapVolume.MapPodDevice failed")],
});
check("D73", starting, "its node cannot create the pod sandbox", {
  events: [noted("FailedCreatePodSandBox", "cni plugin not initialized")],
});
check("D88", podFixture({ deletionTimestamp: "2026-01-02T03:08:20Z" }), "overdue by 100 s");
check("D88", driverFixture(leaving), "stopping, ends within 20 s", { isStoppedHere: true });
check(
  "D88",
  driverFixture({ deletionTimestamp: "2026-01-02T03:10:20Z" }),
  "its pod was deleted, ends within 20 s",
);
check(
  "D114",
  { ...failedDriver(143), deletionTimestamp: "2026-01-02T03:10:20Z" },
  "its pod was deleted, exit code 143",
);
check("D105", failed(57), "ended by the task reaper, exit code 57");
check("D113", failed(1), "Java heap exhausted", { logCause: causeInLog(heapLog) });
for (const [pod, error] of [
  [failedDriver(1), "the input has no rows"],
  [failed(1), "the row has no key"],
] as const) {
  const log = [
    "Traceback (most recent call last):",
    '  File "etl.py", line 7',
    `ValueError: ${error}`,
  ];
  check("D113", pod, `ValueError: ${error}`, { logCause: causeInLog(log) });
}
check("D113", failedDriver(1), "SyntaxError: invalid syntax", {
  logCause: causeInLog([
    "26/11/27 18:36:01 WARN NativeCodeLoader: Unable to load native-hadoop library",
    '  File "/code/etl.py", line 5',
    "    def broken(:",
    "               ^",
    "SyntaxError: invalid syntax",
  ]),
});
check("D113", failedDriver(1), "class not found: Orders", {
  logCause: causeInLog(["Error: Failed to load class shop.Orders."]),
});

test("needs the log only for failures that the pod does not explain", () => {
  const isNeeded = (pod: PodRecord): boolean => neededLog(diagnosedFixture(pod)) === "end";
  for (const pod of [failedDriver(1), failedDriver(2), failed(1), failed(50)]) {
    assert.ok(isNeeded(pod));
  }
  const explained = [failed(137, oom), failedDriver(137, oom), failed(52), failed(143)];
  for (const pod of [...explained, podFixture(), starting, driverFixture({ phase: "Succeeded" })]) {
    assert.ok(!isNeeded(pod));
  }
});

const small = { largestNode: { cores: 8, memoryBytes: 4 * 2 ** 30 } };
check("D39", nodes("3 Insufficient memory"), "larger than the largest node (4 GiB)", small);
check(
  "D39",
  nodes("1 Insufficient cpu, 2 Insufficient memory"),
  "larger than the largest node (4 GiB)",
  small,
);
check("D38", nodes("3 Insufficient cpu"), "no node has 0.5 cores free", {
  largestNode: { cores: 8, memoryBytes: 2 ** 40 },
});
check("D38", nodes("3 Insufficient cpu"), "larger than the largest node (0.25 cores)", {
  largestNode: { cores: 0.25, memoryBytes: 2 ** 40 },
});

// Volumes of claims. The messages are those of external-provisioner and external-resizer.
const unbound = nodes("pod has unbound immediate PersistentVolumeClaims");
check("D74", unbound, 'no storage class "fast"', {
  events: [noted("ProvisioningFailed", 'storageclass.storage.k8s.io "fast" not found')],
});
check("D74", unbound, "volume not created: Volume capabilities not supported", {
  events: [
    noted(
      "ProvisioningFailed",
      'failed to provision volume with StorageClass "standard": rpc error: code = InvalidArgument desc = Volume capabilities not supported',
    ),
  ],
});
check("D74", unbound, "its volume has not been created yet", {
  events: [
    noted(
      "ExternalProvisioning",
      "Waiting for a volume to be created either by the external provisioner 'ebs.csi.aws.com' or manually by the system administrator.",
    ),
  ],
});
const unexplained = podFixture({
  phase: "Pending",
  nodeName: undefined,
  containers: [containerFixture({ state: undefined })],
});
check("D75", unexplained, "its volume is created after the pod is scheduled", {
  events: [
    noted("WaitForFirstConsumer", "waiting for first consumer to be created before binding"),
  ],
});
check("D76", podFixture(), "its volume cannot grow", {
  events: [
    noted(
      "VolumeResizeFailed",
      'resize volume "pvc-1" by resizer "ebs.csi.aws.com" failed: rpc error: code = OutOfRange desc = too large',
    ),
  ],
});
const resizing = (type: string, reason: string): PodRecord =>
  podFixture({
    conditions: [{ type, status: "True", reason, message: "Node didn't have enough capacity" }],
  });
check("D77", resizing("PodResizePending", "Infeasible"), "its memory cannot grow on its node");
check(
  "D77",
  resizing("PodResizePending", "Deferred"),
  "its memory cannot grow until its node has room",
);
check("D77", resizing("PodResizeInProgress", "Error"), "its memory cannot grow: node error");

// A driver that runs for six minutes without an executor.
const quotaMessage =
  'pods "pi-exec-3" is forbidden: exceeded quota: team-a, requested: pods=1, used: pods=4, limited: pods=4';
const logged = (...lines: readonly string[]) => ({ logCause: rejectionInLog(lines) });
const client =
  "io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: POST at: https://kubernetes.default.svc/api/v1/namespaces/jobs/pods. Message: ";
const noResources =
  "26/01/02 03:09:00 WARN TaskSchedulerImpl: Initial job has not accepted any resources; check your cluster UI to ensure that workers are registered and have sufficient resources";
check("D78", driverFixture(), "quota exceeded: team-a", {
  events: [
    noted(
      "FailedCreate",
      `create Pod spark-s-spark-1-0-0 in StatefulSet spark-s-spark-1-0 failed error: ${quotaMessage}`,
    ),
  ],
});
check("D78", driverFixture(), 'serviceaccount "none" not found', {
  events: [
    noted(
      "FailedCreate",
      'create Pod spark-s-spark-1-0-0 in StatefulSet spark-s-spark-1-0 failed error: serviceaccount "none" not found',
    ),
  ],
});
check(
  "D79",
  driverFixture(),
  "quota exceeded: team-a",
  logged(`${client}${quotaMessage}.`, noResources),
);
const limitRangeMessage =
  'pods "limitrange-df185da21071787c-exec-2" is forbidden: maximum memory usage per Container is 1Gi, but limit is 1284Mi';
check(
  "D80",
  driverFixture(),
  "limit range: maximum memory usage per Container is 1Gi",
  logged(`${client}${limitRangeMessage}. Received status: Status(apiVersion=v1, code=403)`),
);
check("D17", failedDriver(11), "limit range: maximum memory usage per Container is 1Gi", {
  logCause: endCauseInLog([
    `${client}${limitRangeMessage}. Received status: Status(apiVersion=v1, code=403)`,
    "26/11/25 02:03:30 ERROR ExecutorPodsLifecycleManager: Max number of executor failures (3) reached",
    "java.lang.IllegalStateException: Spark context stopped while waiting for backend",
  ]),
});
check("D17", failedDriver(11), "too many executors failed, exit code 11", {
  logCause: endCauseInLog([
    "26/11/25 02:03:30 ERROR ExecutorPodsLifecycleManager: Max number of executor failures (3) reached",
    "java.lang.IllegalStateException: Spark context stopped while waiting for backend",
  ]),
});
test("needs the log of a driver whose executors failed too often", () => {
  assert.equal(neededLog(diagnosedFixture(failedDriver(11))), "end");
});
check(
  "D81",
  driverFixture(),
  "not permitted: create pods",
  logged(
    `${client}pods is forbidden: User "system:serviceaccount:jobs:default" cannot create resource "pods" in API group "" in the namespace "jobs".`,
  ),
);
check(
  "D82",
  driverFixture(),
  "rejected by policy deny.example.org",
  logged(`${client}admission webhook "deny.example.org" denied the request: no team label.`),
);
check(
  "D98",
  driverFixture(),
  "the driver cannot create more pods",
  logged("org.apache.spark.SparkException: Exceed the pod creation limit: 3"),
);
check(
  "D100",
  driverFixture(),
  "waiting for one of 4 volume claims",
  logged("26/01/02 03:09:00 INFO ExecutorPodsAllocator: Wait to reuse one of the existing 4 PVCs."),
);
check("D93", driverFixture(), "no executors for a waiting job", logged("INFO x", noResources));

test("a running driver with its executors, or a young one, has no lack of them", () => {
  const cause = logged(noResources);
  const withExecutor = {
    ...cause,
    application: diagnosedFixture(podFixture()).application,
  };
  assert.deepEqual(diagnose(diagnosedFixture(driverFixture(), withExecutor)), []);
  const young = driverFixture({ startTime: "2026-01-02T03:09:50Z" });
  assert.deepEqual(diagnose(diagnosedFixture(young, cause)), []);
});

test("a job that got executors later, or has some, does not wait for them", () => {
  const later =
    "26/01/02 03:09:40 INFO KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint: Registered executor NettyRpcEndpointRef(spark-client://Executor)";
  assert.equal(rejectionInLog([noResources, later]), undefined);
  assert.equal(rejectionInLog([later, noResources])?.kind, "noResources");
  // A quota may still reject the rest of the executors.
  assert.equal(rejectionInLog([`${client}${quotaMessage}`, later])?.kind, "quota");
  const some = { ...logged(noResources), ...doubled(driverFixture(), podFixture()) };
  const allocation = { kind: "fixed", instances: 4 } as const;
  const lacking = { ...some, report: { ...report(["1"]), allocation } };
  assert.deepEqual(diagnose(diagnosedFixture(driverFixture(), lacking)), []);
});

test("the words of a program about a quota are not taken for those of the API server", () => {
  assert.equal(
    rejectionInLog(["user alice exceeded quota", '12 rows: is forbidden: User "x"']),
    undefined,
  );
});

test("a pending driver names its own keys", () => {
  const pending = (message: string): PodRecord =>
    driverFixture({
      phase: "Pending",
      nodeName: undefined,
      conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }],
      containers: [containerFixture({ name: "spark-kubernetes-driver", state: undefined })],
    });
  for (const refusal of [
    "Insufficient memory",
    "Insufficient cpu",
    "node(s) didn't match Pod's node affinity/selector",
    "pod has unbound immediate PersistentVolumeClaims",
    "node(s) exceed max volume count",
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod",
  ]) {
    const message = `0/3 nodes are available: 3 ${refusal}`;
    const [first] = diagnose(diagnosedFixture(pending(message)));
    assert.ok(first, refusal);
    assert.ok(
      first.keys.some((key) => /^spark\.(?:kubernetes\.)?driver\./.test(key)),
      refusal,
    );
    assert.ok(!first.keys.some((key) => /executor/.test(key)), refusal);
  }
});

check("D109", preemptor, "preempting pods on node node-7");
const twin = podFixture({ uid: "uid-2", name: "pi-exec-1-again" });
const doubled = (...pods: readonly PodRecord[]) => ({
  application:
    firstOf(buildApplications(replacePods(emptySnapshot, pods).snapshot).applications) ??
    assert.fail(),
});
for (const [pod, other] of [
  [podFixture(), twin],
  [twin, podFixture()],
  [podFixture(), { ...twin, phase: "Failed" }],
] as const) {
  const fact = `same executor id (1) as pod ${other.name}`;
  check("D110", pod, fact, doubled(driverFixture(), podFixture(), twin, pod, other));
}

test("an executor is kept for debugging if its label marks it as inactive", () => {
  const labelled = (value: string): PodRecord =>
    podFixture({ labels: { "spark-role": "executor", "spark-exec-inactive": value } });
  assert.deepEqual([isKept(labelled("true")), isKept(labelled("false"))], [true, false]);
});

test("a healthy or succeeded pod has no diagnosis", () => {
  for (const pod of [podFixture(), podFixture({ phase: "Succeeded" }), driverFixture(), starting]) {
    assert.deepEqual(diagnose(diagnosedFixture(pod)), []);
  }
});

test("an executor that has just started has time to register", () => {
  const young = podFixture({ startTime: "2026-01-02T03:09:00Z" });
  assert.deepEqual(diagnose(diagnosedFixture(young, { report: report([]) })), []);
});

test("further causes follow the first, without generic diagnoses", () => {
  const found = diagnose(
    diagnosedFixture(nodes("1 Insufficient memory, 2 node(s) had untolerated taint {a: b}")),
  );
  assert.deepEqual(
    found.map(({ id }) => id),
    ["D39", "D42"],
  );
});

test("each diagnosis has a cause, a change, conf keys by role and the original message", () => {
  const [first] = diagnose(diagnosedFixture(nodes("3 Insufficient memory")));
  assert.equal(
    inEnglish(first?.what),
    "The executor requests 0.5 cores and 5.4 GiB, and no suitable node has 5.4 GiB free.",
  );
  assert.deepEqual(first?.keys, [
    "spark.executor.memory",
    "spark.executor.memoryOverhead",
    "spark.executor.memoryOverheadFactor",
    "spark.memory.offHeap.size",
  ]);
  assert.equal(first.told, "0/3 nodes are available: 3 Insufficient memory");
});

test("an image is named without registry and folders, and a digest is cut", () => {
  const rowOf = (image: string): string | undefined => {
    const state = { kind: "waiting", reason: "InvalidImageName", message: "" } as const;
    const pod = podFixture({ phase: "Pending", containers: [containerFixture({ image, state })] });
    return inEnglish(diagnose(diagnosedFixture(pod))[0]?.fact);
  };
  assert.equal(rowOf("r.example.org:5000/team/spark:4.3.0"), "invalid image name: spark:4.3.0");
  assert.equal(
    rowOf(`spark@sha256:${"0123456789abcdef".repeat(4)}`),
    "invalid image name: spark@0123456",
  );
});

test("all diagnosis texts match the golden file", (t) => {
  t.assert.fileSnapshot([...new Set(texts)].join("\n\n"), golden, {
    serializers: [(text: string) => `${text}\n`],
  });
});
