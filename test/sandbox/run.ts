// `npm run test:sandbox [FILE …]`: tests the sandbox with real Spark and kubectl. Then runs the tests of test/cluster
// on a sandbox.
import { rm } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { runTests, testsIn } from "../cluster/runTests.ts";
import { openTestSandbox, sparkHomes } from "./testSandbox.ts";

const folder = dirname(fileURLToPath(import.meta.url));
const ring = resolve(folder, "../cluster");

// Tests that need a real API server or node: compaction, restarts, log rotation.
const ofRealOnes: ReadonlySet<string> = new Set([
  "apiServer.test.ts",
  "etcd.test.ts",
  "kubeApi.test.ts",
  "logs.test.ts",
  "uploads.test.ts",
]);

const named = process.argv.slice(2).map((file) => resolve(file));
const all = [
  ...testsIn(folder),
  ...testsIn(ring).filter((file) => !ofRealOnes.has(basename(file))),
];
const files = named.length > 0 ? named : all;
const [own, journeys] = [
  files.filter((file) => dirname(file) === folder),
  files.filter((file) => dirname(file) !== folder),
];

process.exitCode = (await runTests(own, process.env)) + (await runOnSandbox(journeys));

async function runOnSandbox(tests: readonly string[]): Promise<number> {
  if (tests.length === 0) return 0;
  const homes = sparkHomes();
  const opened = await openTestSandbox(homes);
  const [image = "", ...images] = homes.map((home) => `apache/spark:${basename(home)}`);
  const env = {
    ...process.env,
    KUBECONFIG: opened.kubeconfig,
    SPARK_K8S_IMAGE: image,
    SPARK_K8S_MORE_IMAGES: images.join(" "),
    // Unset, because no command restarts the API server of the sandbox. The tests cut the connection instead.
    SPARK_K8S_RESTART_API_SERVER: undefined,
    SPARK_K8S_SHARED_LOOPBACK: "1",
  };
  try {
    return await runTests(tests, env);
  } finally {
    await opened.sandbox.stop();
    await rm(opened.folder, { recursive: true, force: true });
  }
}
