import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as realSleep } from "node:timers/promises";
import { DisposableStore } from "../../../src/base/disposable.ts";
import { err, ok } from "../../../src/base/result.ts";
import type { TreeNode } from "../../../src/editor/apps/treeNode.ts";
import { compareRows } from "../../../src/editor/describe/compareRows.ts";
import { failedRows, readFailure } from "../../../src/editor/describe/failures.ts";
import { adviseOn, type AdviceContext } from "../../../src/editor/describe/showAdvice.ts";
import { showConf, showEffectiveConf } from "../../../src/editor/describe/showConf.ts";
import { showEvents } from "../../../src/editor/describe/showEvents.ts";
import { showExecutors } from "../../../src/editor/describe/showExecutors.ts";
import { showPods } from "../../../src/editor/describe/showPods.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { failureLines, type LineFix } from "../../../src/spark/remedy/failureDocument.ts";
import { settle } from "../engine/virtualClock.ts";
import {
  driverFixture,
  endedFixture,
  executorFixture,
  killedExecutor as killed,
} from "../pods/podFixture.ts";
import { lifecycleFixture, type CommandScene } from "./lifecycleFixture.ts";
import { inText } from "./screenFixture.ts";
import { missing } from "./sessionFixture.ts";

type Command = (context: AdviceContext, nodes: readonly TreeNode[]) => Promise<void>;

interface Scene extends CommandScene<Command> {
  /** The documents stay visible for this time. */
  readonly visibleMs?: number;
}

/** Compares the complete output of each scene with a golden file. */
function scenes(group: string, command: Command, all: readonly Scene[]): void {
  test(`the transcripts of ${group} match the golden file`, async (t) => {
    const texts: string[] = [];
    for (const { name, pods, rows, answers, visibleMs = 0, ...cluster } of all) {
      const rig = await lifecycleFixture(t, pods, answers, cluster);
      const { session, screen, clock, log } = rig.context;
      const { shown } = rig.screen;
      const updates = new DisposableStore();
      let isOpen = visibleMs > 0;
      const context = {
        ...{ session, screen, clock, log, updates },
        documents: {
          show: (path: string, text: string, language?: string) => {
            shown.push(`document ${path} ${language ?? ""}\n${text}`);
            return Promise.resolve();
          },
          compare: (left: Shown, right: Shown, title: string) => {
            for (const { path, text } of [left, right]) shown.push(`${title}: ${path}\n${text}`);
            return Promise.resolve();
          },
          update: (path: string, text: string) => {
            shown.push(`update ${path}\n${text}`);
          },
          isOpen: () => isOpen,
          isVisible: () => isOpen,
        },
        showLayers: (
          { name: title, path }: ShownLayers,
          layers: readonly unknown[],
          version: string,
        ) => {
          shown.push(
            `layers of ${title} in ${path}, ${version}\n${JSON.stringify(layers, undefined, 1)}`,
          );
          return Promise.resolve();
        },
        showFixes: (path: string, _: TreeNode, fixes: () => readonly LineFix[]) => {
          const titles = fixes().map(({ line, fix }) => `${line}: ${inText(fix.title)}`);
          shown.push(`fixes in ${path}\n${titles.join("\n")}`);
          return { dispose: () => undefined };
        },
      } as unknown as AdviceContext;
      await rig.run((_, nodes) => (cluster.command ?? command)(context, nodes), rows);
      for (let ms = 0; ms < visibleMs; ms += 500) {
        await rig.clock.advance(500);
        await realSleep(2);
      }
      isOpen = false;
      await settle();
      updates.dispose();
      const left = rig.screen.answers.map((answer) => `unused answer: ${answer ?? "Escape"}`);
      texts.push([`# ${name}`, rig.transcript(), ...left].join("\n\n"));
    }
    t.assert.fileSnapshot(
      `${texts.join("\n\n").replaceAll(/(?<![\d:]|-\d\d )\d\d(?::\d\d)+/g, "(time)")}\n`,
      join(import.meta.dirname, "describe", `${group.replaceAll(" ", "-")}.txt`),
      { serializers: [String] },
    );
  });
}

interface Shown {
  readonly path: string;
  readonly text: string;
}

interface ShownLayers {
  readonly name: string;
  readonly path: string;
}

const driver = driverFixture();
const [one, two] = [executorFixture(1), executorFixture(2)];
const withoutDriver = executorFixture(1, { ownerUid: undefined, ownerPod: undefined });
const etl = driverFixture({
  uid: "uid-etl",
  name: "etl-driver",
  labels: { ...driver.labels, "spark-app-selector": "spark-2", "spark-app-name": "etl" },
});
const forbidden: ClusterError = {
  ...{
    kind: "forbidden",
    verb: "get",
    resource: "pods",
    namespace: "jobs",
    detail: 'User "ann" cannot get resource "pods"',
  },
};

const podBody = ({ name, uid, labels }: PodRecord, map?: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "jobs", uid, labels, resourceVersion: "7" },
  spec: {
    containers: [
      {
        name:
          labels["spark-role"] === "driver"
            ? "spark-kubernetes-driver"
            : "spark-kubernetes-executor",
        image: "spark:4.3.0",
        env: [{ name: "DB_PASSWORD", value: `secret of ${name}` }],
      },
    ],
    ...(map !== undefined && {
      volumes: [{ name: "spark-conf-volume-driver", configMap: { name: map } }],
    }),
  },
  status: {
    phase: "Running",
    containerStatuses: [{ name: "spark-kubernetes-driver", ready: true, state: { running: {} } }],
  },
});
const confMap = (text: string) => ({
  metadata: { name: "map" },
  data: { "spark.properties": text },
});
const bodies = {
  "Pod pi-0123456789abcdef-driver": podBody(driver, "pi-conf"),
  "Pod etl-driver": podBody(etl, "etl-conf"),
  "Pod pi-exec-1": podBody(one),
  "Pod pi-exec-2": podBody(two),
  "ConfigMap pi-conf": confMap(
    "spark.app.name=pi\nspark.executor.instances=2\nspark.my.password=a\n",
  ),
  "ConfigMap etl-conf": confMap(
    "spark.app.name=etl\nspark.executor.instances=3\nspark.my.password=b\n",
  ),
};
const withoutMap = { "Pod pi-0123456789abcdef-driver": podBody(driver) };
const anotherPod = {
  ...bodies,
  "Pod pi-0123456789abcdef-driver": podBody({ ...driver, uid: "uid-new" }, "pi-conf"),
};

scenes("pod manifests", showPods, [
  { name: "a driver, an executor", pods: [driver, one], rows: ["driver", "executor 1"], bodies },
  { name: "chosen in the palette", pods: [driver, one], answers: ["executor 1"], bodies },
  { name: "nothing after Escape", pods: [driver], bodies },
  { name: "a row without pod", pods: [withoutDriver], rows: ["pi"] },
  { name: "deleted", pods: [driver], rows: ["pi"] },
  { name: "another pod with the name", pods: [driver], rows: ["driver"], bodies: anotherPod },
]);

const answering = (spark: readonly (readonly [string, string])[], ids = ["spark-1"]) => ({
  pages: {
    read: (_: unknown, path: string) =>
      Promise.resolve(
        ok(path.endsWith("environment") ? { sparkProperties: spark } : ids.map((id) => ({ id }))),
      ),
  } as never,
});

scenes("the submitted conf", showConf, [
  { name: "of a run", pods: [driver], rows: ["pi"], bodies },
  { name: "of two runs", pods: [driver, etl], rows: ["pi", "etl"], bodies },
  { name: "chosen in the palette", pods: [driver, etl], answers: ["etl"], bodies },
  { name: "no driver", pods: [withoutDriver], rows: ["pi"] },
  { name: "no ConfigMap", pods: [driver], rows: ["pi"], bodies: withoutMap },
  { name: "not readable", pods: [driver], rows: ["pi"] },
  { name: "another pod with the name", pods: [driver], rows: ["pi"], bodies: anotherPod },
]);

scenes("the effective conf", showEffectiveConf, [
  {
    ...{ name: "from the driver", pods: [driver], rows: ["pi"], bodies },
    ports: answering([["spark.app.name", "pi"]]),
  },
  { name: "as submitted", pods: [driver], rows: ["pi"], bodies },
  {
    ...{ name: "another run", pods: [driver], rows: ["pi"], bodies: withoutMap },
    ports: answering([], ["spark-9"]),
  },
  { name: "not readable", pods: [driver], rows: ["pi"] },
]);

scenes("compared rows", compareRows, [
  { name: "two executors", pods: [driver, one, two], rows: ["executor 1", "executor 2"], bodies },
  {
    name: "one executor",
    pods: [driver, one, two],
    rows: ["executor 1"],
    answers: ["executor 2"],
    bodies,
  },
  { name: "two runs", pods: [driver, etl], rows: ["pi", "etl"], bodies },
  { name: "one run", pods: [driver, etl], rows: ["pi"], answers: ["etl"], bodies },
  {
    ...{ name: "chosen in the palette", pods: [driver, etl, one, two], bodies },
    answers: ["pi", "driver", "etl"],
  },
  { name: "nothing after Escape", pods: [driver, one, two], rows: ["executor 1"], bodies },
  { name: "nothing after a missing pod", pods: [withoutDriver, etl], rows: ["etl", "pi"], bodies },
  { name: "not readable", pods: [driver, etl], rows: ["pi", "etl"] },
]);

const event = (name: string, reason: string, type = "Normal") => ({
  kind: "Event",
  metadata: { name: `${name}.1`, namespace: "jobs", uid: `uid-${name}-${reason}` },
  involvedObject: {
    kind: "Pod",
    namespace: "jobs",
    name,
    uid: name === driver.name ? driver.uid : one.uid,
  },
  ...{ reason, type, message: `${reason} token=abc of ${name}`, count: 1 },
  lastTimestamp: "2026-01-02T03:04:06Z",
});
const events = {
  ...bodies,
  "Event 1": event(driver.name, "Scheduled"),
  "Event 2": event(one.name, "BackOff", "Warning"),
};

scenes("events", showEvents, [
  {
    name: "of an application",
    pods: [driver, one],
    rows: ["pi"],
    bodies: events,
    visibleMs: 11_000,
  },
  { name: "of an executor", pods: [driver, one], rows: ["executor 1"], bodies: events },
  { name: "chosen in the palette", pods: [driver, one, etl], answers: ["pi"], bodies: events },
  { name: "the only one, from the palette", pods: [driver, one], bodies: events },
  { name: "nothing after Escape", pods: [driver, one, etl], bodies: events },
  { name: "none", pods: [driver], rows: ["driver"], bodies },
  {
    ...{ name: "forbidden", pods: [driver, one], rows: ["pi"], bodies },
    refused: { "list Event": forbidden },
  },
  {
    ...{ name: "forbidden for two rows", pods: [driver, one], rows: ["pi", "driver"], bodies },
    refused: { "list Event": forbidden },
  },
  { name: "a group", pods: [driver], rows: ["namespace"], bodies },
]);

const reported = {
  ...{ registered: 2, removed: [], excluded: [], totals: undefined, activeTasks: new Map() },
  usage: new Map([
    [
      "1",
      {
        ...{ cores: 2, activeTasks: 1, completedTasks: 7, failedTasks: 3, taskMs: 60_000 },
        ...{ gcMs: 9_000, storageBytes: 1 << 20, maxStorageBytes: 8 << 20, peakHeapBytes: 5 << 20 },
      },
    ],
  ]),
};
scenes("executors", showExecutors, [
  { name: "neither source", pods: [driver, one, two], rows: ["pi"], bodies },
  { name: "one executor", pods: [driver, one], rows: ["pi"], bodies, visibleMs: 6_000 },
  { name: "no executor", pods: [driver], rows: ["pi"], bodies },
  {
    ...{ name: "values of the driver", pods: [driver, one, two], bodies },
    ports: { drivers: { executors: () => Promise.resolve(ok(reported)) } as never },
  },
  {
    ...{ name: "forbidden metrics", pods: [driver, one], rows: ["pi"], bodies },
    refused: { "list PodMetrics": forbidden },
  },
  {
    name: "no metrics-server",
    pods: [driver, one],
    rows: ["driver"],
    refused: { "list PodMetrics": missing },
  },
]);

const rowsOf = (stages: readonly unknown[]) => ({
  drivers: {
    executors: () => Promise.resolve(err(missing)),
    allocation: () => Promise.resolve(err(missing)),
    rows: (_: unknown, { path, decode }: { path: string; decode: (row: unknown) => unknown }) =>
      Promise.resolve(
        ok(path.startsWith("stages") ? stages.flatMap((one) => decode(one) ?? []) : []),
      ),
  } as never,
});

scenes("advice", adviseOn, [
  { name: "not readable", pods: [driver], rows: ["pi"], bodies },
  { name: "none", pods: [driver, one], rows: ["pi"], bodies, ports: rowsOf([]), visibleMs: 21_000 },
  { name: "no driver", pods: [withoutDriver], rows: ["pi"] },
]);

const failedDriver = (code: number) =>
  driverFixture({
    phase: "Failed",
    containers: [endedFixture(code, { name: "spark-kubernetes-driver" })],
  });
const failed = failedDriver(1);

const explain: Command = async (context, nodes) => {
  for (const row of await failedRows(context, nodes, "Explain Failure")) {
    const failure = await readFailure(context, row);
    const lines =
      failure === undefined ? [] : failureLines(failure).map(({ text }) => inText(text));
    await context.documents.show(
      `${row.name} ${row.role} ${row.pod?.pod.name ?? ""}`,
      lines.join("\n"),
    );
  }
};

scenes("failures", explain, [
  { name: "no problem", pods: [driver, one], rows: ["pi", "executor 1"], bodies },
  { name: "a killed executor", pods: [driver, killed], rows: ["executor 1"], bodies },
  { name: "its application", pods: [driver, killed], rows: ["pi"], bodies },
  {
    name: "the driver that they ended",
    pods: [failedDriver(11), killed],
    rows: ["driver"],
    bodies,
  },
  { name: "a failed driver", pods: [failed], rows: ["driver", "pi"], bodies },
  { name: "the only one with a problem, from the palette", pods: [failed, etl], bodies },
  { name: "none in the palette", pods: [driver] },
]);
