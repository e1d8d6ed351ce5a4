// A pod watch from the engine down to socket bytes, with a clock that the test advances.
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { PodStore } from "../../src/engine/watch/podStore.ts";
import { startReflector, type Reflector } from "../../src/engine/watch/reflector.ts";
import type { Clock } from "../../src/engine/ports/clock.ts";
import type { Connection } from "../../src/engine/ports/connection.ts";
import { podsOf } from "../../src/spark/pods/podSnapshot.ts";
import { ManualClock } from "./clocks.ts";
import {
  startServer,
  type HostileServer,
  type Reply,
  type Script,
  type Seen,
} from "./hostileServer.ts";
import { watchLine } from "./podJson.ts";
import { connectTo } from "./rig.ts";

export interface Watched {
  readonly server: HostileServer;
  readonly store: PodStore;
  readonly clock: ManualClock;
  readonly reflector: Reflector;
  /** Advances the clock until the condition holds. */
  readonly until: (condition: () => boolean) => Promise<void>;
}

/** Watches the pods of one namespace on a server with this script, until the test ends. */
export async function watched(t: TestContext, script: Script, chance = 0.5): Promise<Watched> {
  const server = await startServer(t, script);
  const clock = new ManualClock();
  const { connection } = await connectTo(t, server.url, { clock });
  return { server, clock, ...watchPods(t, connection, clock, () => chance), until: untilOn(clock) };
}

/** Starts one pod watch, which ends with the test. A connection may have several. */
export function watchPods(
  t: TestContext,
  connection: Connection,
  clock: Clock,
  random: () => number,
): Pick<Watched, "store" | "reflector"> {
  const log = { debug: () => undefined, warn: () => undefined, error: assert.ifError };
  const store = new PodStore({ clock, log });
  const selection = { namespace: "ns", labelSelector: "" };
  const reflector = startReflector(connection.pods, selection, store, { clock, random, log });
  t.after(async () => {
    reflector.dispose();
    store.dispose();
    await reflector.done;
  });
  return { store, reflector };
}

export const untilOn =
  (clock: ManualClock) =>
  async (condition: () => boolean): Promise<void> => {
    while (!condition()) {
      await clock.advance(200);
      await wait(1);
    }
  };

export const isList = ({ path }: Seen): boolean => path.includes("sendInitialEvents=true");
export const isWatch = (seen: Seen): boolean => seen.path.includes("watch=true") && !isList(seen);
export const names = (store: PodStore): string[] =>
  Array.from(
    podsOf(store.snapshot),
    ({ name, resourceVersion }) => `${name}@${resourceVersion}`,
  ).sort();

/** Sends a streaming list of these pods and returns the stream, which stays open for the events of the watch. */
export function streamList(reply: Reply, pods: readonly unknown[], version: string) {
  const stream = reply.stream();
  for (const pod of pods) stream.write(watchLine("ADDED", pod));
  const annotations = { "k8s.io/initial-events-end": "true" };
  stream.write(watchLine("BOOKMARK", { metadata: { resourceVersion: version, annotations } }));
  return stream;
}
