import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { err, ok, type Result } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import type { ProgressFocus } from "../../../../src/engine/driver/driverProgress.ts";
import { ProgressPoller } from "../../../../src/engine/driver/progressPoller.ts";
import type { DriverApi } from "../../../../src/engine/ports/reports.ts";
import type { Application } from "../../../../src/spark/pods/application.ts";
import { buildApplications } from "../../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../../src/spark/pods/podSnapshot.ts";
import { driverFixture } from "../../pods/podFixture.ts";
import { recordedAnswers } from "../../progress/recordedAnswers.ts";
import { VirtualClock } from "../virtualClock.ts";

function applicationOf(phase: "Running" | "Succeeded"): Application {
  const { snapshot } = replacePods(emptySnapshot, [driverFixture({ phase })]);
  const only = firstOf(buildApplications(snapshot).applications);
  assert.ok(only);
  return only;
}

const running = applicationOf("Running");
const { key } = running;
const answers = recordedAnswers("4.3.0", "fail/abort-running");

/** Returns the recorded response for a path. */
function answerTo(path: string): readonly unknown[] {
  if (path.startsWith("stages?")) return answers.stages;
  if (path.startsWith("jobs?")) return answers.jobs;
  if (path.startsWith("sql?")) return answers.sql;
  if (path.includes("status=running")) return answers.running?.["6.0"] ?? [];
  if (path.includes("status=failed")) return answers.failed?.["6.0"] ?? [];
  return [answers.summary?.["6.0"]];
}

interface Given {
  readonly answer?: (path: string) => Result<readonly unknown[], ClusterError>;
  readonly tookMs?: number;
  readonly isAllowed?: boolean;
}

/** Returns a poller of one application, and the requests that it sent. */
function pollerOf(t: TestContext, { answer, tookMs = 0, isAllowed = true }: Given = {}) {
  const clock = new VirtualClock();
  const asked: { readonly path: string; readonly at: number }[] = [];
  const state = { application: running };
  const idle: number[] = [];
  let changes = 0;
  const drivers: DriverApi = {
    executors: () => assert.fail("not asked"),
    allocation: () => assert.fail("not asked"),
    rows: async (_driver, { path, decode }, signal) => {
      asked.push({ path, at: clock.now() });
      if (tookMs > 0) await clock.sleep(tookMs, signal);
      const read = answer?.(path) ?? ok(answerTo(path));
      return read.ok ? ok(read.value.flatMap((item) => decode(item) ?? [])) : read;
    },
  };
  const poller = new ProgressPoller(
    { drivers, now: () => clock.now() },
    {
      clock,
      log: {
        debug: () => undefined,
        warn: () => undefined,
        error: (error) => assert.fail(String(error)),
      },
      find: () => state.application,
      isAllowed: () => isAllowed,
      changed: () => (changes += 1),
      idle: () => idle.push(clock.now()),
    },
  );
  t.after(() => {
    poller.dispose();
  });
  return { poller, clock, asked, state, idle, changes: () => changes };
}

const opened = (...stages: readonly string[]): ReadonlyMap<string, ProgressFocus> =>
  new Map([[key, { isOpen: true, stages: new Set(stages) }]]);

describe("progress polling", () => {
  test("sends nothing unless the application is visible", async (t) => {
    const { poller, clock, asked } = pollerOf(t);
    await clock.advance(60_000);
    poller.look([key]);
    await clock.advance(2_000);
    assert.equal(asked.length, 1);
    poller.look([]);
    await clock.advance(600_000);
    assert.equal(asked.length, 1);
    assert.equal(clock.pending, 0);
  });

  test("reads only the active stages while the row is collapsed", async (t) => {
    const { poller, clock, asked } = pollerOf(t);
    poller.look([key]);
    await clock.advance(60_000);
    assert.deepEqual([...new Set(asked.map(({ path }) => path))], ["stages?status=active"]);
    assert.ok(asked.length <= 15, `${asked.length} requests in a minute`);
    assert.equal(poller.progressOf(key)?.stages[0]?.stageId, 6);
    assert.equal(poller.progressOf(key)?.jobs, undefined);
  });

  test("reads the other lists while one of them fails", async (t) => {
    const failure: ClusterError = { kind: "badResponse", status: 500, detail: "broken" };
    const { poller, clock } = pollerOf(t, {
      answer: (path) => (path.startsWith("jobs?") ? err(failure) : ok(answerTo(path))),
    });
    poller.look([key]);
    poller.focus(opened("6.0"));
    await clock.advance(60_000);
    assert.equal(poller.progressOf(key)?.jobs, undefined);
    assert.ok(poller.progressOf(key)?.executions !== undefined);
  });

  test("sends at most one request a second on average while all rows are expanded", async (t) => {
    const { poller, clock, asked } = pollerOf(t);
    poller.look([key]);
    poller.focus(opened("6.0"));
    await clock.advance(20_000);
    const first = asked.length;
    await clock.advance(100_000);
    assert.ok(asked.length - first <= 100, `${asked.length - first} requests in 100 s`);
    const progress = poller.progressOf(key);
    assert.equal(progress?.jobs?.length, 1);
    assert.equal(progress.tasks.get("6.0")?.failed.length, 4);
    assert.ok((progress.tasks.get("6.0")?.running.length ?? 0) > 0);
  });

  test("reads queries, jobs and stages at the same moment, and shows them together", async (t) => {
    const { poller, clock, asked } = pollerOf(t, { tookMs: 100 });
    poller.look([key]);
    poller.focus(opened());
    const shown = new Set<string>();
    for (let ms = 0; ms < 20_000; ms += 50) {
      await clock.advance(50);
      const { stages = [], jobs, executions } = poller.progressOf(key) ?? {};
      shown.add([stages.length > 0, jobs !== undefined, executions !== undefined].join());
    }
    assert.deepEqual([...shown], ["false,false,false", "true,true,true"]);
    for (const { path, at } of asked.filter((one) => one.path.startsWith("stages?"))) {
      const [jobs, sql] = ["jobs?", "sql?"].map((start) =>
        asked.some((one) => one.path.startsWith(start) && at - one.at <= 200 && at > one.at),
      );
      assert.deepEqual([jobs, sql], [true, true], path);
    }
  });

  test("reads failed tasks again only when their number grows", async (t) => {
    const { poller, clock, asked } = pollerOf(t);
    poller.look([key]);
    poller.focus(opened("6.0"));
    await clock.advance(120_000);
    const ofFailed = asked.filter(({ path }) => path.includes("status=failed"));
    assert.equal(ofFailed.length, 1);
  });

  test("drops jobs and tasks when the row is collapsed", async (t) => {
    const { poller, clock } = pollerOf(t);
    poller.look([key]);
    poller.focus(opened("6.0"));
    await clock.advance(20_000);
    poller.focus(new Map());
    await clock.advance(10_000);
    assert.equal(poller.progressOf(key)?.jobs, undefined);
    assert.equal(poller.progressOf(key)?.tasks.size, 0);
  });

  test("asks a slow driver less often", async (t) => {
    const { poller, clock, asked } = pollerOf(t, { tookMs: 3_000 });
    poller.look([key]);
    await clock.advance(120_000);
    assert.ok(asked.length <= 7, `${asked.length} requests in two minutes`);
  });

  test("gives the problem of a driver that hangs, and keeps its last facts", async (t) => {
    const given = { tookMs: 0 };
    const { poller, clock } = pollerOf(t, given);
    poller.look([key]);
    await clock.advance(2_000);
    const late = pollerOf(t, { tookMs: 60_000 });
    late.poller.look([key]);
    await late.clock.advance(700_000);
    assert.deepEqual(late.poller.progressOf(key)?.problem, { kind: "silent" });
    assert.equal(poller.progressOf(key)?.problem, undefined);
  });

  test("keeps the last facts without a problem for 30 s after an answer", async (t) => {
    for (const status of [503, 500]) {
      let isBroken = false;
      const { poller, clock } = pollerOf(t, {
        answer: (path) =>
          isBroken ? err({ kind: "badResponse", status, detail: "" }) : ok(answerTo(path)),
      });
      poller.look([key]);
      await clock.advance(5_000);
      isBroken = true;
      await clock.advance(15_000);
      const early = poller.progressOf(key);
      assert.equal(early?.stages[0]?.stageId, 6);
      // A response with an error status is not a late response.
      assert.equal(early.problem?.kind, status === 503 ? undefined : "failing");
      await clock.advance(60_000);
      assert.notEqual(poller.progressOf(key)?.problem, undefined);
      isBroken = false;
      await clock.advance(60_000);
      assert.equal(poller.progressOf(key)?.problem, undefined);
    }
  });

  test("gives no problem while a driver starts, until it has answered", async (t) => {
    const starting: readonly ClusterError[] = [
      { kind: "notFound", resource: "", name: "", detail: "" },
      { kind: "badResponse", status: 503, detail: "" },
      { kind: "badResponse", status: undefined, detail: "" },
    ];
    for (const error of starting) {
      const { poller, clock, changes } = pollerOf(t, { answer: () => err(error) });
      poller.look([key]);
      await clock.advance(300_000);
      assert.deepEqual([poller.progressOf(key), changes()], [undefined, 0]);
    }
  });

  test("names each kind of refusal, and backs off up to a minute", async (t) => {
    const bad = (status: number | undefined): ClusterError => ({
      ...{ kind: "badResponse", status, detail: "" },
    });
    const refusals: readonly (readonly [ClusterError, unknown])[] = [
      [bad(500), { kind: "failing", status: 500 }],
      [bad(302), { kind: "notSpark" }],
      [bad(undefined), { kind: "notSpark" }],
      [bad(403), { kind: "denied" }],
      [bad(503), { kind: "unreachable" }],
    ];
    for (const [error, expected] of refusals) {
      const { poller, clock, asked } = pollerOf(t, { answer: () => err(error) });
      poller.look([key]);
      await clock.advance(720_000);
      assert.deepEqual(poller.progressOf(key)?.problem, expected);
      assert.ok(asked.length <= 18, `${asked.length} requests in twelve minutes`);
    }
  });

  test("names the missing permission without a request", async (t) => {
    const { poller, clock, asked, changes } = pollerOf(t, { isAllowed: false });
    poller.look([key]);
    await clock.advance(60_000);
    assert.deepEqual(poller.progressOf(key)?.problem, { kind: "forbidden" });
    assert.deepEqual([asked.length, changes()], [0, 1]);
  });

  test("ends with the driver", async (t) => {
    const { poller, clock, state, asked } = pollerOf(t);
    poller.look([key]);
    await clock.advance(5_000);
    state.application = applicationOf("Succeeded");
    await clock.advance(2_000);
    const count = asked.length;
    assert.equal(poller.progressOf(key), undefined);
    await clock.advance(60_000);
    assert.equal(asked.length, count);
  });

  test("takes a stage without an ended task as one without a median", async (t) => {
    const missing: ClusterError = { kind: "notFound", resource: "", name: "", detail: "" };
    const answer = (path: string): Result<readonly unknown[], ClusterError> =>
      path.includes("taskSummary") ? err(missing) : ok(answerTo(path));
    const { poller, clock } = pollerOf(t, { answer });
    poller.look([key]);
    poller.focus(opened("6.0"));
    await clock.advance(30_000);
    assert.equal(poller.progressOf(key)?.problem, undefined);
    assert.equal(poller.progressOf(key)?.tasks.get("6.0")?.medianMs, undefined);
  });
});

test("reads all stages once more, and says so, when the last active stage has ended", async (t) => {
  let isActive = true;
  const { poller, clock, asked, idle } = pollerOf(t, {
    answer: (path) => ok(isActive ? answerTo(path) : []),
  });
  const allOf = () => asked.filter(({ path }) => path.startsWith("stages?details")).length;
  poller.focus(new Map([[key, { isOpen: true, stages: new Set(), allStagesMs: 60_000 }]]));
  poller.look([key]);
  await clock.advance(10_000);
  assert.deepEqual([allOf(), idle.length], [1, 0]);
  isActive = false;
  await clock.advance(5_000);
  assert.deepEqual([allOf(), idle.length], [2, 1]);
});
