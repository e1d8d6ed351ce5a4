import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { keptMarksKey } from "../../../src/editor/ids.ts";
import { Keeper } from "../../../src/editor/logs/keeper.ts";
import { failedLogsOf } from "../../../src/editor/logs/followed.ts";
import type { LogsContext } from "../../../src/editor/logs/logsContext.ts";
import type { KeptLogs } from "../../../src/engine/ports/logs.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { failed } from "../diagnosis/diagnosedFixture.ts";
import { driverFixture, endedFixture, executorFixture } from "../pods/podFixture.ts";
import { settle } from "../engine/virtualClock.ts";
import { memoryMemento } from "./memoryMemento.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { sessionFixture } from "./sessionFixture.ts";

const driver = driverFixture();
const ended = {
  ...driver,
  phase: "Succeeded",
  resourceVersion: "9",
  containers: [endedFixture(0, { name: "spark-kubernetes-driver" })],
} as const;
const told =
  "info: Logs of followed runs and the last lines of failed pods are kept on this machine, with secrets redacted: for 7 days, at most 100 MB.\n[Change Setting]";

async function keeperFixture(
  t: TestContext,
  pods: readonly PodRecord[],
  answers: readonly (string | undefined)[] = [],
) {
  const fixture = await sessionFixture(t, pods, {
    logs: {
      readLog: async function* ({ pod }) {
        await Promise.resolve();
        yield { kind: "lines", take: () => [] };
        yield { kind: "lines", take: () => [{ timestamp: "2026-01-02T03:04:06Z", text: pod }] };
      },
    },
  });
  const { session, clock } = fixture;
  const screen = scriptedScreen(...answers);
  const [memory, opened, errors] = [memoryMemento(), [] as string[], [] as unknown[]];
  const state = { fault: undefined as Error | undefined };
  const store = {
    openWriter: (context: string, id: string) => {
      opened.push(`${context} ${id}`);
      return state.fault === undefined ? Promise.resolve(undefined) : Promise.reject(state.fault);
    },
  } as unknown as KeptLogs;
  const context = {
    ...{ session, screen, clock, random: () => 0.5 },
    log: { error: (error: unknown) => errors.push(error), debug: () => undefined },
    keptLogLimits: () => ({ bytes: 100 * 2 ** 20, ageMs: 7 * 86_400_000 }),
  } as unknown as LogsContext;
  const open = (): Keeper => {
    const keeper = new Keeper(context, store, memory);
    t.after(() => {
      keeper.dispose();
    });
    return keeper;
  };
  const pass = async (): Promise<void> => {
    for (let turn = 0; turn < 7; turn += 1) {
      await clock.advance(5_000);
      await settle();
    }
  };
  const marked = (): readonly string[] =>
    (memory.get<readonly { readonly name: string }[]>(keptMarksKey) ?? []).map(({ name }) => name);
  return { ...fixture, screen, memory, opened, errors, state, open, pass, marked };
}

describe("marked applications", () => {
  test("are saved, also after the window has opened again", async (t) => {
    const rig = await keeperFixture(t, [driver]);
    const { applications } = rig.session;
    await rig.open().turn(applications);
    await rig.pass();
    assert.deepEqual(rig.marked(), ["pi"]);
    assert.deepEqual(rig.screen.shown, [
      'info: The logs of "pi" are saved on this machine. Use Open Kept Log to show them.',
    ]);
    assert.deepEqual([...new Set(rig.opened)], ["dev spark-1"]);
    rig.opened.splice(0);
    rig.open();
    await rig.pass();
    assert.deepEqual([...new Set(rig.opened)], ["dev spark-1"]);
  });

  test("are saved until the user confirms to stop", async (t) => {
    const rig = await keeperFixture(t, [driver], [undefined, "Stop Saving"]);
    const { applications } = rig.session;
    const keeper = rig.open();
    await keeper.turn(applications);
    await keeper.turn(applications);
    assert.deepEqual(rig.marked(), ["pi"]);
    await keeper.turn(applications);
    assert.deepEqual(rig.marked(), []);
    const question = 'info: The logs of "pi" are already being saved.\n[Stop Saving]';
    assert.deepEqual(rig.screen.shown.slice(1), [
      ...[question, question],
      'status: The logs of "pi" are no longer saved',
    ]);
    rig.opened.splice(0);
    await rig.pass();
    assert.deepEqual(rig.opened, []);
  });

  test("lose their mark when they have ended", async (t) => {
    const rig = await keeperFixture(t, [driver]);
    await rig.open().turn(rig.session.applications);
    await rig.pass();
    rig.server.remove(driver.uid);
    await rig.pass();
    assert.deepEqual(rig.marked(), []);
  });

  test("whose files cannot be written are named", async (t) => {
    const rig = await keeperFixture(t, [driver]);
    rig.state.fault = new Error("disk full");
    await rig.open().turn(rig.session.applications);
    await rig.pass();
    assert.equal(
      rig.screen.shown[1],
      'warning: The logs of "pi" are currently not saved: disk full',
    );
    assert.deepEqual(rig.errors[0], rig.state.fault);
  });
});

describe("followed applications", () => {
  test("are saved while they are followed, and this is told once", async (t) => {
    const rig = await keeperFixture(t, [driver], ["Change Setting"]);
    const keeper = rig.open();
    const following = keeper.follow(() => rig.session.applications);
    await rig.pass();
    assert.deepEqual(rig.marked(), []);
    assert.deepEqual([...new Set(rig.opened)], ["dev spark-1"]);
    assert.equal(rig.screen.shown[0], told);
    assert.match(rig.screen.shown[1] ?? "", /^command: workbench\.action\.openSettings .*keep/i);
    following.dispose();
    rig.opened.splice(0);
    await rig.pass();
    assert.deepEqual(rig.opened, []);
    keeper.follow(() => rig.session.applications).dispose();
    await rig.pass();
    assert.equal(rig.screen.shown.length, 2);
  });

  test("are saved as long as one of two terminals follows them", async (t) => {
    const rig = await keeperFixture(t, [driver]);
    const keeper = rig.open();
    const [one, other] = [1, 2].map(() => keeper.follow(() => rig.session.applications));
    one?.dispose();
    rig.opened.splice(0);
    await rig.pass();
    assert.deepEqual([...new Set(rig.opened)], ["dev spark-1"]);
    other?.dispose();
    rig.opened.splice(0);
    await rig.pass();
    assert.deepEqual(rig.opened, []);
  });

  test("are saved to their end after the terminal is closed", async (t) => {
    const rig = await keeperFixture(t, [driver]);
    const following = rig.open().follow(() => rig.session.applications);
    rig.server.put(ended);
    await rig.clock.advance(1_000);
    following.dispose();
    rig.opened.splice(0);
    await rig.pass();
    assert.deepEqual([...new Set(rig.opened)], ["dev spark-1"]);
  });

  test("that appear later are saved, too", async (t) => {
    const rig = await keeperFixture(t, []);
    rig.open().follow(() => rig.session.applications);
    await rig.pass();
    assert.deepEqual(rig.opened, []);
    rig.server.put(driver);
    await rig.pass();
    assert.deepEqual([...new Set(rig.opened)], ["dev spark-1"]);
  });
});

describe("last lines of a failed pod", () => {
  const broken = executorFixture(1, { phase: "Failed", containers: failed(137).containers });

  test("are saved unless all logs of the application are", async (t) => {
    const rig = await keeperFixture(t, [driver, broken]);
    const keeper = rig.open();
    const pods = failedLogsOf(rig.session.applications[0] ?? assert.fail());
    assert.equal(pods.length, 1);
    keeper.keepFailed(pods);
    await rig.pass();
    assert.deepEqual([...new Set(rig.opened)], ["dev spark-1"]);
    assert.deepEqual([rig.marked(), rig.errors], [[], []]);
  });
});
