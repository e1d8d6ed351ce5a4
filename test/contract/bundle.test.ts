// The client library has no exports map. Its files are imported by path, which any version may change. The bundle
// drops most of their imports.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { slimClient } from "../../src/build/slimClient.ts";
import { kubeconfigOf, temporaryFolder } from "./rig.ts";

test("every file of the client library that is imported by path exists", async () => {
  const config = await import("@kubernetes/client-node/dist/config.js");
  assert.equal(typeof config.KubeConfig, "function");
  // The code needs only types of this file, so the bundle drops it.
  const types = await import("@kubernetes/client-node/dist/config_types.js");
  assert.equal(typeof types.newClusters, "function");
});

test("the bundle is small, works, and changes no globals of the host", async (t) => {
  const folder = await temporaryFolder(t);
  const outfile = join(folder, "cluster.cjs");
  const result = await build({
    entryPoints: [fileURLToPath(new URL("../../src/cluster/door.ts", import.meta.url))],
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    outfile,
    metafile: true,
    legalComments: "none",
    plugins: [slimClient],
  });
  const [output] = Object.values(result.metafile.outputs);
  assert.ok(output && output.bytes < 275_000, `${output?.bytes ?? 0} bytes`);
  const config = join(folder, "config");
  await writeFile(config, kubeconfigOf("https://127.0.0.1:9", { user: { token: "t" } }));
  const script = `
    const before = Reflect.ownKeys(globalThis).length;
    const { openClusters } = require(${JSON.stringify(outfile)});
    const clusters = openClusters({ clock: { now: Date.now, sleep: () => new Promise(() => {}) }, random: Math.random,
      env: {}, homeDirectory: "/", userAgent: "t", log: () => {} });
    const never = new AbortController().signal;
    clusters.connect(undefined, { kubeconfigFiles: [${JSON.stringify(config)}], mayRunPlugins: false }, never).then((connected) => {
      console.log(JSON.stringify([connected.value.context, Reflect.ownKeys(globalThis).length - before]));
      process.exit();
    });`;
  const printed = execFileSync(process.execPath, ["-e", script], { encoding: "utf8" });
  assert.deepEqual(JSON.parse(printed), ["x", 0]);
});
