import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import { sessionsOf } from "../../../src/editor/session/openSessions.ts";
import type { SessionContext } from "../../../src/editor/session/sessionContext.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { sessionLabel } from "../../../src/spark/labels.ts";
import { settle } from "../engine/virtualClock.ts";
import { driverFixture, endedFixture } from "../pods/podFixture.ts";
import { lifecycleFixture } from "./lifecycleFixture.ts";
import { memoryMemento } from "./memoryMemento.ts";
import { missing } from "./sessionFixture.ts";

const server = driverFixture({ labels: { ...driverFixture().labels, [sessionLabel]: "15002" } });
const ended: PodRecord = {
  ...server,
  phase: "Failed",
  containers: [endedFixture(1, { name: "spark-kubernetes-driver" })],
};
const question =
  'info: Connected to the Spark session "pi". New terminals have SPARK_REMOTE=sc://127.0.0.1:50001. In a notebook, set it in the first cell.\n[Copy Address]\n[Copy Code for Notebooks]\n[Disconnect]';

const closedPort: ClusterError = {
  ...{ kind: "unreachable", server: "dev", detail: "connection refused", requestSent: false },
};

interface SessionSetUp {
  readonly script?: readonly (string | undefined)[];
  readonly context?: string;
  readonly mark?: object;
  readonly isTrusted?: boolean;
  readonly refused?: ClusterError;
  readonly broken?: Error;
}

async function sessionsFixture(
  t: TestContext,
  pods: readonly PodRecord[],
  { script, context = "dev", mark, isTrusted = true, refused, broken }: SessionSetUp = {},
) {
  const events: string[] = [];
  const greeting = {
    items: (async function* () {
      yield { kind: "bytes", bytes: new Uint8Array(9) };
      await new Promise(() => undefined);
    })(),
    write: () => undefined,
    dispose: () => events.push("greeted"),
  };
  const rig = await lifecycleFixture(t, pods, script, {
    ports: {
      context,
      ports: {
        open: ({ port }: { readonly port: number }) => {
          events.push(`dial ${port}`);
          if (broken !== undefined) return Promise.reject(broken);
          return Promise.resolve(refused === undefined ? ok(greeting) : err(refused));
        },
      } as unknown as Connection["ports"],
    },
  });
  const { session, screen, clock, log } = rig.context;
  Object.assign(await session.clusters(), {
    forward: ({ localPort }: { readonly localPort: number }) => {
      events.push(`forward ${localPort}`);
      return Promise.resolve({ localPort: 50_001, dispose: () => events.push("closed") });
    },
  });
  const runs = memoryMemento(mark === undefined ? [] : [["session.connected", mark]]);
  const item = {
    text: "",
    show: () => events.push(`item ${item.text}`),
    hide: () => events.push("no item"),
    dispose: () => undefined,
  };
  const variables = {
    replace: (name: string, value: string) => events.push(`${name}=${value}`),
    delete: (name: string) => events.push(`no ${name}`),
  };
  const given = { ...{ session, screen, clock, log, runs }, variables };
  const sessions = sessionsOf(given as unknown as SessionContext, {
    selections: {
      run: ({ name }) => {
        events.push(`selection in ${name}`);
        return Promise.resolve();
      },
      stop: () => events.push("stop"),
      dispose: () => undefined,
    },
    isTrustedWorkspace: () => isTrusted,
    createItem: () => item as never,
  });
  t.after(() => {
    sessions.dispose();
  });
  const connect = (...rows: readonly string[]) =>
    rig.run((_, nodes) => sessions.connect(nodes), rows);
  return { ...rig, events, sessions, runs, connect, shown: rig.screen.shown };
}

describe("connection to a Spark session", () => {
  test("forwards the port, and gives new terminals the address", async (t) => {
    const { connect, events, shown, runs, sessions } = await sessionsFixture(t, [server], {
      script: ["Copy Address", "Copy Code for Notebooks", "Disconnect"],
    });
    await connect("pi");
    assert.deepEqual(events, [
      ...["dial 15002", "greeted", "stop", "no SPARK_REMOTE", "forward 15002"],
      ...["SPARK_REMOTE=sc://127.0.0.1:50001", "item pi"],
    ]);
    assert.deepEqual(shown, [
      ...['progress: Starting the Spark session "pi"', question],
      "copied: sc://127.0.0.1:50001",
    ]);
    assert.deepEqual(runs.get("session.connected"), {
      ...{ context: "dev", uid: server.uid, localPort: 50_001 },
    });
    await connect("pi");
    assert.equal(shown.at(-1)?.includes("import os"), true);
    await sessions.runSelection();
    assert.equal(events.at(-1), "selection in pi");
    await connect();
    assert.deepEqual(events.slice(-4), ["closed", "stop", "no SPARK_REMOTE", "no item"]);
    assert.equal(runs.get("session.connected"), undefined);
  });

  test("is refused for other applications, in read-only contexts and without permission", async (t) => {
    const other = await sessionsFixture(t, [driverFixture()]);
    await other.connect("pi");
    assert.deepEqual(other.shown, [
      'info: "pi" is not a running Spark session. Use "Forward Port…" for other Connect servers.',
    ]);
    const locked = await sessionsFixture(t, [server], { context: "locked" });
    await locked.connect("pi");
    assert.deepEqual(locked.shown, ['blocked: Connect to the Spark session "pi"']);
    const refused = await sessionsFixture(t, [server], { refused: missing });
    await refused.connect("pi");
    assert.equal(
      refused.shown.at(-1)?.startsWith('error: Cannot connect to the Spark session "pi": '),
      true,
    );
    for (const { runs } of [other, locked, refused]) {
      assert.equal(runs.get("session.connected"), undefined);
    }
  });

  test("ends with the session, and says so", async (t) => {
    const rig = await sessionsFixture(t, [server], { script: [undefined] });
    await rig.connect("pi");
    rig.server.put({ ...ended, resourceVersion: "9" });
    await rig.clock.advance(2_000);
    await settle();
    assert.equal(
      rig.shown.at(-1),
      'info: The Spark session "pi" has ended. New terminals no longer have SPARK_REMOTE.',
    );
    assert.deepEqual(rig.events.slice(-4), ["closed", "stop", "no SPARK_REMOTE", "no item"]);
    assert.equal(rig.runs.get("session.connected"), undefined);
  });

  test("is given up when the session ends before it accepts clients", async (t) => {
    const rig = await sessionsFixture(t, [server], { refused: closedPort, script: ["Open Log"] });
    const connecting = rig.connect("pi");
    await rig.clock.advance(1_000);
    rig.server.put({ ...ended, resourceVersion: "9" });
    await rig.clock.advance(2_000);
    await connecting;
    assert.equal(
      rig.shown.at(-2),
      'error: The Spark session "pi" ended before it accepted clients.\n[Open Log]',
    );
    assert.match(rig.shown.at(-1) ?? "", /^command: sparkK8s\.log\.open .*jobs\/spark-1/);
    assert.equal(rig.runs.get("session.connected"), undefined);
  });

  test("fails with an internal error that is no cancellation", async (t) => {
    const rig = await sessionsFixture(t, [server], { broken: new Error("no socket") });
    const row = { kind: "application", id: "a", key: "jobs/spark-1" } as const;
    await assert.rejects(rig.sessions.connect([row]), /no socket/);
  });

  test("offers a new session to a selection if none runs", async (t) => {
    const { sessions, shown, events } = await sessionsFixture(t, [], {
      script: ["Start Spark Session…", undefined],
    });
    await sessions.runSelection();
    await sessions.runSelection();
    const words = "info: No Spark session runs in the watched namespaces.\n[Start Spark Session…]";
    assert.deepEqual(shown, [words, "command: sparkK8s.session.start", words]);
    assert.deepEqual(events, []);
  });

  test("is offered for the only session when a selection runs", async (t) => {
    const rig = await sessionsFixture(t, [server], { script: ["pi", undefined] });
    await rig.clock.advanceUntil(rig.sessions.runSelection());
    assert.equal(rig.events.at(-1), "selection in pi");
  });

  test("follows a session that this window started", async (t) => {
    const rig = await sessionsFixture(t, [server], { script: [undefined] });
    await rig.clock.advanceUntil(rig.sessions.started(server));
    assert.equal(rig.events.includes("forward 15002"), true);
  });
});

describe("session of the last window", () => {
  const mark = { context: "dev", uid: server.uid, localPort: 50_001 };

  test("is connected again with the same port, without a question", async (t) => {
    const rig = await sessionsFixture(t, [server], { mark });
    await rig.clock.advanceUntil(rig.sessions.resume());
    assert.equal(rig.events.includes("forward 50001"), true);
    assert.deepEqual(rig.shown, ['progress: Starting the Spark session "pi"']);
  });

  test("is not connected in another context or an untrusted workspace", async (t) => {
    for (const given of [{ mark: { ...mark, context: "x" } }, { mark, isTrusted: false }, {}]) {
      const rig = await sessionsFixture(t, [server], given);
      await rig.sessions.resume();
      assert.deepEqual(rig.events, []);
      assert.deepEqual(rig.runs.get("session.connected"), given.mark);
    }
  });

  test("is asked for in a guarded context", async (t) => {
    const guarded = { mark: { ...mark, context: "guarded" }, context: "guarded" };
    const rig = await sessionsFixture(t, [server], { ...guarded, script: [undefined] });
    Object.assign(rig.session, { contextOf: () => "guarded" });
    await rig.sessions.resume();
    assert.deepEqual(rig.events, []);
    assert.deepEqual(rig.shown, [
      'info: This window was connected to the Spark session "pi".\n[Reconnect]',
    ]);
  });

  test("is forgotten once it has ended", async (t) => {
    const rig = await sessionsFixture(t, [ended], { mark });
    await rig.sessions.resume();
    assert.equal(rig.runs.get("session.connected"), undefined);
    assert.deepEqual(rig.events, []);
  });
});
