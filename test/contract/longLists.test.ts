// F15: lists of many pages, whose continue token may expire before the last page.
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { Reply, Seen } from "./hostileServer.ts";
import { listJson, podJson } from "./podJson.ts";
import { statusJson } from "./rig.ts";
import { isList, names, watched, type Watched } from "./watched.ts";

const pageOf = ({ path }: Seen): number => Number(/continue=page-(\d+)/.exec(path)?.[1] ?? 1);
const limitOf = ({ path }: Seen): number => Number(/limit=(\d+)/.exec(path)?.[1]);

/** Starts a watch on a server without streaming lists; `page` handles each request for a page. */
const inPages = (t: TestContext, page: (seen: Seen, reply: Reply) => void): Promise<Watched> =>
  watched(t, (seen, reply) => {
    if (isList(seen)) reply.json(422, statusJson(422, "Invalid", "sendInitialEvents is forbidden"));
    else if (seen.path.includes("watch=true")) reply.stream();
    else page(seen, reply);
  });

/** Returns the requested page with at most `size` pods. A server may return fewer than the request's `limit`. */
function pageJson(seen: Seen, pods: readonly unknown[], size: number, version: string): unknown {
  const page = pageOf(seen);
  const isLast = page * size >= pods.length;
  const more = isLast ? {} : { continue: `page-${page + 1}`, remainingItemCount: 1 };
  return listJson(pods.slice((page - 1) * size, page * size), {
    resourceVersion: version,
    ...more,
  });
}

const podsAt = (version: number, numbers: readonly number[]): readonly unknown[] =>
  numbers.map((number) => podJson(`p-${number}`, String(version + number)));
const namesAt = (version: number, numbers: readonly number[]): readonly string[] =>
  numbers.map((number) => `p-${number}@${version + number}`).sort();

test("restarts a list whose continue token expires on page 40, and never shows a partial list", async (t) => {
  const first = Array.from({ length: 450 }, (_, index) => index);
  // In the second list, every third pod was deleted and all others have changed.
  const later = first.filter((number) => number % 3 !== 0);
  const shown = new Set<number>();
  const asked: (readonly [limit: number, page: number])[] = [];
  const { store, until } = await inPages(t, (seen, reply) => {
    shown.add(store.snapshot.size);
    const [limit, page] = [limitOf(seen), pageOf(seen)];
    asked.push([limit, page]);
    const isFirst = limit === asked[0]?.[0];
    if (isFirst && page === 40) {
      const status = statusJson(410, "Expired", "The provided continue parameter is too old");
      const inconsistent = { metadata: { resourceVersion: "2000", continue: "page-40" } };
      reply.json(410, { ...(status as object), ...inconsistent });
    } else if (isFirst) reply.json(200, pageJson(seen, podsAt(1000, first), 10, "1500"));
    else reply.json(200, pageJson(seen, podsAt(2000, later), 40, "2500"));
  });
  await until(() => store.freshness.kind === "live");
  assert.deepEqual(names(store), namesAt(2000, later));
  assert.deepEqual([...shown], [0]);
  assert.deepEqual(
    asked.slice(0, 40).map(([, page]) => page),
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
  const [again] = asked.slice(40);
  assert.ok(again && again[0] > 250 && again[1] === 1, "from the beginning, in fewer pages");
  assert.equal(asked.length, 40 + Math.ceil(later.length / 40));
});

for (const moment of ["before a page has come", "in the middle of one"] as const) {
  test(`a list of many pages that is canceled ${moment} frees its connection at once`, async (t) => {
    const pods = podsAt(
      1000,
      Array.from({ length: 450 }, (_, index) => index),
    );
    let gone: Promise<void> | undefined;
    const { server, reflector, store } = await inPages(t, (seen, reply) => {
      const text = JSON.stringify(pageJson(seen, pods, 10, "1500"));
      if (pageOf(seen) < 20) reply.send(200, "application/json", text);
      else if (moment === "in the middle of one") reply.stream().write(text.slice(0, 5_000));
      if (pageOf(seen) === 20) gone = reply.gone();
    });
    while (gone === undefined) await wait(1);
    await wait(20);
    const asked = server.seen.length;
    reflector.dispose();
    await Promise.all([reflector.done, gone]);
    await wait(20);
    assert.equal(server.seen.length, asked);
    assert.equal(store.snapshot.size, 0);
  });
}
