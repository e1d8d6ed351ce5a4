import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { fieldAt, textAt } from "../../../src/base/json.ts";
import { err, ok } from "../../../src/base/result.ts";
import { ClusterSession } from "../../../src/editor/apps/clusterSession.ts";
import type { Log } from "../../../src/editor/log.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { Clusters, Connection } from "../../../src/engine/ports/connection.ts";
import type { ObjectApi, ObjectReference } from "../../../src/engine/ports/objects.ts";
import type { OperatorResource } from "../../../src/spark/pods/operatorResource.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { FakePodServer } from "../engine/fakePodServer.ts";
import { VirtualClock } from "../engine/virtualClock.ts";

export const missing: ClusterError = { kind: "notFound", resource: "x", name: "x", detail: "" };

/** Fails the test if an internal error is logged. */
export const strictLog: Log & { readonly warnings: string[] } = {
  warnings: [],
  debug: () => undefined,
  warn: (line) => {
    strictLog.warnings.push(line);
  },
  error: (error) => {
    throw error;
  },
  show: () => undefined,
  dispose: () => undefined,
};

/** Records writes. A read returns the body with the key `Kind name`; a list returns all bodies of a kind. */
export function recordedObjects(
  bodies: Readonly<Record<string, unknown>> = {},
  refused: Readonly<Record<string, ClusterError>> = {},
): { readonly objects: ObjectApi; readonly written: string[] } {
  const written: string[] = [];
  const stored = ({ apiVersion, kind, namespace, name }: ObjectReference, body: unknown) => ({
    ...{ apiVersion, kind, name, namespace, uid: uidIn(body) ?? `uid-${name}` },
    ...{ resourceVersion: "1", body },
  });
  const write = (verb: string, { kind, name }: ObjectReference, more: string) => {
    written.push(`${verb} ${kind} ${name}${more}`);
    const error = refused[`${verb} ${kind}`] ?? refused[`${verb} ${name}`];
    return Promise.resolve(error === undefined ? ok(undefined) : err(error));
  };
  const reference = (manifest: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string };
  }): ObjectReference => ({ ...manifest, namespace: "jobs", name: manifest.metadata.name });
  const change = (verb: string) => async (_: string, manifest: Parameters<typeof reference>[0]) => {
    const object = reference(manifest);
    const done = await write(verb, object, "");
    return done.ok ? ok(stored(object, manifest)) : done;
  };
  return {
    written,
    objects: {
      create: change("create"),
      apply: change("apply"),
      replace: change("replace"),
      patch: async (object, patch) => {
        const done = await write("patch", object, ` ${JSON.stringify(patch)}`);
        return done.ok ? ok(stored(object, patch)) : done;
      },
      read: (object) => {
        const body = bodies[`${object.kind} ${object.name}`];
        return Promise.resolve(body === undefined ? err(missing) : ok(stored(object, body)));
      },
      delete: (object, { gracePeriodSeconds, propagationPolicy }) =>
        write(
          "delete",
          object,
          `${gracePeriodSeconds === undefined ? "" : ` in ${gracePeriodSeconds} s`}${propagationPolicy === "Orphan" ? " alone" : ""}`,
        ),
      list: ({ apiVersion, kind }) => {
        const error = refused[`list ${kind}`];
        if (error !== undefined) return Promise.resolve(err(error));
        const found = Object.entries(bodies).flatMap(([key, body]) => {
          const [of, name = ""] = key.split(" ");
          return of === kind ? [stored({ apiVersion, kind, namespace: "jobs", name }, body)] : [];
        });
        return Promise.resolve(ok(found));
      },
    },
  };
}

const uidIn = (body: unknown): string | undefined => textAt(fieldAt(body, "metadata"), "uid");

const never = (): Promise<never> => new Promise(() => undefined);

/** Returns a connection that serves only pods, unless `ports` adds more. */
export function connectionFixture(
  clock: VirtualClock,
  ports: Partial<Connection> = {},
): Connection {
  const nothing = () => Promise.resolve(err(missing));
  return {
    ...{ context: "dev", server: "https://dev", targetId: "dev", namespace: "jobs" },
    now: clock.now,
    pods: new FakePodServer(clock),
    logs: { readLog: async function* () {} },
    objects: recordedObjects().objects,
    evictions: { evict: () => Promise.resolve(ok(undefined)) },
    exec: { start: nothing },
    pages: { read: nothing },
    passedPages: {},
    ports: { open: nothing },
    rights: { can: () => Promise.resolve(ok(true)), user: () => Promise.resolve(ok("ann")) },
    podEvents: { eventsOf: () => Promise.resolve(ok([])) },
    drivers: { executors: nothing, allocation: nothing, rows: nothing },
    nodes: { largest: nothing },
    metrics: { usageOf: nothing },
    resources: { listResources: never, watchResources: async function* () {} },
    dispose: () => undefined,
    ...ports,
  } as unknown as Connection;
}

const resourcesOf = (resources: readonly OperatorResource[]): Connection["resources"] => ({
  listResources: ({ apiVersion, kind }) =>
    Promise.resolve(
      ok({
        resources: apiVersion.endsWith("v1beta2")
          ? resources.filter((one) => one.kind === kind)
          : [],
        resourceVersion: "1",
      }),
    ),
  watchResources: async function* (_, __, ___, signal) {
    await new Promise((resolve) => {
      signal.addEventListener("abort", resolve);
    });
    yield* [];
  },
});

export interface SessionFixture {
  readonly session: ClusterSession;
  readonly clock: VirtualClock;
  readonly server: FakePodServer;
  readonly connection: Connection;
}

interface GivenWindow extends Partial<ConstructorParameters<typeof ClusterSession>[0]> {
  readonly clusters?: (connection: Connection) => Partial<Clusters>;
}

/** Opens a session that watches these pods in the namespace `jobs` of the context `dev`. */
export async function sessionFixture(
  t: TestContext,
  pods: readonly PodRecord[],
  ports: Partial<Connection> = {},
  resources: readonly OperatorResource[] = [],
  { clusters: own, ...window }: GivenWindow = {},
): Promise<SessionFixture> {
  const clock = new VirtualClock();
  const server = new FakePodServer(clock);
  for (const pod of pods) server.put(pod);
  const connection = connectionFixture(clock, {
    pods: server,
    resources: resourcesOf(resources),
    ...ports,
  });
  const clusters = {
    kubeconfigPaths: () => [],
    connect: () => Promise.resolve(ok(connection)),
    targetId: () => Promise.resolve(ok("dev")),
    readKubeconfig: () => Promise.resolve(err(missing)),
    dispose: () => undefined,
    ...own?.(connection),
  } as unknown as Clusters;
  const session = new ClusterSession({
    loadClusters: () => Promise.resolve(clusters),
    clock,
    random: () => 0.5,
    log: strictLog,
    clusterSettings: () => ({ kubeconfigFiles: [], mayRunPlugins: false }),
    chosenContext: () => undefined,
    chosenNamespaces: () => [],
    furtherContexts: () => ({}),
    watchFiles: () => ({ dispose: () => undefined }),
    ...window,
  });
  t.after(() => {
    session.dispose();
  });
  session.start();
  const isComplete = (): boolean =>
    session.isLive &&
    resources.every(({ uid }) => session.applications.some((one) => one.resource?.uid === uid));
  // Yielding the event loop takes real time.
  for (let turn = 0; turn < 5_000 && !isComplete(); turn += 1) await clock.advance(1);
  assert.ok(isComplete(), "the watch did not start");
  await clock.advance(1_000);
  return { session, clock, server, connection };
}
