import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import {
  DriverProgress,
  type DriverReader,
  type ProgressFocus,
} from "../../../../src/engine/driver/driverProgress.ts";
import type { ProgressProblem } from "../../../../src/spark/progress/progress.ts";

const focusOn = (...stages: readonly string[]): ProgressFocus => ({
  isOpen: true,
  stages: new Set(stages),
});
const stage = (stageId: number, more: object = {}): object => ({
  ...{ stageId, attemptId: 0, numTasks: 10, numActiveTasks: 2 },
  ...more,
});
const running = (id: number): object => ({ id, status: "RUNNING" });
const ended = (id: number): object => ({ id, status: "COMPLETED" });

/** Returns a driver with these responses by path prefix, and the requested paths. */
function driverWith(answers: Readonly<Record<string, readonly object[] | ProgressProblem>>) {
  const progress = new DriverProgress();
  const asked: string[] = [];
  const clock = { ms: 0 };
  const driver: DriverReader = {
    now: () => clock.ms,
    ask: ({ path, decode }) => {
      asked.push(path);
      const [, answer = []] =
        Object.entries(answers).find(([start]) => path.startsWith(start)) ?? [];
      return Promise.resolve(
        "kind" in answer ? err(answer) : ok(answer.flatMap((item) => decode(item) ?? [])),
      );
    },
  };
  const read = async (focus: ProgressFocus, wanted?: string): Promise<void> => {
    for (const { name, read: one } of progress.readings(focus)) {
      if (wanted === undefined || name === wanted) await one(driver);
    }
  };
  return { progress, asked, clock, read };
}

const namesOf = (progress: DriverProgress, focus: ProgressFocus): readonly string[] =>
  progress.readings(focus).map(({ name, everyMs }) => `${name} ${everyMs}`);

describe("the lists of a driver", () => {
  test("are the stages of a collapsed row, more often while some are active", async () => {
    const collapsed: ProgressFocus = { isOpen: false, stages: new Set() };
    const answers = { "stages?": [] as object[] };
    const { progress, read } = driverWith(answers);
    assert.deepEqual(namesOf(progress, collapsed), ["stages 8000"]);
    answers["stages?"] = [stage(1)];
    await read(collapsed);
    assert.deepEqual(namesOf(progress, collapsed), ["stages 4000"]);
  });

  test("are those of expanded active stages, and failed tasks only once there are new ones", async () => {
    const answers = { "stages?": [stage(1, { numFailedTasks: 1 }), stage(2)] };
    const { progress, read } = driverWith(answers);
    await read(focusOn(), "rows");
    assert.deepEqual(namesOf(progress, focusOn()), ["rows 4000"]);
    const focus = focusOn("1.0", "7.0");
    const others = ["running 1.0 8000", "median 1.0 8000"];
    assert.deepEqual(namesOf(progress, focus), ["rows 4000", "failed 1.0 0", ...others]);
    await read(focus, "failed 1.0");
    assert.deepEqual(namesOf(progress, focus), ["rows 4000", ...others]);
    answers["stages?"] = [stage(1, { numFailedTasks: 2 })];
    await read(focus, "rows");
    assert.equal(namesOf(progress, focus)[1], "failed 1.0 0");
  });

  test("are read again after the stage was hidden or has ended", async () => {
    const answers = { "stages?": [stage(1, { numFailedTasks: 1 })] };
    const { progress, read } = driverWith(answers);
    const focus = focusOn("1.0");
    await read(focus, "rows");
    await read(focus, "failed 1.0");
    assert.equal(namesOf(progress, focus).length, 3);
    progress.readings(focusOn());
    assert.equal(namesOf(progress, focus).length, 4, "hidden meanwhile");
    await read(focus, "failed 1.0");
    const stages = answers["stages?"];
    answers["stages?"] = [];
    await read(focus, "rows");
    assert.deepEqual([...progress.current.tasks.keys()], []);
    answers["stages?"] = stages;
    await read(focus, "rows");
    assert.equal(namesOf(progress, focus).length, 4, "ended meanwhile");
  });

  test("of a hidden application are all stages, for the timeline only", () => {
    const { progress } = driverWith({});
    const hidden = { ...focusOn(), isHidden: true };
    assert.deepEqual(namesOf(progress, hidden), []);
    assert.deepEqual(namesOf(progress, { ...hidden, allStagesMs: 7 }), ["all stages 7"]);
    assert.deepEqual(namesOf(progress, { ...focusOn(), allStagesMs: 7 }), [
      "rows 4000",
      "all stages 7",
    ]);
  });
});

describe("the progress of a driver", () => {
  test("has at most 50 stages, by id and attempt, and jobs by id", async () => {
    const ids = Array.from({ length: 60 }, (_, index) => 60 - index);
    const { progress, read } = driverWith({
      "stages?": [stage(1, { attemptId: 1 }), ...ids.map((id) => stage(id))],
      "jobs?": [{ jobId: 3 }, { jobId: 1 }, { jobId: 2 }],
    });
    await read(focusOn(), "rows");
    const { stages, jobs } = progress.current;
    assert.equal(stages.length, 50);
    assert.deepEqual(
      stages.slice(0, 3).map(({ stageId, attemptId }) => `${stageId}.${attemptId}`),
      ["1.0", "1.1", "2.0"],
    );
    assert.deepEqual(
      jobs?.map(({ jobId }) => jobId),
      [1, 2, 3],
    );
  });

  test("estimates the remaining time of a stage by its pace", async () => {
    const answers = {
      "stages?": [stage(1, { firstTaskLaunchedTime: "1970-01-01T00:00:00.000GMT" })],
    };
    const { progress, read, clock } = driverWith(answers);
    for (const done of [0, 2, 4, 6, 8]) {
      clock.ms += 10_000;
      answers["stages?"] = [
        stage(1, {
          firstTaskLaunchedTime: "1970-01-01T00:00:00.000GMT",
          numCompletedIndices: done,
        }),
      ];
      await read(focusOn(), "rows");
    }
    const left = progress.current.left.get("1.0") ?? 0;
    assert.ok(left > 5_000 && left < 20_000, String(left));
  });

  test("keeps the lists that can be read, and names the problem of another", async () => {
    const problem: ProgressProblem = { kind: "silent" };
    for (const failing of ["sql?", "jobs?", "stages?"]) {
      const { progress, asked } = driverWith({});
      const [rows] = progress.readings(focusOn());
      const driver: DriverReader = {
        now: () => 0,
        ask: ({ path }) => {
          asked.push(path);
          return Promise.resolve(path.startsWith(failing) ? err(problem) : ok([]));
        },
      };
      const found = await rows?.read(driver);
      assert.deepEqual(found, problem, failing);
      assert.equal(asked.length, 3);
      const { jobs, executions } = progress.current;
      assert.equal(jobs === undefined, failing === "jobs?");
      assert.equal(executions === undefined, failing === "sql?");
    }
  });

  test("takes a driver without SQL, and a stage without tasks, for one without problems", async () => {
    const missing: ProgressProblem = { kind: "missing" };
    const { progress, read } = driverWith({
      ...{ "sql?": missing, "stages?": [stage(1, { numFailedTasks: 1 })] },
      ...{ "stages/": missing },
    });
    const focus = focusOn("1.0");
    await read(focus, "rows");
    const driver: DriverReader = { now: () => 0, ask: () => Promise.resolve(err(missing)) };
    for (const { name, read: one } of progress.readings(focus)) {
      if (name !== "rows") assert.equal(await one(driver), undefined, name);
    }
    const silent: DriverReader = {
      now: () => 0,
      ask: () => Promise.resolve(err({ kind: "silent" })),
    };
    for (const { name, read: one } of progress.readings(focus)) {
      assert.deepEqual(await one(silent), { kind: "silent" }, name);
    }
  });

  test("gives all stages once", async () => {
    const { progress, read } = driverWith({});
    assert.equal(progress.takeAllStages(), undefined);
    await read({ ...focusOn(), isHidden: true, allStagesMs: 7 });
    assert.deepEqual(progress.takeAllStages(), []);
    assert.equal(progress.takeAllStages(), undefined);
  });
});

describe("the page of SQL executions", () => {
  const pages = async (...answers: readonly (readonly object[])[]): Promise<readonly number[]> => {
    const given: Record<string, readonly object[]> = {};
    const { asked, read } = driverWith(given);
    for (const answer of [...answers, []]) {
      given["sql?"] = answer;
      await read(focusOn(), "rows");
    }
    return asked
      .filter((path) => path.startsWith("sql?"))
      .map((path) => Number(/offset=(\d+)/.exec(path)?.[1]));
  };
  const endedOnes = (count: number): readonly object[] =>
    Array.from({ length: count }, (_, index) => ended(index));

  test("begins at the oldest running one", async () => {
    assert.deepEqual(await pages([running(0)]), [0, 0]);
    assert.deepEqual(await pages([ended(0), ended(1), running(2)]), [0, 2]);
    assert.deepEqual(await pages([ended(0), running(1)], [ended(1), running(2)]), [0, 1, 2]);
  });

  test("advances by a full page without a running one, and stays at a part of a page", async () => {
    assert.deepEqual(await pages(endedOnes(50)), [0, 50]);
    assert.deepEqual(await pages(endedOnes(49)), [0, 0]);
    assert.deepEqual(await pages(endedOnes(50), endedOnes(50)), [0, 50, 100]);
  });

  test("goes back after the driver has dropped old ones", async () => {
    assert.deepEqual(await pages(endedOnes(50), endedOnes(50), []), [0, 50, 100, 50]);
    assert.deepEqual(await pages([ended(0), running(1)], []), [0, 1, 0]);
  });

  test("shows only running ones", async () => {
    const { progress, read } = driverWith({ "sql?": [ended(0), running(1), ended(2), running(3)] });
    await read(focusOn(), "rows");
    assert.deepEqual(
      progress.current.executions?.map(({ id }) => id),
      [1, 3],
    );
  });
});
