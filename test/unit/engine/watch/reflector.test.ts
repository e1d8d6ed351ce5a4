import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import type { Log } from "../../../../src/engine/log.ts";
import { PodStore } from "../../../../src/engine/watch/podStore.ts";
import type { Freshness, PodDelivery } from "../../../../src/engine/watch/podSubscription.ts";
import type { PodSelection, PodSource, PodWatchEvent } from "../../../../src/engine/ports/pods.ts";
import type { Random } from "../../../../src/engine/ports/clock.ts";
import { startReflector, type Reflector } from "../../../../src/engine/watch/reflector.ts";
import { podsOf, type PodSnapshot } from "../../../../src/spark/pods/podSnapshot.ts";
import type { PodRecord } from "../../../../src/spark/pods/podRecord.ts";
import { podFixture } from "../../pods/podFixture.ts";
import { FakePodServer, unreachable } from "../fakePodServer.ts";
import { runs } from "../manyRuns.ts";
import { VirtualClock } from "../virtualClock.ts";

const minuteMs = 60_000;
const expired: ClusterError = { kind: "expired", detail: "too old" };
const throttled: ClusterError = { kind: "throttled", retryAfterMs: 7_000, detail: "slow down" };
const overloaded: ClusterError = { kind: "badResponse", status: 503, detail: "overloaded" };
const unauthorized: ClusterError = { kind: "unauthorized", server: "s", detail: "who are you" };
const forbidden: ClusterError = {
  kind: "forbidden",
  verb: "list",
  resource: "pods",
  namespace: "jobs",
  detail: "no",
};

interface Rig {
  readonly clock: VirtualClock;
  readonly server: FakePodServer;
  readonly store: PodStore;
  readonly reflector: Reflector;
  /** The kinds of freshness in the order of delivery. Consecutive duplicates are dropped. */
  readonly told: readonly Freshness["kind"][];
  readonly end: () => Promise<void>;
}

function rig(
  prepare: (server: FakePodServer) => void = () => undefined,
  random: Random = () => 0.5,
): Rig {
  const clock = new VirtualClock();
  const server = new FakePodServer(clock);
  prepare(server);
  const store = new PodStore({ clock, log: strictLog });
  const told: Freshness["kind"][] = [];
  const note = ({ freshness }: PodDelivery): void => {
    if (told.at(-1) !== freshness.kind) told.push(freshness.kind);
  };
  store.subscribe(note, { intervalMs: 0 });
  const selection: PodSelection = { namespace: undefined, labelSelector: "" };
  const reflector = startReflector(server, selection, store, { clock, random, log: strictLog });
  return {
    clock,
    server,
    store,
    reflector,
    told,
    end: async () => {
      reflector.dispose();
      store.dispose();
      await reflector.done;
      await clock.advance(0);
      assert.equal(clock.pending, 0, "no timer outlives the reflector");
      assert.equal(server.openStreams, 0, "no stream outlives the reflector");
    },
  };
}

const strictLog: Log = {
  debug: () => undefined,
  warn: () => undefined,
  error: (error) => {
    throw error;
  },
};

const pods = (count: number): PodRecord[] =>
  Array.from({ length: count }, (_, index) =>
    podFixture({ uid: `uid-${index}`, name: `p-${index}` }),
  );

const versions = (list: Iterable<PodRecord>): string[] =>
  Array.from(list, ({ uid, resourceVersion }) => `${uid}@${resourceVersion}`).sort();

function assertEqual(snapshot: PodSnapshot, server: FakePodServer): void {
  assert.deepEqual(versions(podsOf(snapshot)), versions(server.pods));
}

const putAll = (server: FakePodServer, count: number): void => {
  for (const pod of pods(count)) server.put(pod);
};

test("continues a streamed list as the watch", async () => {
  const { clock, server, store, told, end } = rig((server) => {
    putAll(server, 3);
  });
  await clock.advance(100);
  assertEqual(store.snapshot, server);
  assert.equal(store.snapshot.version, 1, "the list is put in as a whole");
  server.put(podFixture({ uid: "uid-new" }));
  server.remove("uid-0");
  await clock.advance(100);
  assertEqual(store.snapshot, server);
  assert.deepEqual(server.requests, ["stream"]);
  assert.deepEqual(told, ["connecting", "live"]);
  await end();
});

test("relists after ten minutes in place of the next watch, and finds changes without events", async () => {
  const { clock, server, store, told, end } = rig((server) => {
    putAll(server, 3);
  });
  await clock.advance(5_000);
  const { snapshot } = store;
  await clock.advance(14 * minuteMs);
  assert.deepEqual(server.requests, ["stream", "watch@1003"]);
  await clock.advance(2 * minuteMs);
  assert.deepEqual(server.requests, ["stream", "watch@1003", "stream"]);
  assert.equal(store.snapshot, snapshot, "the same list changes nothing");
  server.lose("uid-1");
  await clock.advance(8 * minuteMs);
  assert.equal(store.snapshot.size, 3);
  await clock.advance(7 * minuteMs);
  assertEqual(store.snapshot, server);
  assert.equal(server.requests.length, 5);
  assert.deepEqual(told, ["connecting", "live"]);
  await end();
});

test("keeps watching if the periodic list fails, and reports nothing", async () => {
  const { clock, server, store, told, end } = rig((server) => {
    putAll(server, 3);
  });
  await clock.advance(14 * minuteMs);
  server.refuse("watch", forbidden);
  await clock.advance(2 * minuteMs);
  server.put(podFixture({ uid: "uid-new" }));
  await clock.advance(1_000);
  assertEqual(store.snapshot, server);
  assert.deepEqual(server.requests, ["stream", "watch@1003", "stream", "watch@1003"]);
  assert.deepEqual(told, ["connecting", "live"]);
  await end();
});

test("relists although every watch ends with an error", async () => {
  const { clock, server, store, end } = rig((server) => {
    putAll(server, 3);
  });
  await clock.advance(5_000);
  server.lose("uid-1");
  for (let minutes = 0; minutes < 11; minutes += 1) {
    server.cut(unreachable);
    await clock.advance(minuteMs);
  }
  assertEqual(store.snapshot, server);
  await end();
});

test("relists less often in a large namespace", async () => {
  const { clock, server, end } = rig((server) => {
    putAll(server, 3_000);
  });
  await clock.advance(29 * minuteMs);
  assert.equal(server.requests.filter((request) => request === "stream").length, 1);
  await clock.advance(10 * minuteMs);
  assert.equal(server.requests.filter((request) => request === "stream").length, 2);
  await end();
});

test("includes events that arrive during a streamed list", async () => {
  const { clock, server, store, end } = rig((server) => {
    putAll(server, 3);
  });
  await clock.advance(2);
  assert.equal(store.snapshot.size, 0, "half a list is none");
  server.remove("uid-0");
  server.put(podFixture({ uid: "uid-new" }));
  await clock.advance(10);
  assertEqual(store.snapshot, server);
  assert.equal(store.snapshot.version, 1);
  await end();
});

test("keeps events that arrive in one batch with the end of the list", async () => {
  const clock = new VirtualClock();
  const store = new PodStore({ clock, log: strictLog });
  const events: PodWatchEvent[] = [
    { kind: "added", pod: podFixture({ uid: "a", resourceVersion: "1" }) },
    { kind: "bookmark", resourceVersion: "5", initialEventsEnd: true },
    { kind: "added", pod: podFixture({ uid: "b", resourceVersion: "6" }) },
  ];
  const source: PodSource = {
    listPods: () => Promise.reject(new Error("not asked for here")),
    async *watchPods(_, signal) {
      yield { kind: "events", events };
      await clock.sleep(minuteMs, signal);
    },
  };
  const selection: PodSelection = { namespace: undefined, labelSelector: "" };
  const options = { clock, random: () => 0.5, log: strictLog };
  const reflector = startReflector(source, selection, store, options);
  await clock.advance(10);
  assert.deepEqual(versions(podsOf(store.snapshot)), ["a@1", "b@6"]);
  reflector.dispose();
  await reflector.done;
  store.dispose();
});

for (const streaming of ["refused", "ignored"] as const) {
  test(`a server where streamed lists are ${streaming} is read in pages`, async () => {
    const { clock, server, store, end } = rig((server) => {
      server.streaming = streaming;
      putAll(server, 600);
    });
    await clock.advance(15_000);
    assertEqual(store.snapshot, server);
    assert.deepEqual(server.requests, ["stream", "list", "list+", "list+", "watch@1600"]);
    await end();
  });
}

test("falls back to pages after ten seconds if a server without pods ignores sendInitialEvents", async () => {
  const { clock, server, store, end } = rig((server) => {
    server.streaming = "ignored";
  });
  await clock.advance(11_000);
  assert.deepEqual(server.requests, ["stream", "list", "watch@1000"]);
  assert.equal(store.freshness.kind, "live");
  await end();
});

test("starts again with larger pages if the list expires between pages", async () => {
  const { clock, server, store, end } = rig((server) => {
    server.streaming = "refused";
    putAll(server, 600);
  });
  await clock.advance(2);
  server.forget();
  await clock.advance(5_000);
  assertEqual(store.snapshot, server);
  assert.deepEqual(server.requests, ["stream", "list", "list+", "list", "watch@1600"]);
  await end();
});

test("resumes from the last version after a normal end of the watch, and reports nothing", async () => {
  const { clock, server, store, told, end } = rig();
  await clock.advance(2_000);
  server.put(podFixture());
  await clock.advance(2_000);
  server.cut();
  server.put(podFixture({ uid: "uid-2" }));
  await clock.advance(100);
  assertEqual(store.snapshot, server);
  assert.deepEqual(server.requests, ["stream", "watch@1001"]);
  assert.deepEqual(told, ["connecting", "live"]);
  await end();
});

test("resumes at once after a short watch with events, and backs off after one without", async () => {
  const { clock, server, end } = rig();
  await clock.advance(5_000);
  server.cut();
  await clock.advance(10);
  server.put(podFixture());
  await clock.advance(10);
  server.cut();
  await clock.advance(2);
  assert.deepEqual(server.requests, ["stream", "watch@1000", "watch@1001"]);
  server.cut();
  await clock.advance(300);
  assert.equal(server.requests.length, 3);
  await end();
});

test("resumes from the version of the last bookmark", async () => {
  const { clock, server, end } = rig();
  await clock.advance(100);
  server.put(podFixture({ namespace: "elsewhere" }));
  await clock.advance(2 * minuteMs);
  server.cut();
  await clock.advance(100);
  assert.deepEqual(server.requests, ["stream", "watch@1001"]);
  await end();
});

test("reports a lasting failure, and not one that ends at once", async () => {
  const { clock, server, store, told, end } = rig();
  await clock.advance(5_000);
  server.cut(unreachable);
  const brokenAt = clock.now();
  await clock.advance(60_000);
  assert.deepEqual(told, ["connecting", "live"]);
  server.cut(unreachable);
  for (let times = 0; times < 3; times += 1) server.refuse("any", unreachable);
  await clock.advance(2_500);
  assert.deepEqual(store.freshness, {
    kind: "stale",
    since: brokenAt + 60_000,
    error: unreachable,
  });
  await clock.advance(60_000);
  assert.deepEqual(told, ["connecting", "live", "stale", "live"]);
  assert.equal(server.requests.filter((request) => request === "stream").length, 1, "no new list");
  await end();
});

test("is live as soon as the server accepts the watch", async () => {
  const { clock, server, store, end } = rig();
  await clock.advance(5_000);
  for (let times = 0; times < 2; times += 1) server.refuse("watch", unreachable);
  server.cut(unreachable);
  await clock.advance(1_500);
  assert.equal(store.freshness.kind, "stale");
  await clock.advance(5_000);
  assert.equal(store.freshness.kind, "live");
  await end();
});

test("stays stale while a request has no answer", async () => {
  const { clock, server, store, end } = rig();
  await clock.advance(5_000);
  // Fetching credentials may take a minute. Meanwhile there is no response from the server.
  server.slowness = 62_000;
  for (let times = 0; times < 9; times += 1) server.refuse("any", unreachable);
  server.cut(unreachable);
  await clock.advance(70_000);
  assert.equal(store.freshness.kind, "stale");
  for (let seconds = 0; seconds < 120; seconds += 1) {
    await clock.advance(1_000);
    assert.equal(store.freshness.kind, "stale");
  }
  await end();
});

test("relists after 410 Gone, and drops pods that were deleted meanwhile", async () => {
  const { clock, server, store, told, end } = rig((server) => {
    putAll(server, 5);
  });
  await clock.advance(5_000);
  server.cut(unreachable);
  server.remove("uid-3");
  server.put(podFixture({ uid: "uid-9" }));
  server.forget();
  await clock.advance(5_000);
  assertEqual(store.snapshot, server);
  assert.deepEqual(server.requests, ["stream", "watch@1005", "stream"]);
  assert.equal(told.at(-1), "live");
  await end();
});

test("falls back to pages if a bookmark comes before the list", async () => {
  const { clock, server, store, end } = rig((server) => {
    server.streaming = "ignored";
  });
  for (let seconds = 0; seconds < 70; seconds += 5) {
    server.put(podFixture());
    await clock.advance(5_000);
  }
  assertEqual(store.snapshot, server);
  assert.deepEqual(server.requests, ["stream", "list", "watch@1013"]);
  await end();
});

test("relists after three watches that end at once", async () => {
  const { clock, server, store, end } = rig();
  await clock.advance(5_000);
  for (let times = 0; times < 3; times += 1) server.refuse("watch", "closed");
  server.cut();
  await clock.advance(20_000);
  assert.deepEqual(server.requests, [
    "stream",
    ...["watch@1000", "watch@1000", "watch@1000"],
    "stream",
  ]);
  assert.equal(store.freshness.kind, "live");
  await end();
});

test("backs off from 0.8 s to 30 s, doubling", async () => {
  const { clock, server, end } = rig(
    () => undefined,
    () => 0,
  );
  const at: number[] = [];
  const began = clock.now();
  for (let times = 0; times < 9; times += 1) server.refuse("any", unreachable);
  for (let asked = 0; asked < 9;) {
    await clock.advance(100);
    if (server.requests.length > asked) {
      asked = server.requests.length;
      at.push(Math.round((clock.now() - began) / 100) / 10);
    }
  }
  const gaps = at.slice(1).map((time, index) => Math.round((time - (at[index] ?? 0)) * 10) / 10);
  assert.deepEqual(gaps, [0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30]);
  await end();
});

test("waits as long as Retry-After says", async () => {
  const { clock, server, end } = rig((server) => {
    server.refuse("any", throttled);
  });
  await clock.advance(6_900);
  assert.equal(server.requests.length, 1);
  await clock.advance(200);
  assert.equal(server.requests.length, 2);
  await end();
});

test("reports throttling after half a minute", async () => {
  for (const hasListed of [false, true]) {
    const { clock, server, store, end } = rig();
    if (hasListed) await clock.advance(5_000);
    for (let times = 0; times < 50; times += 1) server.refuse("any", throttled);
    if (hasListed) server.cut(throttled);
    const kinds = async (ms: number): Promise<string[]> => {
      const seen = new Set<string>();
      for (let passed = 0; passed < ms; passed += 500) {
        await clock.advance(500);
        seen.add(store.freshness.kind);
      }
      return [...seen];
    };
    assert.deepEqual(await kinds(29_000), [hasListed ? "live" : "connecting"]);
    await kinds(16_000);
    const { freshness } = store;
    assert.equal(freshness.kind, hasListed ? "stale" : "failed");
    assert.ok("error" in freshness && freshness.error === throttled);
    server.heal();
    await kinds(40_000);
    assert.equal(store.freshness.kind, "live");
    await end();
  }
});

test("reports a Retry-After of a minute at once", async () => {
  const { clock, server, store, end } = rig();
  await clock.advance(5_000);
  server.cut({ ...throttled, retryAfterMs: minuteMs });
  await clock.advance(10);
  assert.equal(store.freshness.kind, "stale");
  await end();
});

test("waits five minutes at most for Retry-After", async () => {
  const { clock, server, end } = rig((server) => {
    server.refuse("any", { kind: "throttled", retryAfterMs: 24 * 60 * minuteMs, detail: "" });
  });
  await clock.advance(6 * minuteMs);
  assert.equal(server.requests.length, 2);
  await end();
});

test("retries rarely if only the user can fix the failure", async () => {
  const { clock, server, store, end } = rig((server) => {
    for (let times = 0; times < 3; times += 1) server.refuse("any", forbidden);
  });
  await clock.advance(3 * minuteMs);
  assert.deepEqual(server.requests, ["stream"]);
  await clock.advance(15 * minuteMs);
  assert.equal(store.freshness.kind, "live");
  await end();
});

test("resumes after a restarted server denied its rights for a moment", async () => {
  for (const outages of [0, 3]) {
    const { clock, server, store, told, end } = rig((server) => {
      putAll(server, 3);
    });
    await clock.advance(5_000);
    server.cut(unreachable);
    for (let times = 0; times < outages; times += 1) server.refuse("any", unreachable);
    for (let times = 0; times < 2; times += 1) server.refuse("any", forbidden);
    server.put(podFixture({ uid: "uid-new" }));
    await clock.advance(minuteMs);
    assertEqual(store.snapshot, server);
    const outage = outages === 0 ? [] : ["stale", "live"];
    assert.deepEqual(told, ["connecting", "live", ...outage]);
    await end();
  }
});

test("reports a lost right after half a minute, and counts each denial from its start", async () => {
  const { clock, server, store, told, end } = rig();
  for (let round = 0; round < 2; round += 1) {
    await clock.advance(minuteMs);
    server.cut(unreachable);
    server.refuse("any", forbidden);
    await clock.advance(10_000);
    assert.equal(store.freshness.kind, "live");
  }
  server.cut(unreachable);
  for (let times = 0; times < 50; times += 1) server.refuse("any", forbidden);
  await clock.advance(20_000);
  assert.equal(store.freshness.kind, "live");
  await clock.advance(40_000);
  assert.deepEqual(told, ["connecting", "live", "stale"]);
  await end();
});

test("reports a failure that only the user can fix, even after pods were read", async () => {
  const { clock, server, store, end } = rig();
  await clock.advance(5_000);
  server.cut();
  server.refuse("watch", unauthorized);
  await clock.advance(1);
  assert.deepEqual(store.freshness, { kind: "stale", since: clock.now(), error: unauthorized });
  await end();
});

test("renews credentials that expire during a watch at once, and reports nothing", async () => {
  const { clock, server, store, told, end } = rig();
  await clock.advance(5_000);
  server.cut(unauthorized);
  server.put(podFixture());
  await clock.advance(1_000);
  assertEqual(store.snapshot, server);
  assert.deepEqual(told, ["connecting", "live"]);
  await end();
});

test("polls lists if watching is forbidden, and reports the reason", async () => {
  const noWatch: ClusterError = { ...forbidden, verb: "watch" };
  const { clock, server, store, end } = rig((server) => {
    for (let times = 0; times < 2; times += 1) server.refuse("watch", noWatch);
    putAll(server, 3);
  });
  await clock.advance(1_000);
  assertEqual(store.snapshot, server);
  assert.deepEqual(store.freshness, { kind: "live", polled: noWatch });
  server.put(podFixture({ uid: "uid-new" }));
  server.remove("uid-0");
  await clock.advance(36_000);
  assertEqual(store.snapshot, server);
  await clock.advance(15 * minuteMs);
  assert.equal(store.freshness.kind, "live");
  assert.equal(store.freshness.polled, undefined, "the right was given meanwhile");
  assert.equal(server.requests.filter((request) => request.startsWith("watch")).length, 2);
  await end();
});

test("while polling, accepts older lists if the server stays older, and not from a lagging replica", async () => {
  const noWatch: ClusterError = { ...forbidden, verb: "watch" };
  const { clock, server, store, end } = rig((server) => {
    for (let times = 0; times < 9; times += 1) server.refuse("watch", noWatch);
    putAll(server, 3);
  });
  await clock.advance(1_000);
  server.restore(500, pods(2));
  await clock.advance(40_000);
  assert.equal(store.snapshot.size, 3);
  await clock.advance(120_000);
  assertEqual(store.snapshot, server);
  await end();
});

test("opens a new watch after sleep, without waiting for the silence limit", async () => {
  const { clock, server, store, end } = rig();
  await clock.advance(5_000);
  server.mute();
  server.put(podFixture());
  clock.sleepThrough(5 * minuteMs);
  await clock.advance(12_000);
  assertEqual(store.snapshot, server);
  assert.deepEqual(server.requests, ["stream", "watch@1000"]);
  await end();
});

test("reports a failure with its reason if no list was ever read", async () => {
  const { clock, store, end } = rig((server) => {
    server.refuse("any", forbidden);
  });
  await clock.advance(100);
  assert.deepEqual(store.freshness, { kind: "failed", error: forbidden });
  await end();
});

test("wake starts an attempt at once", async () => {
  const { clock, server, store, reflector, end } = rig((server) => {
    server.refuse("any", forbidden);
  });
  await clock.advance(1_000);
  reflector.wake();
  await clock.advance(10);
  assert.equal(server.requests.length, 2);
  assert.equal(store.freshness.kind, "live");
  server.mute();
  server.put(podFixture());
  reflector.wake();
  await clock.advance(10);
  assertEqual(store.snapshot, server);
  assert.deepEqual(server.requests.slice(2), ["watch@1000"]);
  await end();
});

test("wake resets the back-off", async () => {
  const { clock, server, reflector, end } = rig((server) => {
    for (let times = 0; times < 20; times += 1) server.refuse("any", unreachable);
  });
  await clock.advance(2 * minuteMs);
  const before = server.requests.length;
  reflector.wake();
  await clock.advance(1_000);
  assert.equal(server.requests.length, before + 2);
  await end();
});

test("is live within five seconds of the server's return while a user looks", async () => {
  const { clock, server, store, reflector, end } = rig();
  await clock.advance(5_000);
  for (let times = 0; times < 2_000; times += 1) server.refuse("any", unreachable);
  server.cut(unreachable);
  const look = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 3_000) {
      await clock.advance(3_000);
      reflector.hurry();
    }
  };
  await clock.advance(5 * minuteMs);
  assert.ok(server.requests.length <= 15, "nobody looks");
  const before = server.requests.length;
  await look(minuteMs);
  assert.ok(server.requests.length - before <= 25, "every few seconds at most");
  server.heal();
  server.put(podFixture());
  await look(3_000);
  await clock.advance(10);
  assertEqual(store.snapshot, server);
  assert.equal(store.freshness.kind, "live");
  await end();
});

test("hurry does not end waits after a refusal, nor a running attempt", async () => {
  for (const error of [forbidden, unauthorized, throttled]) {
    const { clock, server, reflector, end } = rig((server) => {
      server.refuse("any", error);
    });
    for (let seconds = 0; seconds < 6; seconds += 1) {
      reflector.hurry();
      await clock.advance(1_000);
    }
    assert.equal(server.requests.length, 1, error.kind);
    await end();
  }
});

type Step = (rig: Rig) => void | Promise<void>;

const uids = fc.integer({ min: 0, max: 7 }).map((number) => `uid-${number}`);
const errors = fc.constantFrom(
  unreachable,
  expired,
  throttled,
  overloaded,
  unauthorized,
  forbidden,
);
const pauses = fc.constantFrom(0, 1, 2, 50, 900, 1_500, 8_000, 11_000, 61_000, 4 * minuteMs);

const named = (name: string, step: Step): Step & { toString(): string } =>
  Object.assign(step, { toString: () => name });

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: uids.map((uid) =>
      named(`put ${uid}`, ({ server }) => {
        server.put(podFixture({ uid }));
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: uids.map((uid) =>
      named(`remove ${uid}`, ({ server }) => {
        server.remove(uid);
      }),
    ),
  },
  {
    weight: 6,
    arbitrary: pauses.map((ms) => named(`advance ${ms}`, ({ clock }) => clock.advance(ms))),
  },
  fc.constant(
    named("cut cleanly", ({ server }) => {
      server.cut();
    }),
  ),
  errors.map((error) =>
    named(`cut ${error.kind}`, ({ server }) => {
      server.cut(error);
    }),
  ),
  fc
    .tuple(fc.constantFrom("list" as const, "watch" as const, "any" as const), errors)
    .map(([verb, error]) =>
      named(`refuse ${verb} ${error.kind}`, ({ server }) => {
        server.refuse(verb, error);
      }),
    ),
  fc.constantFrom("supported" as const, "refused" as const, "ignored" as const).map((streaming) =>
    named(`streaming ${streaming}`, ({ server }) => {
      server.streaming = streaming;
    }),
  ),
  fc.constant(
    named("forget", ({ server }) => {
      server.forget();
    }),
  ),
  fc.constant(
    named("mute", ({ server }) => {
      server.mute();
    }),
  ),
  fc.constant(
    named("sleep of the machine", ({ clock }) => {
      clock.sleepThrough(3 * minuteMs);
    }),
  ),
  fc.constant(
    named("forbid watching", ({ server }) => {
      server.refuse("watch", { ...forbidden, verb: "watch" });
    }),
  ),
  fc.constant(
    named("hurry", ({ reflector }) => {
      reflector.hurry();
    }),
  ),
  fc.constant(
    named("wake", ({ reflector }) => {
      reflector.wake();
    }),
  ),
);

test("equals the server and is live after any faults have ended", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { maxLength: 30 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      async (script, chance) => {
        const running = rig(undefined, () => chance);
        const { clock, server, store, end } = running;
        for (const step of script) await step(running);
        server.heal();
        await clock.advance(7 * minuteMs);
        assertEqual(store.snapshot, server);
        assert.equal(store.freshness.kind, "live");
        await end();
      },
    ),
    { numRuns: runs(500) },
  );
});

test("sends a bounded number of requests to a server that refuses everything for an hour", async () => {
  await fc.assert(
    fc.asyncProperty(errors, async (error) => {
      const { clock, server, end } = rig((server) => {
        for (let times = 0; times < 2_000; times += 1) server.refuse("any", error);
      });
      await clock.advance(60 * minuteMs);
      assert.ok(server.requests.length < 5 * 60, `asked ${server.requests.length} times`);
      await end();
    }),
    { numRuns: 6 },
  );
});
