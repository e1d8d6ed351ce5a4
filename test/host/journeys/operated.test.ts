// The row of an application that an operator runs: it shows the operator's status, and its commands change only the
// custom resource. The cluster is a small server that records changes.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../eventually.ts";
import type { Workbench } from "../workbench.ts";
import {
  podOf,
  openLittleCluster,
  statusOf,
  type Asked,
  type LittleClusterEditor,
  type Told,
} from "./littleCluster.ts";

const createdAt = new Date(Date.now() - 240_000).toISOString();

const driver = podOf("orders-driver", {
  labels: { "spark-role": "driver", "sparkoperator.k8s.io/app-name": "orders" },
  createdAt,
});
const executor = podOf("orders-exec-1", {
  labels: { "spark-role": "executor", "spark-exec-id": "1" },
  createdAt,
});
const resource = {
  metadata: { name: "orders", namespace: "etl", uid: "uid-of-resource", resourceVersion: "1" },
  status: { applicationState: { state: "RUNNING" }, executionAttempts: 1 },
};

/** PATCH and DELETE requests: `PATCH sparkapplications/orders {"spec":{"suspend":true}}`. */
const changes: string[] = [];

function answer({ method, path, isWatch, body }: Asked, told: Told): void {
  const isOfPods = path.endsWith("/pods");
  if (method === "PATCH" || method === "DELETE") {
    changes.push(`${method} ${path.split("/").slice(-2).join("/")} ${body}`);
    told.json(200, resource);
  } else if (isWatch) told.watch(isOfPods ? [driver, executor] : []);
  else if (path.endsWith("v1beta2/namespaces/etl/sparkapplications")) {
    told.json(200, { metadata: { resourceVersion: "1" }, items: [resource] });
  } else told.json(404, statusOf(404, "NotFound", "not here"));
}

describe("an application that an operator runs", { timeout: 240_000 }, () => {
  let editor: LittleClusterEditor;
  let workbench: Workbench;

  before(async () => {
    editor = await openLittleCluster(answer);
    ({ workbench } = editor);
  });
  after(() => editor.close());

  const row = () => workbench.tree("Applications").row("orders");
  const changed = (what: RegExp): Promise<unknown> =>
    eventually(
      String(what),
      () => Promise.resolve(changes),
      (seen) => seen.some((change) => what.test(change)),
    );

  test("its row shows the operator, and its tooltip the operator's status", async () => {
    await row().waitFor();
    await row().describes(/^running · 1 executor/);
    await eventually(
      "its tooltip",
      () => row().tooltip(),
      (text) => /SparkApplication: orders[^]*Operator status: RUNNING/.test(text),
    );
    await workbench.picture("operated-1-row");
  });

  test("its menu suspends it after a question", async () => {
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
    await changed(
      /^PATCH sparkapplications\/orders \{"metadata":\{"uid":"uid-of-resource"\},"spec":\{"suspend":true\}\}$/,
    );
  });

  test("stopping it deletes its custom resource and says so", async () => {
    const question = 'Stop "orders"?';
    await workbench.inThemes(async (theme) => {
      await row().contextMenu("Stop Application…");
      await workbench.dialog(question).waitFor();
      await workbench.picture(`operated-2-stop-${theme}`);
      await workbench.answerDialog(question, "Cancel");
    });
    await row().contextMenu("Stop Application…");
    const words = await workbench.dialog(question).innerText();
    assert.match(words, /This will first delete SparkApplication "orders"/);
    assert.match(words, /use Suspend Running Application… instead/);
    await workbench.answerDialog(question, "Stop Application");
    await changed(/^DELETE sparkapplications\/orders .*uid-of-resource/);
    assert.ok(!changes.some((change) => change.includes("pods/")), changes.join("\n"));
  });
});
