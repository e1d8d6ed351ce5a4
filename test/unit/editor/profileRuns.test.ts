import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import {
  watchDriverState,
  type DriverState,
  type ReportDriver,
  type SeenEnd,
} from "../../../src/editor/apps/driverState.ts";
import { profileRowText } from "../../../src/editor/profiles/profileRow.ts";
import { ProfileRuns } from "../../../src/editor/profiles/profileRuns.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { failedDriver, unscheduled } from "../diagnosis/diagnosedFixture.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { memoryMemento } from "./memoryMemento.ts";
import { sessionFixture } from "./sessionFixture.ts";

const at = Date.parse("2026-01-02T03:04:05Z");
const task = { name: "etl", folder: undefined };

interface Reported {
  readonly driver: string;
  readonly report: ReportDriver;
}

/** Creates the runs of profiles; the test reports the driver states. */
function runsFixture(memory = memoryMemento()) {
  const watched: Reported[] = [];
  const disposed: string[] = [];
  let changes = 0;
  const runs = new ProfileRuns({
    memory,
    now: () => at,
    driverState: (driver, report) => {
      watched.push({ driver, report });
      return { dispose: () => disposed.push(driver) };
    },
    changed: () => {
      changes += 1;
    },
  });
  const row = (name = "etl", follows = true) => {
    const { description, spoken, icon } = profileRowText(runs.of(name, undefined), follows, at);
    const [state = "", time] = inEnglish(description).split(/ · (?=[^·]*$)/);
    return { state, time, spoken: inEnglish(spoken), icon: icon.id };
  };
  return { runs, row, watched, disposed, memory, changes: () => changes };
}

const pending: DriverState = {
  words: "no node has 5.4 GiB free",
  spoken: "pending · no node has 5.4 GiB free",
  icon: { id: "clock", color: "charts.yellow" },
};

describe("row of a run profile", () => {
  test("says that nothing was submitted while questions are open", () => {
    const { runs, row } = runsFixture();
    assert.deepEqual(row(), {
      ...{ state: "not run yet", time: undefined, spoken: "not run yet" },
      icon: "circle-outline",
    });
    runs.started(task, 1);
    const { state, icon, time } = row();
    assert.deepEqual([state, icon], ["not submitted yet", "circle-outline"]);
    assert.match(time ?? "", /\d:\d\d/);
    runs.ended(task, 1, 1);
    assert.deepEqual([row().state, row().icon], ["exit code 1", "error"]);
    runs.started(task, 2);
    runs.endedAs("etl", "notSubmitted");
    runs.ended(task, 2, 1);
    assert.equal(row().state, "not submitted");
  });

  test("begins with the state of the driver, and names it for screen readers", () => {
    const { runs, row, watched, disposed, changes } = runsFixture();
    runs.started(task, 1);
    runs.submittedAs("etl");
    assert.deepEqual([row().state, row().icon], ["submitted", "clock"]);
    runs.submittedAs("etl", driverFixture());
    const before = changes();
    watched[0]?.report(pending);
    assert.equal(changes(), before + 1);
    const { state, spoken, icon } = row();
    assert.deepEqual([state, icon], ["no node has 5.4 GiB free", "clock"]);
    assert.match(spoken, /^pending · no node has 5\.4 GiB free · /);
    runs.endedAs("etl", "failed", "Java heap exhausted");
    runs.ended(task, 1, 52);
    assert.deepEqual(disposed, ["uid-driver"]);
    assert.match(row().spoken, /^failed, Java heap exhausted · /);
    // A report after the end does not change the final state.
    watched[0]?.report(pending);
    assert.deepEqual([row().state, row().icon], ["Java heap exhausted", "error"]);
  });

  test("follows the next driver of an operator's application", () => {
    const { runs, row, watched, disposed } = runsFixture();
    runs.started(task, 1);
    runs.submittedAs("etl", driverFixture());
    runs.submittedAs("etl", driverFixture({ uid: "second" }));
    assert.deepEqual(disposed, ["uid-driver"]);
    watched[1]?.report(pending);
    assert.equal(row().state, "no node has 5.4 GiB free");
    runs.dispose();
    assert.deepEqual(disposed, ["uid-driver", "second"]);
  });

  test("shows the newest submitted one of concurrent runs", () => {
    const { runs, row, watched, disposed } = runsFixture();
    runs.started(task, 1);
    runs.submittedAs("etl", driverFixture());
    watched[0]?.report(pending);
    runs.startedAs("etl 7:07", "etl");
    const copy = { ...task, name: "etl 7:07" };
    runs.started(copy, 2);
    assert.deepEqual([row().state, disposed], ["no node has 5.4 GiB free", []]);
    runs.submittedAs("etl 7:07");
    assert.deepEqual([row().state, disposed], ["submitted", ["uid-driver"]]);
    runs.ended(task, 1, 0);
    assert.equal(row().state, "submitted");
    runs.ended(copy, 2, 0);
    assert.equal(row().state, "succeeded");
    assert.equal(row("etl", false).state, "submitted");
  });

  test("keeps the state of a running application if the next run is not submitted", () => {
    const { runs, row } = runsFixture();
    runs.started(task, 1);
    runs.submittedAs("etl", driverFixture());
    runs.startedAs("etl 7:07", "etl");
    const copy = { ...task, name: "etl 7:07" };
    runs.started(copy, 2);
    runs.endedAs("etl 7:07", "notSubmitted");
    runs.ended(copy, 2, 1);
    assert.equal(row().state, "submitted");
    runs.ended(task, 1, 0);
    assert.equal(row().state, "succeeded");
  });

  test("shows each of several concurrent runs once it is submitted", () => {
    const { runs, row, disposed } = runsFixture();
    runs.started(task, 1);
    runs.submittedAs("etl", driverFixture());
    for (const [name, execution] of [
      ["etl 7:07", 2],
      ["etl 7:08", 3],
    ] as const) {
      runs.startedAs(name, "etl");
      runs.started({ ...task, name }, execution);
    }
    runs.submittedAs("etl 7:07", driverFixture({ uid: "second" }));
    assert.deepEqual([row().state, disposed], ["submitted", ["uid-driver"]]);
    runs.endedAs("etl 7:08", "notSubmitted");
    runs.ended({ ...task, name: "etl 7:08" }, 3, 1);
    assert.equal(row().state, "submitted");
    runs.ended({ ...task, name: "etl 7:07" }, 2, 0);
    assert.equal(row().state, "succeeded");
  });

  test("says that nothing was submitted once the earlier run has ended", () => {
    const { runs, row } = runsFixture();
    runs.started(task, 1);
    runs.submittedAs("etl", driverFixture());
    runs.startedAs("etl 7:07", "etl");
    const copy = { ...task, name: "etl 7:07" };
    runs.started(copy, 2);
    runs.ended(task, 1, 0);
    assert.equal(row().state, "not submitted yet");
    runs.submittedAs("etl 7:07", driverFixture({ uid: "second" }));
    assert.equal(row().state, "submitted");
  });

  test("finds the driver of a run again after the window was reloaded", () => {
    const { runs, memory } = runsFixture();
    runs.started(task, 1);
    runs.submittedAs("etl", driverFixture());
    const next = runsFixture(memory);
    assert.deepEqual([next.row().state, next.row().icon], ["submitted", "clock"]);
    assert.deepEqual(
      next.watched.map(({ driver }) => driver),
      ["uid-driver"],
    );
    next.watched[0]?.report(pending);
    assert.equal(next.row().state, "no node has 5.4 GiB free");
    // A later report may contain the cause found in the log.
    const end = { outcome: "failed", exitCode: 1, at: at + 60_000 } as const;
    next.watched[0]?.report(pending, { ...end, cause: "exit code 1" });
    next.watched[0]?.report(pending, { ...end, cause: "Java heap full" });
    assert.deepEqual([next.row().state, next.row().icon], ["Java heap full", "error"]);
    assert.equal(runsFixture(memory).row().state, "Java heap full");
    assert.deepEqual(next.disposed, []);
    next.runs.started(task, 2);
    assert.deepEqual([next.row().state, next.disposed], ["not submitted yet", ["uid-driver"]]);
  });

  test("follows the driver of a detached run to its end", () => {
    for (const outcome of ["detached", "submitted"] as const) {
      const { runs, row, watched, disposed, memory } = runsFixture();
      runs.started(task, 1);
      runs.submittedAs("etl", driverFixture());
      runs.endedAs("etl", outcome);
      runs.ended(task, 1, 130);
      assert.deepEqual([row().state, row().icon, disposed], ["submitted", "clock", []]);
      watched[0]?.report(pending);
      assert.equal(row().state, "no node has 5.4 GiB free");
      watched[0]?.report(pending, { outcome: "succeeded", exitCode: 0, at });
      assert.deepEqual([row().state, row().icon], ["succeeded", "pass"]);
      assert.equal(runsFixture(memory).row().state, "succeeded");
      runs.started(task, 2);
      assert.deepEqual([row().state, disposed], ["not submitted yet", ["uid-driver"]]);
    }
  });

  test("leaves the end of a run of this window to its task", () => {
    const { runs, row, watched } = runsFixture();
    runs.started(task, 1);
    runs.submittedAs("etl", driverFixture());
    watched[0]?.report(pending, { outcome: "stopped", exitCode: 143, at });
    assert.equal(row().state, "no node has 5.4 GiB free");
  });

  test("keeps the outcome of ended runs for the next window", () => {
    const { runs, memory } = runsFixture();
    runs.started(task, 1);
    assert.equal(runsFixture(memory).row().state, "not run yet");
    runs.ended(task, 1, 143);
    const { row } = runsFixture(memory);
    assert.deepEqual([row().state, row().icon], ["stopped", "circle-slash"]);
    const icons = (["detached", "submitted", "succeeded"] as const).map((outcome) => {
      const next = runsFixture();
      next.runs.endedAs("etl", outcome);
      next.runs.ended(task, 1, 0);
      return next.row().icon;
    });
    assert.deepEqual(icons, ["debug-disconnect", "pass", "pass"]);
  });
});

describe("state of a watched driver", () => {
  async function statesOf(t: TestContext, pods: readonly PodRecord[], driver: PodRecord) {
    const rig = await sessionFixture(t, pods);
    const states: DriverState[] = [];
    const ends: (SeenEnd | undefined)[] = [];
    const watch = watchDriverState(rig.session, driver.uid, inEnglish, (state, end) => {
      states.push(state);
      ends.push(end);
    });
    t.after(() => {
      watch.dispose();
    });
    const put = async (pod: PodRecord): Promise<void> => {
      rig.server.put(pod);
      await rig.clock.advance(1_000);
    };
    const last = () => states.at(-1);
    return { ...rig, states, ends, put, last, watch };
  }

  test("begins as the row of its application", async (t) => {
    const { phase, nodeName, conditions, containers } = unscheduled(
      "0/2 nodes are available: 2 Insufficient memory.",
    );
    const driver = driverFixture({ phase, nodeName, conditions, containers });
    const { session, put, last, states } = await statesOf(t, [], driver);
    assert.deepEqual(states, []);
    await put(driver);
    const [application = assert.fail()] = session.applications;
    const words = (): string => inEnglish(session.describe(application).description);
    assert.match(last()?.words ?? "", /memory|GiB/);
    assert.ok(words().startsWith(last()?.words ?? "?"), words());
    assert.match(last()?.spoken ?? "", /^pending · /);
    assert.equal(last()?.icon.id, "clock");
  });

  test("is reported once per change, until disposal", async (t) => {
    const driver = driverFixture();
    const { states, ends, put, last, watch } = await statesOf(t, [driver], driver);
    assert.deepEqual(
      states.map(({ words, spoken }) => [words, spoken]),
      [["running", "running"]],
    );
    await put({ ...driver, resourceVersion: "2", podIp: "10.0.0.1" });
    assert.equal(states.length, 1);
    await put({ ...failedDriver(137, { reason: "OOMKilled" }), resourceVersion: "3" });
    assert.match(last()?.words ?? "", /^out of memory/);
    assert.match(last()?.spoken ?? "", /^failed · out of memory/);
    assert.equal(last()?.icon.id, "error");
    const [begun, { cause, ...end } = assert.fail()] = ends;
    assert.equal(begun, undefined);
    assert.match(cause ?? "", /^out of memory/);
    assert.deepEqual([end.outcome, end.exitCode], ["failed", 137]);
    const { length } = states;
    watch.dispose();
    await put({ ...driver, resourceVersion: "4" });
    assert.equal(states.length, length);
  });

  test("ends as stopped when the pod is deleted before its end was seen", async (t) => {
    const driver = driverFixture();
    const { ends, server, clock } = await statesOf(t, [driver], driver);
    server.remove(driver.uid);
    await clock.advance(1_000);
    assert.deepEqual(
      ends.map((end) => end?.outcome),
      [undefined, "stopped"],
    );
  });

  test("is that of its own application only", async (t) => {
    const { states } = await statesOf(t, [driverFixture()], driverFixture({ uid: "other" }));
    assert.deepEqual(states, []);
  });
});
