// Tests that all processes end with the sandbox, even after SIGKILL.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { identityOf } from "../../../../src/sandbox/node/run/startedPid.ts";
import { listProcesses } from "../../../../src/sandbox/node/run/pidTable.ts";
import { eventually } from "../../../host/eventually.ts";

const rig = new URL("nodeRig.ts", import.meta.url).href;
const waits = new URL("../../../host/eventually.ts", import.meta.url).href;
// Starts a pod with several processes, prints their pids, and keeps running.
const program = `
import { NodeRig, shell } from ${JSON.stringify(rig)};
import { eventually } from ${JSON.stringify(waits)};
const rig = await NodeRig.start();
rig.run("family", shell("sleep 400 & echo $!; (sleep 401 & echo $!); echo $$$$; wait"));
await rig.phase("family", "Running");
const words = await eventually("three pids", () => rig.log("family"), (text) => text.split("\\n").length > 3);
console.log(rig.folder + " " + words.replaceAll("\\n", " "));
setInterval(() => undefined, 1000);
`;

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  test(`leaves no process after ${signal}`, async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
      cwd: await mkdtemp(join(tmpdir(), "spark-k8s-crash-")),
    });
    const [chunk] = (await once(child.stdout, "data")) as [Buffer];
    const [folder = "", ...numbers] = chunk.toString("utf8").trim().split(" ");
    const own = numbers.map(Number).filter((pid) => pid !== child.pid);
    assert.ok(own.length >= 3, chunk.toString("utf8"));
    const alive = async (): Promise<readonly number[]> =>
      (await listProcesses(process.platform))
        .map(({ pid }) => pid)
        .filter((pid) => own.includes(pid));
    assert.equal((await alive()).length, own.length);
    child.kill(signal);
    await once(child, "exit");
    await eventually("the end of all processes", alive, (pids) => pids.length === 0);
    await rm(folder, { recursive: true, force: true });
  });
}

const own = (name: string): string =>
  JSON.stringify(new URL(`../../../../src/sandbox/node/run/${name}.ts`, import.meta.url).href);

test("spares a process with a reused pid", async (t) => {
  const start = () => spawn("sleep", ["400"], { stdio: "ignore", detached: true });
  const [innocent, watched] = [start(), start()];
  t.after(() => [innocent, watched].map((child) => child.kill("SIGKILL")));
  const later = identityOf(innocent.pid, process.platform);
  const known = identityOf(watched.pid, process.platform);
  assert.ok(later && known);
  const firsts = [{ pid: later.pid, started: "1" }, known];
  // The watchdog must kill only `watched`. The recorded start time of `innocent` is wrong, as after reuse of its pid.
  const crash = `
    import { execFileSync } from "node:child_process";
    import { Watchdog } from ${own("watchdog")};
    const watchdog = new Watchdog();
    for (const first of ${JSON.stringify(firsts)}) watchdog.watch(first);
    const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" });
    const shells = rows.split("\\n").map((row) => row.trim().split(/\\s+/));
    console.log(shells.find(([, parent, name]) => Number(parent) === process.pid && name.endsWith("sh"))[0]);
    setInterval(() => undefined, 1_000);
  `;
  const ended = once(watched, "exit");
  const child = spawn(process.execPath, ["--input-type=module", "-e", crash], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  const shell = identityOf(Number(chunk.toString("utf8")), process.platform);
  assert.ok(shell);
  child.kill("SIGKILL");
  await ended;
  await eventually(
    "the end of the watchdog",
    () => Promise.resolve(identityOf(shell.pid, process.platform)?.started),
    (started) => started !== shell.started,
  );
  assert.deepEqual(identityOf(later.pid, process.platform), later);
});
