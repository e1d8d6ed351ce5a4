// Sends code into the init container of a pod in the sandbox, whose node runs the real programs of this machine.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { JsonObject } from "../../src/base/json.ts";
import { openClusters } from "../../src/cluster/door.ts";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import type { PodName } from "../../src/engine/ports/reports.ts";
import { sendCode } from "../../src/engine/submit/sendCode.ts";
import { codeDirectory } from "../../src/spark/submit/code/sentCode.ts";
import { streamContainer } from "../../src/spark/submit/code/streamContainer.ts";
import { openTestSandbox, type TestSandbox } from "../sandbox/testSandbox.ts";
import { archiveOf, sumsOf } from "../unit/engine/submit/testArchive.ts";
import { realClock } from "./clocks.ts";
import { valueOf } from "./rig.ts";

const files = [
  { name: "main.py", bytes: Buffer.from("print('hello')\n") },
  { name: ".hidden/with space.txt", bytes: Buffer.from("x") },
  { name: "model.bin", bytes: randomBytes(1 << 20) },
];
const soon = (): AbortSignal => AbortSignal.timeout(30_000);

describe("sending code into a pod of the sandbox", { timeout: 120_000 }, () => {
  let opened: TestSandbox;
  let clusters: Clusters;
  let connection: Connection;

  before(async () => {
    opened = await openTestSandbox([]);
    clusters = openClusters({
      clock: realClock,
      random: Math.random,
      env: { PATH: process.env["PATH"] },
      homeDirectory: opened.folder,
      userAgent: "contract-test/1",
      log: () => undefined,
    });
    const settings = { kubeconfigFiles: [opened.kubeconfig], mayRunPlugins: false };
    connection = valueOf(await clusters.connect(undefined, settings, soon()));
  });
  after(async () => {
    clusters.dispose();
    await opened.sandbox.stop();
    await rm(opened.folder, { recursive: true, force: true });
  });

  /**
   * Creates a pod that copies the received code from its volume to the test's folder. In the init container, `path`
   * replaces the PATH of this machine.
   */
  const create = async (name: string, path?: string): Promise<PodName> => {
    const container = {
      name: "main",
      image: "debian",
      command: ["bash", "-c", `cp -r ${codeDirectory}/. "${opened.folder}/${name}"`],
      volumeMounts: [{ name: "code", mountPath: codeDirectory }],
    };
    const init: JsonObject = {
      ...streamContainer({ container, volumeName: "code" }),
      ...(path !== undefined && { env: [{ name: "PATH", value: path }] }),
    };
    const manifest = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name },
      spec: {
        restartPolicy: "Never",
        terminationGracePeriodSeconds: 0,
        volumes: [{ name: "code", emptyDir: {} }],
        initContainers: [init],
        containers: [container],
      },
    };
    const options = { dryRun: false, charset: false };
    const created = await connection.objects.create("default", manifest, options, soon());
    return { namespace: "default", name, uid: valueOf(created).uid };
  };
  const send = (pod: PodName, archive: () => AsyncIterable<Uint8Array>) =>
    sendCode(
      pod,
      [],
      {
        objects: connection.objects,
        exec: connection.exec,
        collector: { archive },
        clock: realClock,
      },
      { waiting: () => undefined, sent: () => undefined },
      soon(),
    );
  const phaseOf = async (name: string): Promise<string> => {
    const reference = { apiVersion: "v1", kind: "Pod", namespace: "default", name };
    for (;;) {
      const { body } = valueOf(await connection.objects.read(reference, soon()));
      const { status } = body as { readonly status: { readonly phase: string } };
      if (["Succeeded", "Failed"].includes(status.phase)) return status.phase;
      await realClock.sleep(50, soon());
    }
  };

  test("the driver starts with the files in place", async () => {
    const pod = await create("plain");
    assert.deepEqual(await send(pod, () => archiveOf(files)), { ok: true, value: undefined });
    assert.equal(await phaseOf("plain"), "Succeeded");
    for (const { name, bytes } of files) {
      assert.ok((await readFile(`${opened.folder}/plain/${name}`)).equals(bytes), name);
    }
  });

  for (const [what, python] of [
    ["no Python", undefined],
    ["a Python that fails", "#!/bin/sh\nexit 1\n"],
  ] as const) {
    test(`an image with ${what} compares the hashes with sha256sum`, async () => {
      const name = `coreutils-${python === undefined ? "without" : "broken"}`;
      const programs = join(opened.folder, name, "bin");
      await mkdir(programs, { recursive: true });
      for (const program of ["bash", "cp", "mkdir", "mkfifo", "mv", "rm", "sha256sum", "tar"]) {
        await symlink(`/bin/${program}`, join(programs, program));
      }
      if (python !== undefined) {
        await writeFile(join(programs, "python3"), python, { mode: 0o755 });
      }
      const good = await create(name, programs);
      assert.deepEqual(await send(good, () => archiveOf(files)), { ok: true, value: undefined });
      const bad = await create(`${name}-bad`, programs);
      const wrong = sumsOf(files).replace(/^..../, "0000");
      const refused = await send(bad, () => archiveOf(files, wrong));
      assert.equal(!refused.ok && refused.error.kind, "notVerified");
    });
  }

  for (const [what, sums] of [
    ["a wrong hash", sumsOf(files).replace(/^..../, "0000")],
    ["an unlisted file", sumsOf(files.slice(1))],
    ["a missing file", sumsOf([...files, { name: "gone", bytes: Buffer.from("y") }])],
    ["a list with other lines", `${sumsOf(files)}nothing\n`],
  ] as const) {
    test(`${what} fails the pod, and its driver never starts`, async () => {
      const name = what.replaceAll(" ", "-");
      const result = await send(await create(name), () => archiveOf(files, sums));
      assert.ok(!result.ok && result.error.kind === "notVerified", JSON.stringify(result));
      assert.equal(await phaseOf(name), "Failed");
      await assert.rejects(readFile(`${opened.folder}/${name}/main.py`));
    });
  }

  test("an archive that ends too early is not unpacked, and can be sent again", async () => {
    async function* cut(length: number): AsyncGenerator<Uint8Array> {
      let left = length;
      for await (const chunk of archiveOf(files)) {
        yield chunk.subarray(0, left);
        left -= chunk.length;
        if (left <= 0) return;
      }
    }
    const pod = await create("cut");
    // Cuts the archive between two entries, where tar succeeds, and within an entry.
    for (const length of [2048, 100_000]) {
      const result = await send(pod, () => cut(length));
      assert.ok(!result.ok && result.error.kind === "notUnpacked", JSON.stringify(result));
    }
    assert.deepEqual(await send(pod, () => archiveOf(files)), { ok: true, value: undefined });
    assert.equal(await phaseOf("cut"), "Succeeded");
  });
});
