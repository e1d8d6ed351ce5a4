// Watches a cluster over a virtual link, takes the far end down silently, and reports how long each watch took to fail.
// Needs a network namespace: `unshare --map-root-user --net`.
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { openClusters } from "../../../src/cluster/door.ts";
import { PodStore } from "../../../src/engine/watch/podStore.ts";
import { startReflector } from "../../../src/engine/watch/reflector.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";
import { never, valueOf } from "../rig.ts";
import type { FarWord, NearReport } from "./words.ts";

const farAddress = "10.9.8.2";
const ip = (...words: readonly string[]): void => void execFileSync("ip", words);

const far = spawn(
  "unshare",
  ["--net", process.execPath, fileURLToPath(import.meta.resolve("./far.ts"))],
  {
    stdio: ["pipe", "pipe", "inherit"],
  },
);
const ipFar = (...words: readonly string[]): void =>
  void execFileSync("nsenter", ["--target", String(far.pid), "--net", "ip", ...words]);
const words = createInterface(far.stdout)[Symbol.asyncIterator]();
const next = async (): Promise<FarWord> => {
  const line = await words.next();
  if (line.done === true) throw new Error("the far side has ended");
  return JSON.parse(line.value) as FarWord;
};

const there = await next();
if (there.kind !== "there") throw new Error("the far side does not say where it is");
const asked: string[] = [];
void (async () => {
  for (;;) {
    const word = await next();
    if (word.kind === "asked") asked.push(word.path);
  }
})().catch(() => undefined);

ip("link", "add", "near0", "type", "veth", "peer", "name", "far0");
ip("link", "set", "far0", "netns", String(far.pid));
ip("addr", "add", "10.9.8.1/24", "dev", "near0");
for (const device of ["lo", "near0"]) ip("link", "set", device, "up");
ipFar("addr", "add", `${farAddress}/24`, "dev", "far0");
for (const device of ["lo", "far0"]) ipFar("link", "set", device, "up");

const secure = {
  "certificate-authority-data": Buffer.from(there.authority).toString("base64"),
  "tls-server-name": "api.test",
};
const clustersOf: Readonly<Record<string, unknown>> = {
  plain: { server: `http://${farAddress}:${there.plain}` },
  secure: { server: `https://${farAddress}:${there.secure}`, ...secure },
  tunnel: {
    server: `https://${farAddress}:${there.secure}`,
    "proxy-url": `http://${farAddress}:${there.proxy}`,
    ...secure,
  },
};
const ways = Object.keys(clustersOf);
const folder = await mkdtemp(join(tmpdir(), "contract-"));
const kubeconfig = join(folder, "config");
await writeFile(
  kubeconfig,
  JSON.stringify({
    clusters: ways.map((name) => ({ name, cluster: clustersOf[name] })),
    users: [],
    contexts: ways.map((name) => ({ name, context: { cluster: name } })),
  }),
);
const clusters = openClusters({
  ...{ clock: systemClock, random: Math.random, env: {}, homeDirectory: folder },
  ...{ userAgent: "contract-test/1", log: () => undefined },
});

const watches = [];
for (const way of ways) {
  const settings = { kubeconfigFiles: [kubeconfig], mayRunPlugins: false };
  const connection = valueOf(await clusters.connect(way, settings, never));
  const failedAt: number[] = [];
  const debug = (): void => void failedAt.push(performance.now());
  const log = { debug, warn: () => undefined, error: console.error };
  const store = new PodStore({ clock: systemClock, log });
  const selection = { namespace: "ns", labelSelector: way };
  const options = { clock: systemClock, random: Math.random, log };
  const reflector = startReflector(connection.pods, selection, store, options);
  watches.push({ way, store, reflector, failedAt });
}
while (watches.some(({ store }) => store.freshness.kind !== "live")) await wait(20);
await wait(200);

const before = asked.length;
const downAt = performance.now();
ipFar("link", "set", "far0", "down");
while (watches.some(({ failedAt }) => failedAt.length === 0)) await wait(20);
ipFar("link", "set", "far0", "up");
while (asked.length < before + ways.length) await wait(20);
// Long enough to catch a second reconnect.
await wait(2_000);

const report: NearReport = {
  noticedMs: Object.fromEntries(
    watches.map(({ way, failedAt: [first = Infinity] }) => [way, first - downAt]),
  ),
  asked: asked.slice(before),
};
console.log(JSON.stringify(report));
for (const { store, reflector } of watches) {
  reflector.dispose();
  store.dispose();
}
clusters.dispose();
far.kill();
await rm(folder, { recursive: true });
