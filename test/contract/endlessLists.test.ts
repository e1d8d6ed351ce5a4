// Lists that a server never ends: the client stops reading and reports why.
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Connection } from "../../src/engine/ports/connection.ts";
import { type HostileServer, type Script, startServer } from "./hostileServer.ts";
import { listJson, podJson } from "./podJson.ts";
import { connectTo, errorOf, never, statusJson, valueOf } from "./rig.ts";
import { isList, watched } from "./watched.ts";

const pageOf = (path: string): number => Number(/continue=page-(\d+)/.exec(path)?.[1] ?? 1);

/** Returns a script whose pages all have a continue token: for the next page, or always for page 2 if `isRepeating`. */
const endless =
  (isRepeating: boolean): Script =>
  ({ path }, reply) => {
    const page = pageOf(path);
    const next = `page-${isRepeating ? 2 : page + 1}`;
    reply.json(200, listJson([], { resourceVersion: "1", continue: next }));
  };

async function connected(
  t: TestContext,
  script: Script,
): Promise<{ readonly server: HostileServer; readonly connection: Connection }> {
  const server = await startServer(t, script);
  const { connection } = await connectTo(t, server.url);
  return { server, connection };
}

const kind = { apiVersion: "v1", kind: "Service" };
const application = { apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication" };

for (const [what, isRepeating, words, requests] of [
  ["repeats a token", true, /repeats a page/, 2],
  ["never ends", false, /more than 5000 pages/, 5000],
] as const) {
  test(`refuses a list of objects that ${what}`, async (t) => {
    const { server, connection } = await connected(t, endless(isRepeating));
    const error = errorOf(await connection.objects.list(kind, "ns", "", never));
    assert.match(error.detail, words);
    assert.equal(server.seen.length, requests);
  });

  test(`refuses a list of custom resources that ${what}`, async (t) => {
    const { server, connection } = await connected(t, endless(isRepeating));
    const error = errorOf(await connection.resources.listResources(application, "ns", never));
    assert.match(error.detail, words);
    assert.equal(server.seen.length, requests);
  });

  test(`refuses a list of pods that ${what}`, async (t) => {
    const pages = endless(isRepeating);
    const { store, until } = await watched(t, (seen, reply) => {
      const isStream = isList(seen);
      if (isStream) reply.json(422, statusJson(422, "Invalid", "sendInitialEvents is forbidden"));
      else pages(seen, reply);
    });
    await until(() => store.freshness.kind === "failed");
    const { freshness } = store;
    assert.match(freshness.kind === "failed" ? freshness.error.detail : "", words);
  });
}

test("an answer that is not JSON frees its connection", { timeout: 20_000 }, async (t) => {
  let isPortal = true;
  const { connection } = await connected(t, (_seen, reply) => {
    if (isPortal) reply.send(200, "text/html", "<html>sign in</html>".repeat(100_000));
    else reply.json(200, { metadata: { resourceVersion: "1" }, items: [] });
  });
  // Sends more requests than the number of concurrent connections.
  for (let count = 0; count < 6; count += 1) {
    const { detail } = errorOf(await connection.resources.listResources(application, "ns", never));
    assert.match(detail, /has the content type text\/html, not JSON/);
  }
  isPortal = false;
  const list = await connection.resources.listResources(application, "ns", never);
  assert.equal(list.ok && list.value.resources.length, 0);
});

test("stops reading a single endless page at the size limit", async (t) => {
  const { connection } = await connected(t, (_seen, reply) => {
    const answer = reply.stream();
    const item = JSON.stringify({ metadata: { name: "x", labels: { a: "x".repeat(1 << 20) } } });
    answer.write(`{"metadata":{"resourceVersion":"1"},"items":[${item}`);
    const more = (): void => {
      while (!answer.destroyed && answer.write(`,${item}`));
    };
    answer.on("drain", more);
    more();
  });
  const error = errorOf(await connection.objects.list(kind, "ns", "", never));
  assert.match(error.detail, /more than 256 MB/);
});

test("lists a namespace of 50,000 pods completely", async (t) => {
  const pods = Array.from({ length: 500 }, (_, index) => index);
  const { server, connection } = await connected(t, ({ path }, reply) => {
    const page = pageOf(path);
    const items = pods.map((number) => podJson(`p-${page}-${number}`, "1"));
    const more = page < 100 ? { continue: `page-${page + 1}` } : {};
    reply.json(200, listJson(items, { resourceVersion: "1", ...more }));
  });
  const all = valueOf(
    await connection.objects.list({ apiVersion: "v1", kind: "Pod" }, "ns", "", never),
  );
  assert.equal(all.length, 50_000);
  assert.equal(server.seen.length, 100);
});
