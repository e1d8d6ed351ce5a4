// The lifetime of the sandbox process in `dist/`: windows start, join and leave it.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";
import {
  joinSandbox,
  startLeasedSandbox,
  stopSandbox,
  type Lease,
} from "../../../src/sandbox/door.ts";
import { ownFolder } from "../../../src/io/ownFolder.ts";
import {
  isReachable,
  claimKubeconfig,
  kubeconfigPath,
  readSandboxAccess,
} from "../../../src/sandbox/life/kubeconfig.ts";
import { readSettings } from "../../../src/sandbox/life/settings.ts";
import { eventually } from "../../host/eventually.ts";
import { projectRoot } from "../../house/sources.ts";
import { ask, bearer, sandboxFor } from "./sandboxRig.ts";

const run = promisify(execFile);
const never = new AbortController().signal;

async function placeFor(t: TestContext): Promise<Parameters<typeof startLeasedSandbox>[0]> {
  const home = await mkdtemp(join(tmpdir(), "sandbox-"));
  const folder = join(home, "own");
  t.after(async () => {
    await stopSandbox(folder);
    await rm(home, { recursive: true, force: true });
  });
  const program = join(projectRoot, "dist", "sandbox.cjs");
  const { execPath: node, env: environment } = process;
  return { folder, program, node, environment, settings: readSettings(undefined) };
}

const started = async (place: Parameters<typeof startLeasedSandbox>[0]): Promise<Lease> => {
  const result = await startLeasedSandbox(place, never);
  assert.ok(result.ok, result.ok ? "" : result.error);
  return result.value;
};

test("creates private files and a kubeconfig", async (t) => {
  const place = await placeFor(t);
  await started(place);
  assert.equal((await stat(place.folder)).mode & 0o777, 0o700);
  const path = kubeconfigPath(place.folder);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  for (const one of await readdir(place.folder)) {
    assert.equal((await stat(join(place.folder, one))).mode & 0o077, 0, one);
  }
  const text = await readFile(path, "utf8");
  assert.match(text, /"name": "spark-sandbox"/);
  assert.doesNotMatch(text, /PRIVATE KEY/);
  const access = await readSandboxAccess(place.folder);
  assert.ok(access !== undefined && (await isReachable(access)));
});

test("replaces a stale file, so that its mode does not expose the token", async (t) => {
  const place = await placeFor(t);
  const access = { url: "https://127.0.0.1:1", authority: "a", token: "t" };
  await ownFolder(place.folder);
  await writeFile(`${kubeconfigPath(place.folder)}.${process.pid}`, "", { mode: 0o644 });
  assert.equal(await claimKubeconfig(place.folder, access), true);
  assert.equal((await stat(kubeconfigPath(place.folder))).mode & 0o777, 0o600);
});

test("is shared by windows that start it at the same time, and joined by later ones", async (t) => {
  const place = await placeFor(t);
  await Promise.all([started(place), started(place), started(place)]);
  const access = await readSandboxAccess(place.folder);
  assert.ok(access !== undefined);
  const lease = await joinSandbox(place.folder);
  assert.ok(lease !== undefined);
  lease.dispose();
  await lease.done;
  await started(place);
  assert.deepEqual(await readSandboxAccess(place.folder), access);
});

test("stops for all windows and leaves no files", async (t) => {
  const place = await placeFor(t);
  const lease = await started(place);
  assert.equal(await stopSandbox(place.folder), true);
  await lease.done;
  assert.equal(await joinSandbox(place.folder), undefined);
  assert.equal(await stopSandbox(place.folder), false);
  await started(place);
});

test("ignores and replaces the kubeconfig of a killed sandbox", async (t) => {
  const place = await placeFor(t);
  await started(place);
  const text = await readFile(kubeconfigPath(place.folder), "utf8");
  await stopSandbox(place.folder);
  await rm(kubeconfigPath(place.folder), { force: true });
  await writeFile(kubeconfigPath(place.folder), text, { mode: 0o600 });
  assert.equal(await joinSandbox(place.folder), undefined);
  await started(place);
  assert.notEqual(await readFile(kubeconfigPath(place.folder), "utf8"), text);
});

test("kills the processes of its pods when it is killed", async (t) => {
  const place = await placeFor(t);
  await started(place);
  const access = await readSandboxAccess(place.folder);
  assert.ok(access !== undefined);
  // An argument that is unique on this machine, to find the process in the output of `ps`.
  const seconds = `9${Date.now()}`;
  const pod = {
    metadata: { name: "sleeper" },
    spec: { containers: [{ name: "main", image: "busybox", command: ["sleep", seconds] }] },
  };
  const headers = { ...bearer(access.token), "content-type": "application/json" };
  const path = "/api/v1/namespaces/default/pods";
  assert.equal((await ask(access, "POST", path, headers, JSON.stringify(pod))).status, 201);
  const sleepers = async (): Promise<number> =>
    (await run("ps", ["-eo", "args"])).stdout.split("\n").filter((line) => line.includes(seconds))
      .length;
  await eventually("a process", sleepers, (count) => count > 0);
  const names = await readdir(place.folder);
  const pid = names.map((name) => /^node-(\d+)$/.exec(name)?.[1]).find((one) => one !== undefined);
  process.kill(Number(pid), "SIGKILL");
  await eventually("no process", sleepers, (count) => count === 0);
});

test("ends after the only window that holds a lease was killed", async (t) => {
  const sandbox = await sandboxFor(t, { graceMs: 300 });
  const { url, authority, token } = sandbox;
  const window = spawn(process.execPath, ["-e", holdLease], {
    env: { ...process.env, LEASE: JSON.stringify({ url, authority, token }) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(window.stdout, "data");
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.equal((await ask(sandbox, "GET", "/readyz", bearer(token))).status, 200);
  window.kill("SIGKILL");
  await sandbox.done;
});

/** Program of a process that holds a lease like a window. */
const holdLease = `
const { url, authority, token } = JSON.parse(process.env.LEASE);
const options = { ca: authority, headers: { authorization: "Bearer " + token } };
require("node:https").request(url + "/sandbox/lease", options, () => console.log("held")).end();
`;

test("reports why the program cannot start", async (t) => {
  const place = { ...(await placeFor(t)), program: join(tmpdir(), "there-is-no-such-program.cjs") };
  const result = await startLeasedSandbox(place, never);
  assert.ok(!result.ok);
  assert.match(result.error, /Cannot find module/);
});

test("ends after the last lease was released, and not before", async (t) => {
  const sandbox = await sandboxFor(t, { graceMs: 300 });
  const stop = new AbortController();
  const held = fetchLease(sandbox, stop.signal);
  await new Promise((resolve) => setTimeout(resolve, 900));
  assert.equal((await ask(sandbox, "GET", "/readyz", bearer(sandbox.token))).status, 200);
  stop.abort();
  await held;
  await sandbox.done;
  await assert.rejects(ask(sandbox, "GET", "/readyz", bearer(sandbox.token)));
});

async function fetchLease(
  sandbox: Parameters<typeof ask>[0] & { readonly token: string },
  signal: AbortSignal,
): Promise<void> {
  const { request } = await import("node:https");
  await new Promise<void>((resolve) => {
    const held = request(new URL("/sandbox/lease", sandbox.url), {
      ca: sandbox.authority,
      headers: bearer(sandbox.token),
      signal,
    });
    held.on("response", (response) => response.resume());
    held.on("error", () => {
      resolve();
    });
    held.end();
  });
}
