import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { TreeNode } from "../../../src/editor/apps/treeNode.ts";
import {
  allLogsOf,
  boundedLogsOf,
  failedLogsOf,
  logsOfApplication,
  type LogPod,
} from "../../../src/editor/logs/followed.ts";
import type { LabelledLog } from "../../../src/editor/logs/logConsole.ts";
import type { LogsContext } from "../../../src/editor/logs/logsContext.ts";
import {
  followSelection,
  podsOfRows,
  searchLogs,
  selectLogs,
  waitingReasons,
} from "../../../src/editor/logs/tailLogs.ts";
import { watchFailed } from "../../../src/editor/logs/watchFailed.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { failed, failedDriver } from "../diagnosis/diagnosedFixture.ts";
import {
  containerFixture,
  driverFixture,
  endedFixture,
  executorFixture,
} from "../pods/podFixture.ts";
import { inText, scriptedScreen } from "./screenFixture.ts";
import { sessionFixture, strictLog } from "./sessionFixture.ts";

const driver = driverFixture();
const endedOne = executorFixture(3, { phase: "Failed", containers: [endedFixture(1)] });
const other = driverFixture({
  uid: "uid-etl",
  name: "etl-driver",
  labels: { "spark-app-selector": "spark-2", "spark-role": "driver", "spark-app-name": "etl" },
});
const failedExecutor = (id: number): PodRecord =>
  executorFixture(id, { phase: "Failed", containers: failed(137).containers });
const key = "jobs/spark-1";
const ofPi: TreeNode = { kind: "application", id: "a", key };
const ofEtl: TreeNode = { kind: "application", id: "b", key: "jobs/spark-2" };
const executorNode = (uid: string): TreeNode => ({ kind: "executor", id: uid, key, uid });

async function logsFixture(
  t: TestContext,
  pods: readonly PodRecord[],
  ...answers: readonly (string | undefined)[]
) {
  const fixture = await sessionFixture(t, pods);
  const screen = scriptedScreen(...answers);
  const context = {
    ...{ session: fixture.session, screen, clock: fixture.clock, log: strictLog },
    random: () => 0.5,
    secrets: () => "hidden",
  } as unknown as LogsContext;
  return { ...fixture, screen, context };
}

const names = (pods: readonly LogPod[]): readonly string[] => pods.map(({ name }) => inText(name));

describe("log selection", () => {
  test("of an application follows its driver and executors", async (t) => {
    const { context, server, clock } = await logsFixture(t, [driver, executorFixture(1)]);
    const selection = (await selectLogs(context, [ofPi])) ?? assert.fail();
    assert.deepEqual(
      [selection.key, selection.name, selection.place, selection.title],
      [`applications:${key}`, "pi", "dev/jobs", "pi: the driver and all executors"],
    );
    assert.deepEqual(names(selection.pods()), ["driver", "executor 1"]);
    assert.deepEqual([selection.isOfSeveral, selection.mayGrow()], [false, true]);
    server.put(executorFixture(2));
    await clock.advance(1_000);
    assert.deepEqual(names(selection.pods()), ["driver", "executor 1", "executor 2"]);
    server.put(failedDriver(1));
    await clock.advance(1_000);
    for (const id of [1, 2]) server.remove(`exec-${id}`);
    await clock.advance(1_000);
    assert.equal(selection.mayGrow(), false);
    assert.equal(selection.applications().length, 1);
  });

  test("of several applications prefixes their names", async (t) => {
    const { context, clock } = await logsFixture(t, [driver, other]);
    const selection = (await selectLogs(context, [ofPi, ofEtl])) ?? assert.fail();
    assert.deepEqual([selection.name, selection.isOfSeveral], ["pi, etl", true]);
    const joined: LabelledLog[] = [];
    const following = followSelection(context, selection, clock)((logs) => joined.push(...logs));
    assert.deepEqual(
      joined.map(({ label }) => label),
      ["pi driver", "etl driver"],
    );
    assert.deepEqual(
      joined.map(({ id }) => id),
      ["dev/uid-driver/", "dev/uid-etl/"],
    );
    following.dispose();
  });

  test("names why the pods have no log yet, each cause once", async (t) => {
    const { context } = await logsFixture(t, [
      driver,
      ...[1, 2].map((id) => executorFixture(id, { phase: "Pending", containers: [] })),
    ]);
    const selection = (await selectLogs(context, [ofPi])) ?? assert.fail();
    assert.deepEqual(
      waitingReasons(context, selection).map(({ words }) => inText(words)),
      ["executor 1: pending: scheduled"],
    );
  });

  test("of pods follows these only", async (t) => {
    const { context, server, clock } = await logsFixture(t, [
      driver,
      executorFixture(1),
      executorFixture(2),
    ]);
    const rows = [executorNode("exec-1"), executorNode("exec-2"), executorNode("exec-1")];
    const selection = (await selectLogs(context, rows)) ?? assert.fail();
    assert.deepEqual(
      [selection.name, selection.title, selection.place],
      ["2 logs", "pi executor 1, pi executor 2", "dev/jobs"],
    );
    assert.equal(selection.mayGrow(), false);
    server.remove("exec-2");
    await clock.advance(1_000);
    assert.deepEqual(names(selection.pods()), ["executor 1"]);
    const one = (await selectLogs(context, [executorNode("exec-1")])) ?? assert.fail();
    assert.deepEqual(
      [one.name, one.title, one.key],
      ["pi executor 1", "pi-exec-1 in namespace jobs", `pods:${key},exec-1,`],
    );
  });

  test("of a pod that has not started may grow", async (t) => {
    const waiting = executorFixture(1, {
      phase: "Pending",
      containers: [containerFixture({ state: undefined })],
    });
    const { context } = await logsFixture(t, [driver, waiting]);
    const selection = (await selectLogs(context, [executorNode("exec-1")])) ?? assert.fail();
    assert.equal(selection.mayGrow(), true);
  });

  test("without rows asks for one of several applications, and for its pods", async (t) => {
    const all = await logsFixture(t, [driver, executorFixture(1)], "driver|executor 1");
    assert.equal((await selectLogs(all.context, []))?.key, `applications:${key}`);
    assert.equal(
      all.screen.shown[0],
      'pick: Tail Logs\nLogs of "pi" to follow as one\nx driver | pi-0123456789abcdef-driver\nx executor 1 | pi-exec-1',
    );
    const some = await logsFixture(t, [driver, executorFixture(1)], "executor 1");
    assert.equal((await selectLogs(some.context, []))?.name, "pi executor 1");
    const only = await logsFixture(t, [driver]);
    assert.equal((await selectLogs(only.context, []))?.name, "pi driver");
    const none = await logsFixture(t, [driver, executorFixture(1)], "");
    assert.equal(await selectLogs(none.context, []), undefined);
    const chosen = await logsFixture(t, [driver, other], "etl");
    assert.equal((await selectLogs(chosen.context, []))?.name, "etl driver");
    const escaped = await logsFixture(t, [driver, other]);
    assert.equal(await selectLogs(escaped.context, []), undefined);
  });

  test("by name includes later applications", async (t) => {
    const { context, server, clock, screen } = await logsFixture(t, [driver], " PI ");
    const selection = (await searchLogs(context)) ?? assert.fail();
    assert.match(
      screen.shown[0] ?? "",
      /^input: Tail Logs of Several\nPart of the application names/,
    );
    assert.deepEqual(
      [selection.key, selection.name, selection.title, selection.place],
      ["search:pi", "*PI*", 'all applications whose name contains "PI"', ""],
    );
    assert.deepEqual([selection.isOfSeveral, selection.mayGrow()], [true, true]);
    const late = { ...other.labels, "spark-app-name": "pi-late" };
    server.put({ ...other, labels: late });
    server.put(
      driverFixture({
        uid: "uid-3",
        labels: { ...late, "spark-app-selector": "s3", "spark-app-name": "x" },
      }),
    );
    await clock.advance(1_000);
    assert.deepEqual(
      selection
        .applications()
        .map(({ name }) => name)
        .toSorted(),
      ["pi", "pi-late"],
    );
    assert.equal(selection.pods().length, 2);
    for (const answer of [undefined, " "]) {
      const empty = await logsFixture(t, [driver], answer);
      assert.equal(await searchLogs(empty.context), undefined);
    }
  });

  test("joins logs that start later, from their first line", async (t) => {
    const old = driverFixture({ creationTimestamp: "2026-01-01T03:04:05Z" });
    const { context, server, clock } = await logsFixture(t, [old]);
    const selection = (await selectLogs(context, [ofPi])) ?? assert.fail();
    const joined: LabelledLog[] = [];
    const following = followSelection(context, selection, clock)((logs) => joined.push(...logs));
    server.put(
      executorFixture(1, {
        containers: [
          containerFixture({
            state: { kind: "running", startedAt: new Date(clock.now() + 60_000).toISOString() },
          }),
        ],
      }),
    );
    await clock.advance(1_000);
    server.put({ ...old, podIp: "10.0.0.1" });
    await clock.advance(1_000);
    following.dispose();
    assert.deepEqual(
      joined.map(({ label, tailLines }) => [label, tailLines]),
      [
        ["driver", 1_000],
        ["executor 1", undefined],
      ],
    );
  });
});

test("rows below an application are its pods, once each", async (t) => {
  const { session } = await logsFixture(t, [driver, executorFixture(1), endedOne]);
  const rows: readonly (readonly [TreeNode, readonly string[]])[] = [
    [ofPi, ["driver", "executor 1"]],
    [{ kind: "driver", id: "d", key, uid: "uid-driver" }, ["driver"]],
    [{ kind: "endedExecutors", id: "e", key }, ["executor 3"]],
    [{ kind: "executorPage", id: "p", key, list: "live", page: 0 }, ["executor 1"]],
    [{ kind: "namespace", id: "n", context: "dev", namespace: "jobs" }, []],
    [ofEtl, []],
  ];
  for (const [node, expected] of rows) {
    assert.deepEqual(names(podsOfRows(session, [node, node])), expected);
  }
});

test("the logs of an application depend on their use", async (t) => {
  const proxy = containerFixture({ name: "proxy", firstArgument: undefined });
  const pods = [
    { ...driver, containers: [...driver.containers, proxy] },
    executorFixture(1),
    failedExecutor(2),
  ];
  const { session } = await logsFixture(t, pods);
  const [application = assert.fail()] = session.applications;
  assert.deepEqual(names(logsOfApplication(application)), ["driver", "executor 1"]);
  assert.deepEqual(names(allLogsOf(application)).toSorted(), [
    "driver",
    "driver · proxy",
    "executor 1",
    "executor 2",
  ]);
  assert.deepEqual(names(boundedLogsOf(application)).toSorted(), [
    "driver",
    "driver · proxy",
    "executor 1",
    "executor 2",
  ]);
  assert.deepEqual(names(failedLogsOf(application)), ["executor 2"]);
});

test("failed pods are found once, unless they ended long ago or nothing is kept", async (t) => {
  const { session, server, clock } = await logsFixture(t, [driver]);
  let isWanted = true;
  const found: string[][] = [];
  const watching = watchFailed(
    session,
    () => isWanted,
    (pods) => found.push(pods.map(({ name }) => inText(name))),
  );
  t.after(() => {
    watching.dispose();
  });
  const at = (ms: number): PodRecord => {
    const pod = failedExecutor(1);
    const finishedAt = new Date(clock.now() - ms).toISOString();
    return {
      ...pod,
      containers: pod.containers.map((one) => ({
        ...one,
        state: { ...one.state, finishedAt } as typeof one.state,
      })),
    };
  };
  server.put(at(13 * 3_600_000));
  await clock.advance(1_000);
  assert.deepEqual(found, []);
  server.put(at(11 * 3_600_000));
  await clock.advance(1_000);
  assert.deepEqual(found, [["executor 1"]]);
  isWanted = false;
  server.put(failedDriver(1));
  await clock.advance(1_000);
  assert.equal(found.length, 1);
});
