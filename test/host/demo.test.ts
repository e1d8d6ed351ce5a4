import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { projectRoot } from "./places.ts";

test("the demo without any settings starts a sandbox with pi in it, and stops", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "spark-k8s-demo-test-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  const { code, output } = await demo({ HOME: home, PATH: process.env["PATH"] ?? "" });
  assert.equal(code, 0, output);
  assert.match(output, /As you asked: pi is simulated/);
  assert.match(output, /The sandbox cluster runs\n.*Submitted pi as pi-\w+-driver/);
  assert.match(output, /VS Code is at http:\/\/127\.0\.0\.1:\d+\/\?folder=/);
  assert.match(output, /The page answers[^]*The sandbox cluster stopped\n$/);
});

function demo(env: Readonly<Record<string, string>>): Promise<{ code: number; output: string }> {
  const parameters = [join(projectRoot, "src/build/demo.ts"), "--check", "--simulate"];
  return new Promise((resolve) => {
    execFile(process.execPath, parameters, { env }, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : error === null ? 0 : 1;
      resolve({ code, output: stdout + stderr });
    });
  });
}
