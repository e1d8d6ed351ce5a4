import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import {
  describeBriefly,
  describeExecution,
  describeJob,
  describeLeft,
  describeLocality,
  describeMs,
  describeProblem,
  describeProgress,
  describeStage,
  describeTask,
  reasonOf,
  stageName,
  taskName,
} from "../../../src/spark/progress/describeProgress.ts";
import { heartbeatAgeOf, updateAgeOf } from "../../../src/spark/progress/heartbeats.ts";
import {
  noProgress,
  type ExecutionProgress,
  type JobProgress,
  type ProgressProblem,
  type StageProgress,
  type StageTasks,
  type TaskProgress,
} from "../../../src/spark/progress/progress.ts";

const stage = (fields: Partial<StageProgress> = {}): StageProgress => ({
  ...{ stageId: 12, attemptId: 0, name: "count", description: undefined, startedAt: 0 },
  ...{ tasks: 2_000, active: 4, done: 340, failed: 0, killed: 0 },
  ...fields,
});
const task = (fields: Partial<TaskProgress> = {}): TaskProgress => ({
  ...{ taskId: 1, index: 17, attempt: 0, executorId: "3", host: "h", locality: "ANY" },
  ...{ isSpeculative: false, launchedAt: 0, durationMs: 0, error: undefined },
  ...fields,
});
const sample = (fields: Partial<StageTasks> = {}): StageTasks => ({
  ...{ running: [], failed: [], medianMs: 2_000, readAt: 8_000 },
  ...fields,
});

describe("the text of the active stages", () => {
  const one = (fields: Partial<StageProgress>, left: readonly [string, number][] = []) =>
    inEnglish(describeProgress({ ...noProgress, stages: [stage(fields)], left: new Map(left) }));

  test("names one stage with its counts and its time left", () => {
    assert.equal(inEnglish(describeProgress(noProgress)), "no active stage");
    assert.equal(one({}), "stage 12 · 340 of 2,000 tasks");
    assert.equal(
      one({ attemptId: 1, failed: 3, killed: 1_001 }, [["12.1", 60_000]]),
      "stage 12, attempt 2 · 340 of 2,000 tasks · 3 failed · 1,001 killed · 1 min left",
    );
    assert.equal(one({ tasks: 1, done: 0 }), "stage 12 · 0 of 1 task");
    assert.equal(one({ tasks: 0, done: 0 }), "stage 12 · 0 of 0 tasks");
  });

  test("sums up several stages without a time left", () => {
    const stages = [
      stage({ failed: 1, killed: 2 }),
      stage({ stageId: 13, tasks: 50, done: 10, failed: 2, killed: 3 }),
    ];
    const progress = { ...noProgress, stages, left: new Map([["12.0", 60_000]]) };
    assert.equal(
      inEnglish(describeProgress(progress)),
      "2 stages · 350 of 2,050 tasks · 3 failed · 5 killed",
    );
    assert.equal(inEnglish(describeBriefly(progress)), "17 % of 2 stages · 3 tasks failed");
  });

  test("on a row has the percentage, rounded down", () => {
    const brief = (fields: Partial<StageProgress>, problem?: ProgressProblem) =>
      inEnglish(
        describeBriefly({
          ...{ ...noProgress, stages: [stage(fields)], problem },
          left: new Map([["12.0", 61_000]]),
        }),
      );
    assert.equal(brief({}), "17 % of stage 12 · 2 min left");
    assert.equal(brief({ done: 1_999 }), "99 % of stage 12 · 2 min left");
    assert.equal(brief({ done: 2_000 }), "100 % of stage 12 · 2 min left");
    assert.equal(brief({ tasks: 0, done: 0 }), "0 % of stage 12 · 2 min left");
    assert.equal(brief({ failed: 1 }), "17 % of stage 12 · 1 task failed · 2 min left");
    assert.equal(brief({ failed: 1_200 }), "17 % of stage 12 · 1,200 tasks failed · 2 min left");
    assert.equal(brief({}, { kind: "silent" }), undefined);
    assert.equal(describeBriefly(noProgress), undefined);
  });

  test("names the attempts from 1", () => {
    assert.equal(inEnglish(stageName(stage({ attemptId: 0 }))), "stage 12");
    assert.equal(inEnglish(stageName(stage({ attemptId: 3 }))), "stage 12, attempt 4");
    assert.equal(inEnglish(taskName(task())), "task 17");
    assert.equal(inEnglish(taskName(task({ attempt: 1 }))), "task 17, attempt 2");
  });
});

describe("the reason why the driver reports nothing", () => {
  test("is named for each problem", () => {
    const rows: readonly (readonly [ProgressProblem, string])[] = [
      [{ kind: "forbidden" }, "not permitted: get pods/proxy"],
      [{ kind: "denied" }, "the driver's UI denies access"],
      [{ kind: "missing" }, "the driver does not know this application"],
      [{ kind: "silent" }, "the driver does not respond"],
      [{ kind: "unreachable" }, "the driver's UI is unreachable"],
      [{ kind: "failing", status: 503 }, "the driver's UI failed with status 503"],
      [{ kind: "notSpark" }, "the driver's port does not serve Spark's REST API"],
    ];
    for (const [problem, words] of rows) assert.equal(inEnglish(describeProblem(problem)), words);
  });
});

describe("the text of a job", () => {
  const job = (fields: Partial<JobProgress>) =>
    inEnglish(
      describeJob({
        ...{ jobId: 1, name: "count at a.py:3", description: undefined, stageIds: [1] },
        ...{ tasks: 10, done: 4, failed: 0, doneStages: 0, failedStages: 0 },
        ...fields,
      }),
    );

  test("has its tasks, its stages if there are several, and its description", () => {
    assert.equal(job({}), "4 of 10 tasks · count at a.py:3");
    assert.equal(job({ description: "load" }), "4 of 10 tasks · load");
    assert.equal(job({ description: "" }), "4 of 10 tasks");
    assert.equal(
      job({ stageIds: [1, 2, 3], doneStages: 2, failed: 1_000 }),
      "4 of 10 tasks · 1,000 failed · 2 of 3 stages · count at a.py:3",
    );
    assert.equal(job({ failedStages: 1 }), "4 of 10 tasks · 1 failed stage · count at a.py:3");
    assert.equal(job({ failedStages: 2 }), "4 of 10 tasks · 2 failed stages · count at a.py:3");
  });

  test("is one line of at most 120 characters without secrets", () => {
    assert.equal(job({ name: " a\n\tb  c " }), "4 of 10 tasks · a b c");
    const atLimit = "x".repeat(120);
    assert.equal(job({ name: atLimit }), `4 of 10 tasks · ${atLimit}`);
    assert.equal(job({ name: `${atLimit}x` }), `4 of 10 tasks · ${"x".repeat(119)}…`);
    assert.ok(!job({ name: "spark.my.password=hunter2" }).includes("hunter2"));
  });
});

test("the text of a query has its running and failed jobs", () => {
  const query = (fields: Partial<ExecutionProgress>) =>
    inEnglish(
      describeExecution({
        ...{ id: 1, rootId: 1, description: "select 1", isRunning: true, durationMs: 0 },
        ...{ runningJobs: [7], failedJobs: 0, ...fields },
      }),
    );
  assert.equal(query({}), "1 running job · select 1");
  assert.equal(query({ runningJobs: [] }), "0 running jobs · select 1");
  assert.equal(
    query({ runningJobs: [1, 2], failedJobs: 1 }),
    "2 running jobs · 1 failed job · select 1",
  );
  assert.equal(query({ failedJobs: 2, description: " " }), "1 running job · 2 failed jobs");
});

describe("the text of a task", () => {
  const words = (fields: Partial<TaskProgress>, of: Partial<StageTasks> = {}) =>
    inEnglish(describeTask(task(fields), sample(of)));

  test("has its runtime, its executor and its locality", () => {
    assert.equal(words({}), "8 s · executor 3 · ANY");
    assert.equal(words({ executorId: "", locality: "", isSpeculative: true }), "8 s · speculative");
    assert.equal(words({ launchedAt: undefined, executorId: "", locality: "" }), undefined);
    assert.equal(words({ launchedAt: 9_000 }), "0 s · executor 3 · ANY");
  });

  test("says that it takes at least 10 s and five times the median", () => {
    const slow = (readAt: number, medianMs: number | undefined) =>
      words({ durationMs: readAt }, { readAt, medianMs });
    const rest = "executor 3 · ANY";
    assert.equal(slow(10_000, 2_000), `10 s · 5 times the median · ${rest}`);
    assert.equal(slow(9_999, 1_000), `10 s · ${rest}`);
    assert.equal(slow(10_000, 2_001), `10 s · ${rest}`);
    assert.equal(slow(11_100, 2_000), `11 s · 5.5 times the median · ${rest}`);
    assert.equal(slow(20_000, 1_950), `20 s · 10 times the median · ${rest}`);
    assert.equal(slow(19_960, 2_000), `20 s · 10 times the median · ${rest}`);
    assert.equal(slow(19_800, 2_000), `20 s · 9.9 times the median · ${rest}`);
    assert.equal(slow(31_000, 2_500), `31 s · 12 times the median · ${rest}`);
    for (const median of [undefined, 0, -1]) assert.equal(slow(60_000, median), `60 s · ${rest}`);
  });

  test("says that its executor sent no heartbeat for 30 s", () => {
    assert.equal(
      words({ durationMs: 10_000 }, { readAt: 40_000, medianMs: undefined }),
      "no heartbeat for 30 s · 40 s · executor 3 · ANY",
    );
    assert.equal(
      words({ durationMs: 10_001 }, { readAt: 40_000, medianMs: undefined }),
      "40 s · executor 3 · ANY",
    );
  });

  test("that failed begins with the reason", () => {
    assert.equal(
      words({ error: "java.io.IOException: x\n\tat a" }),
      "java.io.IOException: x · executor 3",
    );
    assert.equal(words({ error: "oh", executorId: "" }), "oh");
    const lost = "ExecutorLostFailure (executor 2 exited) Reason: out of memory";
    assert.equal(inEnglish(reasonOf(lost)), "executor lost: out of memory");
    assert.equal(
      inEnglish(reasonOf("ExecutorLostFailure (executor 2")),
      "ExecutorLostFailure (executor 2",
    );
    assert.equal(inEnglish(reasonOf("\n A (b) Reason: c\nd")), "A (b) Reason: c");
  });
});

describe("the text of a stage with its tasks", () => {
  test("has the slowest task", () => {
    const running = [
      task({ launchedAt: 40_000 }),
      task({ launchedAt: 10_000 }),
      task({ launchedAt: 90_000 }),
    ];
    const words = (of: Partial<StageTasks>) =>
      inEnglish(describeStage(stage(), new Map(), sample({ running, readAt: 100_000, ...of })));
    assert.equal(words({}), "340 of 2,000 tasks · slowest task 45 times the median");
    assert.equal(words({ medianMs: 18_001 }), "340 of 2,000 tasks");
  });

  test("counts the localities, most frequent first", () => {
    const running = ["ANY", "PROCESS_LOCAL", "PROCESS_LOCAL", "NODE_LOCAL"].map((locality) =>
      task({ locality }),
    );
    assert.equal(describeLocality(sample({ running })), "2 PROCESS_LOCAL, 1 ANY, 1 NODE_LOCAL");
    assert.equal(describeLocality(sample()), "");
  });
});

describe("a time", () => {
  test("left is rounded up to 5 s, minutes or tenths of an hour", () => {
    const rows: readonly (readonly [number, string])[] = [
      ...([
        [0, "5 s left"],
        [4_999, "5 s left"],
        [5_000, "5 s left"],
        [5_001, "10 s left"],
      ] as const),
      ...([
        [50_001, "55 s left"],
        [54_999, "55 s left"],
        [55_000, "1 min left"],
      ] as const),
      ...([
        [60_000, "1 min left"],
        [60_001, "2 min left"],
        [3_540_000, "59 min left"],
      ] as const),
      ...([
        [3_540_001, "1 h left"],
        [5_400_000, "1.5 h left"],
        [36_000_000, "10 h left"],
      ] as const),
    ];
    for (const [ms, words] of rows) assert.equal(inEnglish(describeLeft(ms)), words, `${ms}`);
    assert.equal(describeLeft(undefined), undefined);
  });

  test("is in seconds, minutes or hours", () => {
    const rows: readonly (readonly [number, string])[] = [
      ...([
        [0, "0 s"],
        [499, "0 s"],
        [500, "1 s"],
        [99_499, "99 s"],
        [99_500, "2 min"],
      ] as const),
      ...([
        [150_000, "3 min"],
        [5_969_000, "99 min"],
        [5_970_000, "2 h"],
        [9_000_000, "3 h"],
      ] as const),
    ];
    for (const [ms, words] of rows) assert.equal(inEnglish(describeMs(ms)), words, `${ms}`);
  });
});

describe("the age of an executor's last heartbeat", () => {
  test("is the time since the driver updated the task, never negative", () => {
    const age = (launchedAt: number | undefined, durationMs: number) =>
      updateAgeOf(task({ launchedAt, durationMs }), sample({ readAt: 10_000 }));
    assert.deepEqual(
      [age(2_000, 3_000), age(9_000, 3_000), age(undefined, 1)],
      [...[5_000, 0, undefined]],
    );
  });

  test("is the shortest one in the samples of the last 30 s", () => {
    const tasks = new Map([
      ["1.0", sample({ readAt: 50_000, running: [task({ durationMs: 20_000 })] })],
      [
        "2.0",
        sample({
          readAt: 60_000,
          running: [task({ durationMs: 50_000 }), task({ durationMs: 20_000 })],
        }),
      ],
      ["3.0", sample({ readAt: 60_000, running: [task({ durationMs: 60_000, executorId: "4" })] })],
    ]);
    const age = (now: number) => heartbeatAgeOf({ tasks }, "3", now);
    assert.equal(age(60_000), 10_000);
    assert.equal(age(89_999), 10_000);
    assert.equal(age(90_000), undefined);
    assert.equal(heartbeatAgeOf({ tasks }, "5", 60_000), undefined);
  });
});
