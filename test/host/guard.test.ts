import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { eventually } from "./eventually.ts";
import { projectRoot } from "./places.ts";

test("nothing outlives a program that is killed", { timeout: 30_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-guard-"));
  // As in a test run, the program starts the guard. The command starts a detached child, as a terminal does.
  const child = `setInterval(() => {}, 1000)`;
  const command = `const { pid } = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { detached: true }); console.log(process.pid + " " + pid); ${child}`;
  const guard = [join(projectRoot, "test/host/guard.ts"), folder, process.execPath, "-e", command];
  const driver = `require("node:child_process").spawn(process.execPath, ${JSON.stringify(guard)}, { stdio: ["pipe", "inherit", "inherit"], detached: true }); ${child}`;
  const program = spawn(process.execPath, ["-e", driver], { stdio: ["ignore", "pipe", "inherit"] });

  const line = await new Promise<string>((resolve) => {
    createInterface(program.stdout).once("line", resolve);
  });
  const ids = line.split(" ");
  const alive = (): readonly string[] => ids.filter((id) => existsSync(`/proc/${id}`));
  assert.equal(alive().length, 2, `they run: ${ids.join(", ")}`);

  program.kill("SIGKILL");
  await eventually(
    "their end",
    () => Promise.resolve(alive()),
    (left) => left.length === 0,
  );
  await eventually(
    "the folder's end",
    () => Promise.resolve(existsSync(folder)),
    (there) => !there,
  );
});
