// Followed logs on a real node: floods while the API server is restarted and the node rotates, and a real Spark.
import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { openClusters } from "../../src/cluster/door.ts";
import { followLogs, type FollowedLog } from "../../src/engine/followLogs.ts";
import { PodStore } from "../../src/engine/podStore.ts";
import type { Clusters, Connection, LogRequest } from "../../src/engine/ports.ts";
import { startReflector } from "../../src/engine/reflector.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import type { TailEnd, TailNotice } from "../../src/engine/tail.ts";
import { appSelectorLabel } from "../../src/spark/labels.ts";
import { hasTargetEnded, logTargetOf } from "../../src/spark/logs/targets.ts";
import { displayState } from "../../src/spark/pods/displayState.ts";
import { findPod, podsOf } from "../../src/spark/pods/podSnapshot.ts";
import type { Manifest } from "../../src/spark/submit/manifest.ts";
import { collect, valueOf } from "../contract/rig.ts";
import { relayApiServer, type ApiOutage } from "./apiOutage.ts";
import { requireCluster } from "./requireCluster.ts";
import { submitExample } from "./submitted.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

const { kubeconfig, image, restartApiServer } = requireCluster();
const namespace = `spark-k8s-logs-${process.pid}`;
const never = new AbortController().signal;
const log = { error: assert.ifError, debug: () => undefined, warn: () => undefined };

const containers = 20;
const outages = 5;
const floodSeconds = 60;

/** Numbers as fast as the container can write them, then how many there were. */
const flood = `n=0; end=$(($(date +%s)+${floodSeconds}))
while [ $(date +%s) -lt $end ]; do seq $((n+1)) $((n+2000)); n=$((n+2000)); done; echo last $n`;

const podManifest = (name: string, script: string): Manifest => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: {
    restartPolicy: "Never",
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: "main",
        image,
        imagePullPolicy: "IfNotPresent",
        command: ["/bin/sh", "-c", script],
        resources: { requests: { cpu: "10m" } },
      },
    ],
  },
});

describe("logs of a real node", { timeout: 600_000 }, () => {
  let folder: string;
  let clusters: Clusters;
  let outage: ApiOutage;
  let connection: Connection;
  let own: TestNamespace;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-logs-"));
    clusters = openClusters({
      clock: systemClock,
      random: Math.random,
      env: process.env,
      homeDirectory: folder,
      userAgent: "spark-k8s-test",
      log: () => undefined,
    });
    outage = await relayApiServer(kubeconfig, folder, undefined);
    const settings = { kubeconfigFiles: [outage.kubeconfig], mayRunPlugins: true };
    connection = valueOf(await clusters.connect(undefined, settings, AbortSignal.timeout(10_000)));
    own = await makeTestNamespace(connection, namespace);
  });

  after(async () => {
    await own.remove();
    clusters.dispose();
    await outage.close();
    await rm(folder, { recursive: true, force: true });
  });

  const create = async (manifest: Manifest): Promise<void> => {
    const options = { dryRun: false, charset: false };
    valueOf(await connection.objects.create(namespace, manifest, options, never));
  };
  const phaseOf = async (name: string): Promise<string | undefined> => {
    const reference = { apiVersion: "v1", kind: "Pod", namespace, name };
    const read = await connection.objects.read(reference, AbortSignal.timeout(10_000));
    const body = read.ok ? (read.value.body as { status?: { phase?: string } }) : undefined;
    return body?.status?.phase;
  };

  test("of floods not one number is lost or doubled that the node still had, over restarts and rotation", async (t) => {
    const names = Array.from({ length: containers }, (_, number) => `flood-${number}`);
    for (const name of names) await create(podManifest(name, flood));
    const seen = new Map(
      names.map((name) => [
        name,
        {
          next: undefined as number | undefined,
          mayBeTorn: true,
          newest: 0,
          gaps: 0,
          torn: 0,
          last: 0,
          lines: 0,
        },
      ]),
    );
    const wrong: string[] = [];
    // A node that rotates twice while it is read leaves lines out of its own stream; whether it was the node is
    // asked of it at once.
    const asked: Promise<void>[] = [];
    let leftOut = 0;
    const ask = async (source: string, from: number, to: number, words: string): Promise<void> => {
      const items = connection.logs.readLog(
        {
          namespace,
          pod: source,
          container: "main",
          follow: false,
          previous: false,
          tailLines: undefined,
          sinceTime: undefined,
        },
        AbortSignal.timeout(60_000),
      );
      for await (const item of items) {
        if (item.kind !== "lines") continue;
        const kept = item.lines.find(({ text }) => Number(text) >= from && Number(text) < to);
        if (kept !== undefined) {
          wrong.push(`${words}, but the node has ${kept.text}`);
          return;
        }
      }
      leftOut += 1;
    };
    const ended = new Map<string, TailEnd>();
    const isOver = new Set<string>();
    const follow = followLogs(
      { logs: connection.logs, clock: systemClock, random: Math.random, log },
      {
        records: (records) => {
          for (const { source, record } of records) {
            const state = seen.get(source);
            if (state === undefined) continue;
            state.lines += 1;
            if (record.text.startsWith("last ")) {
              state.last = Number(record.text.slice(5));
              continue;
            }
            const expected = state.next === undefined ? "" : String(state.next);
            // Where a node rotates it may tell a line in two, or its beginning alone.
            if (expected !== "" && record.text !== expected && expected.startsWith(record.text)) {
              state.torn += 1;
              state.mayBeTorn = true;
              state.next = undefined;
              continue;
            }
            const number = Number(record.text);
            // A node cuts a line in two where it rotates: behind a gap, or at the very first, the end of one may stand.
            if (state.mayBeTorn) state.mayBeTorn = false;
            else if (state.next === undefined) {
              if (number < state.newest) wrong.push(`${source}: ${number} after ${state.newest}`);
              state.next = number + 1;
            } else {
              const words = `${source}: ${number} instead of ${state.next} (${record.timestamp})`;
              if (!(number >= state.next)) wrong.push(words);
              else if (number > state.next) asked.push(ask(source, state.next, number, words));
              state.next = number + 1;
            }
            state.newest = Math.max(state.newest, (state.next ?? 1) - 1);
          }
        },
        notice: (source: string, notice: TailNotice) => {
          const state = seen.get(source);
          if (notice.kind !== "gap" || state === undefined) return;
          state.gaps += 1;
          state.next = undefined;
          state.mayBeTorn = true;
        },
        ended: (source, end) => {
          ended.set(source, end);
        },
      },
    );
    for (const name of names) {
      follow.join({
        id: name,
        target: { namespace, pod: name, container: "main" },
        tailLines: undefined,
        hasEnded: () => isOver.has(name),
      });
    }
    for (let times = 0; times < outages; times += 1) {
      await wait(6_000);
      if (restartApiServer !== undefined) await promisify(exec)(restartApiServer);
      await outage.begin();
      await wait(1_000);
      await outage.end();
    }
    const deadline = Date.now() + 200_000;
    while (ended.size < names.length && Date.now() < deadline) {
      for (const name of names) {
        if (isOver.has(name)) continue;
        const phase = await phaseOf(name);
        if (phase === "Succeeded" || phase === "Failed") {
          isOver.add(name);
        }
      }
      await wait(1_000);
    }
    follow.dispose();
    await follow.done;
    await Promise.all(asked);
    const all = [...seen.values()];
    const total = all.reduce((sum, { lines }) => sum + lines, 0);
    const gaps = all.reduce((sum, one) => sum + one.gaps, 0);
    t.diagnostic(
      `${total} lines of ${containers} containers, ${gaps} gaps said, ${leftOut} left out by the node, ${wrong.length} wrong, ` +
        `ends: ${[...ended.values()].map(({ kind }) => kind).join(" ")}; last: ${all.map(({ newest, last }) => newest - last).join(" ")}`,
    );
    assert.deepEqual(wrong.slice(0, 20), []);
    assert.equal(ended.size, names.length);
    for (const [name, { newest, last }] of seen) {
      // A container's own last words may never have come to the node's file.
      const kept = await collect(
        connection.logs.readLog(
          {
            ...{ namespace, pod: name, container: "main", follow: false, previous: false },
            ...{ tailLines: 1, sinceTime: undefined },
          },
          never,
        ),
      );
      const [line] = kept.flatMap((item) => (item.kind === "lines" ? item.lines : []));
      const said = line?.text.startsWith("last ") === true ? last : newest;
      assert.equal(said, Number(line?.text.replace("last ", "")), name);
    }
    assert.ok(total > 100_000, `${total} lines are no flood`);
  });

  test("a container that is started again is followed from run to run", async () => {
    const script = "echo run; seq 1 500; exit 3";
    const manifest = podManifest("again", script);
    await create({
      ...manifest,
      spec: { ...(manifest["spec"] as object), restartPolicy: "Always" },
    });
    const printed: string[] = [];
    const follow = followLogs(
      { logs: connection.logs, clock: systemClock, random: Math.random, log },
      {
        records: (records) => {
          printed.push(...records.map(({ record }) => record.text));
        },
        notice: (_, { kind }) => {
          if (kind === "gap" || kind === "restarted") printed.push(kind);
        },
        ended: () => undefined,
      },
    );
    follow.join({
      id: "again",
      target: { namespace, pod: "again", container: "main" },
      tailLines: undefined,
      hasEnded: () => false,
    });
    const deadline = Date.now() + 90_000;
    while (printed.filter((text) => text === "500").length < 2 && Date.now() < deadline) {
      await wait(500);
    }
    follow.dispose();
    await follow.done;
    const order = printed.filter((text) => Number.isNaN(Number(text)));
    // A node may have thrown the run before away already; then nobody can tell that it was read to its end.
    const between = order[1] === "gap" ? "gap" : "restarted";
    assert.deepEqual(order.slice(0, 3), ["run", between, "run"]);
    const run = ["run", ...Array.from({ length: 500 }, (_, at) => String(at + 1))];
    assert.deepEqual(printed.slice(0, 2 * run.length + 1), [...run, between, ...run]);
  });

  test("a real application's driver and executors are followed to their ends", async () => {
    const submitted = await submitExample(connection, own, image, "followed", ["3"], {
      "spark.executor.instances": "2",
      // Else the job may be over before the second one has begun.
      "spark.scheduler.minRegisteredResourcesRatio": "1.0",
      "spark.scheduler.maxRegisteredResourcesWaitingTime": "120s",
    });
    const { applicationId } = submitted;
    const store = new PodStore({ clock: systemClock, log });
    const selection = { namespace, labelSelector: `${appSelectorLabel}=${applicationId}` };
    const ports = { clock: systemClock, random: Math.random, log };
    const reflector = startReflector(connection.pods, selection, store, ports);
    const texts = new Map<string, string[]>();
    const ends = new Map<string, TailEnd>();
    const gaps: string[] = [];
    const follow = followLogs(
      { logs: connection.logs, clock: systemClock, random: Math.random, log },
      {
        records: (records) => {
          for (const { source, record } of records) {
            const lines = texts.get(source) ?? [];
            lines.push(record.text, ...record.rest.map(({ text }) => text));
            texts.set(source, lines);
          }
        },
        notice: (source, { kind }) => {
          if (kind === "gap") gaps.push(source);
        },
        ended: (source, end) => {
          ends.set(source, end);
        },
      },
    );
    const subscription = store.subscribe(
      ({ snapshot }) => {
        for (const pod of podsOf(snapshot)) {
          const target = logTargetOf({ pod, state: displayState(pod) });
          const followed: FollowedLog = {
            id: pod.name,
            target,
            tailLines: undefined,
            hasEnded: () => hasTargetEnded(findPod(store.snapshot, pod.uid), target),
          };
          follow.join(followed);
        }
      },
      { intervalMs: 100 },
    );
    const driver = submitted.driverPod.name;
    const deadline = Date.now() + 180_000;
    while ((ends.size < 3 || !ends.has(driver)) && Date.now() < deadline) await wait(200);
    follow.dispose();
    subscription.dispose();
    reflector.dispose();
    await follow.done;
    const request: LogRequest = {
      ...{ namespace, pod: driver, container: undefined, follow: false, previous: false },
      ...{ tailLines: undefined, sinceTime: undefined },
    };
    const items = await collect(connection.logs.readLog(request, never));
    const whole = items.flatMap((item) => (item.kind === "lines" ? item.lines : []));
    assert.deepEqual(
      texts.get(driver),
      whole.map(({ text }) => text),
    );
    assert.deepEqual(ends.get(driver), { kind: "finished" });
    assert.deepEqual(gaps, []);
    const executors = [...texts].filter(([name]) => name !== driver);
    assert.equal(executors.length, 2);
    for (const [name, lines] of executors) {
      assert.ok(
        lines.some((text) => text.includes("Driver commanded a shutdown")),
        name,
      );
    }
  });

  test("a forwarded port carries many connections both ways, and a closed one is refused", async () => {
    const script =
      "perl -MIO::Socket::INET -e '$s=IO::Socket::INET->new(LocalPort=>8000,Listen=>64,ReuseAddr=>1);" +
      '$SIG{CHLD}="IGNORE";while($c=$s->accept){if(!fork){while(sysread($c,$b,65536)){print $c uc $b;$c->flush;last if $b=~/end/}exit}close $c}\'';
    await create(podManifest("echo", script));
    while ((await phaseOf("echo")) !== "Running") await wait(300);
    await wait(1_000);
    const errors: string[] = [];
    const forward = await clusters.forward({
      localPort: undefined,
      dial: (signal) => connection.ports.open({ namespace, name: "echo", port: 8000 }, signal),
      changed: () => undefined,
      failed: ({ detail }) => errors.push(detail),
    });
    const ask = async (words: string): Promise<string> => {
      const socket = connect(forward.localPort, "127.0.0.1");
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
      socket.write(`${words} end`);
      await once(socket, "close");
      return text;
    };
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, number) => ask(`hello ${number}`)),
    );
    assert.deepEqual(
      all,
      Array.from({ length: 30 }, (_, number) => `HELLO ${number} END`),
    );
    forward.dispose();
    const closed = await clusters.forward({
      localPort: undefined,
      dial: (signal) => connection.ports.open({ namespace, name: "echo", port: 9999 }, signal),
      changed: () => undefined,
      failed: ({ detail }) => errors.push(detail),
    });
    const socket = connect(closed.localPort, "127.0.0.1");
    await once(socket, "error");
    assert.match(errors.join("\n"), /refused/);
    closed.dispose();
  });
});
