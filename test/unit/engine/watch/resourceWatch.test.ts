import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { err, ok, type Result } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import type { ResourceList, ResourceSource } from "../../../../src/engine/ports/resources.ts";
import { startResourceWatch } from "../../../../src/engine/watch/resourceWatch.ts";
import { forbidden } from "../fakeCluster.ts";
import { unreachable } from "../fakePodServer.ts";
import { VirtualClock } from "../virtualClock.ts";

const minuteMs = 60_000;
const kind = { apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication" };
const unknownKind: ClusterError = { kind: "notFound", resource: "r", name: "", detail: "none" };
const nothing: Result<ResourceList, ClusterError> = ok({ resources: [], resourceVersion: "5" });

/** Simulates a user who views the resources for this many minutes: calls `hurry` every 3 s. */
async function look({ clock, watch }: Watched, minutes: number): Promise<void> {
  for (let seconds = 0; seconds < minutes * 60; seconds += 3) {
    watch.hurry();
    await clock.advance(3_000);
  }
}

type Watched = Pick<ReturnType<typeof watched>, "clock" | "watch">;

/** Starts a watch on a server whose responses and disconnections the test controls. */
function watched(t: TestContext) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const server = { answer: nothing, cut: new AbortController(), mayWatch: true };
  const source: ResourceSource = {
    listResources: () => {
      asked.push("list");
      return Promise.resolve(server.answer);
    },
    async *watchResources(_kind, _namespace, resourceVersion, signal) {
      asked.push(`watch@${resourceVersion}`);
      const { cut } = server;
      if (!server.mayWatch) {
        yield { kind: "failed", error: forbidden("watch", "sparkapplications") };
        return;
      }
      if (server.answer.ok) {
        await clock.sleep(60 * minuteMs, AbortSignal.any([signal, cut.signal])).catch(() => {
          signal.throwIfAborted();
        });
      }
      yield { kind: "failed", error: unreachable };
    },
  };
  let lists = 0;
  const sink = { replace: () => void (lists += 1), apply: () => undefined };
  const log = { debug: () => undefined, warn: () => undefined, error: assert.ifError };
  const options = { clock, random: () => 0.5, log };
  const watch = startResourceWatch(source, kind, "ns", sink, options);
  t.after(async () => {
    watch.dispose();
    await watch.done;
    assert.equal(clock.pending, 0, "no timer outlives the watch");
  });
  return { clock, asked, server, watch, lists: () => lists };
}

test("resumes a cut watch without a list", async (t) => {
  const { clock, asked, server } = watched(t);
  await clock.advance(5_000);
  server.cut.abort();
  server.cut = new AbortController();
  await clock.advance(5_000);
  assert.deepEqual(asked, ["list", "watch@5", "watch@5"]);
});

test("reconnects within five seconds of the server's return while a user looks", async (t) => {
  const { clock, asked, server, watch } = watched(t);
  await clock.advance(5_000);
  server.answer = err(unreachable);
  server.cut.abort();
  await clock.advance(5 * minuteMs);
  assert.ok(asked.length <= 15, String(asked.length));
  server.answer = nothing;
  server.cut = new AbortController();
  const before = asked.length;
  watch.hurry();
  await clock.advance(10);
  assert.equal(asked.length, before + 1);
  watch.hurry();
  await clock.advance(3_000);
  assert.equal(asked.length, before + 1, "what goes on well is left alone");
});

test("retries an unknown kind every ten minutes while a user looks, and otherwise not", async (t) => {
  const { clock, asked, server, watch, lists } = watched(t);
  server.answer = err(unknownKind);
  watch.wake();
  await clock.advance(10);
  const before = asked.length;
  await look({ clock, watch }, 5);
  assert.equal(asked.length, before);
  await clock.advance(5 * 60 * minuteMs);
  assert.equal(asked.length, before, "nobody looked");
  await look({ clock, watch }, 1);
  assert.equal(asked.length, before + 1);
  server.answer = nothing;
  await look({ clock, watch }, 14);
  assert.equal(lists(), 1);
});

test("retries an unknown kind at once on wake", async (t) => {
  const { clock, server, watch, lists } = watched(t);
  server.answer = err(unknownKind);
  watch.wake();
  await clock.advance(10);
  server.answer = nothing;
  watch.wake();
  await clock.advance(10);
  assert.equal(lists(), 1);
});

test("lists twice a minute if watching is forbidden while a user looks, and otherwise rarely", async (t) => {
  const { clock, asked, server, watch, lists } = watched(t);
  server.mayWatch = false;
  await look({ clock, watch }, 9);
  assert.ok(lists() >= 15 && lists() <= 19, String(lists()));
  assert.deepEqual(asked.slice(0, 3), ["list", "watch@5", "list"]);
  const before = asked.length;
  await clock.advance(4 * 60 * minuteMs);
  assert.ok(asked.length - before <= 60, `nobody looked: ${asked.length - before} requests`);
});

test("retries a forbidden watch after ten minutes, and at once on wake", async (t) => {
  const { clock, asked, server, watch } = watched(t);
  server.mayWatch = false;
  await look({ clock, watch }, 9);
  server.mayWatch = true;
  await look({ clock, watch }, 4);
  assert.equal(asked.at(-1), "watch@5");
  server.cut.abort();
  server.mayWatch = false;
  await look({ clock, watch }, 1);
  assert.equal(asked.at(-1), "list");
  server.cut = new AbortController();
  server.mayWatch = true;
  watch.wake();
  await look({ clock, watch }, 2);
  assert.equal(asked.at(-1), "watch@5");
});
