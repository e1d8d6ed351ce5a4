// Tests the sandbox with the real kubectl.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openSandboxes } from "../../src/sandbox/life/openSandboxes.ts";
import { eventually } from "../host/eventually.ts";
import { projectRoot } from "../house/sources.ts";

interface Said {
  readonly code: number;
  readonly text: string;
}

const driver = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "pi-driver",
    labels: { "spark-app-selector": "spark-pi", "spark-app-name": "pi", "spark-role": "driver" },
  },
  spec: {
    serviceAccountName: "spark",
    restartPolicy: "Never",
    containers: [
      {
        name: "spark-kubernetes-driver",
        image: "spark-simulation:4.3.0",
        args: ["driver"],
        env: [{ name: "SPARK_SIMULATION", value: "endless" }],
        resources: { limits: { memory: "1Gi" } },
      },
    ],
  },
};

describe("kubectl on the sandbox", { timeout: 120_000 }, () => {
  let folder: string;
  let end: () => Promise<void>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-kubectl-"));
    const sandboxes = openSandboxes({
      folder: join(folder, "sandbox"),
      downloads: join(folder, "spark"),
      program: join(projectRoot, "dist/sandbox.cjs"),
      node: process.execPath,
      environment: process.env,
      untrusted: () => [],
    });
    const ground = await sandboxes.look();
    const wish = { simulate: true, mayDownload: false };
    const lease = await ground.start(wish, AbortSignal.timeout(30_000));
    if (!lease.ok) throw new Error(lease.error);
    end = () => lease.value.end();
    await writeFile(join(folder, "driver.json"), JSON.stringify(driver));
  });
  after(async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (...words: readonly string[]): Promise<Said> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env["PATH"],
        HOME: folder,
        KUBECONFIG: join(folder, "sandbox/kubeconfig"),
      };
      execFile(process.env["SPARK_K8S_KUBECTL"] ?? "kubectl", words, { env }, (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ code, text: out + err });
      });
    });
  const kubectl = async (...words: readonly string[]): Promise<string> => {
    const { code, text } = await ask(...words);
    assert.equal(code, 0, `kubectl ${words.join(" ")}: ${text}`);
    return text;
  };

  test("applies a file: created, unchanged, configured", async () => {
    const file = join(folder, "driver.json");
    assert.match(await kubectl("apply", "-f", file), /pod\/pi-driver created/);
    assert.match(await kubectl("apply", "-f", file), /pod\/pi-driver unchanged/);
    assert.match(await kubectl("label", "pod", "pi-driver", "team=etl"), /labeled/);
    assert.match(await kubectl("apply", "--server-side", "-f", file), /serverside-applied/);
  });

  test("gets driver and executors as a table, by label, and as names", async () => {
    const all = (): Promise<string> => kubectl("get", "pods", "-o", "wide");
    const rows = await eventually("three pods that run", all, (text) =>
      ["pi-driver", "pi-exec-1", "pi-exec-2"].every((name) =>
        new RegExp(`^${name} +1/1 +Running +0 `, "m").test(text),
      ),
    );
    assert.match(rows, /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE/);
    const names = await kubectl("get", "pods", "-l", "spark-role=executor", "-o", "name");
    assert.equal(names, "pod/pi-exec-1\npod/pi-exec-2\n");
    assert.match(await kubectl("get", "nodes"), /Ready/);
    assert.match(await kubectl("api-resources"), /sparkapplications .*sparkoperator\.k8s\.io/);
  });

  test("describes a pod with its events", async () => {
    const text = await kubectl("describe", "pod", "pi-driver");
    assert.match(text, /^Name: +pi-driver$/m);
    assert.match(text, /Simulated .*This pod is simulated/);
    assert.match(text, /Successfully assigned default\/pi-driver/);
  });

  test("prints and follows logs", async () => {
    const said = (): Promise<string> => kubectl("logs", "pi-driver");
    await eventually("tasks", said, (text) => text.includes("Finished task"));
    assert.equal((await kubectl("logs", "pi-driver", "--tail=2")).trim().split("\n").length, 2);
    assert.match(await kubectl("logs", "-l", "spark-role=executor", "--prefix"), /pi-exec-2/);
  });

  test("reports missing objects, and refuses exec in a simulated pod", async () => {
    const missing = await ask("get", "pod", "nothing");
    assert.deepEqual(missing, {
      code: 1,
      text: 'Error from server (NotFound): pods "nothing" not found\n',
    });
    const inside = await ask("exec", "pi-driver", "--", "true");
    assert.notEqual(inside.code, 0);
    assert.match(inside.text, /simulated/);
  });

  test("deletes a driver, and its executors are collected", async () => {
    assert.match(await kubectl("delete", "pod", "pi-driver"), /pod "pi-driver" deleted/);
    const left = (): Promise<string> => kubectl("get", "pods", "-o", "name");
    await eventually("no pod", left, (text) => text === "");
  });
});
