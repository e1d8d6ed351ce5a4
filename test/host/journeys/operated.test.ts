// An application that an operator runs, from its row: what it says of itself, and that its custom resource is what is
// changed. The cluster is a little server that notes what it is told to do; the operators are not ours to run here.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { eventually } from "../eventually.ts";
import { VscodeHost } from "../vscodeHost.ts";
import type { Theme, Workbench } from "../workbench.ts";

const themes: readonly Theme[] = ["light", "highContrast", "dark"];
const selector = { "spark-app-selector": "spark-1", "spark-app-name": "orders" };
const createdAt = new Date(Date.now() - 240_000).toISOString();

const podOf = (name: string, labels: Readonly<Record<string, string>>): unknown => ({
  metadata: {
    ...{ name, namespace: "etl", uid: `uid-of-${name}`, resourceVersion: "1" },
    creationTimestamp: createdAt,
    labels: { ...selector, ...labels },
  },
  spec: { nodeName: "node-1", containers: [{ name: "main", image: "spark:4.3.0" }] },
  status: { phase: "Running", startTime: createdAt },
});

const driver = podOf("orders-driver", {
  "spark-role": "driver",
  "sparkoperator.k8s.io/app-name": "orders",
});
const executor = podOf("orders-exec-1", { "spark-role": "executor", "spark-exec-id": "1" });
const resource = {
  metadata: { name: "orders", namespace: "etl", uid: "uid-of-resource", resourceVersion: "1" },
  status: { applicationState: { state: "RUNNING" }, executionAttempts: 1 },
};

/** What is asked to be changed: `PATCH sparkapplications/orders {"spec":{"suspend":true}}`. */
const changes: string[] = [];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "", url = "" } = request;
  const [path = "", query = ""] = url.split("?");
  const json = (status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  if (method === "PATCH" || method === "DELETE") {
    const text = Buffer.concat(await request.toArray()).toString();
    changes.push(`${method} ${path.split("/").slice(-2).join("/")} ${text}`);
    json(200, resource);
  } else if (query.includes("watch=true")) {
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    const mark = {
      metadata: { resourceVersion: "2", annotations: { "k8s.io/initial-events-end": "true" } },
    };
    const events = [
      ...[driver, executor].map((object) => ({ type: "ADDED", object })),
      { type: "BOOKMARK", object: mark },
    ];
    if (!path.endsWith("/pods")) return;
    for (const event of events) response.write(`${JSON.stringify(event)}\n`);
  } else if (path.endsWith("v1beta2/namespaces/etl/sparkapplications")) {
    json(200, { metadata: { resourceVersion: "1" }, items: [resource] });
  } else json(404, { kind: "Status", code: 404, reason: "NotFound", message: "not here" });
}

describe("an application that an operator runs", { timeout: 240_000 }, () => {
  let folder: string;
  let host: VscodeHost;
  let workbench: Workbench;
  let server: Server;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-operated-"));
    server = createServer((request, response) => {
      void answer(request, response);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address);
    const kubeconfig = join(folder, "kubeconfig");
    const cluster = { server: `http://127.0.0.1:${address.port}` };
    const config = {
      clusters: [{ name: "c", cluster }],
      users: [{ name: "ada", user: {} }],
      contexts: [{ name: "dev", context: { cluster: "c", user: "ada", namespace: "etl" } }],
      "current-context": "dev",
    };
    await writeFile(kubeconfig, JSON.stringify(config));
    host = await VscodeHost.start({ version: "newest", env: { KUBECONFIG: kubeconfig } });
    workbench = await host.open(await host.makeWorkspace({ "readme.txt": "" }));
    await workbench.openContainer("Spark");
  });
  after(async () => {
    await host.stop();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  const row = () => workbench.tree("Applications").row("orders");
  const changed = (what: RegExp): Promise<unknown> =>
    eventually(
      String(what),
      () => Promise.resolve(changes),
      (seen) => seen.some((change) => what.test(change)),
    );

  test("its row tells what it is, and in a tooltip what its operator says", async () => {
    await row().waitFor();
    assert.match(await row().description(), /^running · 1 of 1 executor/);
    await eventually(
      "its tooltip",
      () => row().tooltip(),
      (text) => /SparkApplication: orders[^]*Its operator says: RUNNING/.test(text),
    );
    await workbench.picture("operated-1-row");
  });

  test("its menu offers to suspend it, and a question comes before", async () => {
    const labels = await row().menuLabels();
    assert.ok(labels.includes("Suspend Running Application…"), labels.join(", "));
    assert.ok(!labels.includes("Resume Suspended Application…"));
    await row().contextMenu("Suspend Running Application…");
    const question = 'Suspend "orders"?';
    assert.match(await workbench.dialog(question).innerText(), /keeps the custom resource/);
    await workbench.answerDialog(question, "Cancel");
    assert.deepEqual(changes, []);
    await row().contextMenu("Suspend Running Application…");
    await workbench.answerDialog(question, "Suspend");
    await changed(/^PATCH sparkapplications\/orders \{"spec":\{"suspend":true\}\}$/);
  });

  test("to stop it deletes its custom resource, and says so", async () => {
    const question = 'Stop "orders"?';
    for (const theme of themes) {
      await workbench.useTheme(theme);
      await row().contextMenu("Stop Application…");
      await workbench.dialog(question).waitFor();
      await workbench.picture(`operated-2-stop-${theme}`);
      await workbench.answerDialog(question, "Cancel");
    }
    await row().contextMenu("Stop Application…");
    const words = await workbench.dialog(question).innerText();
    assert.match(words, /Deleted first: SparkApplication "orders"/);
    assert.match(words, /Suspend Running Application… ends it too/);
    await workbench.answerDialog(question, "Stop application");
    await changed(/^DELETE sparkapplications\/orders .*uid-of-resource/);
    assert.ok(!changes.some((change) => change.includes("pods/")), changes.join("\n"));
  });
});
