// Follows logs on a real node: floods while the API server restarts and the node rotates logs, and a real application.
import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { DisposableStore, type Disposable } from "../../src/base/disposable.ts";
import { containerUpdates, podsOfStore } from "../../src/engine/logs/containerState.ts";
import {
  followLogs,
  type FollowedLog,
  type FollowSink,
  type LogFollow,
} from "../../src/engine/logs/followLogs.ts";
import { PodStore } from "../../src/engine/watch/podStore.ts";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import type { LogItem, LogRequest, LogSource } from "../../src/engine/ports/logs.ts";
import { startReflector } from "../../src/engine/watch/reflector.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import type { TailEnd } from "../../src/engine/logs/tail.ts";
import { appSelectorLabel } from "../../src/spark/labels.ts";
import { logTargetOf } from "../../src/spark/logs/targets.ts";
import { displayState } from "../../src/spark/pods/displayState.ts";
import type { PodRecord } from "../../src/spark/pods/podRecord.ts";
import { podsOf } from "../../src/spark/pods/podSnapshot.ts";
import type { Manifest } from "../../src/spark/submit/plan/manifest.ts";
import { collectLog, valueOf, withLines } from "../contract/rig.ts";
import { relayApiServer, type ApiOutage } from "./apiOutage.ts";
import { requireCluster } from "./requireCluster.ts";
import { submitExample } from "./submitted.ts";
import { connectTo, openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

const { kubeconfig, image, restartApiServer, restartKubelet } = requireCluster();
const namespace = `spark-k8s-logs-${process.pid}`;
const never = new AbortController().signal;
const log = { error: assert.ifError, debug: () => undefined, warn: () => undefined };

// SPARK_K8S_FLOOD=long selects the long flood, which loads the machine for minutes.
const isLong = process.env["SPARK_K8S_FLOOD"] === "long";
// Each container writes more than fits into one log file of the node.
const containers = isLong ? 20 : 10;
const outages = isLong ? 5 : 2;
const floodSeconds = isLong ? 60 : 15;

/** The node's log folder, and its mount path in a flood's container. */
const nodeLogs = "/var/log/pods";

/**
 * Prints numbers as fast as possible, then slowly enough for a busy node to rotate the log, then 100,000 more and
 * their count. If the node rotated at the very end, the last file would be empty and readers would miss the previous
 * one. So the script first waits until the current file is small, that is, recently rotated. It measures time by the
 * uptime, because the time of day may be set.
 */
const flood = `up() { read -r s rest </proc/uptime; s=\${s%.*}; }
n=0; up; end=$((s+${floodSeconds}))
while [ $s -lt $end ]; do seq -f '<%.0f>' $((n+1)) $((n+2000)); n=$((n+2000)); up; done
size() { stat -c %s ${nodeLogs}/$POD/main/0.log 2>/dev/null || echo 9999999; }
while [ $(size) -gt 2000000 ]; do
  seq -f '<%.0f>' $((n+1)) $((n+10000)); n=$((n+10000)); sleep 1
done
seq -f '<%.0f>' $((n+1)) $((n+100000)); n=$((n+100000)); echo "last $n"; sleep 1`;

/** Returns 12 for `<12>`; undefined for other text, such as a line that a rotation has cut. */
const numberIn = (text: string): number | undefined => {
  const digits = /^<(\d+)>$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

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

/** Returns the pod of a flood. It mounts the node's log folder. */
const floodManifest = (name: string): Manifest => {
  const manifest = podManifest(name, flood);
  const { containers, ...spec } = manifest["spec"] as { containers: object[] };
  const fieldOf = (fieldPath: string): object => ({ valueFrom: { fieldRef: { fieldPath } } });
  return {
    ...manifest,
    metadata: { name, labels: { flood: "yes" } },
    spec: {
      ...spec,
      volumes: [{ name: "logs", hostPath: { path: nodeLogs, type: "Directory" } }],
      containers: containers.map((container) => ({
        ...container,
        env: [
          { name: "UID_OF_POD", ...fieldOf("metadata.uid") },
          { name: "POD", value: `${namespace}_${name}_$(UID_OF_POD)` },
        ],
        volumeMounts: [{ name: "logs", mountPath: nodeLogs, readOnly: true }],
        // Spark's user has no permission to read the node's files.
        securityContext: { runAsUser: 0 },
      })),
    },
  };
};

describe("logs of a real node", { timeout: 600_000 }, () => {
  let folder: string;
  let clusters: Clusters;
  let outage: ApiOutage;
  let connection: Connection;
  let own: TestNamespace;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-logs-"));
    clusters = openTestClusters(folder);
    outage = await relayApiServer(kubeconfig, folder, undefined);
    connection = await connectTo(clusters, outage.kubeconfig);
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
  /** Watches the selected pods in the namespace as the extension does. */
  const watchPods = (labelSelector: string): { store: PodStore } & Disposable => {
    const owned = new DisposableStore();
    const store = owned.add(new PodStore({ clock: systemClock, log }));
    const ports = { clock: systemClock, random: Math.random, log };
    owned.add(startReflector(connection.pods, { namespace, labelSelector }, store, ports));
    return {
      store,
      dispose: () => {
        owned.dispose();
      },
    };
  };
  const followIn = (store: PodStore, pod: PodRecord, logs = connection.logs): FollowedLog => {
    const target = logTargetOf({ pod, state: displayState(pod) });
    const news = containerUpdates(podsOfStore(store), target);
    return { id: pod.name, logs, target, tailLines: undefined, ...news };
  };
  const joinAll = (store: PodStore, follow: LogFollow, logs?: LogSource): Disposable =>
    store.subscribe(
      ({ snapshot }) => {
        for (const pod of podsOf(snapshot)) follow.join(followIn(store, pod, logs));
      },
      { intervalMs: 100 },
    );
  /** Follows the selected logs as the extension does, until it is stopped or the test ends. */
  const followPods = (
    t: TestContext,
    labelSelector: string,
    sink: FollowSink,
    logs?: LogSource,
  ): (() => Promise<void>) => {
    const follow = followLogs({ clock: systemClock, random: Math.random, log }, sink);
    const { store, ...watch } = watchPods(labelSelector);
    const joining = joinAll(store, follow, logs);
    const stop = async (): Promise<void> => {
      for (const one of [joining, watch, follow]) one.dispose();
      await follow.done;
    };
    t.after(stop);
    return stop;
  };
  const phaseOf = async (name: string): Promise<string | undefined> => {
    const reference = { apiVersion: "v1", kind: "Pod", namespace, name };
    const read = await connection.objects.read(reference, AbortSignal.timeout(10_000));
    const body = read.ok ? (read.value.body as { status?: { phase?: string } }) : undefined;
    return body?.status?.phase;
  };

  test("loses and repeats no line that the node still has, across restarts and rotation", async (t) => {
    const names = Array.from({ length: containers }, (_, number) => `flood-${number}`);
    const seen = new Map(names.map((name) => [name, new SeenNumbers(name)]));
    const ended = new Map<string, TailEnd>();
    const logs: LogSource = {
      readLog: (request, signal) =>
        seen.get(request.pod)?.watch(connection.logs.readLog(request, signal)) ??
        connection.logs.readLog(request, signal),
    };
    const stop = followPods(
      t,
      "flood=yes",
      {
        records: (records) => {
          for (const { source, record } of records) seen.get(source)?.take(record.text);
        },
        notice: (source, { kind }) => {
          if (kind === "gap") seen.get(source)?.gap();
        },
        ended: (source, end) => {
          ended.set(source, end);
        },
      },
      logs,
    );
    for (const name of names) {
      await create(floodManifest(name));
    }
    for (let times = 0; times < outages; times += 1) {
      await wait(isLong ? 6_000 : 3_000);
      if (restartApiServer !== undefined) await promisify(exec)(restartApiServer);
      await outage.begin();
      await wait(1_000);
      await outage.end();
    }
    const deadline = performance.now() + 300_000;
    while (ended.size < names.length && performance.now() < deadline) await wait(500);
    await stop();
    const all = [...seen.values()];
    const sum = (of: (one: SeenNumbers) => number): number =>
      all.reduce((total, one) => total + of(one), 0);
    t.diagnostic(
      `${sum(({ lines }) => lines)} lines of ${containers} containers, ${sum(({ gaps }) => gaps)} gaps said, ` +
        `${sum(({ leftOut }) => leftOut)} times left out by the node, ${sum(({ torn }) => torn)} pieces of lines; ` +
        `ends: ${[...ended.values()].map(({ kind }) => kind).join(" ")}`,
    );
    assert.deepEqual(all.flatMap(({ wrong }) => wrong).slice(0, 20), []);
    assert.deepEqual(
      [...ended.values()].filter(({ kind }) => kind !== "finished"),
      [],
    );
    assert.equal(ended.size, names.length);
    for (const one of all) {
      const { name, newest } = one;
      // Only lines that are still in the node's log file can be checked.
      const kept = await collectLog(
        connection.logs.readLog(
          {
            ...{ namespace, pod: name, container: "main", follow: false, previous: false },
            ...{ tailLines: undefined, sinceTime: undefined },
          },
          never,
        ),
      );
      const lines = kept.flatMap((item) => (item.kind === "lines" ? item.lines : []));
      assert.deepEqual(
        kept.filter(({ kind }) => kind !== "lines"),
        [],
        name,
      );
      assert.equal(newest, lines.at(-1)?.text, name);
      const unseen = lines.filter(({ text }) => !one.hasSeen(numberIn(text)));
      assert.deepEqual(
        unseen.slice(0, 20).map(({ text }) => text),
        [],
        `${unseen.length} of ${lines.length} lines that the node still has of ${name}`,
      );
    }
    assert.ok(sum(({ lines }) => lines) >= containers * 50_000, "that is no flood");
  });

  test("continues after a kubelet restart, each line once", async (t) => {
    const last = 600;
    const script = `n=0; while [ $n -lt ${last} ]; do n=$((n+1)); echo "<$n>"; sleep 0.05; done`;
    const manifest = podManifest("kubelet", script);
    const numbers: (number | undefined)[] = [];
    const told: string[] = [];
    const stop = followPods(t, "kubelet=yes", {
      records: (records) => {
        numbers.push(...records.map(({ record }) => numberIn(record.text)));
      },
      notice: (_, { kind }) => {
        told.push(kind);
      },
      ended: (_, { kind }) => {
        told.push(kind);
      },
    });
    await create({ ...manifest, metadata: { name: "kubelet", labels: { kubelet: "yes" } } });
    const deadline = performance.now() + 150_000;
    while (numbers.length < 100 && performance.now() < deadline) await wait(100);
    if (restartKubelet !== undefined) await promisify(exec)(restartKubelet);
    await outage.begin();
    await outage.end();
    while (!told.includes("finished") && performance.now() < deadline) await wait(200);
    await stop();
    assert.deepEqual(
      numbers,
      Array.from({ length: last }, (_, at) => at + 1),
    );
    assert.ok(!told.includes("gap"), told.join(" "));
    assert.equal(told.at(-1), "finished");
  });

  // Run in parallel: these tests mostly wait for a container to restart or a JVM to start.
  describe("of pods that run beside each other", { concurrency: 3 }, () => {
    test("follows a restarted container from run to run", async (t) => {
      const script = "echo run; seq 1 500; exit 3";
      const manifest = podManifest("again", script);
      const labels = { again: "yes" };
      const spec = { ...(manifest["spec"] as object), restartPolicy: "Always" };
      const printed: string[] = [];
      const stop = followPods(t, "again=yes", {
        records: (records) => {
          printed.push(...records.map(({ record }) => record.text));
        },
        notice: (_, { kind }) => {
          if (kind === "gap" || kind === "restarted") printed.push(kind);
        },
        ended: () => undefined,
      });
      await create({ ...manifest, metadata: { name: "again", labels }, spec });
      const deadline = performance.now() + 90_000;
      while (printed.filter((text) => text === "500").length < 3 && performance.now() < deadline) {
        await wait(200);
      }
      await stop();
      const words = printed.filter((text) => text === "gap" || text === "restarted");
      const run = ["run", ...Array.from({ length: 500 }, (_, at) => String(at + 1))];
      // The node may delete a run's log before the follower reads its end, so a gap may also be printed between runs.
      const runs = printed.filter((text) => text !== "gap" && text !== "restarted");
      assert.deepEqual(runs, [...run, ...run, ...run]);
      assert.ok(words.length >= 2, words.join());
    });

    test("follows a real application's driver and executors to their ends", async (t) => {
      const submitted = await submitExample(connection, own, {
        image,
        name: "followed",
        args: ["3"],
        conf: {
          "spark.executor.instances": "2",
          // Otherwise the job may end before the second executor has started.
          "spark.scheduler.minRegisteredResourcesRatio": "1.0",
          "spark.scheduler.maxRegisteredResourcesWaitingTime": "120s",
        },
      });
      const { applicationId } = submitted;
      const texts = new Map<string, string[]>();
      const ends = new Map<string, TailEnd>();
      const gaps: string[] = [];
      const stop = followPods(t, `${appSelectorLabel}=${applicationId}`, {
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
      });
      const driver = submitted.driverPod.name;
      const deadline = performance.now() + 180_000;
      while ((ends.size < 3 || !ends.has(driver)) && performance.now() < deadline) await wait(200);
      await stop();
      const request: LogRequest = {
        ...{ namespace, pod: driver, container: undefined, follow: false, previous: false },
        ...{ tailLines: undefined, sinceTime: undefined },
      };
      const items = await collectLog(connection.logs.readLog(request, never));
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
});

/** Compares the numbers of one flood: those in the node's own streams and those that the follower delivered. */
class SeenNumbers {
  readonly name: string;
  readonly wrong: string[] = [];
  lines = 0;
  gaps = 0;
  torn = 0;
  leftOut = 0;
  newest: string | undefined;
  #next: number | undefined;
  #last = 0;
  /** Ranges of consecutive delivered numbers; both ends are inclusive. */
  readonly #ranges: { readonly from: number; to: number }[] = [];
  /**
   * Gaps in the node's own streams, each as the expected and the actual number. A node that rotates twice during a
   * read omits lines.
   */
  readonly #leaps = new Set<string>();

  constructor(name: string) {
    this.name = name;
  }

  async *watch(items: AsyncIterable<LogItem>): AsyncGenerator<LogItem> {
    let next: number | undefined;
    for await (const item of items) {
      const read = withLines(item);
      if (read.kind === "failed") {
        yield read;
        continue;
      }
      const { lines } = read;
      for (const { text } of lines) {
        const number = numberIn(text);
        if (number === undefined) continue;
        if (next !== undefined && number !== next) this.#leaps.add(`${next} ${number}`);
        next = number + 1;
      }
      yield { kind: "lines", take: () => lines };
    }
  }

  gap(): void {
    this.gaps += 1;
    this.#next = undefined;
  }

  take(text: string): void {
    this.lines += 1;
    this.newest = text;
    if (text.startsWith("last ")) return;
    const number = numberIn(text);
    if (number === undefined) {
      this.torn += 1;
      return;
    }
    if (this.#next !== undefined && number !== this.#next) {
      if (number > this.#next && this.#leaps.has(`${this.#next} ${number}`)) this.leftOut += 1;
      else this.wrong.push(`${this.name}: ${number} instead of ${this.#next}`);
    }
    if (number <= this.#last) this.wrong.push(`${this.name}: ${number} after ${this.#last}`);
    this.#next = number + 1;
    this.#last = number;
    const range = this.#ranges.at(-1);
    if (range?.to === number - 1) range.to = number;
    else this.#ranges.push({ from: number, to: number });
  }

  /** True if the follower delivered the number, or if it is undefined. */
  hasSeen(number: number | undefined): boolean {
    if (number === undefined) return true;
    return this.#ranges.some(({ from, to }) => from <= number && number <= to);
  }
}
