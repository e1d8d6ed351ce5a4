// The pod watch from the engine down to socket bytes. After any failure of the server or the connection, the store
// ends with the server's state, without unnecessary requests. Numbers refer to the catalogue of connection and server
// failures. These files test further numbers:
//   F2, F6, F17   also pods.test.ts: an ERROR event, a clean end, any chunks, long lines, invalid lines.
//   F3            deadConnections.test.ts, link.test.ts (cluster).
//   F4            also transport.test.ts: single calls, and a Retry-After shared by all calls.
//   F7, F8        transport.test.ts: slow and endless responses, each certificate error.
//   F9            credentials.test.ts, execPlugin.test.ts, oidc.test.ts: one renewal after a 401.
//   F10           kubeconfigChanges.test.ts; switching.test.ts: the window during a switch.
//   F12           also namespacePresence.test.ts: missing or empty.
//   F13           staleNews.test.ts.
//   F14           transport.test.ts: the cluster's time; tail.test.ts (engine): timestamps of log lines.
//   F15           longLists.test.ts.
//   F16           slowSubscribers.test.ts; podStoreSchedules.test.ts (engine): random schedules of subscribers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../src/base/message.ts";
import { preflight } from "../../src/engine/submit/preflight.ts";
import { sendNoCode } from "../../src/engine/submit/sendCode.ts";
import { submitPlan } from "../../src/engine/submit/submitPlan.ts";
import { podsOf } from "../../src/spark/pods/podSnapshot.ts";
import { planOf, withOptions } from "../unit/submit/prepared.ts";
import { ManualClock } from "./clocks.ts";
import { startServer, type Script } from "./hostileServer.ts";
import { listJson, podJson, watchLine } from "./podJson.ts";
import { connectTo, namespaceJson, never, statusJson } from "./rig.ts";
import { isList, isWatch, names, streamList, watched } from "./watched.ts";

test("F1: resumes the watch without a new list after the server was down", async (t) => {
  let isAway = false;
  const { server, store, until } = await watched(t, (seen, reply) => {
    if (isAway) reply.drop();
    else if (isList(seen)) streamList(reply, [podJson("a", "5")], "6");
    else reply.stream().write(watchLine("ADDED", podJson("b", "7")));
  });
  await until(() => store.snapshot.size === 1);
  isAway = true;
  for (const socket of server.open) socket.destroy();
  await until(() => store.freshness.kind === "stale");
  assert.deepEqual(names(store), ["a@5"], "what was known stays");
  isAway = false;
  await until(() => store.snapshot.size === 2);
  await until(() => store.freshness.kind === "live");
  assert.equal(server.seen.filter(isList).length, 1);
  assert.ok(server.seen.filter(isWatch).every(({ path }) => path.includes("resourceVersion=6")));
});

for (const way of ["as an event", "as an answer"] as const) {
  test(`F2: relists after 410 Gone, received ${way}, and removes deleted pods`, async (t) => {
    const gone = statusJson(410, "Expired", "too old resource version");
    let lists = 0;
    const { server, store, until } = await watched(t, (seen, reply) => {
      if (isList(seen)) {
        lists += 1;
        const pods = lists === 1 ? [podJson("a", "5"), podJson("b", "6")] : [podJson("b", "6")];
        const stream = streamList(reply, pods, lists === 1 ? "6" : "60");
        if (lists === 1) stream.end(way === "as an event" ? watchLine("ERROR", gone) : "");
      } else reply.json(410, gone);
    });
    await until(() => store.snapshot.size === 2);
    const [before] = [...podsOf(store.snapshot)].filter(({ name }) => name === "b");
    await until(() => store.snapshot.size === 1);
    assert.equal([...podsOf(store.snapshot)][0], before, "what has not changed is not told");
    assert.equal(server.seen.filter(isList).length, 2);
  });
}

test("F4: waits for a Retry-After of seven seconds and keeps the watch's resourceVersion", async (t) => {
  let refusals = 2;
  const { server, store, clock, until } = await watched(t, (seen, reply) => {
    if (isList(seen)) streamList(reply, [podJson("a", "5")], "6").end();
    else if (refusals > 0) {
      refusals -= 1;
      reply.json(429, statusJson(429, "TooManyRequests", "slow down"), { "retry-after": "7" });
    } else reply.stream().write(watchLine("ADDED", podJson("b", "7")));
  });
  await until(() => server.seen.some(isWatch));
  const askedAt = clock.now();
  await until(() => store.snapshot.size === 2);
  assert.ok(clock.now() - askedAt >= 14_000);
  assert.equal(server.seen.filter(isList).length, 1);
  assert.ok(server.seen.filter(isWatch).every(({ path }) => path.includes("resourceVersion=6")));
});

test("F5: HTML error pages of a load balancer are no lists, and the watch recovers", async (t) => {
  const statuses = [500, 502, 503, 504, 200];
  const { server, store, until } = await watched(t, (seen, reply) => {
    const status = statuses[server.seen.length - 1];
    if (status === 200) reply.send(200, "text/html", "<html>Sign in</html>");
    else if (status !== undefined) reply.send(status, "text/html", "<html>Bad gateway</html>");
    else if (isList(seen)) streamList(reply, [podJson("a", "5")], "6");
    else if (!isWatch(seen))
      reply.json(200, listJson([podJson("a", "5")], { resourceVersion: "6" }));
    else reply.stream();
  });
  await until(() => store.freshness.kind === "failed");
  await until(() => store.freshness.kind === "live");
  assert.deepEqual(names(store), ["a@5"]);
});

test("F6: resumes a watch that the server ended cleanly, without a change of state", async (t) => {
  let watches = 0;
  const { store, until } = await watched(t, (seen, reply) => {
    if (isList(seen)) streamList(reply, [podJson("a", "5")], "6").end();
    else {
      watches += 1;
      const stream = reply.stream();
      stream.write(watchLine("ADDED", podJson(`w${watches}`, String(6 + watches))));
      if (watches < 4) stream.end();
    }
  });
  await until(() => store.snapshot.size === 5);
  assert.equal(store.freshness.kind, "live");
});

test("F11: polls with lists when watch is forbidden, and reports why", async (t) => {
  let version = 5;
  const { server, store, until } = await watched(t, (seen, reply) => {
    if (seen.path.includes("watch=true")) {
      reply.json(403, statusJson(403, "Forbidden", "pods is forbidden: cannot watch"));
      return;
    }
    version += 1;
    const pods = [podJson("a", String(version))];
    reply.json(200, listJson(pods, { resourceVersion: String(version) }));
  });
  await until(() => store.freshness.kind === "live");
  assert.ok(store.freshness.kind === "live" && store.freshness.polled?.kind === "forbidden");
  await until(() => names(store)[0] === "a@8");
  assert.equal(server.seen.filter(({ path }) => path.includes("watch=true")).length, 1);
});

test("F12: the store is empty and live after all pods of a namespace are deleted", async (t) => {
  const { store, until } = await watched(t, (seen, reply) => {
    if (!isList(seen)) return;
    const stream = streamList(reply, [podJson("a", "5"), podJson("b", "6")], "6");
    stream.write(watchLine("DELETED", podJson("a", "7")) + watchLine("DELETED", podJson("b", "8")));
  });
  await until(() => store.moment.lastList !== undefined && store.snapshot.size === 0);
  assert.equal(store.freshness.kind, "live");
});

test("F12: a create in a terminating namespace fails with the server's message", async (t) => {
  const words = "unable to create new content in namespace default because it is being terminated";
  const server = await startServer(t, (seen, reply) => {
    const isWrite = seen.method === "POST" || seen.method === "PATCH";
    const causes = [
      { reason: "NamespaceTerminating", message: words, field: "metadata.namespace" },
    ];
    if (isWrite) reply.json(403, statusJson(403, "Forbidden", words, { causes }));
    else reply.json(404, statusJson(404, "NotFound", "there is none"));
  });
  const { connection } = await connectTo(t, server.url);
  const ports = {
    objects: connection.objects,
    uploads: { copy: () => assert.fail() },
    sendCode: sendNoCode,
  };
  const plan = planOf(withOptions());
  const submitted = await submitPlan(plan, { ...ports, clock: new ManualClock() }, never);
  assert.ok(!submitted.ok && submitted.error.kind === "write");
  assert.equal(submitted.error.error.kind, "forbidden");
  assert.equal(submitted.error.error.detail, words);
  assert.deepEqual(submitted.error.remaining, []);
});

for (const [state, status, found] of [
  ["is gone", 404, ['The namespace "default" does not exist.']],
  ["is empty", 200, []],
] as const) {
  test(`F12: preflight finds that a namespace ${state} before anything is created in it`, async (t) => {
    const server = await startServer(t, ({ method, path, body }, reply) => {
      if (path === "/api/v1/namespaces/default") {
        reply.json(status, status === 200 ? namespaceJson : statusJson(404, "NotFound", "none"));
      } else if (method === "POST") {
        reply.json(201, { ...(JSON.parse(body) as object), status: { allowed: true } });
      } else if (path.includes("/serviceaccounts/")) {
        reply.json(200, { ...namespaceJson, kind: "ServiceAccount" });
      } else reply.json(200, { ...namespaceJson, kind: "List", items: [] });
    });
    const { connection } = await connectTo(t, server.url);
    const findings = await preflight(planOf(withOptions()), connection, never);
    const errors = findings.filter(({ severity }) => severity === "error");
    assert.deepEqual(
      errors.map(({ problem }) => inEnglish(problem)),
      found,
    );
    assert.ok(
      server.seen.every(({ path }) => !/namespaces\/default\/(pods|configmaps)$/.test(path)),
    );
  });
}

test("five minutes without a server cost at most fifteen requests with minimal jitter", async (t) => {
  let isAway = false;
  const script: Script = (seen, reply) => {
    if (isAway) reply.json(503, statusJson(503, "ServiceUnavailable", "down"));
    else if (isList(seen)) streamList(reply, [podJson("a", "5")], "6");
    else reply.stream();
  };
  const { server, store, clock, until } = await watched(t, script, 0);
  await until(() => store.snapshot.size === 1);
  isAway = true;
  const before = server.seen.length;
  for (const socket of server.open) socket.destroy();
  const began = clock.now();
  await until(() => clock.now() - began >= 5 * 60_000);
  assert.ok(server.seen.length - before <= 15, `${server.seen.length - before} requests`);
});

test("a quiet watch sends at most one request in four minutes, on one connection", async (t) => {
  const { server, store, clock, until } = await watched(t, (seen, reply) => {
    const stream = isList(seen) ? streamList(reply, [podJson("a", "5")], "6") : reply.stream();
    const seconds = Number(/timeoutSeconds=(\d+)/.exec(seen.path)?.[1]);
    const endAt = clock.now() + seconds * 1000;
    const beat = setInterval(() => {
      stream.write(watchLine("BOOKMARK", { metadata: { resourceVersion: "6" } }));
      if (clock.now() < endAt) return;
      clearInterval(beat);
      stream.end();
    }, 5);
    t.after(() => {
      clearInterval(beat);
    });
  });
  await until(() => store.snapshot.size === 1);
  const began = clock.now();
  await until(() => clock.now() - began >= 30 * 60_000);
  assert.ok(server.seen.length <= 1 + 30 / 4, `${server.seen.length} requests`);
  assert.equal(server.connections, 1);
});
