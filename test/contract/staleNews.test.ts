// F13: duplicate, late and reordered events, and lists of a replica that lags behind. No pod ever returns to an older
// version.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PodDelivery } from "../../src/engine/watch/podSubscription.ts";
import { listJson, podJson, watchLine } from "./podJson.ts";
import { statusJson } from "./rig.ts";
import { isList, isWatch, names, streamList, watched } from "./watched.ts";

interface Told {
  readonly name: string;
  readonly version: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
}

/** Five changes of each of twenty pods; the last change deletes every fourth pod. */
const history: readonly Told[] = Array.from({ length: 100 }, (_, index) => {
  const [pod, step] = [index % 20, Math.floor(index / 20)];
  const last = pod % 4 === 0 ? "DELETED" : "MODIFIED";
  const type = step === 0 ? "ADDED" : step === 4 ? last : "MODIFIED";
  return { name: `p-${pod}`, version: 10 + index, type };
});
const truth = history
  .filter(({ version, type }) => version >= 90 && type !== "DELETED")
  .map(({ name, version }) => `${name}@${version}`)
  .sort();

/** Returns the items in a pseudo-random order that depends only on `seed`. */
function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  let state = seed;
  const chance = (): number => (state = (state * 48_271) % 2_147_483_647);
  return items
    .map((item) => ({ item, place: chance() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

const bytesOf = (told: readonly Told[]): string =>
  told.map(({ name, version, type }) => watchLine(type, podJson(name, String(version)))).join("");

for (const seed of [1, 2, 3, 4, 5]) {
  test(`duplicate events in random order converge to the last versions (${seed})`, async (t) => {
    const versions = new Map<string, number>();
    const backwards: string[] = [];
    const note = ({ changes }: PodDelivery): void => {
      for (const { added, modified, removed } of changes()) {
        const now = [...added, ...modified.map(({ after }) => after)];
        for (const { uid, resourceVersion } of [...now, ...removed.map(({ last }) => last)]) {
          const [version, before] = [Number(resourceVersion), versions.get(uid) ?? 0];
          if (version <= before) backwards.push(`${uid} from ${before} to ${version}`);
          versions.set(uid, version);
        }
      }
    };
    let streams = 0;
    const { store, until } = await watched(t, (seen, reply) => {
      const stream = isList(seen) ? streamList(reply, [], "1") : reply.stream();
      streams += 1;
      const told = [...shuffled([...history, ...history], seed * 100 + streams)];
      const isLast = streams === 4;
      const telling = setInterval(() => {
        stream.write(bytesOf(told.splice(0, 10)));
        if (told.length > 0) return;
        clearInterval(telling);
        if (!isLast) stream.end();
      }, 2);
      t.after(() => {
        clearInterval(telling);
      });
    });
    store.subscribe(note, { intervalMs: 0 });
    await until(() => streams === 2);
    assert.deepEqual(names(store), truth);
    const { seq } = store.moment;
    await until(() => streams === 4);
    assert.deepEqual(names(store), truth);
    assert.equal(store.moment.seq, seq, "what was told before is no news");
    assert.deepEqual(backwards, []);
  });
}

test("lists of a lagging replica do not undo watch events", async (t) => {
  const lists = [
    // Newer than the first list, older than the later watch events.
    { version: "12", pods: [podJson("a", "12"), podJson("gone", "5")] },
    // Another replica, further behind.
    { version: "11", pods: [podJson("a", "11"), podJson("gone", "5"), podJson("long-gone", "11")] },
    // The first list again.
    { version: "12", pods: [podJson("a", "12"), podJson("gone", "5")] },
    { version: "20", pods: [podJson("a", "14"), podJson("new", "18")] },
  ];
  const before: string[][] = [];
  let polls = 0;
  const { server, store, until } = await watched(t, (seen, reply) => {
    if (isList(seen)) {
      const stream = streamList(reply, [podJson("a", "5"), podJson("gone", "4")], "6");
      stream.end(
        watchLine("DELETED", podJson("gone", "13")) +
          watchLine("MODIFIED", podJson("a", "14")) +
          watchLine("ADDED", podJson("b", "15")),
      );
    } else if (isWatch(seen)) {
      reply.json(403, statusJson(403, "Forbidden", "pods is forbidden: cannot watch"));
    } else {
      before.push(names(store));
      const list = lists[Math.min(polls, lists.length - 1)];
      polls += 1;
      reply.json(200, listJson(list?.pods ?? [], { resourceVersion: list?.version }));
    }
  });
  await until(() => polls === lists.length);
  assert.deepEqual(before, Array(lists.length).fill(["a@14", "b@15"]));
  await until(() => names(store).includes("new@18"));
  assert.deepEqual(names(store), ["a@14", "new@18"], "a list that has caught up is the truth");
  const asked = server.seen.filter((seen) => !seen.path.includes("watch=true"));
  assert.ok(asked.every(({ path }) => path.includes("resourceVersion=0&")));
});

test("a pod with a reused name is a new pod: the old one is removed, and one is added", async (t) => {
  const young = podJson("a", "60", "", { uid: "another" });
  const deliveries: PodDelivery[] = [];
  let lists = 0;
  const { store, until } = await watched(t, (seen, reply) => {
    if (!isList(seen)) {
      reply.json(410, statusJson(410, "Expired", "too old resource version"));
      return;
    }
    lists += 1;
    if (lists === 1) streamList(reply, [podJson("a", "5")], "6").end();
    // The event after the list is a late one of the old pod.
    else streamList(reply, [young], "60").write(watchLine("MODIFIED", podJson("a", "5")));
  });
  await until(() => names(store).includes("a@5"));
  store.subscribe((delivery) => void deliveries.push(delivery), { intervalMs: 0 });
  await until(() => deliveries.length === 1);
  await until(() => names(store).includes("a@60"));
  await until(() => deliveries.length > 1);
  const changes = deliveries.slice(1).flatMap((delivery) => [...delivery.changes()]);
  assert.deepEqual(
    changes.flatMap(({ removed }) => removed.map(({ last }) => last.uid)),
    ["uid-of-a"],
  );
  assert.deepEqual(
    changes.flatMap(({ added }) => added.map(({ uid }) => uid)),
    ["another"],
  );
  assert.deepEqual(
    changes.flatMap(({ modified }) => modified),
    [],
  );
});

test("a pod missing from a relist stays removed despite late events", async (t) => {
  let lists = 0;
  let isAsked = false;
  const { store, until } = await watched(t, (seen, reply) => {
    if (!isList(seen)) {
      reply.json(410, statusJson(410, "Expired", "too old resource version"));
      return;
    }
    lists += 1;
    if (lists === 1) streamList(reply, [podJson("a", "5"), podJson("b", "6")], "6").end();
    else {
      const stream = streamList(reply, [podJson("b", "6")], "60");
      stream.write(watchLine("MODIFIED", podJson("a", "7")));
      stream.write(watchLine("ADDED", podJson("c", "61")));
      isAsked = true;
    }
  });
  await until(() => isAsked && names(store).includes("c@61"));
  assert.deepEqual(names(store), ["b@6", "c@61"]);
});
