import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { ok } from "../../../src/base/result.ts";
import type { TreeNode } from "../../../src/editor/apps/treeNode.ts";
import { cleanUp } from "../../../src/editor/lifecycle/cleanUp.ts";
import type { LifecycleContext } from "../../../src/editor/lifecycle/context.ts";
import { decommissionExecutors } from "../../../src/editor/lifecycle/decommissionExecutors.ts";
import { deleteRows } from "../../../src/editor/lifecycle/deleteApplications.ts";
import { killExecutors } from "../../../src/editor/lifecycle/killExecutors.ts";
import { resumeApplications, suspendApplications } from "../../../src/editor/lifecycle/operated.ts";
import { restartApplications } from "../../../src/editor/lifecycle/restartApplications.ts";
import { scaleApplications } from "../../../src/editor/lifecycle/scaleApplications.ts";
import { stopApplications } from "../../../src/editor/lifecycle/stopApplications.ts";
import { stopSession } from "../../../src/editor/lifecycle/stopSession.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import { sessionLabel } from "../../../src/spark/labels.ts";
import type { OperatorResource, ResourcePhase } from "../../../src/spark/pods/operatorResource.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { failedDriver } from "../diagnosis/diagnosedFixture.ts";
import { driverFixture, endedFixture, executorFixture } from "../pods/podFixture.ts";
import { lifecycleFixture, type CommandScene } from "./lifecycleFixture.ts";

type Command = (context: LifecycleContext, nodes: readonly TreeNode[]) => Promise<void>;

type Scene = CommandScene<Command>;

/** Compares the output and the writes of each scene with a golden file. */
function scenes(group: string, command: Command, all: readonly Scene[]): void {
  test(`the transcripts of ${group} match the golden file`, async (t) => {
    const texts: string[] = [];
    for (const { name, pods, rows, answers, ...cluster } of all) {
      const rig = await lifecycleFixture(t, pods, answers, cluster);
      await rig.run(cluster.command ?? command, rows);
      const left = rig.screen.answers.map((answer) => `unused answer: ${answer ?? "Escape"}`);
      texts.push([`# ${name}`, rig.transcript(), ...left].join("\n\n"));
    }
    t.assert.fileSnapshot(
      `${texts.join("\n\n")}\n`,
      join(import.meta.dirname, "lifecycle", `${group.replaceAll(" ", "-")}.txt`),
      { serializers: [String] },
    );
  });
}

const driver = driverFixture();
const one = executorFixture(1);
const two = executorFixture(2);
const [forbidden, unreachable]: readonly [ClusterError, ClusterError] = [
  {
    kind: "forbidden",
    verb: "delete",
    resource: "pods",
    namespace: "jobs",
    detail: 'User "ada" cannot delete pods',
  },
  { kind: "unreachable", server: "s", requestSent: true, detail: "cut" },
];
const gone: ClusterError = { kind: "notFound", resource: "pods", name: "x", detail: "" };
const conflict: ClusterError = { kind: "conflict", resource: "pods", name: "x", detail: "" };

/** Returns the driver of another application, `etl`. */
const etl = (fields: Partial<PodRecord> = {}): PodRecord =>
  driverFixture({
    uid: "uid-etl",
    name: "etl-driver",
    labels: {
      "spark-app-selector": "spark-2",
      "spark-role": "driver",
      "spark-app-name": "etl",
      "spark-version": "4.3.0",
    },
    ...fields,
  });
const succeeded = (pod: PodRecord): PodRecord => ({
  ...pod,
  phase: "Succeeded",
  containers: [endedFixture(0, { name: "spark-kubernetes-driver" })],
});
const terminating = (pod: PodRecord): PodRecord => ({
  ...pod,
  deletionTimestamp: "2026-01-02T03:05:05Z",
});
const endedOne = executorFixture(3, { phase: "Failed", containers: [endedFixture(1)] });
const outside = executorFixture(1, { ownerUid: undefined, ownerPod: undefined });

scenes("killed executors", killExecutors, [
  { name: "one", pods: [driver, one], rows: ["executor 1"], answers: ["Kill Executor"] },
  {
    name: "several, gracefully",
    pods: [driver, one, two],
    rows: ["pi", "executor 1"],
    answers: ["Stop Gracefully"],
  },
  { name: "nothing after Escape", pods: [driver, one], rows: ["executor 1"] },
  {
    name: "in a guarded context",
    pods: [driver, one],
    rows: ["executor 1"],
    answers: ["Kill Executor"],
    ports: { context: "guarded" },
  },
  {
    name: "chosen in the palette",
    pods: [driver, one],
    answers: ["executor 1", "Kill Executor"],
  },
  { name: "no selected row", pods: [driver, one], answers: [""] },
  { name: "no application with executors", pods: [driver] },
  {
    name: "forbidden",
    pods: [driver, one],
    rows: ["executor 1"],
    answers: ["Kill Executor"],
    refused: { "delete Pod": forbidden },
  },
  {
    name: "one of two forbidden",
    pods: [driver, one, two],
    rows: ["executor 1", "executor 2"],
    answers: ["Kill 2 Executors", "Show Report"],
    refused: { "delete pi-exec-2": forbidden },
  },
  {
    name: "no further request after a lost connection",
    pods: [driver, one, two],
    rows: ["executor 1", "executor 2"],
    answers: ["Kill 2 Executors", undefined],
    refused: { "delete Pod": unreachable },
  },
  {
    name: "already deleted",
    pods: [driver, one, two],
    rows: ["executor 1", "executor 2"],
    answers: ["Kill 2 Executors"],
    refused: { "delete pi-exec-1": gone, "delete pi-exec-2": conflict },
  },
]);

const hook = {
  spec: {
    terminationGracePeriodSeconds: 600,
    containers: [
      {
        name: "spark-kubernetes-executor",
        lifecycle: { preStop: { exec: { command: ["/opt/decom.sh"] } } },
      },
    ],
  },
};
const bodyOf = (id: number): unknown => ({ ...hook, metadata: { uid: `exec-${id}` } });
const runningDriver = {
  "Pod pi-0123456789abcdef-driver": {
    metadata: {
      name: "pi-0123456789abcdef-driver",
      namespace: "jobs",
      uid: "uid-driver",
      labels: driver.labels,
    },
    status: { phase: "Running" },
  },
};
const confOf = (conf: Readonly<Record<string, string>>) => ({
  pages: {
    read: (_: unknown, path: string) =>
      Promise.resolve(
        ok(
          path.endsWith("/environment")
            ? { sparkProperties: Object.entries(conf) }
            : [{ id: "spark-1" }],
        ),
      ),
  } as never,
});
const isOn = { "spark.decommission.enabled": "true" };
const storage = { ...isOn, "spark.storage.decommission.enabled": "true" };

scenes("decommissioned executors", decommissionExecutors, [
  {
    name: "one, whose driver's conf cannot be read",
    pods: [driver, one],
    rows: ["executor 1"],
    answers: ["Decommission Executor"],
    bodies: { "Pod pi-exec-1": bodyOf(1) },
  },
  {
    name: "two of three",
    pods: [driver, one, two, executorFixture(4)],
    rows: ["executor 1", "executor 2"],
    answers: ["Decommission 2 Executors"],
    bodies: { ...runningDriver, "Pod pi-exec-1": bodyOf(1), "Pod pi-exec-2": bodyOf(2) },
    ports: confOf({
      ...storage,
      "spark.storage.decommission.rddBlocks.enabled": "true",
      "spark.storage.decommission.shuffleBlocks.enabled": "true",
    }),
  },
  {
    name: "only shuffle files move",
    pods: [driver, one, two],
    rows: ["executor 1"],
    answers: [undefined],
    bodies: { ...runningDriver, "Pod pi-exec-1": bodyOf(1) },
    ports: confOf({
      ...storage,
      "spark.storage.decommission.rddBlocks.enabled": "false",
      "spark.storage.decommission.shuffleBlocks.enabled": "true",
    }),
  },
  {
    name: "only cached blocks move",
    pods: [driver, one, two],
    rows: ["executor 1"],
    answers: [undefined],
    bodies: { ...runningDriver, "Pod pi-exec-1": bodyOf(1) },
    ports: confOf({
      ...storage,
      "spark.storage.decommission.rddBlocks.enabled": "true",
      "spark.storage.decommission.shuffleBlocks.enabled": "false",
    }),
  },
  {
    name: "nothing moves",
    pods: [driver, one, two],
    rows: ["executor 1"],
    answers: [undefined],
    bodies: { ...runningDriver, "Pod pi-exec-1": bodyOf(1) },
    ports: confOf(isOn),
  },
  {
    name: "off, and killed instead",
    pods: [driver, one],
    rows: ["executor 1"],
    answers: ["Kill Instead…", undefined],
    bodies: { "Pod pi-exec-1": { metadata: { uid: "exec-1" }, spec: {} } },
  },
  {
    name: "off by its conf",
    pods: [driver, one],
    rows: ["executor 1"],
    answers: ["Copy Properties"],
    bodies: { ...runningDriver, "Pod pi-exec-1": { metadata: { uid: "exec-1" }, spec: {} } },
    ports: confOf({ "spark.app.name": "pi" }),
  },
  {
    name: "replaced",
    pods: [driver, one, two],
    rows: ["executor 1"],
    answers: ["Decommission Executor"],
    bodies: { "Pod pi-exec-1": { ...hook, metadata: { uid: "other" } } },
  },
  {
    name: "already leaving",
    pods: [driver, one, two],
    rows: ["executor 1"],
    answers: ["Decommission Executor"],
    bodies: {
      "Pod pi-exec-1": {
        ...hook,
        metadata: { uid: "exec-1", deletionTimestamp: "2026-01-02T03:04:05Z" },
      },
    },
  },
]);

const owned = {
  "Service pi-svc": {
    metadata: {
      labels: { "spark-app-selector": "spark-1" },
      ownerReferences: [{ uid: "uid-driver", kind: "Pod" }],
    },
  },
  "PersistentVolumeClaim pi-data": {
    metadata: {
      labels: { "spark-app-selector": "spark-1" },
      ownerReferences: [{ uid: "uid-driver", kind: "Pod" }],
    },
  },
};
const sessionDriver = driverFixture({ labels: { ...driver.labels, [sessionLabel]: "15002" } });
const jobs = (user: string, status: string) => ({
  status,
  jobTags: [
    `SparkConnect_OperationTag_User_${user}_Session_00000000-0000-0000-0000-000000000001_Operation_1`,
  ],
});

scenes("stopped applications", stopApplications, [
  { name: "one", pods: [driver, one], rows: ["pi"], answers: ["Stop Application"], bodies: owned },
  {
    name: "two",
    pods: [driver, one, etl()],
    rows: ["pi", "etl"],
    answers: ["Stop 2 Applications"],
    bodies: owned,
  },
  { name: "chosen in the palette", pods: [driver, etl()], answers: ["etl", undefined] },
  {
    name: "the only one that runs, from the palette",
    pods: [driver, failedDriver(1, undefined, etl({ phase: "Failed" }))],
    answers: ["Stop Application"],
  },
  { name: "ended", pods: [failedDriver(1)], rows: ["pi"] },
  { name: "driver outside of the cluster", pods: [outside], rows: ["pi"] },
  {
    name: "terminating, by force",
    pods: [terminating(driver)],
    rows: ["pi"],
    answers: ["Force Stop"],
  },
  {
    name: "forbidden, with kinds that may not be listed",
    pods: [driver],
    rows: ["driver"],
    answers: ["Stop Application"],
    refused: { "delete Pod": forbidden, "list ConfigMap": forbidden },
  },
  {
    name: "session in use",
    command: stopSession,
    pods: [sessionDriver, etl()],
    answers: [undefined],
    ports: {
      pages: {
        read: () =>
          Promise.resolve(
            ok([
              jobs("ada", "SUCCEEDED"),
              jobs("ada", "RUNNING"),
              jobs("bob", "FAILED"),
              jobs("", "FAILED"),
            ]),
          ),
      },
    },
  },
  {
    name: "unused session",
    command: stopSession,
    pods: [sessionDriver],
    rows: ["pi"],
    ports: { pages: { read: () => Promise.resolve(ok([])) } },
  },
  {
    name: "session whose driver does not answer",
    command: stopSession,
    pods: [sessionDriver],
    rows: ["pi"],
  },
]);

scenes("deleted rows", deleteRows, [
  {
    name: "application with executors",
    pods: [driver, one],
    rows: ["pi"],
    answers: ["Delete with Executors"],
    bodies: owned,
  },
  { name: "driver only", pods: [driver, one], rows: ["driver"], answers: ["Delete Driver Only"] },
  { name: "ended application", pods: [succeeded(driver)], rows: ["pi"], answers: ["Delete"] },
  {
    name: "two applications",
    pods: [driver, etl(), one],
    rows: ["pi", "etl"],
    answers: ["Delete with Executors"],
  },
  {
    name: "ended executor",
    pods: [driver, endedOne],
    rows: ["executor 3"],
    answers: ["Delete Executor"],
  },
  {
    name: "live executor",
    pods: [driver, one],
    rows: ["executor 1"],
    answers: ["Kill Executor"],
  },
  { name: "namespace", pods: [driver], rows: ["namespace"] },
  {
    name: "executors without a driver",
    pods: [outside, endedOne],
    rows: ["pi"],
    answers: [undefined, undefined],
  },
  {
    name: "terminating application",
    pods: [terminating(driver)],
    rows: ["pi"],
    answers: [undefined],
  },
]);

const resource = (
  outlook: ResourcePhase,
  fields: Partial<OperatorResource> = {},
): OperatorResource => ({
  operator: "kubeflow",
  kind: "SparkApplication",
  name: "nightly",
  namespace: "jobs",
  uid: "uid-resource",
  resourceVersion: "1",
  creationTimestamp: "2026-01-02T03:04:05Z",
  word: outlook.toUpperCase(),
  message: undefined,
  outlook,
  hasEnded: outlook === "succeeded" || outlook === "failed",
  applicationId: undefined,
  driverPod: undefined,
  attempts: 1,
  ...fields,
});
const other = resource("running", { name: "hourly", uid: "uid-other" });

scenes("suspended and resumed applications", suspendApplications, [
  {
    name: "suspended, and undone",
    pods: [],
    resources: [resource("running")],
    rows: ["nightly"],
    answers: ["Suspend", "Undo"],
  },
  {
    name: "two suspended",
    pods: [],
    resources: [resource("running"), other],
    rows: ["nightly", "hourly"],
    answers: ["Suspend 2 Applications", undefined],
  },
  {
    name: "resumed",
    command: resumeApplications,
    pods: [],
    resources: [resource("suspended")],
    rows: ["nightly"],
    answers: ["Resume"],
  },
  {
    name: "two resumed, one forbidden",
    command: resumeApplications,
    pods: [],
    resources: [resource("suspended"), { ...other, outlook: "suspended" }],
    rows: ["nightly", "hourly"],
    answers: ["Resume 2 Applications", undefined],
    refused: { "patch hourly": forbidden },
  },
  { name: "without an operator", pods: [driver], rows: ["pi"] },
  {
    name: "resumed without a suspension",
    command: resumeApplications,
    pods: [driver],
    rows: ["pi"],
  },
  {
    name: "stopped with its custom resource",
    command: stopApplications,
    pods: [],
    resources: [resource("running")],
    rows: ["nightly"],
    answers: ["Stop Application"],
  },
  {
    name: "deleted with its custom resource",
    command: deleteRows,
    pods: [],
    resources: [resource("failed")],
    rows: ["nightly"],
    answers: ["Delete"],
  },
]);

const ofSet = (id: number): PodRecord =>
  executorFixture(id, { name: `spark-s-spark-1-0-${id - 1}` });
const setOf = (replicas: number, more: object = {}) => ({
  "StatefulSet spark-s-spark-1-0": { metadata: { uid: "uid-set" }, spec: { replicas, ...more } },
});

scenes("scaled applications", scaleApplications, [
  {
    name: "more executors",
    pods: [driver, ofSet(1)],
    rows: ["pi"],
    answers: ["3", "Scale to 3"],
    bodies: setOf(1),
  },
  {
    name: "fewer executors",
    pods: [driver, ofSet(1), ofSet(2)],
    rows: ["pi"],
    answers: ["1", undefined],
    bodies: setOf(2, { volumeClaimTemplates: [{}] }),
  },
  { name: "same number", pods: [driver, ofSet(1)], rows: ["pi"], answers: ["1"], bodies: setOf(1) },
  {
    name: "no number",
    pods: [driver, ofSet(1)],
    rows: ["pi"],
    answers: ["many"],
    bodies: setOf(1),
  },
  { name: "driver creates the pods", pods: [driver, one], rows: ["pi"] },
  {
    name: "forbidden",
    pods: [driver, ofSet(1)],
    rows: ["pi"],
    answers: ["2", "Scale to 2"],
    bodies: setOf(1),
    refused: { "patch StatefulSet": forbidden },
  },
]);

scenes("restarted applications", restartApplications, [
  {
    name: "ended, without a question",
    pods: [failedDriver(1)],
    rows: ["pi"],
  },
  { name: "running, not confirmed", pods: [driver], rows: ["pi"], answers: [undefined] },
  {
    name: "unknown settings",
    pods: [failedDriver(1)],
    rows: ["pi"],
    context: { wasSubmittedHere: () => false },
  },
  {
    name: "profile no longer exists",
    pods: [failedDriver(1)],
    rows: ["pi"],
    context: { canResubmit: () => Promise.resolve(false) },
  },
  {
    name: "not resubmitted",
    pods: [failedDriver(1)],
    rows: ["pi"],
    context: { resubmit: () => Promise.resolve(false) },
  },
  {
    name: "driver may not be deleted",
    pods: [driver],
    rows: ["pi"],
    answers: ["Restart"],
    refused: { "delete Pod": forbidden },
  },
  {
    name: "two ended",
    pods: [failedDriver(1), succeeded(etl())],
    rows: ["pi", "etl"],
  },
  {
    name: "custom resource that was deleted",
    pods: [],
    resources: [resource("running")],
    rows: ["nightly"],
    answers: ["Restart"],
  },
]);

const leftover = {
  "ConfigMap spark-drv-0a-conf-map": {
    metadata: {
      labels: { "spark-app-selector": "spark-9" },
      ownerReferences: [
        { uid: "uid-gone", kind: "Pod", apiVersion: "v1", name: "gone", controller: true },
      ],
    },
  },
  "PersistentVolumeClaim data-9": {
    metadata: {
      labels: { "spark-app-selector": "spark-9" },
      ownerReferences: [
        { uid: "uid-gone", kind: "Pod", apiVersion: "v1", name: "gone", controller: true },
      ],
    },
  },
};

scenes("cleaned up resources", cleanUp, [
  { name: "nothing found", pods: [driver] },
  { name: "still running", pods: [driver], rows: ["pi"] },
  {
    name: "leftover objects",
    pods: [driver],
    bodies: leftover,
    answers: ["ConfigMap spark-drv-0a-conf-map", "Delete"],
  },
  {
    name: "leftover objects with a volume claim",
    pods: [driver],
    bodies: leftover,
    answers: [
      "ConfigMap spark-drv-0a-conf-map|PersistentVolumeClaim data-9",
      "Delete 2 Objects",
      "Delete Data",
    ],
  },
  {
    name: "finished applications",
    pods: [succeeded(driver), failedDriver(1, undefined, etl({ phase: "Failed" }))],
    answers: ["All finished", "pi|etl", "Delete 2 Applications"],
  },
  {
    name: "finished application of a row",
    pods: [succeeded(driver)],
    rows: ["pi"],
    answers: ["pi", "Delete"],
  },
  {
    name: "kinds that may not be listed",
    pods: [driver],
    refused: { "list Secret": forbidden, "list Service": forbidden },
  },
  { name: "pods that may not be listed", pods: [driver], refused: { "list Pod": forbidden } },
]);

describe("an application that was asked to stop", () => {
  const answers = ["Stop Application", "Force Stop…", "Force Stop"];

  test("can be stopped by force if its driver is still there after 45 s", async (t) => {
    const { run, clock, screen, transcript } = await lifecycleFixture(t, [driver], answers);
    await run(stopApplications, ["pi"]);
    const shown = screen.shown.length;
    await clock.advance(44_000);
    assert.equal(screen.shown.length, shown);
    await clock.advance(2_000);
    assert.match(
      screen.shown[shown] ?? "",
      /^warning: "pi" was asked to stop and is still shutting down\./,
    );
    assert.match(transcript(), new RegExp(`delete Pod ${driver.name} in 0 s`));
  });

  test("is not mentioned again once its driver is deleted", async (t) => {
    const { run, clock, screen, server } = await lifecycleFixture(t, [driver], answers);
    await run(stopApplications, ["pi"]);
    const shown = screen.shown.length;
    await clock.advance(30_000);
    server.remove(driver.uid);
    await clock.advance(60_000);
    assert.equal(screen.shown.length, shown);
  });
});

test("a picker lists the application of the selected row first", async (t) => {
  const fixture = await lifecycleFixture(t, [driver, etl()], [undefined]);
  const [first, second] = fixture.session.applications;
  assert.ok(first !== undefined && second !== undefined);
  fixture.session.selectedKey = second.key;
  await fixture.run(stopApplications);
  const names = fixture
    .transcript()
    .split("\n")
    .flatMap((line) => /^ *(\w+) \| /.exec(line)?.[1] ?? []);
  assert.deepEqual(names, [second.name, first.name]);
});

test("a picker says the cause of an application as its row does", async (t) => {
  const killed = failedDriver(137, { reason: "OOMKilled" });
  const fixture = await lifecycleFixture(t, [killed, etl()], [undefined]);
  await fixture.run(deleteRows);
  const application = fixture.session.find("jobs/spark-1");
  assert.ok(application?.driver !== undefined);
  const [diagnosis] = fixture.session.diagnose(application, application.driver);
  assert.ok(diagnosis !== undefined);
  assert.ok(fixture.transcript().includes(inEnglish(diagnosis.fact)), fixture.transcript());
});
