import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { ownFolder } from "../../../../src/io/ownFolder.ts";
import {
  isReachable,
  claimKubeconfig,
  kubeconfigPath,
  readSandboxAccess,
  releaseKubeconfig,
} from "../../../../src/sandbox/life/kubeconfig.ts";

/** Access to a dead sandbox: no server listens on this port. */
const access = { url: "https://127.0.0.1:1", authority: "the authority", token: "secret" };

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-sandbox-"));
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

describe("the kubeconfig of a sandbox", () => {
  test("has the server, the authority, the token and the context", async (t) => {
    const folder = await folderFor(t);
    assert.equal(await claimKubeconfig(folder, access), true);
    assert.deepEqual(JSON.parse(readFileSync(kubeconfigPath(folder), "utf8")), {
      ...{ apiVersion: "v1", kind: "Config", "current-context": "spark-sandbox" },
      clusters: [
        {
          name: "spark-sandbox",
          cluster: {
            server: access.url,
            "certificate-authority-data": Buffer.from("the authority").toString("base64"),
          },
        },
      ],
      users: [{ name: "spark-sandbox", user: { token: "secret" } }],
      contexts: [
        {
          name: "spark-sandbox",
          context: { cluster: "spark-sandbox", user: "spark-sandbox", namespace: "default" },
        },
      ],
    });
    assert.equal(statSync(kubeconfigPath(folder)).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ["kubeconfig"]);
    assert.deepEqual(await readSandboxAccess(folder), access);
  });

  test("replaces that of a sandbox that does not answer, and a file of another program", async (t) => {
    const folder = await folderFor(t);
    await claimKubeconfig(folder, access);
    const next = { ...access, token: "next" };
    assert.equal(await claimKubeconfig(folder, next), true);
    assert.equal((await readSandboxAccess(folder))?.token, "next");
    writeFileSync(kubeconfigPath(folder), "no JSON");
    assert.equal(await claimKubeconfig(folder, access), true);
    assert.deepEqual(await readSandboxAccess(folder), access);
  });

  test("is deleted by its own sandbox only", async (t) => {
    const folder = await folderFor(t);
    await claimKubeconfig(folder, access);
    await releaseKubeconfig(folder, { ...access, token: "other" });
    assert.deepEqual(await readSandboxAccess(folder), access);
    await releaseKubeconfig(folder, access);
    assert.deepEqual(readdirSync(folder), []);
  });

  test("is not read if it is missing or incomplete", async (t) => {
    const folder = await folderFor(t);
    assert.equal(await readSandboxAccess(folder), undefined);
    await claimKubeconfig(folder, access);
    const whole = JSON.parse(readFileSync(kubeconfigPath(folder), "utf8")) as object;
    for (const part of [
      { clusters: [] },
      { users: [{ user: { token: 7 } }] },
      { users: null },
      { clusters: [null] },
    ]) {
      writeFileSync(kubeconfigPath(folder), JSON.stringify({ ...whole, ...part }));
      assert.equal(await readSandboxAccess(folder), undefined);
    }
    writeFileSync(kubeconfigPath(folder), "null");
    assert.equal(await readSandboxAccess(folder), undefined);
  });

  test("is in a folder that only this user can read", async (t) => {
    const folder = join(await folderFor(t), "a", "b");
    await ownFolder(folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "kept"));
    await ownFolder(folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(folder), ["kept"]);
  });
});

test("a sandbox that closes the connection does not answer", async (t) => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  assert.equal(await isReachable({ ...access, url: `https://127.0.0.1:${address.port}` }), false);
});
