// The sandbox's own end, in whatever way it comes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { listProcesses } from "../../../../src/sandbox/node/run/pidTable.ts";

const rig = new URL("nodeRig.ts", import.meta.url).href;
// Starts a pod with a family, tells its processes, and stays.
const program = `
import { NodeRig, shell } from ${JSON.stringify(rig)};
const rig = await NodeRig.start();
rig.run("family", shell("sleep 400 & echo $!; (sleep 401 & echo $!); echo $$$$; wait"));
await rig.phase("family", "Running");
await rig.until("its words", () => true);
let words = "";
while (words.split("\\n").length < 4) { words = await rig.log("family"); await new Promise((go) => setTimeout(go, 50)); }
console.log(rig.folder + " " + words.replaceAll("\\n", " "));
setInterval(() => undefined, 1000);
`;

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  test(`a sandbox that ends by ${signal} leaves no process behind`, async () => {
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
    const patience = Date.now() + 20_000;
    while ((await alive()).length > 0 && Date.now() < patience) await sleep(50);
    assert.deepEqual(await alive(), []);
    await rm(folder, { recursive: true, force: true });
  });
}
