import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import {
  decommissionExecutor,
  type DecommissionPorts,
} from "../../../../src/engine/lifecycle/decommissionExecutor.ts";
import type { ExecItem } from "../../../../src/engine/ports/channels.ts";
import { executorPodOf } from "../../../../src/spark/pods/executorPods.ts";
import { podFixture } from "../../pods/podFixture.ts";
import { fakeCluster, forbidden } from "../fakeCluster.ts";

const never = new AbortController().signal;
const on = new Map([["spark.decommission.enabled", "true"]]);

interface Faults {
  readonly patch?: ClusterError;
  readonly evict?: ClusterError;
  readonly delete?: ClusterError;
  readonly exec?: ClusterError;
  readonly ended?: ExecItem;
  readonly output?: readonly string[];
}

/** Creates a server with one pod and records its requests. `faults` makes requests fail. */
function rig(
  pod: { hasHook?: boolean; hook?: string[]; isLeaving?: boolean; uid?: string },
  faults: Faults = {},
) {
  const asked: string[] = [];
  const programs: (readonly string[])[] = [];
  const marks: unknown[] = [];
  const container = {
    name: "spark-kubernetes-executor",
    ...(pod.hasHook === true && {
      lifecycle: { preStop: { exec: { command: pod.hook ?? ["/opt/decom.sh"] } } },
    }),
  };
  const body = {
    metadata: { ...(pod.isLeaving === true && { deletionTimestamp: "2026-01-02T03:04:05Z" }) },
    spec: { terminationGracePeriodSeconds: 30, containers: [container] },
  };
  const read = { apiVersion: "v1", kind: "Pod", name: "pi-exec-1", namespace: "jobs" };
  const stored = { ...read, uid: pod.uid ?? "uid-1", resourceVersion: "1", body };
  const note = (words: string, error: ClusterError | undefined) => {
    asked.push(words);
    return Promise.resolve(error ? err(error) : ok(undefined));
  };
  const ports: DecommissionPorts = {
    objects: {
      ...fakeCluster().objects,
      read: () => Promise.resolve(ok(stored)),
      patch: (_, { metadata }) => {
        marks.push(metadata);
        return Promise.resolve(faults.patch ? err(faults.patch) : ok(stored));
      },
      delete: (_, { uid, gracePeriodSeconds }) =>
        note(`delete ${uid ?? ""} ${gracePeriodSeconds ?? ""}`, faults.delete),
    },
    evictions: {
      evict: (_, { uid, gracePeriodSeconds }) =>
        note(`evict ${uid ?? ""} ${gracePeriodSeconds ?? ""}`, faults.evict),
    },
    exec: {
      start: ({ container: name, command = [] }) => {
        asked.push(`exec in ${name ?? ""}: ${/kill -s \w+/.exec(command.join(" "))?.[0] ?? ""}`);
        programs.push(command);
        if (faults.exec) return Promise.resolve(err(faults.exec));
        const items: readonly ExecItem[] = [
          ...(faults.output ?? []).map(
            (text) => ({ kind: "output", from: "stderr", text }) as const,
          ),
          faults.ended ?? { kind: "ended", exitCode: 0 },
        ];
        return Promise.resolve(
          ok({
            items: (async function* () {
              for (const item of items) yield await Promise.resolve(item);
            })(),
            canCloseInput: true,
            write: () => undefined,
            closeInput: () => undefined,
            type: () => undefined,
            resize: () => undefined,
            dispose: () => undefined,
          }),
        );
      },
    },
  };
  const executor = executorPodOf(podFixture());
  return {
    asked,
    programs,
    marks,
    decommission: (conf: ReadonlyMap<string, string> | undefined) =>
      decommissionExecutor(ports, executor, conf, never),
  };
}

test("a pod with Spark's hook is evicted, this very pod, with time to hand over", async () => {
  const { asked, decommission } = rig({ hasHook: true });
  assert.deepEqual(await decommission(on), { kind: "evicted", gracePeriodSeconds: 300 });
  assert.deepEqual(asked, ["evict uid-1 300"]);
});

test("marks the pod before it is evicted, as Spark does, and evicts it if it cannot be marked", async () => {
  const conf = new Map([
    ...on,
    ["spark.kubernetes.executor.decommissionLabel", "example.com/leaving"],
  ]);
  const { marks, decommission } = rig({ hasHook: true });
  await decommission(conf);
  const labels = { "spark-k8s/requested-end": "decommissioned", "example.com/leaving": "" };
  assert.deepEqual(marks, [{ uid: "uid-1", labels, annotations: {} }]);
  const unmarked = rig({ hasHook: true }, { patch: forbidden("patch", "pods") });
  assert.equal((await unmarked.decommission(conf)).kind, "evicted");
  const off = rig({ hasHook: false });
  await off.decommission(new Map());
  assert.deepEqual(off.marks, [], "not decommissioned, so not marked");
});

test("a hook shows that decommissioning is on if the conf is unreadable", async () => {
  assert.equal((await rig({ hasHook: true }).decommission(undefined)).kind, "evicted");
  const { asked, decommission } = rig({ hasHook: false });
  assert.deepEqual(await decommission(undefined), { kind: "off" });
  assert.deepEqual(asked, []);
});

test("a custom hook is not taken for Spark's if the conf turns decommissioning off", async () => {
  const hook = ["/bin/sh", "-c", "upload-the-heap-dump"];
  const { asked, decommission } = rig({ hasHook: true, hook });
  assert.deepEqual(await decommission(new Map()), { kind: "off" });
  assert.deepEqual(asked, []);
});

test("a preStop hook of Spark shows that decommissioning is on even if only the application sets it", async () => {
  assert.equal((await rig({ hasHook: true }).decommission(new Map())).kind, "evicted");
  const conf = new Map([["spark.kubernetes.decommission.script", "/etc/leave.sh"]]);
  const own = rig({ hasHook: true, hook: ["/etc/leave.sh"] });
  assert.equal((await own.decommission(conf)).kind, "evicted");
});

test("tries the next way if one is forbidden, and reports the first if all are", async () => {
  const evict = forbidden("create", "pods/eviction");
  const remove = forbidden("delete", "pods");
  const exec = forbidden("create", "pods/exec");
  const second = rig({ hasHook: true }, { evict });
  assert.deepEqual(await second.decommission(on), { kind: "deleted", gracePeriodSeconds: 300 });
  const third = rig({ hasHook: true }, { evict, delete: remove });
  assert.deepEqual(await third.decommission(on), { kind: "signalled" });
  assert.deepEqual(third.asked, [
    "evict uid-1 300",
    "delete uid-1 300",
    "exec in spark-kubernetes-executor: kill -s PWR",
  ]);
  const none = rig({ hasHook: true }, { evict, delete: remove, exec });
  assert.deepEqual(await none.decommission(on), { kind: "failed", error: remove });
});

test("respects a disruption budget", async () => {
  const error: ClusterError = { kind: "protected", resource: "pods", name: "p", detail: "" };
  const { asked, decommission } = rig({ hasHook: true }, { evict: error });
  assert.deepEqual(await decommission(on), { kind: "failed", error });
  assert.deepEqual(asked, ["evict uid-1 300"]);
});

test("without the hook, sends the signal of the conf and reports the missing hook", async () => {
  const conf = new Map([...on, ["spark.executor.decommission.signal", "USR2"]]);
  const { asked, decommission } = rig({ hasHook: false });
  assert.deepEqual(await decommission(conf), { kind: "signalled" });
  assert.deepEqual(asked, ["exec in spark-kubernetes-executor: kill -s USR2"]);
  const empty = rig({ hasHook: false }, { ended: { kind: "ended", exitCode: 3 } });
  assert.deepEqual(await empty.decommission(on), { kind: "noProcess" });
  const told = rig({ hasHook: false }, { ended: { kind: "ended", exitCode: 4 } });
  assert.deepEqual(await told.decommission(on), { kind: "alreadyLeaving" });
  const odd = new Map([...on, ["spark.executor.decommission.signal", "PWR; rm -rf /"]]);
  const safe = rig({ hasHook: false });
  await safe.decommission(odd);
  assert.deepEqual(safe.asked, ["exec in spark-kubernetes-executor: kill -s PWR"]);
});

test("reports why the signal was not sent: its output, its exit code or the connection", async () => {
  const detailOf = async (faults: Faults): Promise<string> => {
    const result = await rig({ hasHook: false }, faults).decommission(on);
    assert.ok(result.kind === "failed");
    return result.error.detail;
  };
  const ended = { kind: "ended", exitCode: 1 } as const;
  assert.equal(await detailOf({ ended }), "the signal was not sent: exit code 1");
  assert.equal(
    await detailOf({ ended, output: ["kill: ", "not permitted\n"] }),
    "the signal was not sent: kill: not permitted",
  );
  const error: ClusterError = { kind: "badResponse", status: 500, detail: "broken" };
  assert.equal(await detailOf({ exec: error }), "broken");
  assert.equal(await detailOf({ ended: { kind: "failed", error }, output: ["x"] }), "broken");
});

test("does not take a command that is lost after its start for a failure of the cluster", async () => {
  const error: ClusterError = {
    ...{ kind: "unreachable", server: "https://h", detail: "no data for 60 s", requestSent: true },
  };
  const lost = rig({ hasHook: false }, { ended: { kind: "failed", error } });
  assert.deepEqual(await lost.decommission(on), { kind: "unconfirmed" });
  const refused = rig({ hasHook: false }, { exec: error });
  assert.deepEqual(await refused.decommission(on), { kind: "failed", error });
});

test("skips an executor that is ending or was replaced", async () => {
  const leaving = rig({ hasHook: true, isLeaving: true });
  assert.deepEqual(await leaving.decommission(on), { kind: "alreadyLeaving" });
  const other = rig({ hasHook: true, uid: "uid-2" });
  assert.deepEqual(await other.decommission(on), { kind: "replaced" });
  assert.deepEqual([...leaving.asked, ...other.asked], []);
});

/**
 * Runs a program of the container on this machine and returns its exit code. `/proc` is a folder that the test creates;
 * the process ids are real.
 */
function runIn(folder: string, program: readonly string[]): number | null {
  const [shell = "", ...words] = program;
  const here = words.map((word) => word.replaceAll("/proc/", `${folder}/proc/`));
  return spawnSync(shell, here, { env: { PATH: process.env["PATH"], TMPDIR: folder } }).status;
}

test("signals an executor once, and again if the signal did not arrive", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "decommission-"));
  const executor = spawn(process.execPath, [
    "-e",
    "let n = 0; process.on('SIGUSR2', () => console.log(++n)); setInterval(() => 0, 1000); console.log(n)",
  ]);
  t.after(async () => {
    executor.kill("SIGKILL");
    await rm(folder, { recursive: true });
  });
  const heard: string[] = [];
  executor.stdout.on("data", (bytes: Buffer) => heard.push(String(bytes).trim()));
  await once(executor.stdout, "data");
  const conf = new Map([...on, ["spark.executor.decommission.signal", "USR2"]]);
  const { programs, decommission } = rig({ hasHook: false });
  await decommission(conf);
  const tell = (): number | null => runIn(folder, programs[0] ?? []);
  assert.equal(tell(), 3, "no process yet");
  const asProcess = async (id: number, startedAt: number): Promise<void> => {
    const place = join(folder, "proc", String(id));
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "cmdline"), "java\0org.apache.spark.KubernetesExecutorBackend\0");
    const fields = Array.from({ length: 50 }, (_, at) => String(at + 3 === 22 ? startedAt : 0));
    await writeFile(join(place, "stat"), `${id} (a (b) c) ${fields.join(" ")}\n`);
    await symlink("/opt/java/bin/java", join(place, "exe")).catch(() => undefined);
  };
  const nobody = 2 ** 30;
  await asProcess(nobody, 7);
  assert.equal(tell(), 1, "the signal goes nowhere");
  assert.equal(tell(), 1, "and is not taken for sent");
  await rm(join(folder, "proc", String(nobody)), { recursive: true });
  const { pid = 0 } = executor;
  await asProcess(pid, 7);
  assert.equal(tell(), 0);
  await once(executor.stdout, "data");
  assert.equal(tell(), 4, "told already");
  await asProcess(pid, 8);
  assert.equal(tell(), 0, "another process by now, with the same id");
  await once(executor.stdout, "data");
  assert.deepEqual(heard, ["0", "1", "2"]);
});
