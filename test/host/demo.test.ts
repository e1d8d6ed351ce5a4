import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { projectRoot } from "./places.ts";

test("the demo starts, its page answers, and it stops", { timeout: 120_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-demo-test-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, "config");
  await writeFile(kubeconfig, "apiVersion: v1\nkind: Config\n");
  const { code, output } = await demo({ KUBECONFIG: kubeconfig });
  assert.equal(code, 0, output);
  assert.match(output, /VS Code is at http:\/\/127\.0\.0\.1:\d+\/\?folder=/);
  assert.match(output, /The page answers/);
});

test("without a cluster the demo says what to do", async () => {
  const { code, output } = await demo({ KUBECONFIG: "/nowhere/config" });
  assert.equal(code, 1);
  assert.match(output, /no kubeconfig at \/nowhere\/config.*kind create cluster/);
});

function demo(env: Readonly<Record<string, string>>): Promise<{ code: number; output: string }> {
  const parameters = [join(projectRoot, "src/build/demo.ts"), "--check"];
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env } };
    execFile(process.execPath, parameters, options, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : error === null ? 0 : 1;
      resolve({ code, output: stdout + stderr });
    });
  });
}
