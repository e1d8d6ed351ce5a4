import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import {
  describeBriefly,
  describeJob,
  describeLeft,
  describeProgress,
  describeStage,
  describeTask,
  reasonOf,
} from "../../../src/spark/progress/describeProgress.ts";
import {
  activeStages,
  executionsFrom,
  lastFailedTasks,
  slowTasks,
  runningJobs,
  type DriverList,
} from "../../../src/spark/progress/driverQuery.ts";
import { heartbeatAgeOf } from "../../../src/spark/progress/heartbeats.ts";
import {
  noProgress,
  type ApplicationProgress,
  type StageProgress,
  type StageTasks,
  type TaskProgress,
} from "../../../src/spark/progress/progress.ts";
import { partsBelow, type ProgressPart } from "../../../src/spark/progress/progressTree.ts";
import { progressIn, recordedAnswers, sparkVersions } from "./recordedAnswers.ts";

const stage: StageProgress = {
  stageId: 12,
  attemptId: 0,
  name: "count at etl.py:7",
  description: undefined,
  tasks: 2_000,
  active: 8,
  done: 340,
  failed: 3,
  killed: 0,
  startedAt: 0,
};
const of = (fields: Partial<ApplicationProgress>): ApplicationProgress => ({
  ...noProgress,
  ...fields,
});

describe("recorded answers", () => {
  for (const version of sparkVersions) {
    test(`of Spark ${version} have the numbers of the REST API`, () => {
      const answers = recordedAnswers(version, "fail/abort-running");
      const [sent] = answers.stages as readonly Record<string, unknown>[];
      const [read] = progressIn(answers, 0).stages;
      assert.ok(sent && read);
      assert.deepEqual(
        [read.stageId, read.attemptId, read.tasks, read.active, read.done, read.failed],
        [
          ...[sent["stageId"], sent["attemptId"], sent["numTasks"], sent["numActiveTasks"]],
          ...[sent["numCompletedIndices"], sent["numFailedTasks"]],
        ],
      );
      assert.equal(
        new Date(read.startedAt ?? 0).toISOString().replace("Z", "GMT"),
        sent["firstTaskLaunchedTime"],
      );
    });

    test(`of Spark ${version} name the reason of a failed task first`, () => {
      const progress = progressIn(recordedAnswers(version, "fail/abort-running"), 0);
      const sample = progress.tasks.get("6.0");
      const [task] = sample?.failed ?? [];
      assert.ok(sample && task);
      assert.match(
        inEnglish(describeTask(task, sample)) ?? "",
        /^org\.apache\.spark\.api\.python\.PythonException/,
      );
      assert.match(inEnglish(describeTask(task, sample)) ?? "", / · executor \d+$/);
    });

    // The lists were read at different times: job 9 ended before the SQL executions were read.
    test(`of Spark ${version} nest the jobs of a query and their stages`, () => {
      const progress = progressIn(recordedAnswers(version, "etl/aqe-running"), 0);
      const idsBelow = (part?: ProgressPart): readonly string[] =>
        partsBelow(progress, part).flatMap((below) => [below.id, ...idsBelow(below)]);
      assert.deepEqual(idsBelow(), ["sql-5", "job-10", "stage-15.0", "job-9", "stage-14.0"]);
    });
  }

  test("of a lost executor say why it was lost", () => {
    const progress = progressIn(recordedAnswers("3.5.9", "fail/fetch-after-kill-5"), 0);
    const [task] = progress.tasks.get("4.0")?.failed ?? [];
    assert.match(inEnglish(reasonOf(task?.error ?? "")), /^executor lost: The executor with ID 1/);
  });

  test("of a skewed stage compare the slowest running task with the median", () => {
    const answers = recordedAnswers("3.5.9", "etl/skew-tail-running");
    const launched = progressIn(answers, 0).tasks.get("2.0")?.running[0]?.launchedAt ?? 0;
    const progress = progressIn(answers, launched + 19_900);
    const [read] = progress.stages;
    const sample = progress.tasks.get("2.0");
    assert.ok(read && sample);
    assert.equal(sample.medianMs, 1_990);
    assert.equal(
      inEnglish(describeStage(read, new Map(), sample)),
      "11 of 20 tasks · slowest task 10 times the median",
    );
  });
});

describe("texts", () => {
  test("show a stage as tasks, failures and the remaining time", () => {
    const left = new Map([["12.0", 58_000]]);
    assert.equal(
      inEnglish(describeProgress(of({ stages: [stage], left }))),
      "stage 12 · 340 of 2,000 tasks · 3 failed · 1 min left",
    );
    assert.equal(
      inEnglish(describeBriefly(of({ stages: [stage], left }))),
      "17 % of stage 12 · 3 tasks failed · 1 min left",
    );
  });

  test("add up several stages, without a remaining time", () => {
    const other = { ...stage, stageId: 13, tasks: 100, done: 60, failed: 0 };
    const progress = of({ stages: [stage, other], left: new Map([["12.0", 58_000]]) });
    assert.equal(inEnglish(describeProgress(progress)), "2 stages · 400 of 2,100 tasks · 3 failed");
    assert.equal(inEnglish(describeBriefly(progress)), "19 % of 2 stages · 3 tasks failed");
  });

  test("never show unfinished work as 100 %", () => {
    const almost = { ...stage, done: 1_999, failed: 0 };
    assert.equal(inEnglish(describeBriefly(of({ stages: [almost] }))), "99 % of stage 12");
  });

  test("show nothing in the application's row without an active stage or with a problem", () => {
    assert.equal(describeBriefly(noProgress), undefined);
    const problem = { kind: "silent" } as const;
    assert.equal(describeBriefly(of({ stages: [stage], problem })), undefined);
  });

  test("round the remaining time up", () => {
    const texts = [200, 12_000, 54_999, 55_000, 61_000, 3_600_000 * 1.5, undefined];
    assert.deepEqual(
      texts.map((ms) => inEnglish(describeLeft(ms)) ?? ""),
      [...["5 s left", "15 s left", "55 s left", "1 min left", "2 min left", "1.5 h left", ""]],
    );
  });

  test("hide secrets in descriptions and errors, and shorten long ones", () => {
    const [job] = [{ jobId: 1, name: "n", description: "read jdbc:postgresql://u:hunter2@h/db" }];
    const read = runningJobs.decode({ ...job, numTasks: 1 });
    assert.ok(read);
    assert.doesNotMatch(inEnglish(describeJob(read)), /hunter2/);
    assert.ok(inEnglish(reasonOf(`x${"y".repeat(5_000)}\nat z`)).length <= 120);
  });
});

const task: TaskProgress = {
  ...{ taskId: 1, index: 0, attempt: 0, executorId: "4", host: "h", locality: "ANY" },
  ...{ isSpeculative: false, launchedAt: 100_000, durationMs: 6_000, error: undefined },
};
const sample: StageTasks = { running: [task], failed: [], medianMs: 1_000, readAt: 110_000 };

describe("heartbeats", () => {
  test("are at most as old as the driver's last update of a running task", () => {
    const tasks = new Map([["1.0", sample]]);
    assert.equal(heartbeatAgeOf({ tasks }, "4", 112_000), 4_000);
    assert.equal(heartbeatAgeOf({ tasks }, "5", 112_000), undefined);
    assert.equal(heartbeatAgeOf({ tasks }, "4", 150_000), undefined, "an old sample says nothing");
  });

  test("that are missing are first in the row of a task", () => {
    const late = { ...sample, readAt: 145_000 };
    assert.match(
      inEnglish(describeTask(task, late)) ?? "",
      /^no heartbeat for 39 s · 45 s · 45 times the median/,
    );
    assert.equal(
      inEnglish(describeTask(task, sample)),
      "10 s · 10 times the median · executor 4 · ANY",
    );
  });
});

describe("invalid answers", () => {
  const queries: readonly DriverList<unknown>[] = [
    ...[activeStages, runningJobs, executionsFrom(0), slowTasks(stage), lastFailedTasks(stage)],
  ];

  test("are left out or have zeros", () => {
    const hostile = [undefined, null, 1, "x", [], {}, { stageId: "../..", attemptId: 0 }];
    for (const { decode } of queries) {
      for (const json of hostile) assert.equal(decode(json), undefined);
    }
    const odd = activeStages.decode({
      ...{ stageId: 1, attemptId: 0, numTasks: 2, numCompletedIndices: 9, numFailedTasks: -3 },
    });
    assert.deepEqual([odd?.done, odd?.failed], [2, 0]);
    assert.equal(activeStages.decode({ stageId: 1.5, attemptId: 0 }), undefined);
    assert.equal(activeStages.decode({ stageId: -1, attemptId: 0 }), undefined);
  });

  test("with markup in a description lose it", () => {
    const read = runningJobs.decode({
      ...{ jobId: 1, name: "n", description: 'Streaming job <a href="x">[batch]</a>' },
    });
    assert.equal(read?.description, "Streaming job [batch]");
  });
});

test("stages are at the top level until the jobs are known", () => {
  const kinds = (progress: ApplicationProgress, part?: ProgressPart): readonly string[] =>
    partsBelow(progress, part).map(({ kind }) => kind);
  assert.deepEqual(kinds(of({ stages: [stage] })), ["stage"]);
  const job = runningJobs.decode({ jobId: 1, name: "n", stageIds: [12] });
  assert.ok(job);
  assert.deepEqual(kinds(of({ stages: [stage], jobs: [job] })), ["job"]);
});
