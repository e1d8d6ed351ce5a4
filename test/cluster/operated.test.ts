// Several applications of an operator in a real VS Code on a real API server: commands change the
// stored custom resources. No operator runs there; the test writes the status and starts the
// drivers.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { KubeConfig } from "@kubernetes/client-node";
import { objectAt, textAt, type JsonObject } from "../../src/base/json.ts";
import { eventually } from "../host/eventually.ts";
import { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { askOver } from "./ask.ts";
import { installDefinitions } from "./crds/installDefinitions.ts";
import { requireCluster } from "./requireCluster.ts";

const { kubeconfig, image } = requireCluster();
const config = new KubeConfig();
config.loadFromFile(kubeconfig);
const ask = askOver(config);
const namespace = `spark-k8s-operated-${process.pid}`;
const names = ["invoices", "orders"];
const apiVersion = "sparkoperator.k8s.io/v1beta2";
const kind = "SparkApplication";
const resources = `/apis/${apiVersion}/namespaces/${namespace}/sparkapplications`;
const pods = `/api/v1/namespaces/${namespace}/pods`;

const demand = async (...request: Parameters<typeof ask>): Promise<JsonObject> => {
  const { status, body } = await ask(...request);
  assert.ok(
    status < 300,
    `${request[0]} ${request[1]}: ${status} ${textAt(body, "message") ?? ""}`,
  );
  return body;
};
const uidOf = (object: JsonObject): string => textAt(objectAt(object, "metadata"), "uid") ?? "";
const stored = (name: string): Promise<JsonObject> => demand("GET", `${resources}/${name}`);

/** Creates a resource as a user would, then its driver pod and status as the operator would. */
async function run(name: string): Promise<void> {
  const resource = await demand("POST", resources, {
    ...{ apiVersion, kind, metadata: { name, labels: { team: "sales" } } },
    spec: {
      ...{ type: "Scala", mode: "cluster", sparkVersion: "4.3.0" },
      ...{ mainClass: "Main", mainApplicationFile: "local:///main.jar" },
      driver: { cores: 1 },
      executor: { instances: 1 },
    },
  });
  const owner = { apiVersion, kind, name, uid: uidOf(resource), controller: true };
  const labels = { "spark-role": "driver", "sparkoperator.k8s.io/app-name": name };
  await demand("POST", pods, {
    ...{ apiVersion: "v1", kind: "Pod" },
    metadata: {
      name: `${name}-driver`,
      labels: { ...labels, "spark-app-selector": `spark-${name}` },
      ownerReferences: [owner],
    },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: "spark-kubernetes-driver", image, command: ["sleep", "3600"] }],
    },
  });
  const status = { applicationState: { state: "RUNNING" }, driverInfo: {}, executionAttempts: 1 };
  const merge = "application/merge-patch+json";
  await demand("PATCH", `${resources}/${name}/status`, { status }, merge);
}

describe("applications of an operator, several at once", { timeout: 600_000 }, () => {
  let forget: () => Promise<void>;
  let host: VscodeHost;
  let workbench: Workbench;

  before(async () => {
    forget = await installDefinitions(ask);
    const namespaces = "/api/v1/namespaces";
    await demand("POST", namespaces, { kind: "Namespace", metadata: { name: namespace } });
    for (const name of names) await run(name);
    host = await VscodeHost.start({
      version: "newest",
      env: { KUBECONFIG: kubeconfig },
      settings: { "sparkK8s.namespaces": [namespace] },
    });
    workbench = await host.open(await host.makeWorkspace({ "readme.txt": "" }));
    await workbench.openContainer("Spark");
  });
  after(async () => {
    await host.stop();
    await demand("DELETE", `/api/v1/namespaces/${namespace}`);
    await forget();
  });
  afterEach(async ({ name }) => {
    await workbench.picture(`operated-last-${name.replaceAll(/[^a-z0-9]+/gi, "-").slice(0, 40)}`);
  });

  const tree = () => workbench.tree("Applications");
  const both = async (command: string): Promise<void> => {
    await tree().row("orders").click();
    await tree().row("invoices").clickToo();
    await tree().row("invoices").contextMenu(command);
  };
  const untilAll = (what: string, suits: (resource: JsonObject) => boolean): Promise<unknown> =>
    eventually(
      what,
      () => Promise.all(names.map(stored)),
      (found) => found.every(suits),
    );
  const isSuspended = (resource: JsonObject): unknown => objectAt(resource, "spec")["suspend"];

  test("each application is a running row with its operator's status", async () => {
    for (const name of names) {
      await tree()
        .row(name)
        .describes(/^running/);
      await eventually(
        "its tooltip",
        () => tree().row(name).tooltip(),
        (text) => text.includes("Operator status: RUNNING"),
      );
    }
  });

  test("one question suspends both, and Undo resumes them", async () => {
    const [invoices, orders] = await Promise.all(names.map(stored));
    await both("Suspend Running Application…");
    const asked = "Suspend 2 applications?";
    assert.match(await workbench.dialog(asked).innerText(), /"orders".*: the operator deletes/);
    await workbench.picture("operated-cluster-1-suspend");
    await workbench.answerDialog(asked, "Suspend 2 Applications");
    await untilAll("both suspended", (one) => isSuspended(one) === true);
    const offer = "Undo starts from the beginning.";
    await workbench.notification(offer).waitFor();
    await workbench.pictures("operated-cluster-2-undo");
    await workbench.answerNotification(offer, "Undo");
    await untilAll("neither suspended", (one) => isSuspended(one) === false);
    const now = await Promise.all(names.map(stored));
    assert.deepEqual(
      now.map(uidOf),
      [invoices, orders].map((one) => uidOf(one ?? {})),
    );
  });

  test("one confirmation restarts both: each is deleted with its driver and created again", async () => {
    const before = await Promise.all(names.map(stored));
    const question = "Restart 2 applications?";
    await workbench.inThemes(async (theme) => {
      await both("Restart Application…");
      assert.match(
        await workbench.dialog(question).innerText(),
        /delete and recreate, with its driver and executors/,
      );
      await workbench.picture(`operated-cluster-3-restart-${theme}`);
      await workbench.answerDialog(question, "Cancel");
    });
    assert.deepEqual((await Promise.all(names.map(stored))).map(uidOf), before.map(uidOf));
    await both("Restart Application…");
    await workbench.answerDialog(question, "Restart 2 Applications");
    await eventually(
      "both made anew",
      () => Promise.all(names.map((name) => ask("GET", `${resources}/${name}`))),
      (found) =>
        found.every(({ status, body }, at) => {
          return status === 200 && uidOf(body) !== uidOf(before[at] ?? {});
        }),
      60_000,
    );
    const now = await Promise.all(names.map(stored));
    const told = (one: JsonObject) => [objectAt(one, "spec"), objectAt(one, "metadata")["labels"]];
    assert.deepEqual(now.map(told), before.map(told));
    await eventually(
      "their drivers gone",
      async () => (await demand("GET", pods))["items"],
      (items) => Array.isArray(items) && items.length === 0,
      60_000,
    );
  });
});
