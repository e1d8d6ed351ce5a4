// Short applications in a real VS Code on a real cluster: submitted through quick picks, shown by their events, and
// cleaned up after their end.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { Connection } from "../../src/engine/ports/connection.ts";
import type { Manifest } from "../../src/spark/submit/plan/manifest.ts";
import { eventually } from "../host/eventually.ts";
import type { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { quickJvmLines } from "./quickJvms.ts";
import { requireCluster } from "./requireCluster.ts";
import { openEditor, openTestPlace, type TestPlace } from "./testPlace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-finished-${process.pid}`;
const startMs = 300_000;

// The file's name is not that of a conf file, yet the conf help must find the misspelled key.
const confFile = `spark.kubernetes.driver.request.cores    0.1
spark.kubernetes.executor.request.cores  0.1
spark.driver.memory                      512m
spark.executor.memory                    512m
spark.executor.instances                 1
spark.app.name                           etl
spark.ui.showConsoleProgres              false
${quickJvmLines}`;

const examplesJar = "local:///opt/spark/examples/jars/sparkdev-examples.jar";

describe("finished applications", { timeout: 1_200_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let place: TestPlace;
  let connection: Connection;

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    ({ connection } = place);
    ({ host, workbench } = await openEditor(kubeconfig, namespace, {
      "conf/messy-defaults.conf": confFile,
      "conf/server.conf": "server.port=8080\n",
      "jobs/etl.py": "# in the image\n",
    }));
  });
  after(async () => {
    await host.stop();
    await place.close();
  });
  afterEach(async ({ name }) => {
    await workbench.picture(`finished-last-${name.replaceAll(/[^a-z0-9]+/gi, "-").slice(0, 40)}`);
  });

  const create = async (manifest: Manifest): Promise<string> => {
    const options = { dryRun: false, charset: false };
    const signal = AbortSignal.timeout(20_000);
    const created = await connection.objects.create(namespace, manifest, options, signal);
    assert.ok(created.ok, JSON.stringify(created));
    return created.value.uid;
  };
  const namesOf = async (kind: string): Promise<readonly string[]> => {
    const signal = AbortSignal.timeout(20_000);
    const listed = await connection.objects.list({ apiVersion: "v1", kind }, namespace, "", signal);
    assert.ok(listed.ok, `${kind} can be listed`);
    return listed.value.map(({ name }) => name);
  };
  const rows = async (): Promise<readonly string[]> =>
    (await workbench.tree("Applications").rows()).map(
      ({ label, description }) => `${label}: ${description}`,
    );
  const asked = async (placeholder: RegExp): Promise<void> => {
    await workbench.quickInput.root.getByPlaceholder(placeholder).first().waitFor();
  };

  /** Creates a pod with the labels of a driver, and a ConfigMap and a PersistentVolumeClaim that it owns. */
  const createDriver = async (id: string, command: string): Promise<void> => {
    const labels = {
      "spark-app-selector": id,
      "spark-role": "driver",
      "spark-app-name": "orders",
      "spark-version": "4.3.0",
    };
    const name = `${id}-driver`;
    const container = { name: "spark-kubernetes-driver", image, command: ["sh", "-c", command] };
    const uid = await create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, labels },
      spec: { restartPolicy: "Never", containers: [container] },
    });
    const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name, uid }];
    const metadata = { labels, ownerReferences };
    await create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { ...metadata, name: `${id}-conf-map` },
      data: {},
    });
    await create({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { ...metadata, name: `${id}-driver-pvc-0` },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "none",
        resources: { requests: { storage: "1Mi" } },
      },
    });
  };

  test("a file of Spark settings under another name is a conf file", async () => {
    await workbench.openFile("messy-defaults.conf");
    await workbench.editor.squiggles("warning").first().waitFor();
    await workbench.statusBarItem("Spark Configuration").waitFor();
    await workbench.picture("finished-1-conf");
    await workbench.openFile("server.conf");
    await workbench.statusBarItem("Properties").waitFor();
  });

  test("the questions refuse a file that does not exist and know the rights of accounts", async () => {
    await workbench.command("Spark: Submit Application…");
    await asked(/^Application:/);
    await workbench.quickInput.answer("nowhere.py");
    await workbench.quickInput.root.getByText("No such file").first().waitFor();
    await workbench.picture("finished-2-no-such-file");
    await workbench.quickInput.answer(examplesJar);
    await asked(/^Main class/);
    await workbench.quickInput.answer("SparkdevExamples");
    await asked(/^Spark image/);
    await workbench.quickInput.answer(image);
    await asked(/^Service account/);
    const told = workbench.quickInput.root.getByText("has the permissions that a driver needs");
    await told.first().waitFor();
    await workbench.quickInput.root.getByText("lacks: pods (create").first().waitFor();
    await workbench.picture("finished-3-accounts");
    await workbench.quickInput.choose(place.own.serviceAccount);
    await asked(/^Configuration file/);
    await workbench.picture("finished-4-conf");
    await workbench.quickInput.answer("messy");
    await asked(/^Arguments/);
    await workbench.quickInput.answer("sleep 5 1");
    await eventually(
      "the driver",
      rows,
      (found) => found.some((row) => row.startsWith("etl:")),
      startMs,
    );
  });

  test("events of driver and executors form one timeline in local time", async () => {
    await workbench.tree("Applications").row("etl").contextMenu("Show Events");
    const text = await eventually(
      "the events of both",
      () => workbench.editor.text(),
      (seen) => /etl-\S+-driver/.test(seen) && /etl-\S+-exec-1/.test(seen),
      startMs,
    );
    await workbench.picture("finished-5-events");
    const lines = text.trim().split("\n");
    assert.ok(
      lines.every((line) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  (?:Normal|Warning)/.test(line)),
    );
    await eventually(
      "the end",
      rows,
      (found) => found.some((row) => /^etl: (?:succeeded|completed)/.test(row)),
      startMs,
    );
  });

  test("logs of two applications with the same name are distinguishable", async () => {
    const working = "while true; do echo working; sleep 2; done";
    await createDriver("spark-busy", working);
    await createDriver("spark-lazy", working);
    await eventually(
      "both running",
      rows,
      (found) => found.filter((row) => row.startsWith("orders: running")).length === 2,
      startMs,
    );
    await workbench.command("Spark: Tail Logs of Several Applications…");
    await workbench.quickInput.answer("orders");
    await workbench.waitForTerminal(/orders \(spark-busy\)[^\n]*working/);
    await workbench.waitForTerminal(/orders \(spark-lazy\)[^\n]*working/);
    await workbench.picture("finished-6-tail");
    await workbench.command("Spark: Stop Application…");
    await workbench.picture("finished-6-stop");
    await workbench.quickInput.cancel();
  });

  test("Clean Up deletes finished applications of a group with their objects, and no running one", async () => {
    await createDriver("spark-good", "exit 0");
    await createDriver("spark-bad", "exit 3");
    await eventually(
      "two ended and two running",
      rows,
      (found) =>
        found.filter((row) => row.startsWith("orders: running")).length === 2 &&
        ["orders: failed", "1 earlier run of orders"].every((start) =>
          found.some((row) => row.startsWith(start)),
        ),
      startMs,
    );
    await workbench.command("Spark: Clean Up…");
    await asked(/^Choose resources to clean up/);
    await workbench.picture("finished-6-groups");
    await workbench.quickInput.choose("All finished");
    await asked(/^Selected items are deleted/);
    await workbench.picture("finished-7-list");
    const listed = await workbench.quickInput.root.innerText();
    assert.ok(!/spark-(?:busy|lazy)/.test(listed), listed);
    await workbench.quickInput.accept();
    const question = "Delete 3 finished applications?";
    const words = await workbench.dialog(question).innerText();
    assert.match(words, /"orders" \(spark-good\)/);
    assert.match(words, /spark-bad-driver-pvc-0/);
    await workbench.picture("finished-8-question");
    await workbench.answerDialog(question, "Delete 3 Applications");
    const claims = "Delete 2 volume claims with their data?";
    await workbench.dialog(claims).waitFor();
    await workbench.picture("finished-9-claims");
    await workbench.answerDialog(claims, "Delete Data");
    const left = async (): Promise<readonly string[]> => [
      ...(await namesOf("Pod")),
      ...(await namesOf("PersistentVolumeClaim")),
      ...(await namesOf("ConfigMap")),
    ];
    await eventually(
      "only those of the running ones",
      left,
      (names) =>
        names
          .filter((name) => name !== "kube-root-ca.crt")
          .map((name) => /^spark-(?:busy|lazy)/.exec(name)?.[0] ?? name)
          .sort()
          .join() === "spark-busy,spark-busy,spark-busy,spark-lazy,spark-lazy,spark-lazy",
      startMs,
    );
    await workbench.picture("finished-10-after");
  });
});
