import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { followLeaving } from "../../../src/editor/lifecycle/followLeaving.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import { driverFixture, endedFixture, executorFixture } from "../pods/podFixture.ts";
import { lifecycleFixture } from "./lifecycleFixture.ts";

const [first, second] = [executorFixture(1), executorFixture(2)];

async function leavingFixture(t: TestContext) {
  const fixture = await lifecycleFixture(t, [driverFixture(), first, second]);
  const { session, connection, context, screen } = fixture;
  const application = session.find("jobs/spark-1") ?? assert.fail("no application");
  const targets = [...itemsIn(application.live)].map((executor) => ({ application, executor }));
  const follow = (limitMs: number, count = targets.length): Promise<void> =>
    followLeaving(context, connection, targets.slice(0, count), limitMs);
  return { ...fixture, shown: screen.shown, follow };
}

describe("the end of decommissioned executors", () => {
  test("is told when all have ended", async (t) => {
    const { follow, server, clock, shown } = await leavingFixture(t);
    const told = follow(60_000);
    server.remove(first.uid);
    await clock.advance(1_000);
    assert.deepEqual(shown, []);
    server.put({
      ...{ ...second, phase: "Failed", resourceVersion: "2" },
      containers: [endedFixture(0, { name: "spark-kubernetes-executor" })],
    });
    await clock.advance(1_000);
    await told;
    assert.deepEqual(shown, ["info: 2 executors were decommissioned."]);
  });

  test("names those that still run after the limit", async (t) => {
    const { follow, server, clock, shown } = await leavingFixture(t);
    server.remove(first.uid);
    await clock.advance(1_000);
    // The timer of the time limit does not keep the process alive, so this interval does.
    const alive = setInterval(() => undefined, 1_000);
    t.after(() => {
      clearInterval(alive);
    });
    await follow(20);
    assert.deepEqual(shown, [
      'warning: Executor 1 of "pi" was decommissioned. Still running after 0 s: Executor 2 of "pi".',
    ]);
  });

  test("is not told without executors", async (t) => {
    const { follow, shown } = await leavingFixture(t);
    await follow(20, 0);
    assert.deepEqual(shown, []);
  });
});
