// Uses synthetic events; `eventLog.test.ts` uses logs of real drivers.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventLogLimits, type EventLog } from "../../../src/spark/eventLog/eventLog.ts";
import { EventLogReader } from "../../../src/spark/eventLog/eventLogReader.ts";
import { decodeMetrics, metricQuantiles } from "../../../src/spark/eventLog/taskMetrics.ts";

type Event = readonly [name: string, fields: Readonly<Record<string, unknown>>];
const line = ([name, fields]: Event): string => JSON.stringify({ Event: name, ...fields });

function factsOf(...events: readonly Event[]): EventLog {
  const reader = new EventLogReader();
  for (const event of events) reader.takeLine(line(event));
  return reader.facts();
}

const stageInfo = (id: number, fields: object = {}) => ({
  "Stage Info": { "Stage ID": id, "Stage Attempt ID": 0, "Stage Name": "count", ...fields },
});
const submitted = (id: number, fields: object = {}): Event => [
  ...(["SparkListenerStageSubmitted", { ...stageInfo(id), ...fields }] as const),
];
const executorAdded = (id: string): Event => [
  "SparkListenerExecutorAdded",
  {
    ...{ "Executor ID": id, Timestamp: 1_000 },
    "Executor Info": { Host: "h", "Total Cores": 4, "Resource Profile Id": 2 },
  },
];
const taskEnd = (reason: object, info: object = {}, more: object = {}): Event => [
  "SparkListenerTaskEnd",
  {
    ...{ "Stage ID": 1, "Stage Attempt ID": 0, "Task End Reason": reason },
    "Task Info": {
      ...{ "Task ID": 7, Index: 3, Attempt: 1, "Executor ID": "2", Locality: "ANY" },
      ...{ Speculative: true, "Launch Time": 100, "Finish Time": 160, ...info },
    },
    ...more,
  },
];
/** Returns a copy without these members. */
const without = (value: object, ...names: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

const success = { Reason: "Success" };

describe("the end of a task", () => {
  test("is decoded with its place and its times", () => {
    const [stage] = factsOf(taskEnd(success)).stages;
    assert.deepEqual(
      stage?.tasks.map((task) => without(task, "metrics")),
      [
        {
          ...{ taskId: 7, index: 3, attempt: 1, executorId: "2", locality: "ANY" },
          ...{ isSpeculative: true, launchedAt: 100, finishedAt: 160, outcome: "succeeded" },
        },
      ],
    );
    assert.equal(stage.firstTaskLaunchedAt, 100);
    assert.deepEqual(factsOf(taskEnd(success, { "Task ID": undefined })).stages[0]?.tasks, []);
    assert.deepEqual(factsOf(["SparkListenerTaskEnd", {}]).stages, []);
  });

  test("counts by its reason", () => {
    const reasons = [
      "Success",
      "TaskKilled",
      "TaskCommitDenied",
      "ExceptionFailure",
      "Resubmitted",
    ];
    const { stages } = factsOf(executorAdded("2"), ...reasons.map((Reason) => taskEnd({ Reason })));
    const [stage] = stages;
    assert.deepEqual([stage?.succeeded, stage?.killed, stage?.failed], [1, 2, 2]);
    const { executors } = factsOf(
      executorAdded("2"),
      ...reasons.map((Reason) => taskEnd({ Reason })),
    );
    const [executor] = executors;
    assert.deepEqual([executor?.succeeded, executor?.killed, executor?.failed], [1, 2, 2]);
    assert.equal(executor?.taskTime, 5 * 60);
  });

  test("adds no negative time to its executor", () => {
    const { executors } = factsOf(executorAdded("2"), taskEnd(success, { "Finish Time": 50 }));
    assert.equal(executors[0]?.taskTime, 0);
  });

  test("has the first launch of its stage", () => {
    const launches = [300, 200, 250].map((at) => taskEnd(success, { "Launch Time": at }));
    assert.equal(factsOf(...launches).stages[0]?.firstTaskLaunchedAt, 200);
  });

  test("counts the first lines of errors, at most 20 of them", () => {
    const failures = [
      { Reason: "ExceptionFailure", Description: "oh no\n\tat a" },
      { Reason: "ExceptionFailure", Description: "\noh no" },
      { Reason: "FetchFailed", Message: "lost" },
      { Reason: "ExecutorLostFailure", "Loss Reason": "gone" },
      { Reason: "Resubmitted" },
    ];
    assert.deepEqual(
      factsOf(...failures.map((reason) => taskEnd(reason))).stages[0]?.errors,
      new Map([
        ...([
          ["oh no", 2],
          ["lost", 1],
          ["gone", 1],
          ["Resubmitted", 1],
        ] as const),
      ]),
    );
    const many = Array.from({ length: 25 }, (_, index) =>
      taskEnd({ Reason: "ExceptionFailure", Description: `error ${index}` }),
    );
    const { errors } = factsOf(...many, ...many).stages[0] ?? { errors: new Map<string, number>() };
    assert.equal(errors.size, 20);
    assert.deepEqual([errors.get("error 19"), errors.get("error 20")], [2, undefined]);
  });

  test("raises the peaks of its stage and its executor", () => {
    const peaks = (JVMHeapMemory: unknown) => ({
      "Task Executor Metrics": { JVMHeapMemory, "a b": 5 },
    });
    const { stages, executors } = factsOf(
      executorAdded("2"),
      taskEnd(success, {}, peaks(0)),
      taskEnd(success, {}, peaks(9)),
      taskEnd(success, {}, peaks(7)),
      taskEnd(success, {}, peaks("99")),
      [
        "SparkListenerStageExecutorMetrics",
        {
          ...{ "Stage ID": 1, "Stage Attempt ID": 0, "Executor ID": "2" },
          "Executor Metrics": { OnHeapStorageMemory: 3, JVMHeapMemory: 8 },
        },
      ],
      [
        "SparkListenerStageExecutorMetrics",
        {
          ...{
            "Stage ID": 1,
            "Executor ID": "unknown",
            "Executor Metrics": { JVMOffHeapMemory: 1 },
          },
        },
      ],
    );
    assert.deepEqual(stages[0]?.peaks, {
      JVMHeapMemory: 9,
      OnHeapStorageMemory: 3,
      JVMOffHeapMemory: 1,
    });
    assert.deepEqual(executors[0]?.peaks, { JVMHeapMemory: 9, OnHeapStorageMemory: 3 });
    const first = factsOf(taskEnd(success, {}, peaks(0)));
    assert.deepEqual(first.stages[0]?.peaks, { JVMHeapMemory: 0 });
  });
});

describe("the events of stages and jobs", () => {
  test("decode a stage from its submission to its end", () => {
    const properties = { "spark.job.description": "load", "spark.sql.execution.id": "12" };
    const end = (fields: object = {}): Event => [
      "SparkListenerStageCompleted",
      stageInfo(1, {
        ...{ "Number of Tasks": 5, "Parent IDs": [0, -1, 2.5, 3], "Resource Profile Id": 1 },
        ...{ "Submission Time": 10, "Completion Time": 30, ...fields },
      }),
    ];
    const stageOf = (...events: readonly Event[]) => {
      const [stage] = factsOf(...events).stages;
      assert.ok(stage);
      return without(stage, "totals", "peaks", "errors", "tasks");
    };
    const start = submitted(1, { Properties: properties });
    assert.deepEqual(stageOf(start, end()), {
      ...{ stageId: 1, attemptId: 0, name: "count", description: "load", parentIds: [0, 3] },
      ...{ executionId: 12, resourceProfileId: 1, numTasks: 5, submittedAt: 10 },
      ...{ firstTaskLaunchedAt: undefined, endedAt: 30, state: "complete", failure: undefined },
      ...{ succeeded: 0, failed: 0, killed: 0 },
    });
    assert.equal(stageOf(start)["state"], "active");
    const failed = stageOf(start, end({ "Failure Reason": "oh", "Submission Time": undefined }));
    assert.deepEqual(
      [failed["state"], failed["failure"], failed["submittedAt"]],
      ["failed", "oh", undefined],
    );
    const badId = { Properties: { "spark.sql.execution.id": "1x" } };
    assert.equal(stageOf(submitted(1, badId))["executionId"], undefined);
  });

  test("decode a job and its end", () => {
    const start: Event = [
      "SparkListenerJobStart",
      {
        ...{ "Job ID": 4, "Submission Time": 20, "Stage IDs": [1, "x", 2] },
        Properties: { "spark.job.description": "d", "spark.jobGroup.id": "g" },
      },
    ];
    const end = (result: object): Event => [
      ...([
        "SparkListenerJobEnd",
        { "Job ID": 4, "Completion Time": 50, "Job Result": result },
      ] as const),
    ];
    const job = {
      ...{ jobId: 4, stageIds: [1, 2], description: "d", group: "g", executionId: undefined },
      ...{ submittedAt: 20, endedAt: undefined, state: "running", failure: undefined },
    };
    assert.deepEqual(factsOf(start).jobs, [job]);
    assert.deepEqual(factsOf(start, end({ Result: "JobSucceeded" })).jobs, [
      { ...job, endedAt: 50, state: "succeeded" },
    ]);
    const failure = end({ Result: "JobFailed", Exception: { Message: "oh" } });
    assert.deepEqual(factsOf(start, failure).jobs, [
      { ...job, endedAt: 50, state: "failed", failure: "oh" },
    ]);
    assert.deepEqual(factsOf(failure).jobs, []);
  });

  test("are dropped beyond the limit of stages, but not for known ones", () => {
    const { stages } = eventLogLimits;
    const events = Array.from({ length: stages + 2 }, (_, id) => submitted(id));
    const facts = factsOf(...events, submitted(0), submitted(stages - 1));
    assert.deepEqual([facts.stages.length, facts.dropped], [stages, 2]);
  });
});

describe("the events of executors and of the application", () => {
  test("decode an executor from its start to its removal", () => {
    const executor = {
      ...{ id: "2", host: "h", cores: 4, resourceProfileId: 2, addedAt: 1_000 },
      ...{ removedAt: undefined, removedReason: undefined, maxMemory: undefined },
      ...{ succeeded: 0, failed: 0, killed: 0, taskTime: 0, peaks: {} },
    };
    const shown = (...events: readonly Event[]) =>
      factsOf(executorAdded("2"), ...events).executors.map((one) => without(one, "totals"));
    const removed: Event = [
      "SparkListenerExecutorRemoved",
      { "Executor ID": "2", Timestamp: 2_000, "Removed Reason": "killed" },
    ];
    const memory: Event = [
      "SparkListenerBlockManagerAdded",
      { "Block Manager ID": { "Executor ID": "2" }, "Maximum Memory": 99 },
    ];
    assert.deepEqual(shown(), [executor]);
    assert.deepEqual(shown(memory, removed), [
      { ...executor, maxMemory: 99, removedAt: 2_000, removedReason: "killed" },
    ]);
    assert.deepEqual(factsOf(removed, memory, executorAdded("")).executors, []);
  });

  test("have the latest time that is known and valid", () => {
    const at = (Timestamp: unknown): Event => [
      "SparkListenerApplicationEnd",
      { Timestamp, ExitCode: 3 },
    ];
    assert.equal(factsOf(at(5), at(9), at(7)).lastAt, 9);
    assert.deepEqual(factsOf(at(5), at(9), at(7)).application.endedAt, 7);
    for (const none of [0, -1, 8_640_000_000_000_001, "9", NaN])
      assert.equal(factsOf(at(none)).lastAt, undefined);
    assert.equal(factsOf(at(8_640_000_000_000_000)).lastAt, 8_640_000_000_000_000);
    assert.equal(factsOf(at(1)).application.exitCode, 3);
  });
});

describe("the events of queries", () => {
  const start = (id: number, more: object = {}): Event => [
    "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart",
    {
      ...{ executionId: id, description: "select", time: 5 },
      sparkPlanInfo: {
        ...{ nodeName: "Scan", simpleString: "scan t" },
        metrics: [{ name: "rows", accumulatorId: 1, metricType: "sum" }, { name: "none" }],
        children: [
          { nodeName: "A", children: [{ nodeName: "B" }] },
          { children: [{ nodeName: "D" }] },
          { nodeName: "C" },
        ],
      },
      ...more,
    },
  ];
  const end = (errorMessage?: string): Event => [
    ...(["SparkListenerSQLExecutionEnd", { executionId: 3, time: 9, errorMessage }] as const),
  ];

  test("decode a query with its plan and its end", () => {
    const nodes = [
      {
        name: "Scan",
        detail: "scan t",
        depth: 0,
        metrics: [{ name: "rows", type: "sum", value: undefined }],
      },
      { name: "A", detail: "", depth: 1, metrics: [] },
      { name: "B", detail: "", depth: 2, metrics: [] },
      { name: "C", detail: "", depth: 1, metrics: [] },
    ];
    const query = {
      ...{ id: 3, rootId: 3, description: "select", startedAt: 5, endedAt: undefined },
      ...{ state: "running", failure: undefined, jobIds: [], nodes },
    };
    assert.deepEqual(factsOf(start(3)).executions, [query]);
    assert.deepEqual(factsOf(start(3, { rootExecutionId: 1 })).executions[0]?.rootId, 1);
    assert.deepEqual(factsOf(start(3), end()).executions, [
      { ...query, endedAt: 9, state: "succeeded" },
    ]);
    assert.deepEqual(factsOf(start(3), end("oh")).executions, [
      { ...query, endedAt: 9, state: "failed", failure: "oh" },
    ]);
    assert.deepEqual(factsOf(end()).executions, []);
  });

  test("count updates of tasks of their own stages, and of the driver", () => {
    const properties = { Properties: { "spark.sql.execution.id": "3" } };
    const update = (Update: unknown, ID = 1) =>
      taskEnd(success, { Accumulables: [{ ID, Update }] });
    const valueOf = (...events: readonly Event[]) =>
      factsOf(start(3), submitted(1, properties), ...events).executions[0]?.nodes[0]?.metrics[0]
        ?.value;
    const ofDriver: Event = [
      "SparkListenerDriverAccumUpdates",
      {
        executionId: 3,
        accumUpdates: [
          [1, 4],
          [2, 9],
        ],
      },
    ];
    assert.equal(valueOf(), undefined);
    assert.equal(valueOf(update("5"), update(6)), 11);
    assert.equal(valueOf(update(0)), 0);
    assert.equal(valueOf(update("5"), update("-1"), update("x"), update(null)), 5);
    assert.equal(valueOf(update(5, 2)), undefined);
    assert.equal(valueOf(ofDriver, update(1)), 5);
    const other = factsOf(start(3), submitted(1), update(5)).executions[0];
    assert.equal(other?.nodes[0]?.metrics[0]?.value, undefined);
  });

  test("replace the plan, and add metrics to it, while the query runs", () => {
    const replaced: Event = [
      "SparkListenerSQLAdaptiveExecutionUpdate",
      {
        executionId: 3,
        sparkPlanInfo: { nodeName: "New", metrics: [{ name: "rows", accumulatorId: 8 }] },
      },
    ];
    const declared: Event = [
      "SparkListenerSQLAdaptiveSQLMetricUpdates",
      { executionId: 3, sqlPlanMetrics: [{ name: "rows", accumulatorId: 8, metricType: "sum" }] },
    ];
    const updates: Event = [
      "SparkListenerDriverAccumUpdates",
      { executionId: 3, accumUpdates: [[8, 2]] },
    ];
    const nodes = (...events: readonly Event[]) =>
      factsOf(start(3), ...events).executions[0]?.nodes;
    const shown = (value: number | undefined) => [
      { name: "New", detail: "", depth: 0, metrics: [{ name: "rows", type: "", value }] },
    ];
    assert.deepEqual(nodes(replaced), shown(undefined));
    assert.deepEqual(nodes(replaced, updates), shown(2));
    assert.deepEqual(nodes(updates, replaced), shown(undefined));
    assert.deepEqual(nodes(declared, updates, replaced), shown(2));
    assert.deepEqual(factsOf(replaced, declared, updates).executions, []);
  });

  test("list the jobs of a query", () => {
    const job = (id: number, execution: string): Event => [
      "SparkListenerJobStart",
      { "Job ID": id, Properties: { "spark.sql.execution.id": execution } },
    ];
    const facts = factsOf(start(3), job(1, "3"), job(2, "4"), job(5, "3"));
    assert.deepEqual(facts.executions[0]?.jobIds, [1, 5]);
  });
});

describe("the lines of a log", () => {
  test("that are no events are dropped, and starts of tasks are skipped", () => {
    const reader = new EventLogReader();
    for (const text of [
      "",
      " ",
      '{"Event":"SparkListenerTaskStart"',
      "{}",
      "[]",
      "x",
      '{"Event":7}',
    ])
      reader.takeLine(text);
    reader.takeLine('{"Event":"Other"}');
    assert.deepEqual([reader.facts().dropped, reader.facts().isTorn], [4, false]);
  });

  test("at the end may be incomplete", () => {
    const restOf = (rest: string) => {
      const reader = new EventLogReader();
      reader.takeRest(rest);
      const { sparkVersion, isTorn, dropped } = reader.facts();
      return [sparkVersion, isTorn, dropped];
    };
    const start = line(["SparkListenerLogStart", { "Spark Version": "4.3.0" }]);
    assert.deepEqual(restOf(start), ["4.3.0", false, 0]);
    assert.deepEqual(restOf(start.slice(0, -1)), [undefined, true, 0]);
    assert.deepEqual(restOf(" \n"), [undefined, false, 0]);
  });

  test("have texts of at most 1,000 characters, trimmed and without secrets", () => {
    const nameOf = (name: string) =>
      factsOf(["SparkListenerApplicationStart", { "App Name": name }]).application.name;
    assert.equal(nameOf("a".repeat(1_001)), "a".repeat(1_000));
    assert.equal(nameOf(" a "), "a");
    assert.equal(nameOf("  "), undefined);
    assert.ok(nameOf("x\nmy.password=hunter2")?.startsWith("x\n"));
    assert.ok(!nameOf("x\nmy.password=hunter2")?.includes("hunter2"));
  });
});

describe("the metrics of tasks", () => {
  test("are sums of their parts, never negative", () => {
    const metrics = decodeMetrics({
      ...{ "Executor Run Time": 5, "JVM GC Time": -1, "Result Size": "7" },
      "Shuffle Read Metrics": {
        "Remote Bytes Read": 3,
        "Local Bytes Read": 4,
        "Total Records Read": 2,
      },
      "Shuffle Write Metrics": { "Shuffle Bytes Written": 6 },
      "Input Metrics": { "Bytes Read": 8 },
      "Output Metrics": { "Records Written": 9 },
    });
    const some = Object.fromEntries(Object.entries(metrics).filter(([, value]) => value !== 0));
    assert.deepEqual(some, {
      ...{ executorRunTime: 5, shuffleReadBytes: 7, shuffleRemoteBytesRead: 3 },
      ...{ shuffleReadRecords: 2, shuffleWriteBytes: 6, inputBytes: 8, outputRecords: 9 },
    });
    assert.deepEqual(
      Object.values(decodeMetrics(null)).filter((value) => value !== 0),
      [],
    );
  });

  test("have quantiles of the successful tasks", () => {
    const { stages } = factsOf(
      ...[40, 10, 30, 20].map((time) =>
        taskEnd(success, {}, { "Task Metrics": { "Executor Run Time": time } }),
      ),
      taskEnd({ Reason: "x" }, {}, { "Task Metrics": { "Executor Run Time": 99 } }),
    );
    const tasks = stages[0]?.tasks ?? [];
    const quantiles = (...wanted: readonly number[]) =>
      metricQuantiles(tasks, ({ metrics }) => metrics.executorRunTime, wanted);
    assert.deepEqual(quantiles(0, 0.24, 0.25, 0.5, 0.75, 1, -1), [10, 10, 20, 30, 40, 40, 10]);
    assert.equal(
      metricQuantiles([], () => 1, [0.5]),
      undefined,
    );
    assert.equal(stages[0]?.totals.executorRunTime, 199);
  });
});
