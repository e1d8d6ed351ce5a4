// Switches the window between clusters, with real sockets on both sides.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { disposable } from "../../src/base/disposable.ts";
import { openClusters } from "../../src/cluster/door.ts";
import { ClusterSession } from "../../src/editor/apps/clusterSession.ts";
import { watchStateOf } from "../../src/editor/apps/watchState.ts";
import { containerUpdates } from "../../src/engine/logs/containerState.ts";
import { PodStore } from "../../src/engine/watch/podStore.ts";
import type { Connection } from "../../src/engine/ports/connection.ts";
import { startReflector } from "../../src/engine/watch/reflector.ts";
import { RunPodWatch, type ApplicationWatch } from "../../src/engine/submit/runPods.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import { logTargetOf } from "../../src/spark/logs/targets.ts";
import { eventually } from "../host/eventually.ts";
import { startServer, type HostileServer, type Script } from "./hostileServer.ts";
import { watchLine } from "./podJson.ts";
import { statusJson, temporaryFolder, valueOf } from "./rig.ts";

const isPods = (path: string): boolean => /\/pods\?/.test(path);

const quiet = { error: console.error, debug: () => undefined, warn: () => undefined };

/** Returns the script of a cluster without operators that runs one driver with this name. */
const clusterWith =
  (driver: string): Script =>
  ({ path }, reply) => {
    if (!isPods(path)) {
      reply.json(404, statusJson(404, "NotFound", "no such kind"));
      return;
    }
    const stream = reply.stream();
    const pod = {
      metadata: {
        ...{ name: driver, namespace: "ns", uid: `uid-of-${driver}`, resourceVersion: "1" },
        labels: { "spark-role": "driver", "spark-app-name": driver },
      },
      status: { phase: "Running" },
    };
    const mark = {
      kind: "Pod",
      metadata: { resourceVersion: "2", annotations: { "k8s.io/initial-events-end": "true" } },
    };
    stream.write(watchLine("ADDED", pod));
    stream.write(watchLine("BOOKMARK", mark));
  };

interface Looking {
  readonly session: ClusterSession;
  /** Writes a changed kubeconfig and notifies the session. */
  readonly rewrite: (change: (config: Config) => void) => Promise<void>;
  readonly look: (context: string, namespaces: readonly string[]) => void;
  readonly lookBesides: (further: Readonly<Record<string, readonly string[]>>) => void;
  readonly names: () => readonly string[];
  /** Opens a separate connection to a context, as each run does. */
  readonly connect: (context: string) => Promise<Connection>;
}

interface Config {
  clusters: { name: string; cluster: { server: string } }[];
  users: { name: string; user: Record<string, unknown> }[];
  contexts: { name: string; context: Record<string, string> }[];
  "current-context"?: string;
}

async function lookAt(
  t: TestContext,
  servers: Readonly<Record<string, HostileServer>>,
): Promise<Looking> {
  const folder = await temporaryFolder(t);
  const kubeconfig = join(folder, "config");
  const entries = Object.entries(servers);
  const text: Config = {
    clusters: entries.map(([name, { url }]) => ({ name, cluster: { server: url } })),
    users: [{ name: "u", user: {} }],
    contexts: entries.map(([name]) => ({ name, context: { cluster: name, user: "u" } })),
  };
  await writeFile(kubeconfig, JSON.stringify(text));
  let chosen: { context: string; namespaces: readonly string[] } = { context: "", namespaces: [] };
  const watchers = new Set<() => void>();
  let further: Readonly<Record<string, readonly string[]>> = {};
  const settings = { kubeconfigFiles: [kubeconfig], mayRunPlugins: false };
  const session = new ClusterSession({
    loadClusters: () =>
      Promise.resolve(
        openClusters({
          clock: systemClock,
          random: Math.random,
          env: {},
          homeDirectory: folder,
          userAgent: "contract-test/1",
          log: () => undefined,
        }),
      ),
    clock: systemClock,
    random: Math.random,
    log: {
      ...{ debug: () => undefined, warn: () => undefined, show: () => undefined },
      error: console.error,
      dispose: () => undefined,
    },
    clusterSettings: () => settings,
    chosenContext: () => chosen.context,
    chosenNamespaces: () => chosen.namespaces,
    furtherContexts: () => further,
    watchFiles: (_, changed) => {
      watchers.add(changed);
      return disposable(() => watchers.delete(changed));
    },
  });
  t.after(() => {
    session.dispose();
  });
  return {
    session,
    rewrite: async (change) => {
      change(text);
      await writeFile(kubeconfig, JSON.stringify(text));
      for (const changed of [...watchers]) changed();
      // Longer than the debounce of a kubeconfig change.
      await wait(600);
    },
    look: (context, namespaces) => {
      chosen = { context, namespaces };
      session.restart();
    },
    lookBesides: (contexts) => {
      further = contexts;
      session.followFurther();
    },
    connect: async (context) => {
      const clusters = await session.clusters();
      return valueOf(await clusters.connect(context, settings, AbortSignal.timeout(20_000)));
    },
    names: () => session.applications.map(({ namespace, name }) => `${namespace}/${name}`),
  };
}

const until = <T>(what: string, look: () => T, holds: (found: T) => boolean): Promise<T> =>
  eventually(what, () => Promise.resolve(look()), holds);

const watchesOf = ({ seen }: HostileServer): readonly string[] =>
  seen.filter(({ path }) => isPods(path)).map(({ path }) => path.replace(/\?.*/, ""));

test("switching clusters replaces the applications and closes all old connections", async (t) => {
  const [dev, test] = [
    await startServer(t, clusterWith("orders")),
    await startServer(t, clusterWith("invoices")),
  ];
  const { look, names } = await lookAt(t, { dev, test });
  look("dev", ["ns"]);
  await until("the first cluster's", names, (found) => found.includes("ns/orders"));
  assert.ok(dev.open.size > 0);
  look("test", ["ns"]);
  assert.deepEqual(names(), [], "nothing of the old one is shown as the new one's");
  await until("the other's", names, (found) => found.includes("ns/invoices"));
  assert.deepEqual(names(), ["ns/invoices"]);
  await until(
    "no connection to the first",
    () => dev.open.size,
    (open) => open === 0,
  );
  const asked = dev.seen.length;
  look("test", ["ns"]);
  await until("the other's again", names, (found) => found.includes("ns/invoices"));
  assert.equal(dev.seen.length, asked);
});

test("a rewritten kubeconfig closes a connection only if its own settings changed", async (t) => {
  const dev = await startServer(t, clusterWith("orders"));
  const test = await startServer(t, clusterWith("invoices"));
  const { look, names, rewrite } = await lookAt(t, { dev, test });
  look("dev", ["ns"]);
  await until("the first cluster's", names, (found) => found.includes("ns/orders"));
  await rewrite((config) => {
    config["current-context"] = "test";
    config.users.push({ name: "another", user: {} });
  });
  assert.equal(watchesOf(dev).length, 1, "the chosen context is as it was");
  const provider = (idToken: string, issuer: string): Record<string, unknown> => ({
    "auth-provider": {
      name: "oidc",
      config: { "idp-issuer-url": issuer, "client-id": "c", "id-token": idToken },
    },
  });
  for (const [user, watches] of [
    [provider("old", "https://issuer"), 2],
    [provider("new", "https://issuer"), 2],
    [provider("new", "https://other"), 3],
    [{ token: "a" }, 4],
    [{ token: "b" }, 5],
  ] as const) {
    await rewrite((config) => {
      config.users[0] = { name: "u", user };
    });
    await until(
      "watches",
      () => watchesOf(dev).length,
      (count) => count === watches,
    );
  }
  await rewrite((config) => {
    const [first] = config.contexts;
    if (first) first.context["namespace"] = "other";
  });
  await until(
    "a new connection",
    () => watchesOf(dev).length,
    (count) => count === 6,
  );
});

test("a new user of one context reconnects only that cluster", async (t) => {
  const dev = await startServer(t, clusterWith("orders"));
  const test = await startServer(t, clusterWith("invoices"));
  const { look, lookBesides, names, rewrite } = await lookAt(t, { dev, test });
  look("dev", ["ns"]);
  lookBesides({ test: ["ns"] });
  await until("both", names, (found) => found.length === 2);
  const change = (context: number, token: string) =>
    rewrite((config) => {
      config.users.push({ name: token, user: { token } });
      const changed = config.contexts[context];
      if (changed) changed.context["user"] = token;
    });
  const watches = (): readonly number[] => [watchesOf(dev).length, watchesOf(test).length];
  await change(1, "a");
  await until("the second's watch anew", watches, ([, ofTest]) => ofTest === 2);
  // Longer than the debounce of a kubeconfig change.
  await wait(600);
  assert.deepEqual(watches(), [1, 2]);
  await change(0, "b");
  await until("the first's", watches, ([ofDev]) => ofDev === 2);
  await until("both again", names, (found) => found.length === 2);
  await wait(600);
  assert.deepEqual(watches(), [2, 2]);
});

test("a cluster that does not answer does not block switching to another", async (t) => {
  const silent = await startServer(t, () => undefined);
  const test = await startServer(t, clusterWith("invoices"));
  const { look, names } = await lookAt(t, { silent, test });
  look("silent", ["ns"]);
  await until(
    "a request that hangs",
    () => silent.seen.length,
    (count) => count > 0,
  );
  look("test", ["ns"]);
  await until("the other's", names, (found) => found.includes("ns/invoices"));
  await until(
    "no connection to the silent one",
    () => silent.open.size,
    (open) => open === 0,
  );
});

test("a run shares the view's watch, and opens its own while the view shows another cluster", async (t) => {
  const dev = await startServer(t, clusterWith("orders"));
  const test = await startServer(t, clusterWith("invoices"));
  const { session, look, names, connect } = await lookAt(t, { dev, test });
  look("dev", ["ns"]);
  await until("the driver", names, (found) => found.includes("ns/orders"));
  const driver = session.applications[0]?.driver?.pod;
  assert.ok(driver);
  const connection = await connect("dev");
  t.after(() => {
    connection.dispose();
  });
  const ports = { clock: systemClock, random: Math.random, log: quiet };
  let isOwnOver = false;
  const begin = (): ApplicationWatch => {
    const store = new PodStore(ports);
    const selection = { namespace: "ns", labelSelector: "its-own" };
    const reflector = startReflector(connection.pods, selection, store, ports);
    return {
      store,
      dispose: () => {
        reflector.dispose();
        store.dispose();
        isOwnOver = true;
      },
    };
  };
  const pods = new RunPodWatch(session.watchedAt(dev.url, driver), begin, ports);
  t.after(() => {
    pods.dispose();
  });
  const known = (): readonly string[] => [...pods.pods()].map(({ name }) => name);
  assert.deepEqual(known(), ["orders"]);
  assert.equal(watchesOf(dev).length, 1);
  look("test", ["ns"]);
  await until("the driver by its own watch", known, (found) => found.includes("orders"));
  assert.equal(watchesOf(dev).length, 2);
  look("dev", ["ns"]);
  await until("the driver by the view's", names, (found) => found.includes("ns/orders"));
  assert.deepEqual(known(), ["orders"]);
  assert.equal(watchesOf(dev).length, 3);
  assert.ok(isOwnOver);
});

test("each selected namespace has one watch of its pods, and a deselected one has none", async (t) => {
  const dev = await startServer(t, clusterWith("orders"));
  const { session, look, names } = await lookAt(t, { dev });
  look("dev", ["a", "b"]);
  await until("both", names, (found) => found.length === 2);
  assert.deepEqual(watchesOf(dev), ["/api/v1/namespaces/a/pods", "/api/v1/namespaces/b/pods"]);
  const before = new Set(dev.open);
  look("dev", ["b"]);
  await until(
    "one",
    () => session.applications.length,
    (count) => count === 1,
  );
  await until(
    "the old connections closed",
    () => [...dev.open].filter((socket) => before.has(socket)).length,
    (open) => open === 0,
  );
  assert.equal(watchesOf(dev).length, 3);
});

test("does not report a pod as ended after its namespace or cluster was deselected", async (t) => {
  const [dev, test] = [
    await startServer(t, clusterWith("orders")),
    await startServer(t, clusterWith("invoices")),
  ];
  const { session, look, names } = await lookAt(t, { dev, test });
  look("dev", ["ns"]);
  await until("its application", names, (found) => found.includes("ns/orders"));
  const [orders] = session.applications;
  assert.ok(orders?.driver);
  const target = logTargetOf(orders.driver);
  const { hasEnded } = containerUpdates(session.podsOf(orders.key), target);
  const isLive = (): boolean => session.isLive;
  await until("all of it", hasEnded, (ended) => ended === false);
  look("dev", ["nowhere"]);
  await until("the other namespace", isLive, (live) => live);
  assert.equal(hasEnded(), undefined);
  look("test", ["ns"]);
  await until("the other cluster", isLive, (live) => live);
  assert.equal(hasEnded(), undefined);
  look("dev", ["*"]);
  await until("the cluster again", hasEnded, (ended) => ended === false);
});

test("adding and removing a further cluster does not affect the first", async (t) => {
  const [dev, test] = [
    await startServer(t, clusterWith("orders")),
    await startServer(t, clusterWith("invoices")),
  ];
  const { session, look, lookBesides, names } = await lookAt(t, { dev, test });
  look("dev", ["ns"]);
  await until("the first cluster's", names, (found) => found.includes("ns/orders"));
  const asked = watchesOf(dev).length;
  lookBesides({ test: ["ns"] });
  assert.deepEqual(names(), ["ns/orders"], "what was shown goes on being shown");
  await until("both", names, (found) => found.length === 2);
  assert.deepEqual(names(), ["ns/orders", "ns/invoices"]);
  lookBesides({});
  assert.deepEqual(names(), ["ns/orders"]);
  await until(
    "no connection to the second",
    () => test.open.size,
    (open) => open === 0,
  );
  assert.equal(watchesOf(dev).length, asked);
  assert.equal(session.state.kind, "connected");
});

test("keeps equal applications of two clusters apart, each with its own context", async (t) => {
  const [dev, test] = [
    await startServer(t, clusterWith("orders")),
    await startServer(t, clusterWith("orders")),
  ];
  const { session, look, lookBesides } = await lookAt(t, { dev, test });
  look("dev", ["ns"]);
  lookBesides({ test: ["ns"] });
  await until(
    "both",
    () => session.applications,
    (found) => found.length === 2,
  );
  const keys = session.applications.map(({ key }) => key);
  assert.equal(new Set(keys).size, 2);
  assert.deepEqual(
    keys.map((key) => session.contextOf(key)),
    ["dev", "test"],
  );
  const servers = [];
  for (const key of keys) {
    const connected = await session.connectTo(key, AbortSignal.timeout(5_000));
    assert.ok(connected.ok);
    servers.push(connected.value.server);
    assert.equal(session.connectionOf(key), connected.value);
  }
  assert.deepEqual(servers, [dev.url, test.url]);
});

test("reports a further cluster that is unreachable, and still shows the first", async (t) => {
  const dev = await startServer(t, clusterWith("orders"));
  const { session, look, lookBesides, names } = await lookAt(t, { dev });
  look("dev", ["ns"]);
  lookBesides({ nowhere: [] });
  await until(
    "the problem",
    () => session.problem,
    (problem) => problem !== undefined,
  );
  await until("the first cluster's", names, (found) => found.includes("ns/orders"));
  assert.equal(session.problem?.kind, "configuration");
  assert.equal(session.isLive, false);
});

test("does not watch the chosen context twice when it is also a further context", async (t) => {
  const dev = await startServer(t, clusterWith("orders"));
  const { look, lookBesides, names } = await lookAt(t, { dev });
  look("dev", ["ns"]);
  lookBesides({ dev: ["ns"] });
  await until("its applications", names, (found) => found.length > 0);
  assert.deepEqual(names(), ["ns/orders"]);
  assert.equal(watchesOf(dev).length, 1);
});

test("reports a missing namespace until it contains a pod", async (t) => {
  const missing = statusJson(404, "NotFound", 'namespaces "typo" not found');
  const dev = await startServer(t, ({ path }, reply) => {
    if (path.startsWith("/api/v1/namespaces/typo/pods?")) {
      const mark = {
        kind: "Pod",
        metadata: { resourceVersion: "2", annotations: { "k8s.io/initial-events-end": "true" } },
      };
      const stream = reply.stream();
      stream.write(watchLine("BOOKMARK", mark));
      told = (pod) => {
        stream.write(watchLine("ADDED", pod));
      };
    } else reply.json(404, missing);
  });
  let told: (pod: unknown) => void = () => undefined;
  const { session, look, names } = await lookAt(t, { dev });
  look("dev", ["typo"]);
  const word = () => watchStateOf(session.state);
  await until("that there is none", word, (found) => found === "noNamespace");
  told({
    metadata: {
      ...{ name: "orders", namespace: "typo", uid: "u", resourceVersion: "3" },
      labels: { "spark-role": "driver", "spark-app-name": "orders" },
    },
    status: { phase: "Running" },
  });
  await until("what is in it", names, (found) => found.includes("typo/orders"));
  assert.equal(word(), "live");
});
