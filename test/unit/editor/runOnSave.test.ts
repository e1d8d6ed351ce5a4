import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { saveRuns } from "../../../src/editor/submit/runOnSave.ts";
import type { ControlledRun } from "../../../src/editor/submit/controlledRun.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { AccessConnection } from "../../../src/engine/ports/connection.ts";
import { VirtualClock } from "../engine/virtualClock.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { inText } from "./screenFixture.ts";
import { connectionFixture, recordedObjects, strictLog } from "./sessionFixture.ts";

interface Options {
  readonly result?: "started" | "notStarted" | "unknownProfile";
  readonly refusal?: string;
  readonly refused?: Readonly<Record<string, ClusterError>>;
  readonly uploads?: readonly string[];
}

function saveFixture(
  t: TestContext,
  { result = "started", refusal, refused, uploads = ["/project/pi.py"] }: Options = {},
) {
  const clock = new VirtualClock();
  const { objects, written } = recordedObjects({}, refused);
  const runs: ControlledRun[] = [];
  const states: string[] = [];
  const ends: string[] = [];
  const closed: string[] = [];
  const saves = saveRuns(
    {
      run: (controlled) => {
        runs.push(controlled);
        return Promise.resolve(result);
      },
      clock,
      log: strictLog,
      changed: ({ isBusy, words }) => states.push(`${words}${isBusy ? "…" : ""}`),
      ended: (reason) => ends.push(reason),
    },
    {
      translated: inText,
      explainClusterError: ({ kind }) => `It is ${kind}.`,
      refusalIn: () => refusal,
      questionIn: () => undefined,
    },
  );
  t.after(() => {
    saves.dispose();
  });
  const begin = async (at: number): Promise<void> => {
    const connection = {
      ...connectionFixture(clock, { objects }),
      dispose: () => closed.push(`connection ${at}`),
    } as unknown as AccessConnection;
    await runs[at]?.started({
      name: "pi",
      plan: { uploads: uploads.map((path) => ({ path })), code: undefined } as never,
      driver: driverFixture(),
      connection,
    });
    await clock.advance(1);
  };
  return { saves, clock, runs, states, ends, closed, written, begin };
}

describe("run on save", () => {
  test("starts a run at once, and shows its states", async (t) => {
    const { clock, runs, states, begin } = saveFixture(t);
    await clock.advance(1);
    assert.equal(runs.length, 1);
    assert.equal(runs[0]?.isRepeated, false);
    await begin(0);
    runs.at(0)?.ended({ outcome: "failed", exitCode: 3 });
    assert.deepEqual(states, ["submitting…", "running…", "failed: exit code 3"]);
  });

  test("removes the run and starts another when a sent file is saved", async (t) => {
    const { saves, clock, runs, states, written, closed, begin } = saveFixture(t);
    await clock.advance(1);
    await begin(0);
    saves.saved("/project/other.py", false);
    await clock.advance(1_000);
    assert.equal(runs.length, 1);
    saves.saved("/project/pi.py", false);
    await clock.advance(1_000);
    assert.equal(runs[0]?.isStopped(), true);
    assert.ok(written.includes("delete Pod pi-0123456789abcdef-driver"), written.join());
    runs.at(0)?.ended({ outcome: "stopped", exitCode: 143 });
    await clock.advance(60_000);
    assert.equal(runs.length, 2);
    assert.equal(runs[1]?.isRepeated, true);
    assert.deepEqual(closed, ["connection 0"]);
    assert.deepEqual(states.slice(2), ["stopping the last run…", "stopped", "submitting…"]);
  });

  test("starts another run for a new file, and on request", async (t) => {
    const { saves, clock, runs, begin } = saveFixture(t);
    await clock.advance(1);
    await begin(0);
    runs[0]?.ended({ outcome: "succeeded", exitCode: 0 });
    saves.saved("/project/new.py", true);
    await clock.advance(60_000);
    assert.equal(runs.length, 2);
    await begin(1);
    runs[1]?.ended({ outcome: "succeeded", exitCode: 0 });
    saves.again();
    await clock.advance(60_000);
    assert.equal(runs.length, 3);
  });

  test("cancels a submission that has not created its driver", async (t) => {
    const { saves, clock, runs, written } = saveFixture(t);
    await clock.advance(1);
    saves.saved("/project/any.py", false);
    await clock.advance(1_000);
    assert.equal(runs[0]?.signal.aborted, true);
    runs.at(0)?.ended({ outcome: "notSubmitted", exitCode: 1 });
    await clock.advance(1_000);
    assert.equal(runs.length, 2);
    assert.deepEqual(written, []);
  });

  test("ends if it sends no file", async (t) => {
    const { clock, ends, begin, saves, runs } = saveFixture(t, { uploads: [] });
    await clock.advance(1);
    await begin(0);
    assert.deepEqual(ends, ["It sends no local files, so saving would change nothing."]);
    saves.again();
    await clock.advance(10_000);
    assert.equal(runs.length, 1);
  });

  test("ends if its profile no longer exists, but not if a task failed", async (t) => {
    const gone = saveFixture(t, { result: "unknownProfile" });
    await gone.clock.advance(1);
    assert.deepEqual(gone.ends, ["Its run profile no longer exists."]);
    assert.deepEqual(gone.states, ["submitting…", "not submitted"]);
    const failed = saveFixture(t, { result: "notStarted" });
    await failed.clock.advance(1);
    assert.deepEqual(failed.ends, []);
    failed.saves.again();
    await failed.clock.advance(1_000);
    assert.equal(failed.runs.length, 2);
  });

  test("ends instead of changing a read-only context", async (t) => {
    const { saves, clock, ends, written, begin } = saveFixture(t, { refusal: "It is read-only." });
    await clock.advance(1);
    await begin(0);
    saves.again();
    await clock.advance(1_000);
    assert.deepEqual(ends, ["It is read-only."]);
    assert.deepEqual(written, []);
  });

  test("says why the last run was not removed", async (t) => {
    const forbidden: ClusterError = {
      ...{
        kind: "forbidden",
        verb: "delete",
        resource: "pods",
        namespace: "jobs",
        detail: 'User "ann" cannot delete resource "pods"',
      },
    };
    const { saves, clock, states, runs, begin } = saveFixture(t, {
      refused: { "delete Pod": forbidden },
    });
    await clock.advance(1);
    await begin(0);
    saves.again();
    await clock.advance(1_000);
    assert.equal(states.at(-1), "It is forbidden.");
    assert.equal(runs.length, 1);
  });

  test("leaves the run as it is when it is disposed", async (t) => {
    const { saves, clock, runs, written, closed, begin } = saveFixture(t);
    await clock.advance(1);
    await begin(0);
    saves.dispose();
    assert.deepEqual(closed, []);
    runs[0]?.ended({ outcome: "succeeded", exitCode: 0 });
    await clock.advance(1);
    assert.deepEqual(closed, ["connection 0"]);
    assert.deepEqual(written, []);
  });
});
