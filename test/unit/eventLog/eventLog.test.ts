import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { EventLog, LoggedTask, TaskMetrics } from "../../../src/spark/eventLog/eventLog.ts";
import { EventLogReader } from "../../../src/spark/eventLog/eventLogReader.ts";
import { codecOf, orderLogFiles } from "../../../src/spark/eventLog/orderLogFiles.ts";
import { metricQuantiles, noMetrics } from "../../../src/spark/eventLog/taskMetrics.ts";
import { historyAnswers, recordedLog, type RestItem } from "./recordedLogs.ts";

function decode(text: string): EventLog {
  const reader = new EventLogReader();
  for (const line of text.split("\n")) reader.takeLine(line);
  return reader.facts();
}

describe("decoded event log and the history server's REST API agree on", () => {
  const log = decode(recordedLog("4.3.0-etl"));
  const rest = historyAnswers();

  test("the application", () => {
    const attempts = rest.applications[0]?.["attempts"] as readonly RestItem[];
    const { id, name, user, startedAt, endedAt, exitCode } = log.application;
    assert.deepEqual([id, name], [rest.applications[0]?.["id"], rest.applications[0]?.["name"]]);
    assert.equal(user, attempts[0]?.["sparkUser"]);
    assert.equal(startedAt, timeOf(attempts[0]?.["startTime"]));
    assert.equal(endedAt, timeOf(attempts[0]?.["endTime"]));
    assert.equal(exitCode, attempts[0]?.["exitCode"]);
  });

  test("jobs", () => {
    const jobs = log.jobs.map(({ jobId, stageIds, submittedAt, endedAt, state }) => ({
      ...{ jobId, submittedAt, endedAt, state, stageIds: [...stageIds].sort(byNumber) },
    }));
    const expected = rest.jobs.map((job) => ({
      jobId: job["jobId"],
      submittedAt: timeOf(job["submissionTime"]),
      endedAt: timeOf(job["completionTime"]),
      state: String(job["status"]).toLowerCase(),
      stageIds: [...(job["stageIds"] as number[])].sort(byNumber),
    }));
    assert.deepEqual(jobs, expected.reverse());
  });

  test("stages: times, counts and the sums of all metrics", () => {
    const run = rest.stages.filter(({ status }) => status !== "SKIPPED");
    assert.equal(log.stages.length, run.length);
    for (const expected of run) {
      const stage = log.stages.find(({ stageId }) => stageId === expected["stageId"]);
      assert.ok(stage !== undefined);
      const sums: readonly (keyof TaskMetrics)[] = Object.keys(noMetrics) as never;
      for (const name of sums) assert.equal(stage.totals[name], expected[name], name);
      assert.equal(stage.submittedAt, timeOf(expected["submissionTime"]));
      assert.equal(stage.firstTaskLaunchedAt, timeOf(expected["firstTaskLaunchedTime"]));
      assert.equal(stage.endedAt, timeOf(expected["completionTime"]));
      assert.equal(stage.name, expected["name"]);
      assert.equal(stage.numTasks, expected["numTasks"]);
      assert.equal(stage.succeeded, expected["numCompleteTasks"]);
      assert.equal(stage.tasks.length, expected["numCompleteTasks"]);
    }
  });

  test("quantiles of task metrics", () => {
    let compared = 0;
    for (const expected of rest.stages) {
      const distributions = expected["taskMetricsDistributions"] as RestItem | undefined;
      const stage = log.stages.find(({ stageId }) => stageId === expected["stageId"]);
      if (distributions === undefined || stage === undefined) continue;
      const quantiles = distributions["quantiles"] as number[];
      const check = (of: (task: LoggedTask) => number, values: unknown): void => {
        assert.deepEqual(metricQuantiles(stage.tasks, of, quantiles), values);
        compared += 1;
      };
      check(({ finishedAt, launchedAt }) => finishedAt - launchedAt, distributions["duration"]);
      check(({ metrics }) => metrics.executorRunTime, distributions["executorRunTime"]);
      check(({ metrics }) => metrics.diskBytesSpilled, distributions["diskBytesSpilled"]);
      const read = distributions["shuffleReadMetrics"] as RestItem;
      check(({ metrics }) => metrics.shuffleReadBytes, read["readBytes"]);
    }
    assert.ok(compared > 80, `${compared}`);
  });

  test("executors: tasks, time, shuffle and memory peaks of tasks", () => {
    const executors = rest.executors.filter(({ id }) => id !== "driver");
    assert.equal(log.executors.length, executors.length);
    for (const expected of executors) {
      const executor = log.executors.find(({ id }) => id === expected["id"]);
      assert.ok(executor !== undefined);
      assert.equal(executor.succeeded, expected["completedTasks"]);
      assert.equal(executor.failed, expected["failedTasks"]);
      assert.equal(executor.cores, expected["totalCores"]);
      assert.equal(executor.addedAt, timeOf(expected["addTime"]));
      assert.equal(executor.taskTime, expected["totalDuration"]);
      assert.equal(executor.maxMemory, expected["maxMemory"]);
      const { totals } = executor;
      assert.equal(totals.jvmGcTime, expected["totalGCTime"]);
      assert.equal(totals.inputBytes, expected["totalInputBytes"]);
      assert.equal(totals.shuffleReadBytes, expected["totalShuffleRead"]);
      assert.equal(totals.shuffleWriteBytes, expected["totalShuffleWrite"]);
      assert.deepEqual(executor.peaks, expected["peakMemoryMetrics"]);
    }
  });

  test("SQL executions, their jobs and the rows of plan nodes", () => {
    assert.equal(log.executions.length, rest.sql.length);
    let compared = 0;
    for (const expected of rest.sql) {
      const execution = log.executions.find(({ id }) => id === expected["id"]);
      assert.ok(execution !== undefined);
      assert.equal(execution.description, expected["description"]);
      assert.equal(execution.state, "succeeded");
      assert.equal(execution.startedAt, timeOf(expected["submissionTime"]));
      assert.deepEqual(
        execution.jobIds,
        [...(expected["successJobIds"] as number[])].sort(byNumber),
      );
      const rowsOf = (nodes: readonly { metrics: readonly unknown[] }[]): number[] =>
        nodes
          .flatMap(({ metrics }) => metrics as readonly { name: string; value?: unknown }[])
          .filter(({ name, value }) => name === "number of output rows" && value !== undefined)
          .map(({ value }) => Number(String(value).replaceAll(",", "")))
          // The history server omits metrics with the value 0.
          .filter((rows) => rows > 0)
          .sort(byNumber);
      const rows = rowsOf(execution.nodes);
      assert.deepEqual(rows, rowsOf(expected["nodes"] as never));
      compared += rows.length;
    }
    assert.ok(compared > 20, `${compared}`);
  });
});

describe("EventLogReader", () => {
  test("decodes failures of tasks, stages, jobs and executors", () => {
    for (const name of ["4.3.0-fail", "3.5.9-fail"] as const) {
      const log = decode(recordedLog(name));
      const [lost] = log.executors.filter(({ removedAt }) => removedAt !== undefined);
      assert.match(lost?.removedReason ?? "", /was not found in the cluster/);
      const fetch = log.stages.find(({ failure }) => failure?.includes("FetchFailed"));
      assert.equal(fetch?.state, "failed");
      const retry = log.stages.find(
        ({ stageId, attemptId }) => stageId === fetch.stageId && attemptId === 1,
      );
      assert.equal(retry?.state, "complete");
      const failed = log.jobs.filter(({ state }) => state === "failed");
      assert.deepEqual(
        failed.map(({ description }) => description),
        ["phase sqlfail", "phase abort"],
      );
      const planted = log.stages.find(({ stageId }) => stageId === failed[0]?.stageIds[0]);
      assert.equal(planted?.failed, 4);
      const [[error, count] = ["", 0]] = [...planted.errors];
      assert.match(error, /planted SQL failure/);
      assert.equal(count, 4);
      assert.equal(log.application.exitCode, name === "4.3.0-fail" ? 1 : undefined);
    }
  });

  test("keeps what a running driver has written before a torn line", () => {
    const text = recordedLog("4.3.0-running");
    assert.ok(!text.endsWith("\n"));
    const log = decode(text);
    assert.equal(log.application.endedAt, undefined);
    assert.equal(log.dropped, 1);
    assert.ok(log.stages.length > 0);
    assert.deepEqual({ ...log, dropped: 0 }, decode(text.slice(0, text.lastIndexOf("\n") + 1)));
  });

  test("redacts effective properties that Spark shows", () => {
    const environment = {
      Event: "SparkListenerEnvironmentUpdate",
      "JVM Information": {},
      "Spark Properties": {
        "spark.my.url": "jdbc:postgresql://u:PLANTED-1@h/db",
        "spark.my.password": "PLANTED-2",
        "spark.driver.extraJavaOptions": "-Dmy.pw=PLANTED-3 -Dx=1",
        "spark.ui.port": "4041",
      },
    };
    const { conf } = decode(JSON.stringify(environment));
    assert.equal(conf.get("spark.ui.port"), "4041");
    assert.ok(!JSON.stringify([...conf]).includes("PLANTED"), JSON.stringify([...conf]));
  });

  test("does not throw on any line", () => {
    const names = [...new Set(recordedLog("4.3.0-fail").match(/"Event":"[^"]+"/g))];
    const name = fc.constantFrom(...names.map((text) => text.slice(9, -1)));
    const event = fc
      .tuple(name, fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([Event, fields]) => JSON.stringify({ ...fields, Event }));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json(), event)), (lines) => {
        decode(lines.join("\n"));
      }),
    );
  });

  test("ignores an array, an object or a wrong number in the place of a field", () => {
    const lines = recordedLog("4.3.0-fail")
      .split("\n")
      .filter((line) => line.length < 20_000);
    const wrong = fc.constantFrom("[]", "{}", "-1", "null", '"x"', "1e999", "true");
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.nat(), wrong, (line, at, value) => {
        const fields = [...line.matchAll(/":(?=[^,]{1,40}[,}])([^,{}[\]]+)/g)];
        const field = fields[at % Math.max(1, fields.length)];
        if (field === undefined) return;
        const [matched] = field;
        const start = field.index + 2;
        decode(line.slice(0, start) + value + line.slice(field.index + matched.length));
      }),
    );
  });

  test("any truncation decodes to the facts of its complete lines", () => {
    const text = recordedLog("4.3.0-fail");
    const whole = decode(text);
    fc.assert(
      fc.property(fc.nat(text.length), (length) => {
        const cut = text.slice(0, length);
        const lineEnd = text[length] === "\n" ? length : cut.lastIndexOf("\n") + 1;
        const part = decode(cut);
        assert.deepEqual({ ...part, dropped: 0 }, decode(text.slice(0, lineEnd)));
        // Later entries do not change the order of entries that have ended.
        for (const list of ["jobs", "stages", "executors", "executions"] as const) {
          assert.deepEqual(
            part[list].map(keyOf),
            whole[list].slice(0, part[list].length).map(keyOf),
          );
        }
        part.stages.forEach((stage, index) => {
          const { tasks } = whole.stages[index] ?? { tasks: [] };
          assert.deepEqual(stage.tasks, tasks.slice(0, stage.tasks.length));
        });
      }),
      { numRuns: 40 },
    );
  });

  test("facts of a moment do not change with later lines", () => {
    const lines = recordedLog("4.3.0-fail").split("\n");
    const reader = new EventLogReader();
    lines.slice(0, 100).forEach((line) => {
      reader.takeLine(line);
    });
    const before = reader.facts();
    const copy = structuredClone(before);
    lines.slice(100).forEach((line) => {
      reader.takeLine(line);
    });
    assert.deepEqual(before, copy);
  });
});

describe("orderLogFiles", () => {
  test("orders rolled files by their index, and starts with the compacted one", () => {
    const names = ["events_10_a.zstd", "events_2_a.zstd", "appstatus_a", "events_9_a.zstd"];
    assert.deepEqual(orderLogFiles(names), [
      "events_2_a.zstd",
      "events_9_a.zstd",
      "events_10_a.zstd",
    ]);
    assert.deepEqual(orderLogFiles([...names, "events_9_a.zstd.compact"]), [
      "events_9_a.zstd.compact",
      "events_10_a.zstd",
    ]);
  });

  test("knows the codec by the name", () => {
    const codecs = [
      "events_1_a.zstd",
      "spark-a.lz4.inprogress",
      "spark-a",
      "a.gz",
      "e.zstd.compact",
    ];
    assert.deepEqual(codecs.map(codecOf), ["zstd", "lz4", undefined, "gzip", "zstd"]);
  });
});

const byNumber = (a: number, b: number): number => a - b;

const keyOf = (item: object): unknown =>
  Object.entries(item).find(([name]) => /^(?:jobId|stageId|id)$/.test(name))?.[1];

/** Spark writes `2026-11-23T20:38:25.688GMT`. */
const timeOf = (value: unknown): number => Date.parse(String(value).replace("GMT", "Z"));
