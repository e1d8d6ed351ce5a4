import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { keepRuns } from "../../../src/editor/apps/keepRuns.ts";
import type { LogSource } from "../../../src/engine/ports/logs.ts";
import type { RunRecord } from "../../../src/spark/history/runRecord.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { failedDriver, unscheduled } from "../diagnosis/diagnosedFixture.ts";
import { driverFixture, endedFixture, executorFixture } from "../pods/podFixture.ts";
import { sessionFixture, strictLog } from "./sessionFixture.ts";

const driver = driverFixture();
const key = "jobs/spark-1";

async function runsFixture(
  t: TestContext,
  pods: readonly PodRecord[],
  isKnown = true,
  ports: Parameters<typeof sessionFixture>[2] = {},
  window: Parameters<typeof sessionFixture>[4] = {},
) {
  const fixture = await sessionFixture(t, pods, ports, [], window);
  const { session, clock } = fixture;
  const records = new Map<string, RunRecord>();
  const updates: string[] = [];
  if (isKnown) records.set("uid-driver", { id: "uid-driver", name: "pi" } as RunRecord);
  const recorded: string[][] = [];
  session.recordDrivers = (_, intervals) => {
    recorded.push([...intervals].map(([one, ms]) => `${one} each ${ms} ms`));
  };
  let watched: readonly string[] = [];
  const kept = keepRuns({
    session,
    history: {
      watch: (ids) => {
        watched = [...ids];
      },
      openRuns: () =>
        Promise.resolve(
          new Set([...records].filter(([, run]) => run.endedAt === undefined).map(([id]) => id)),
        ),
      update: (id, change) => {
        const after = change(records.get(id));
        updates.push(
          after === undefined ? "unchanged" : Object.keys(after).length > 2 ? "run" : "",
        );
        if (after !== undefined) records.set(id, after);
        return Promise.resolve();
      },
    },
    show: inEnglish,
    clock,
    log: strictLog,
  });
  t.after(() => {
    kept.dispose();
  });
  const run = (): RunRecord => records.get("uid-driver") ?? assert.fail("no record");
  return { ...fixture, kept, run, records, updates, recorded, watched: () => watched };
}

describe("records of runs", () => {
  test("are updated when an unended run changes, and then every 30 s", async (t) => {
    const { server, clock, run, updates, recorded } = await runsFixture(t, [driver]);
    server.put({ ...driver, podIp: "10.0.0.1" });
    await clock.advance(2_000);
    assert.equal(run().image, "spark:4.3.0");
    assert.deepEqual(run().executors, { seen: 0, failed: 0 });
    assert.deepEqual([run().endedAt, run().cause], [undefined, undefined]);
    assert.deepEqual(recorded, [[`${key} each 30000 ms`]]);
    const before = updates.length;
    server.put({ ...driver, podIp: "10.0.0.2" });
    await clock.advance(2_000);
    assert.equal(updates.length, before);
    await clock.advance(30_000);
    server.put(executorFixture(1));
    await clock.advance(2_000);
    assert.ok(updates.length > before);
  });

  test("get the end and the cause of a failure", async (t) => {
    const { server, clock, run, recorded } = await runsFixture(t, [driver]);
    server.put(failedDriver(137, { reason: "OOMKilled", seconds: 60 }));
    await clock.advance(2_000);
    for (let turn = 0; turn < 1_000 && run().endedAt === undefined; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      await clock.advance(100);
    }
    assert.deepEqual([run().outcome, run().exitCode], ["failed", 137]);
    assert.equal(run().endedAt, Date.parse("2026-01-02T03:05:10Z"));
    assert.match(run().cause ?? "", /\S/);
    assert.deepEqual(recorded.at(-1), []);
  });

  test("name the cause that the row names, by a log that is read without a visible view", async (t) => {
    const logs: LogSource = {
      readLog: async function* () {
        await Promise.resolve();
        yield {
          kind: "lines",
          take: () => [{ timestamp: "", text: "java.lang.OutOfMemoryError: Java heap space" }],
        };
      },
    };
    const { server, clock, run, session } = await runsFixture(t, [driver], true, { logs });
    server.put(failedDriver(1, { seconds: 60 }));
    await clock.advance(2_000);
    for (let turn = 0; turn < 1_000 && run().endedAt === undefined; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      await clock.advance(100);
    }
    const application = session.find(key) ?? assert.fail("no application");
    const row = inEnglish(session.describe(application).fact?.fact);
    assert.match(row ?? "", /heap/);
    assert.equal(run().cause, row);
    const watched = session.watchedAt("https://dev", driver);
    const failure = await watched.failure(new AbortController().signal);
    assert.equal(inEnglish(failure?.fact), row);
  });

  test("name the failure of the executors that ended the driver, as the row does", async (t) => {
    const { server, clock, run, session } = await runsFixture(t, [driver]);
    const containers = [endedFixture(137)];
    server.put(executorFixture(1, { phase: "Failed", containers }));
    server.put(failedDriver(11, { seconds: 60 }));
    for (let turn = 0; turn < 1_000 && run().endedAt === undefined; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      await clock.advance(100);
    }
    const application = session.find(key) ?? assert.fail("no application");
    assert.match(run().cause ?? "", /^1 executor failed · killed/);
    assert.equal(run().cause, inEnglish(session.describe(application).fact?.fact));
  });

  test("get the deletion of their driver pod as the cause", async (t) => {
    const { server, clock, run } = await runsFixture(t, [driver]);
    const deletionTimestamp = "2026-01-02T03:05:40Z";
    server.put({ ...driver, deletionTimestamp });
    await clock.advance(2_000);
    assert.equal(run().cause, "its pod was deleted");
    server.put({ ...failedDriver(143, { seconds: 60 }), deletionTimestamp });
    await clock.advance(2_000);
    assert.deepEqual(
      [run().outcome, run().exitCode, run().cause],
      ["stopped", 143, "its pod was deleted"],
    );
  });

  test("get no such cause if a command of this window stopped them", async (t) => {
    const { server, session, clock, run } = await runsFixture(t, [driver]);
    session.beginStop(session.find(key) ?? assert.fail("no application"));
    server.put({ ...driver, deletionTimestamp: "2026-01-02T03:05:40Z" });
    await clock.advance(2_000);
    assert.deepEqual([run().image, run().cause], ["spark:4.3.0", undefined]);
    session.cancelStop(session.find(key) ?? assert.fail("no application"));
    assert.equal(session.isStoppedHere("uid-driver"), false);
  });

  test("of a stopped application have the problem that it had until then", async (t) => {
    const pending = unscheduled("0/1 nodes are available: 1 Insufficient memory.");
    const { server, session, clock, run } = await runsFixture(t, [driver]);
    server.put({ ...driver, podIp: "10.0.0.1" });
    await clock.advance(2_000);
    assert.equal(run().cause, undefined);
    server.put(pending);
    await clock.advance(2_000);
    const problem = "no node has 5.4 GiB free";
    session.beginStop(session.find(key) ?? assert.fail("no application"));
    server.put({ ...driver, podIp: "10.0.0.1", deletionTimestamp: "2026-01-02T03:05:40Z" });
    await clock.advance(2_000);
    assert.equal(run().cause, problem);
  });

  test("lose a problem that has ended, and any problem after success", async (t) => {
    const containers = [endedFixture(0, { name: "spark-kubernetes-driver" })];
    const { server, clock, records, run } = await runsFixture(t, [driver]);
    records.set("uid-driver", { ...run(), cause: "no node has 5.4 GiB free" });
    server.put({ ...driver, podIp: "10.0.0.1" });
    await clock.advance(2_000);
    assert.equal(run().cause, undefined);
    server.put(unscheduled("0/1 nodes are available: 1 Insufficient memory."));
    await clock.advance(32_000);
    server.put({ ...driver, podIp: "10.0.0.2" });
    await clock.advance(2_000);
    assert.equal(run().cause, "no node has 5.4 GiB free");
    server.put({ ...driver, phase: "Succeeded", containers });
    await clock.advance(2_000);
    assert.deepEqual([run().outcome, run().cause], ["succeeded", undefined]);
  });

  test("have the cause of a driver that failed before its deletion", async (t) => {
    const { server, clock, run } = await runsFixture(t, [driver]);
    server.put({ ...driver, podIp: "10.0.0.1" });
    await clock.advance(2_000);
    server.put({
      ...failedDriver(137, { reason: "OOMKilled" }),
      deletionTimestamp: "2026-01-02T03:05:40Z",
    });
    await clock.advance(2_000);
    assert.equal(run().outcome, "failed");
    assert.match(run().cause ?? "", /^out of memory/);
  });

  test("are not begun for an application without a driver pod", async (t) => {
    const { kept, records, updates, clock } = await runsFixture(t, [executorFixture(1)], false);
    kept.follow([key, "jobs/unknown"]);
    await clock.advance(2_000);
    assert.deepEqual([records.size, updates], [0, []]);
  });

  test("get the end of a success", async (t) => {
    const { server, clock, run } = await runsFixture(t, [driver]);
    server.put({
      ...driver,
      phase: "Succeeded",
      containers: [endedFixture(0, { name: "spark-kubernetes-driver" })],
    });
    await clock.advance(2_000);
    assert.deepEqual([run().outcome, run().exitCode, run().cause], ["succeeded", 0, undefined]);
    assert.ok(run().endedAt !== undefined);
  });

  test("of deleted drivers end as stopped", async (t) => {
    const { server, clock, run, recorded, watched } = await runsFixture(t, [driver]);
    server.put({ ...driver, podIp: "10.0.0.1" });
    await clock.advance(2_000);
    assert.deepEqual(watched(), ["uid-driver"]);
    server.remove("uid-driver");
    await clock.advance(2_000);
    assert.deepEqual(watched(), []);
    assert.equal(run().outcome, "stopped");
    assert.ok(run().endedAt !== undefined);
    assert.deepEqual(recorded.at(-1), []);
  });

  test("do not end when the window watches other namespaces", async (t) => {
    let namespaces = ["jobs"];
    const window = { chosenNamespaces: () => namespaces };
    const { session, server, clock, run, watched } = await runsFixture(
      t,
      [driver],
      true,
      {},
      window,
    );
    server.put({ ...driver, podIp: "10.0.0.1" });
    await clock.advance(2_000);
    assert.deepEqual(watched(), ["uid-driver"]);
    namespaces = ["other"];
    session.restart();
    for (let turn = 0; turn < 5_000 && !session.isLive; turn += 1) await clock.advance(1);
    assert.equal(session.applications.length, 0);
    await clock.advance(2_000);
    assert.deepEqual([watched(), run().outcome, run().endedAt], [[], undefined, undefined]);
    namespaces = ["jobs"];
    session.restart();
    for (let turn = 0; turn < 5_000 && !session.isLive; turn += 1) await clock.advance(1);
    await clock.advance(2_000);
    assert.deepEqual(watched(), ["uid-driver"]);
  });

  test("are not kept for applications of others unless they are followed", async (t) => {
    const { server, clock, records, kept, run } = await runsFixture(t, [driver], false);
    server.put({ ...driver, podIp: "10.0.0.1" });
    await clock.advance(2_000);
    assert.equal(records.size, 0);
    kept.follow([key, "jobs/unknown"]);
    await clock.advance(2_000);
    const { name, isSubmitted, context, namespace, applicationId, startedAt, outcome } = run();
    assert.deepEqual(
      { name, isSubmitted, context, namespace, applicationId, startedAt, outcome },
      {
        name: "pi",
        isSubmitted: false,
        context: "dev",
        namespace: "jobs",
        applicationId: "spark-1",
        startedAt: Date.parse("2026-01-02T03:04:05Z"),
        outcome: "detached",
      },
    );
    assert.equal(run().image, "spark:4.3.0");
  });

  test("record no more after the end of the window", async (t) => {
    const { kept, recorded } = await runsFixture(t, [driver]);
    kept.dispose();
    assert.deepEqual(recorded, [[]]);
  });
});
