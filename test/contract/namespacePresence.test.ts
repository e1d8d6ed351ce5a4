// F12: a list of pods is empty for both a missing and an empty namespace. Reading the namespace distinguishes the two.
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { NamespacePresence } from "../../src/engine/watch/namespacePresence.ts";
import { ManualClock } from "./clocks.ts";
import { startServer, type Script } from "./hostileServer.ts";
import { connectTo, statusJson } from "./rig.ts";
import { untilOn } from "./watched.ts";

const there: Script = (_, reply) => {
  reply.json(200, { kind: "Namespace", apiVersion: "v1", metadata: { name: "ns", uid: "u" } });
};
const refused =
  (code: number, reason: string): Script =>
  (_, reply) => {
    reply.json(code, statusJson(code, reason, "not here"));
  };

async function lookedAt(t: TestContext, first: Script) {
  let answer = first;
  const server = await startServer(t, (seen, reply) => {
    answer(seen, reply);
  });
  const clock = new ManualClock();
  const { connection } = await connectTo(t, server.url, { clock });
  const told: string[] = [];
  const presence = new NamespacePresence(connection.objects, {
    clock,
    log: { debug: () => undefined, warn: () => undefined, error: assert.ifError },
    found: (namespace, isThere) => told.push(`${namespace} ${isThere ? "is there" : "is not"}`),
  });
  t.after(() => {
    presence.dispose();
  });
  return {
    ...{ server, clock, presence, told, until: untilOn(clock) },
    answerWith: (next: Script) => {
      answer = next;
    },
  };
}

test("reports a deleted namespace as missing, and finds it after it is created again", async (t) => {
  const { server, clock, presence, told, until, answerWith } = await lookedAt(t, there);
  presence.look("ns");
  await until(() => told.length === 1);
  answerWith(refused(404, "NotFound"));
  for (let looks = 0; looks < 20; looks += 1) presence.look("ns");
  assert.equal(server.seen.length, 1, "not more than twice a minute, however often somebody looks");
  await clock.advance(30_000);
  presence.look("ns");
  await until(() => told.length === 2);
  answerWith(there);
  await clock.advance(30_000);
  presence.look("ns");
  await until(() => told.length === 3);
  assert.deepEqual(told, ["ns is there", "ns is not", "ns is there"]);
  assert.ok(server.seen.every(({ path }) => path === "/api/v1/namespaces/ns"));
});

test("reports nothing when reading namespaces is forbidden, and retries after five minutes", async (t) => {
  const { server, clock, presence, told, until } = await lookedAt(t, refused(403, "Forbidden"));
  presence.look("ns");
  await until(() => server.seen.length === 1);
  for (let minutes = 0; minutes < 4; minutes += 1) {
    await clock.advance(60_000);
    presence.look("ns");
  }
  assert.equal(server.seen.length, 1);
  await until(() => {
    presence.look("ns");
    return server.seen.length === 2;
  });
  assert.deepEqual(told, []);
});
