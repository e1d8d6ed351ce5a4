import { join } from "node:path";
import { test } from "node:test";
import { inEnglish, msg, type MessageText } from "../../../src/base/message.ts";
import { applicationRow } from "../../../src/editor/apps/rows/applicationRow.ts";
import {
  applicationPageRow,
  earlierRunsRow,
  endedExecutorsRow,
  executorPageRow,
  namespaceRow,
} from "../../../src/editor/apps/rows/groupRows.ts";
import { iconOf } from "../../../src/editor/apps/rows/icons.ts";
import { driverRow, executorRow, type UsageSource } from "../../../src/editor/apps/rows/podRow.ts";
import { progressRow } from "../../../src/editor/apps/rows/progressRow.ts";
import type { Row } from "../../../src/editor/apps/rows/row.ts";
import type { ProgressNode } from "../../../src/editor/apps/treeNode.ts";
import { sharedIdRule } from "../../../src/spark/diagnosis/applicationWide.ts";
import type { Diagnosis } from "../../../src/spark/diagnosis/diagnosis.ts";
import { logCauseRule } from "../../../src/spark/diagnosis/diagnosis.ts";
import { executorInactiveLabel, sessionLabel, shellLabel } from "../../../src/spark/labels.ts";
import { simulationLabel } from "../../../src/spark/simulation.ts";
import { executorsOf } from "../../../src/spark/pods/applicationRun.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import type {
  Application,
  ApplicationState,
  ExecutorPod,
} from "../../../src/spark/pods/application.ts";
import { displayState } from "../../../src/spark/pods/displayState.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import type { OperatorResource, ResourcePhase } from "../../../src/spark/pods/operatorResource.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import {
  noProgress,
  type ApplicationProgress,
  type ProgressProblem,
} from "../../../src/spark/progress/progress.ts";
import type { ProgressPart } from "../../../src/spark/progress/progressTree.ts";
import { failed, failedDriver, now, starting, unscheduled } from "../diagnosis/diagnosedFixture.ts";
import {
  containerFixture,
  driverFixture,
  endedFixture,
  executorFixture,
} from "../pods/podFixture.ts";

const inText = (text: MessageText | undefined): string | undefined =>
  typeof text === "object" ? inEnglish(text) : text;

/** Returns a row and its tooltip as text. Masks clock times, because they depend on the time zone. */
async function printed(name: string, row: Row | undefined): Promise<string> {
  if (row === undefined) return `# ${name}\nno row\n`;
  const facts = (await row.details?.()) ?? [];
  const { id, color = "no color" } = row.icon;
  return [
    `# ${name}`,
    `${inText(row.label) ?? ""} | ${inText(row.description) ?? ""}`,
    `  says "${inText(row.spoken) ?? ""}", ${row.state}, ${row.contextValue}, ${id} (${color})`,
    `  name ${row.name ?? "none"}, mark ${row.mark ?? "none"}`,
    ...facts.flatMap(([fact, value]) => {
      const text = inText(value) ?? "";
      const isTime = ["Created", "Started", "Ended"].includes(inText(fact) ?? "");
      const shown = isTime ? text.replace(/^.* \(/, "TIME (") : text;
      return text === "" ? [] : [`  ${inText(fact) ?? ""}: ${shown}`];
    }),
    "",
  ].join("\n");
}

const golden = (name: string): string => join(import.meta.dirname, "rows", `${name}.txt`);
const asText = { serializers: [String] };

function applicationOf(pods: readonly PodRecord[], resource?: OperatorResource): Application {
  const { snapshot } = replacePods(emptySnapshot, pods);
  const { applications } = buildApplications(snapshot, resource === undefined ? [] : [resource]);
  const application = firstOf(applications);
  if (application === undefined) throw new Error("no application");
  return application;
}

const cause = (fields: Partial<Diagnosis> = {}): Diagnosis => ({
  id: "D1",
  fact: msg("out of memory"),
  what: msg("The container exceeded its limit."),
  change: msg("Raise the limit."),
  keys: ["spark.executor.memory", "spark.executor.memoryOverhead"],
  told: "OOMKilled",
  ...fields,
});

const resourceOf = (
  outlook: ResourcePhase,
  fields: Partial<OperatorResource> = {},
): OperatorResource => ({
  operator: "kubeflow",
  kind: "SparkApplication",
  name: "pi",
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
  attempts: 0,
  ...fields,
});

const running = driverFixture({ phase: "Running", startTime: "2026-01-02T03:05:00Z" });
const labelled = (labels: Readonly<Record<string, string>>): PodRecord => ({
  ...running,
  labels: { ...running.labels, ...labels },
});

test("application rows", async (t) => {
  const row = (
    pods: readonly PodRecord[],
    {
      resource,
      diagnoses = [],
      at = now,
      profile,
    }: {
      resource?: OperatorResource;
      diagnoses?: readonly Diagnosis[];
      at?: number;
      profile?: string;
    } = {},
  ): Row =>
    applicationRow(
      applicationOf(pods, resource),
      { report: undefined, diagnose: () => diagnoses, profile },
      at,
    );
  const young = Date.parse(running.creationTimestamp) + 59_000;
  const ended = failedDriver(1, { seconds: 90 });
  const finished = driverFixture({ ...ended, phase: "Succeeded" });
  const bare = driverFixture({ phase: "Succeeded", containers: [] });
  const texts = [
    await printed("running", row([running, executorFixture(1)], { profile: "nightly" })),
    await printed("in the first minute", row([running], { at: young })),
    await printed("one minute old", row([running], { at: young + 1_000 })),
    await printed("session", row([labelled({ [sessionLabel]: "15002" })])),
    await printed("shell", row([labelled({ [shellLabel]: "pyspark" })])),
    await printed("failed", row([ended], { diagnoses: [cause()] })),
    await printed("failed in the log", row([ended], { diagnoses: [cause({ id: logCauseRule })] })),
    await printed("succeeded", row([finished])),
    await printed("succeeded without times", row([bare])),
    await printed("executor has trouble", row([running, starting], { diagnoses: [cause()] })),
    await printed(
      "suspended",
      row([], { resource: resourceOf("suspended", { message: "asked", attempts: 2 }) }),
    ),
    await printed("suspendable", row([], { resource: resourceOf("running", { attempts: 1 }) })),
  ];
  t.assert.fileSnapshot(texts.join("\n"), golden("applications"), asText);
});

const usage: UsageSource = {
  byDriver: () => undefined,
  byMetrics: () => Promise.resolve(undefined),
};

test("driver and executor rows", async (t) => {
  const driver = (pod: PodRecord, diagnoses: readonly Diagnosis[] = []): Row =>
    driverRow({ pod, state: displayState(pod) }, { diagnoses, usage }, now);
  const executor = (
    pod: PodRecord,
    diagnoses: readonly Diagnosis[] = [],
    doing = false,
    source = usage,
  ): Row => {
    const application = applicationOf([running, pod]);
    const [one] = [...executorsOf(application)];
    if (one === undefined) throw new Error("no executor");
    const row = {
      diagnoses,
      doing: doing ? msg("decommissioning") : undefined,
      usage: source,
      heartbeat: () => msg("at most 12 s ago"),
    };
    return executorRow(one, application, row, now);
  };
  const used: UsageSource = {
    byDriver: () => ({
      cores: 4,
      activeTasks: 3,
      completedTasks: 20,
      failedTasks: 1,
      taskMs: 60_000,
      gcMs: 6_000,
      storageBytes: 1024,
      maxStorageBytes: 4096,
      peakHeapBytes: 2 ** 27,
    }),
    byMetrics: () => Promise.resolve({ cores: 0.5, memoryBytes: 2 ** 28 }),
  };
  const kept = executorFixture(4, {
    labels: { ...executorFixture(4).labels, [executorInactiveLabel]: "true" },
    phase: "Failed",
  });
  const simulated = executorFixture(5, {
    labels: { ...executorFixture(5).labels, [simulationLabel]: "true" },
  });
  const restarted = executorFixture(2, { containers: [containerFixture({ restartCount: 1 })] });
  const withSidecar = executorFixture(3, {
    containers: [containerFixture(), endedFixture(1, { name: "proxy", firstArgument: undefined })],
  });
  const nameless = executorFixture(1, {
    labels: { "spark-app-selector": "spark-1", "spark-role": "executor" },
  });
  const texts = [
    await printed("running driver", driver(running)),
    await printed("failed driver", driver(failedDriver(1))),
    await printed("failed driver with a cause", driver(failedDriver(1), [cause()])),
    await printed(
      "failed driver with a line of the log and another cause",
      driver(failedDriver(1), [cause({ id: logCauseRule }), cause({ fact: msg("evicted") })]),
    ),
    await printed("running executor", executor(executorFixture(1, { nodeName: "node-1" }))),
    await printed(
      "executor that leaves, with its usage",
      executor(executorFixture(1), [], true, used),
    ),
    await printed("kept executor", executor(kept)),
    await printed("simulated executor", executor(simulated)),
    await printed("executor without an ID", executor(nameless)),
    await printed("unscheduled executor", executor(unscheduled("0/3 nodes are available"))),
    await printed("starting executor", executor(starting)),
    await printed("failed executor", executor(failed(137, { reason: "OOMKilled" }), [cause()])),
    await printed("restarted executor", executor(restarted)),
    await printed("executor with a failed sidecar", executor(withSidecar)),
    await printed(
      "executor with the ID of another",
      executor(executorFixture(1), [cause({ id: sharedIdRule })]),
    ),
  ];
  t.assert.fileSnapshot(texts.join("\n"), golden("pods"), asText);
});

test("group rows", async (t) => {
  const gone = (count: number, codes: number): readonly ExecutorPod[] => {
    const ended = Array.from({ length: count }, (_, id) => ({
      ...executorFixture(id + 1),
      phase: id < codes ? "Failed" : "Succeeded",
      containers: [endedFixture(id < codes ? 1 : 0)],
    }));
    return [...executorsOf(applicationOf([running, ...ended]))];
  };
  const facts = { size: 500, firstId: 1, lastId: 500, failed: 7, running: 499 };
  const run = applicationOf([driverFixture({ phase: "Succeeded" })]);
  const failedRun = applicationOf([failedDriver(1)]);
  const texts = [
    await printed("one ended executor", endedExecutorsRow(gone(1, 0))),
    await printed("ended executors", endedExecutorsRow(gone(3, 2))),
    await printed("page of live executors", executorPageRow("live", facts)),
    await printed("page of ended executors", executorPageRow("ended", facts)),
    await printed(
      "page without IDs",
      executorPageRow("live", { ...facts, firstId: undefined, lastId: undefined }),
    ),
    await printed("one earlier run", earlierRunsRow([run])),
    await printed("earlier runs", earlierRunsRow([run, failedRun])),
    await printed("first page", applicationPageRow(0, { count: 700, of: "applications" })),
    await printed("last page", applicationPageRow(1, { count: 700, of: "runs" })),
    await printed("page of namespaces", applicationPageRow(0, { count: 20, of: "namespaces" })),
    await printed("namespace", namespaceRow("jobs", undefined)),
    await printed("namespace of a context", namespaceRow("jobs", msg("dev (guarded)"))),
  ];
  t.assert.fileSnapshot(texts.join("\n"), golden("groups"), asText);
});

type Part = ProgressPart extends infer P
  ? P extends { readonly id: string }
    ? Omit<P, "id">
    : never
  : never;

test("rows of running work", async (t) => {
  const stage = {
    stageId: 7,
    attemptId: 0,
    name: "count at orders.py:12",
    description: "orders of a day",
    tasks: 40,
    active: 4,
    done: 10,
    failed: 1,
    killed: 0,
    startedAt: now - 60_000,
  };
  const task = {
    taskId: 90,
    index: 3,
    attempt: 0,
    executorId: "2",
    host: "10.0.0.7",
    locality: "NODE_LOCAL",
    isSpeculative: false,
    launchedAt: now - 30_000,
    durationMs: 20_000,
    error: undefined,
  };
  const progress: ApplicationProgress = {
    ...noProgress,
    stages: [stage],
    jobs: [
      {
        jobId: 5,
        name: "count at orders.py:12",
        description: undefined,
        stageIds: [7],
        tasks: 40,
        done: 10,
        failed: 0,
        doneStages: 0,
        failedStages: 0,
      },
    ],
    executions: [
      {
        id: 2,
        rootId: 2,
        description: "SELECT count(*)",
        isRunning: true,
        durationMs: 61_000,
        runningJobs: [5],
        failedJobs: 0,
      },
    ],
    tasks: new Map([
      [
        "7.0",
        {
          running: [task],
          failed: [{ ...task, taskId: 91, error: "java.lang.OutOfMemoryError: Java heap space" }],
          medianMs: 4_000,
          readAt: now,
        },
      ],
    ]),
    left: new Map([["7.0", 180_000]]),
  };
  const row = (part: Part | undefined, of = progress): Row | undefined => {
    const node: ProgressNode = {
      kind: "progress",
      id: "p",
      applicationKey: "jobs/spark-1",
      above: undefined,
      part: part && { ...part, id: "part" },
    };
    return progressRow(node, of, "jobs");
  };
  const problems: readonly ProgressProblem[] = [
    { kind: "forbidden" },
    { kind: "denied" },
    { kind: "missing" },
    { kind: "silent" },
    { kind: "unreachable" },
    { kind: "failing", status: 500 },
    { kind: "notSpark" },
  ];
  const job = progress.jobs?.[0];
  const execution = progress.executions?.[0];
  if (job === undefined || execution === undefined) throw new Error("no work");
  const noMedian = {
    ...progress,
    tasks: new Map([["7.0", { running: [], failed: [], medianMs: undefined, readAt: now }]]),
  };
  const texts = [
    await printed("work", row(undefined)),
    ...(await Promise.all(
      problems.map((problem) =>
        printed(`work, ${problem.kind}`, row(undefined, { ...noProgress, problem })),
      ),
    )),
    await printed("query", row({ kind: "execution", executionId: 2 })),
    await printed("ended query", row({ kind: "execution", executionId: 3 })),
    await printed("job", row({ kind: "job", jobId: 5 })),
    await printed("ended job", row({ kind: "job", jobId: 6 })),
    await printed("stage", row({ kind: "stage", stageKey: "7.0" })),
    await printed("stage without tasks", row({ kind: "stage", stageKey: "7.0" }, noMedian)),
    await printed("ended stage", row({ kind: "stage", stageKey: "8.0" })),
    await printed("task", row({ kind: "task", stageKey: "7.0", taskId: 90 })),
    await printed("failed task", row({ kind: "task", stageKey: "7.0", taskId: 91 })),
    await printed("ended task", row({ kind: "task", stageKey: "7.0", taskId: 92 })),
  ];
  t.assert.fileSnapshot(texts.join("\n"), golden("progress"), asText);
});

test("each state has an icon", (t) => {
  const states: readonly ApplicationState[] = [
    ...(
      [
        "running",
        "requested",
        "unscheduled",
        "scheduled",
        "initializing",
        "pulling",
        "starting",
        "blocked",
        "failed",
        "succeeded",
        "terminating",
        "stopped",
        "deleted",
        "unknown",
        "orphaned",
        "driverElsewhere",
      ] as const
    ).map((kind) => ({ kind }) as ApplicationState),
    ...(["waiting", "running", "failed", "succeeded", "suspended"] as const).map(
      (outlook): ApplicationState => ({ kind: "operated", resource: resourceOf(outlook) }),
    ),
  ];
  const lines = states.map((state) => {
    const { id, color = "no color" } = iconOf(state);
    const of = "resource" in state ? `operated, ${state.resource.outlook}` : state.kind;
    return `${of}: ${id} (${color})`;
  });
  t.assert.fileSnapshot(lines.join("\n"), golden("icons"), asText);
});
