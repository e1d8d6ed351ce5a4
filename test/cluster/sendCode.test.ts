// Sends files into a waiting driver pod on a real node.
import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { parseKubeconfigYaml } from "../../src/cluster/kubeconfig/kubeconfigYaml.ts";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import type { CodeCollector } from "../../src/engine/ports/files.ts";
import type { PodName } from "../../src/engine/ports/reports.ts";
import { sendCode, type SendReports } from "../../src/engine/submit/sendCode.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import { codeDirectory } from "../../src/spark/submit/code/sentCode.ts";
import { streamContainer } from "../../src/spark/submit/code/streamContainer.ts";
import { archiveOf, type ArchiveFile } from "../unit/engine/submit/testArchive.ts";
import { collectLog, valueOf } from "../contract/rig.ts";
import { relayApiServer } from "./apiOutage.ts";
import { requireCluster } from "./requireCluster.ts";
import { connectTo, openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";
import { inEnglish } from "../../src/base/message.ts";

const { kubeconfig, image, restartApiServer } = requireCluster();
const namespace = `spark-k8s-code-${process.pid}`;
const soon = (ms = 40_000): AbortSignal => AbortSignal.timeout(ms);
const silent: SendReports = { waiting: () => undefined, sent: () => undefined };

const files: readonly ArchiveFile[] = [
  { name: "main.py", bytes: Buffer.from("print('hello')\n") },
  { name: "conf/settings with spaces.json", bytes: Buffer.from("{}") },
  { name: "model.bin", bytes: randomBytes(5 << 20) },
];
const collectorOf = (sent = files): Pick<CodeCollector, "archive"> => ({
  archive: () => archiveOf(sent),
});

async function* slowly(
  chunks: AsyncIterable<Uint8Array>,
  isSlow: () => boolean,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    if (isSlow()) await wait(300);
  }
}

/** Returns a pod whose container prints the hashes of the received files. */
function podOf(name: string, changes: JsonObject = {}, first: readonly Json[] = []): JsonObject {
  const container = {
    name: "main",
    image,
    imagePullPolicy: "IfNotPresent",
    securityContext: {
      runAsUser: 185,
      runAsNonRoot: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      seccompProfile: { type: "RuntimeDefault" },
    },
    resources: { requests: { cpu: "10m" } },
    volumeMounts: [{ name: "code", mountPath: codeDirectory }],
    command: ["bash", "-c", `cd ${codeDirectory} && find . -type f -print0 | xargs -0 sha256sum`],
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 30,
      securityContext: { fsGroup: 185 },
      volumes: [{ name: "code", emptyDir: {} }],
      initContainers: [
        ...first,
        { ...streamContainer({ container, volumeName: "code" }), ...changes },
      ],
      containers: [container],
    },
  };
}

describe("sending code into a pod", { timeout: 180_000 }, () => {
  let folder: string;
  let clusters: Clusters;
  let connection: Connection;
  let own: TestNamespace;

  const create = async (manifest: JsonObject): Promise<PodName> => {
    const options = { dryRun: false, charset: false };
    const created = valueOf(
      await connection.objects.create(namespace, manifest as never, options, soon()),
    );
    return { namespace, name: created.name, uid: created.uid };
  };
  const send = (pod: PodName, using = connection, reports = silent) =>
    sendCode(
      pod,
      [],
      {
        objects: using.objects,
        exec: using.exec,
        collector: collectorOf(),
        clock: systemClock,
      },
      reports,
      soon(),
    );
  const logOf = async (name: string): Promise<string> => {
    const request = {
      namespace,
      pod: name,
      container: "main",
      follow: true,
      previous: false,
      tailLines: undefined,
      sinceTime: undefined,
    };
    for (;;) {
      const items = await collectLog(connection.logs.readLog(request, soon()));
      const lines = items.flatMap((item) =>
        item.kind === "lines" ? item.lines.map(({ text }) => text) : [],
      );
      if (lines.length > 0) return lines.join("\n");
      await wait(200);
    }
  };
  const hashes = files
    .map(({ name, bytes }) => `${createHash("sha256").update(bytes).digest("hex")}  ./${name}`)
    .toSorted();
  const arrived = async (name: string): Promise<readonly string[]> =>
    (await logOf(name))
      .split("\n")
      .filter((line) => !line.includes(".spark-k8s"))
      .toSorted();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-code-"));
    clusters = openTestClusters(folder);
    connection = await connectTo(clusters, kubeconfig);
    own = await makeTestNamespace(connection, namespace);
  });

  after(async () => {
    await own.remove();
    clusters.dispose();
    await rm(folder, { recursive: true });
  });

  describe("while the API server answers", { concurrency: 2 }, () => {
    test("the driver finds the files as they were sent, without root and with a read-only root", async () => {
      const pod = await create(podOf("plain"));
      const waits: string[] = [];
      let bytes = 0;
      const result = await send(pod, connection, {
        waiting: (reason) => waits.push(inEnglish(reason)),
        sent: (count) => (bytes = count),
      });
      assert.deepEqual(result, { ok: true, value: undefined });
      assert.ok(bytes > 5 << 20);
      assert.ok(waits.length > 0);
      assert.deepEqual(await arrived("plain"), hashes);
    });

    test("an image without tar unpacks with Python", async () => {
      const tools = "bash mkdir mkfifo mv python3 rm sleep head";
      const mounts = [{ name: "code", mountPath: codeDirectory }];
      const first = {
        name: "tools",
        image,
        securityContext: { runAsUser: 185 },
        volumeMounts: mounts,
        command: [
          "bash",
          "-c",
          `mkdir ${codeDirectory}/tools; for t in ${tools}; do ln -s "$(command -v $t)" ${codeDirectory}/tools/; done`,
        ],
      };
      const env = [{ name: "PATH", value: `${codeDirectory}/tools` }];
      const pod = await create(podOf("without-tar", { env }, [first]));
      assert.deepEqual(await send(pod), { ok: true, value: undefined });
      assert.deepEqual(await arrived("without-tar"), hashes);
    });

    test("an image without bash is named as such", async () => {
      const env = [{ name: "PATH", value: "/nowhere" }];
      const result = await send(await create(podOf("without-bash", { env })));
      assert.ok(!result.ok && result.error.kind === "lacksProgram");
      assert.equal(result.error.program, "bash");
    });

    test("a broken connection sends again from the beginning", async () => {
      const relay = await relayApiServer(kubeconfig, folder, undefined);
      const relayed = await connectTo(clusters, relay.kubeconfig);
      const pod = await create(podOf("cut"));
      let cuts = 0;
      const outcome = send(pod, relayed, {
        waiting: () => undefined,
        sent: (bytes) => {
          if (bytes < 1 << 20 || cuts > 0) return;
          cuts += 1;
          void relay.begin().then(() => relay.end());
        },
      });
      assert.deepEqual(await outcome, { ok: true, value: undefined });
      assert.equal(cuts, 1);
      assert.deepEqual(await arrived("cut"), hashes);
      relayed.dispose();
      await relay.close();
    });

    for (const name of ["deleted", "evicted"] as const) {
      test(`a pod that is ${name} during the transfer ends it`, async () => {
        const pod = await create(podOf(name));
        const reference = { apiVersion: "v1", kind: "Pod", namespace, name };
        const options = { uid: pod.uid, propagationPolicy: undefined };
        const end = async (): Promise<void> => {
          const ended =
            name === "evicted"
              ? connection.evictions.evict(
                  reference,
                  { uid: pod.uid, gracePeriodSeconds: undefined },
                  soon(),
                )
              : connection.objects.delete(reference, { ...options, gracePeriodSeconds: 0 }, soon());
          assert.deepEqual(await ended, { ok: true, value: undefined });
        };
        let ending: Promise<void> | undefined;
        const collector = { archive: () => slowly(archiveOf(files), () => true) };
        const result = await sendCode(
          pod,
          [],
          { objects: connection.objects, exec: connection.exec, collector, clock: systemClock },
          {
            waiting: () => undefined,
            sent: () => {
              ending ??= end();
            },
          },
          soon(),
        );
        await ending;
        assert.ok(!result.ok && result.error.kind === "podEnded", JSON.stringify(result));
        assert.match(
          inEnglish(result.error.detail),
          // The pod may be deleted before it is read again.
          name === "evicted"
            ? /^the pod (?:is being evicted: |was deleted$)/
            : /^the pod (?:is being|was) deleted$/,
        );
      });
    }

    test("a volume without space is named", async () => {
      const manifest = podOf("full");
      const volumes = [{ name: "code", emptyDir: { medium: "Memory", sizeLimit: "2Mi" } }];
      const pod = await create({ ...manifest, spec: { ...(manifest["spec"] as object), volumes } });
      const result = await send(pod);
      assert.ok(!result.ok && result.error.kind === "volumeFull", JSON.stringify(result));
    });

    test("names the right that is missing", async () => {
      const path = join(folder, "viewer");
      const yaml = parseKubeconfigYaml(await readFile(kubeconfig, "utf8"));
      assert.ok(yaml.ok);
      const config = yaml.value as { users: { user: object }[] };
      const users = config.users.map((entry) => ({
        ...entry,
        user: { ...entry.user, as: "viewer" },
      }));
      await writeFile(path, JSON.stringify({ ...config, users }), { mode: 0o600 });
      const binding = {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "RoleBinding",
        metadata: { name: "viewer" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
        subjects: [{ kind: "User", name: "viewer", apiGroup: "rbac.authorization.k8s.io" }],
      };
      const options = { dryRun: false, charset: false };
      valueOf(await connection.objects.create(namespace, binding, options, soon()));
      const theirs = await connectTo(clusters, path);
      const result = await send(await create(podOf("forbidden")), theirs);
      assert.ok(!result.ok && result.error.kind === "cluster", JSON.stringify(result));
      const { error } = result.error;
      assert.ok(error.kind === "forbidden");
      // A WebSocket handshake is a GET request, so the server denies this verb first.
      assert.deepEqual([error.verb, error.resource], ["get", "pods/exec"]);
      theirs.dispose();
    });
  });

  test(
    "a restart of the API server during the transfer sends again from the beginning",
    { skip: restartApiServer === undefined },
    async () => {
      const pod = await create(podOf("restarted"));
      let restarts = 0;
      let starts = 0;
      let before = 0;
      const outcome = sendCode(
        pod,
        [],
        {
          objects: connection.objects,
          exec: connection.exec,
          // Slows the transfer down, so that the API server restarts before its end.
          collector: { archive: () => slowly(archiveOf(files), () => restarts < 2) },
          clock: systemClock,
        },
        {
          waiting: () => undefined,
          sent: (bytes) => {
            if (bytes < before) starts += 1;
            before = bytes;
            if (restarts > 0) return;
            restarts = 1;
            void promisify(exec)(restartApiServer ?? "").then(() => (restarts = 2));
          },
        },
        soon(110_000),
      );
      assert.deepEqual(await outcome, { ok: true, value: undefined });
      assert.ok(starts > 0);
      assert.deepEqual(await arrived("restarted"), hashes);
    },
  );
});
