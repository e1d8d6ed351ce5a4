import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ok } from "../../../src/base/result.ts";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { recordedObjects, sessionFixture } from "./sessionFixture.ts";

const driver = driverFixture();

describe("empty namespace", () => {
  const missingIn = ({ session }: Awaited<ReturnType<typeof sessionFixture>>) => {
    const { state } = session;
    return state.kind === "connected" ? state.watches.map(({ isMissing }) => isMissing) : [];
  };

  test("is missing if the server does not know it, until it has a pod", async (t) => {
    const rig = await sessionFixture(t, []);
    assert.deepEqual(missingIn(rig), [true]);
    rig.server.put(driver);
    await rig.clock.advance(1_000);
    assert.deepEqual(missingIn(rig), [false]);
  });

  test("is there if the server knows it", async (t) => {
    const { objects } = recordedObjects({ "Namespace jobs": {} });
    assert.deepEqual(missingIn(await sessionFixture(t, [], { objects })), [false]);
  });

  test("is looked up only while it is empty", async (t) => {
    const { objects } = recordedObjects();
    let asked = 0;
    const read: Connection["objects"]["read"] = (reference, signal) => {
      if (reference.kind === "Namespace") asked += 1;
      return objects.read(reference, signal);
    };
    const rig = await sessionFixture(t, [driver], { objects: { ...objects, read } });
    assert.equal(asked, 0);
    assert.deepEqual(missingIn(rig), [false]);
    rig.server.remove(driver.uid);
    await rig.clock.advance(1_000);
    assert.deepEqual([asked, missingIn(rig)], [1, [true]]);
  });
});

describe("changed kubeconfig", () => {
  test("replaces the connection of its context, and keeps the others", async (t) => {
    const changes: (() => void)[] = [];
    const change = () => {
      for (const changed of changes) changed();
    };
    let server = "one";
    const ended: string[] = [];
    const rig = await sessionFixture(t, [driver], {}, [], {
      furtherContexts: () => ({ other: ["jobs"] }),
      watchFiles: (_, changed) => {
        changes.push(changed);
        return { dispose: () => undefined };
      },
      clusters: (connection) => ({
        connect: (context) => {
          const targetId = context ?? server;
          const dispose = () => ended.push(targetId);
          return Promise.resolve(
            ok({ ...connection, context: context ?? "dev", targetId, dispose }),
          );
        },
        targetId: (context) => Promise.resolve(ok(context ?? server)),
      }),
    });
    const connectionOf = () => {
      const { state } = rig.session;
      return state.kind === "connected" ? state.connection.targetId : state.kind;
    };
    assert.equal(connectionOf(), "one");
    change();
    await rig.clock.advance(1_000);
    assert.deepEqual(ended, []);
    server = "two";
    const states: string[] = [];
    rig.session.onDidChange(() => states.push(connectionOf()));
    change();
    await rig.clock.advance(1_000);
    assert.deepEqual([ended, connectionOf()], [["one"], "two"]);
    assert.notEqual(states[0], "one");
    // The models are built in slices of real time.
    while (rig.session.applications.length < 2) await rig.clock.advance(1_000);
    assert.equal(rig.session.applications.length, 2);
  });
});
