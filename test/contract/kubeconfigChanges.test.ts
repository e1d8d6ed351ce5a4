// F10: the kubeconfig changes while the window is open, in every way in which editors and tools change a file. Two
// servers record credentials, new connections and closed connections.
import assert from "node:assert/strict";
import { watch } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { disposable, DisposableStore } from "../../src/base/disposable.ts";
import { openClusters } from "../../src/cluster/door.ts";
import { ClusterSession } from "../../src/editor/apps/clusterSession.ts";
import type { Clusters } from "../../src/engine/ports/connection.ts";
import { sendNoCode } from "../../src/engine/submit/sendCode.ts";
import { submitPlan } from "../../src/engine/submit/submitPlan.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import { newAuthority } from "../../src/sandbox/security/certificates.ts";
import { conf, planOf, withOptions } from "../unit/submit/prepared.ts";
import { eventually } from "../host/eventually.ts";
import { startServer, type HostileServer, type Script } from "./hostileServer.ts";
import { podJson } from "./podJson.ts";
import { never, statusJson, temporaryFolder, valueOf } from "./rig.ts";
import { streamList } from "./watched.ts";

const authority = newAuthority("Test Authority");
const tls = authority.issue("api.test");
const authorityData = Buffer.from(authority.cert).toString("base64");

/** Handles requests as a cluster that serves only pods. */
const pods: Script = ({ path }, reply) => {
  if (path.includes("/pods?")) streamList(reply, [podJson("a", "5")], "6");
  else reply.json(404, statusJson(404, "NotFound", "no such kind"));
};

interface Kubeconfig {
  readonly old: HostileServer;
  readonly young: HostileServer;
}

/** Returns a kubeconfig whose context `x` has one of the servers and the token for it. */
function textOf({ old, young }: Kubeconfig, context: "old" | "young"): string {
  return JSON.stringify({
    contexts: [
      { name: "x", context: { cluster: context, user: context, namespace: "ns" } },
      { name: "other", context: { cluster: "young", user: "young", namespace: "ns" } },
    ],
    clusters: Object.entries({ old, young }).map(([name, { url }]) => ({
      name,
      cluster: { server: url, "certificate-authority-data": authorityData },
    })),
    users: ["old", "young"].map((name) => ({ name, user: { token: `of-${name}` } })),
    "current-context": "x",
  });
}

interface Looking extends Kubeconfig {
  readonly file: string;
  readonly session: ClusterSession;
  readonly clusters: Clusters;
  readonly warnings: readonly string[];
  readonly chosen: { context: string };
  /** Additional contexts that the session watches after `followFurther`. */
  readonly further: string[];
  /** Waits until the old server has no connections. */
  readonly released: () => Promise<unknown>;
}

async function lookAtOld(t: TestContext): Promise<Looking> {
  // Registered first, so that it runs before the servers stop: they would wait for reconnected clients.
  const owned = new DisposableStore();
  t.after(() => {
    owned.dispose();
  });
  const [old, young] = [await startServer(t, pods, { tls }), await startServer(t, pods, { tls })];
  const folder = await temporaryFolder(t);
  const file = join(folder, "config");
  await writeFile(file, textOf({ old, young }, "old"));
  const clusters = openClusters({
    ...{ clock: systemClock, random: Math.random, env: {}, homeDirectory: folder },
    ...{ userAgent: "contract-test/1", log: () => undefined },
  });
  const warnings: string[] = [];
  const chosen = { context: "x" };
  const further: string[] = [];
  const session = owned.add(
    new ClusterSession({
      loadClusters: () => Promise.resolve(clusters),
      clock: systemClock,
      random: Math.random,
      log: {
        ...{ debug: () => undefined, show: () => undefined, dispose: () => undefined },
        warn: (line) => warnings.push(line),
        error: console.error,
      },
      clusterSettings: () => ({ kubeconfigFiles: [file], mayRunPlugins: false }),
      chosenContext: () => chosen.context,
      chosenNamespaces: () => [],
      furtherContexts: () => Object.fromEntries(further.map((context) => [context, []])),
      watchFiles: ([path = ""], changed) => {
        const watching = watch(dirname(path), (_, name) => {
          if (name === basename(path)) changed();
        });
        return disposable(() => {
          watching.close();
        });
      },
    }),
  );
  session.start();
  await eventually(
    "pods",
    () => Promise.resolve(session.isLive),
    (isLive) => isLive,
  );
  const released = (): Promise<unknown> =>
    eventually(
      "no connection to the old server",
      () => Promise.resolve(old.open.size),
      (count) => count === 0,
    );
  return { old, young, file, session, clusters, warnings, chosen, further, released };
}

const watchesOn = ({ seen }: HostileServer): number =>
  seen.filter(({ path }) => path.includes("/pods?")).length;

function assertApart({ old, young }: Kubeconfig): void {
  for (const [name, server] of Object.entries({ old, young })) {
    const shown = new Set(server.seen.map(({ headers }) => headers.authorization));
    assert.deepEqual([...shown], [`Bearer of-${name}`]);
  }
}

type Change = (file: string, text: string) => Promise<void>;

const changes: Readonly<Record<string, Change>> = {
  "written over": (file, text) => writeFile(file, text),
  "replaced by another file": async (file, text) => {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  },
  "written in two steps": async (file, text) => {
    await writeFile(file, text.slice(0, text.length / 2));
    await wait(100);
    await writeFile(file, text);
  },
  "deleted and created again": async (file, text) => {
    await rm(file);
    await wait(100);
    await writeFile(file, text);
  },
};

for (const [how, change] of Object.entries(changes)) {
  test(`a kubeconfig that is ${how} closes the streams of the old server`, async (t) => {
    const looking = await lookAtOld(t);
    const { file, young, released, session } = looking;
    await change(file, textOf(looking, "young"));
    await released();
    await eventually(
      "the new server's pods",
      () => Promise.resolve(session.isLive && watchesOn(young) > 0),
      (isLive) => isLive,
    );
    assertApart(looking);
  });
}

test("closes the streams of the old context after a context switch", async (t) => {
  const looking = await lookAtOld(t);
  const { chosen, session, young, released } = looking;
  chosen.context = "other";
  session.restart();
  await released();
  await eventually(
    "the other's pods",
    () => Promise.resolve(watchesOn(young)),
    (count) => count === 1,
  );
  assertApart(looking);
});

test("reconnect restarts failed connections and keeps the others", async (t) => {
  const { session, further, file, ...both } = await lookAtOld(t);
  const before = session.chosen;
  assert.ok(before);
  further.push("later");
  session.followFurther();
  await eventually(
    "a context that is not there",
    () => Promise.resolve(session.state),
    ({ kind }) => kind === "connected" && !session.isLive,
  );
  const config = JSON.parse(textOf(both, "old")) as { contexts: { name: string }[] };
  config.contexts.push({ ...config.contexts[1], name: "later" });
  await writeFile(file, JSON.stringify(config));
  session.reconnect();
  await eventually(
    "all clusters",
    () => Promise.resolve(session.isLive && watchesOn(both.young) > 0),
    (isLive) => isLive,
  );
  assert.equal(session.chosen, before);
  // A disposed connection would not send a request.
  const asked = await before.objects.list({ apiVersion: "v1", kind: "Service" }, "ns", "", never);
  assert.ok(!asked.ok && asked.error.kind === "notFound");
});

test("closes the connection of a removed context", async (t) => {
  const looking = await lookAtOld(t);
  const { file, young, session, released } = looking;
  await writeFile(file, textOf(looking, "young").replaceAll('"x"', '"y"'));
  await released();
  await eventually(
    "a failure",
    () => Promise.resolve(session.state),
    ({ kind }) => kind === "failed",
  );
  assert.equal(young.seen.length, 0, "nobody else is asked in its place");
});

const spoilt: Readonly<Record<string, (file: string, text: string) => Promise<void>>> = {
  "half written": (file, text) => writeFile(file, text.slice(0, text.length / 2)),
  "without its contexts so far": (file) =>
    writeFile(file, "apiVersion: v1\nkind: Config\nclusters: []\n"),
  "cut to nothing": (file) => writeFile(file, ""),
  deleted: (file) => rm(file),
};

for (const [how, spoil] of Object.entries(spoilt)) {
  test(`a kubeconfig that is ${how} keeps the connection, and is read again when valid`, async (t) => {
    const looking = await lookAtOld(t);
    const { file, old, young, session, warnings, released } = looking;
    const streams = [...old.open];
    await spoil(file, textOf(looking, "young"));
    await eventually(
      "a warning",
      () => Promise.resolve(warnings.length),
      (count) => count > 0,
    );
    await wait(500);
    assert.equal(session.state.kind, "connected");
    assert.ok(session.isLive);
    assert.ok(streams.every((socket) => old.open.has(socket)));
    assert.equal(watchesOn(old), 1);
    await writeFile(file, textOf(looking, "young"));
    await released();
    await eventually(
      "the new server's pods",
      () => Promise.resolve(watchesOn(young)),
      (count) => count === 1,
    );
    assertApart(looking);
  });
}

test("a running submission stays on its original cluster when the kubeconfig changes", async (t) => {
  const looking = await lookAtOld(t);
  const { old, young, file, clusters, released, session, chosen } = looking;
  const settings = { kubeconfigFiles: [file], mayRunPlugins: false };
  const place = {
    context: "x",
    kubeconfig: undefined,
    isOfWorkspace: () => Promise.resolve(false),
  };
  const plan = planOf(withOptions("--master", `k8s://${old.url}`, ...conf("a.b=c")));
  const offer = valueOf(await clusters.connectTo(plan.access, place, settings, never));
  const connection = valueOf(await offer.open(() => assert.fail("nothing to ask"), never));
  t.after(() => {
    connection.dispose();
  });
  let answer = (): void => undefined;
  const stored: Script = (seen, reply) => {
    const object = JSON.parse(seen.body) as { metadata: object };
    const metadata = { ...object.metadata, uid: "u1", resourceVersion: "7" };
    answer = () => {
      reply.json(201, { ...object, metadata });
    };
    // The test sends the response to the first write after the kubeconfig and the window's context have changed.
    if (writesOn(old).length > 1) answer();
  };
  old.script = (seen, reply) => {
    (seen.method === "GET" ? pods : stored)(seen, reply);
  };
  const uploads = { copy: () => assert.fail("nothing to upload") };
  const submitting = submitPlan(
    plan,
    { objects: connection.objects, uploads, clock: systemClock, sendCode: sendNoCode },
    never,
  );
  await eventually(
    "the first write",
    () => Promise.resolve(writesOn(old).length),
    (count) => count === 1,
  );
  await writeFile(file, textOf(looking, "young"));
  await eventually(
    "the new server's pods",
    () => Promise.resolve(watchesOn(young)),
    (count) => count === 1,
  );
  chosen.context = "other";
  session.restart();
  await eventually(
    "the connection of the submission alone",
    () => Promise.resolve(old.open.size),
    (open) => open === 1,
  );
  answer();
  const submitted = await submitting;
  assert.ok(submitted.ok, JSON.stringify(submitted));
  assert.equal(writesOn(old).length, plan.writes.length);
  assert.deepEqual(writesOn(young), []);
  connection.dispose();
  await released();
  assertApart(looking);
});

const writesOn = ({ seen }: HostileServer): readonly string[] =>
  seen.filter(({ method }) => method !== "GET").map(({ path }) => path);
