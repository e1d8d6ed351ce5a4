// Manifests for an operator in a real VS Code on a real cluster that has the operators' custom resource definitions.
// No operator runs there: the test writes the status and starts the driver.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { KubeConfig } from "@kubernetes/client-node";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import { objectAt, textAt, type JsonObject } from "../../src/base/json.ts";
import type { Manifest } from "../../src/spark/submit/plan/manifest.ts";
import { eventually } from "../host/eventually.ts";
import { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { askOver } from "./ask.ts";
import { installDefinitions } from "./crds/installDefinitions.ts";
import { requireCluster } from "./requireCluster.ts";
import { connectTo, openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-manifests-${process.pid}`;
const config = new KubeConfig();
config.loadFromFile(kubeconfig);
const ask = askOver(config);
const object = `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${namespace}/sparkapplications/pi`;
const startMs = 120_000;

const manifest = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: pi, namespace: ${namespace} }
spec:
  type: Scala
  sparkVersion: 4.3.0
  mainClass: Main
  mainApplicationFile: local:///a.jar
  image: ${image}
  driver: {}
  executor: {}
`;

describe("manifests on a cluster with the operators' kinds", { timeout: 600_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let clusters: Clusters;
  let connection: Connection;
  let own: TestNamespace;
  let forget: () => Promise<void>;

  before(async () => {
    forget = await installDefinitions(ask);
    clusters = openTestClusters();
    connection = await connectTo(clusters, kubeconfig);
    own = await makeTestNamespace(connection, namespace);
    host = await VscodeHost.start({ version: "newest", env: { KUBECONFIG: kubeconfig } });
    const wrong = manifest.replace(
      "driver: {}",
      'driver: { cores: "2", cors: 1, serviceAccount: nobody }',
    );
    workbench = await host.open(
      await host.makeWorkspace({ "pi.yaml": manifest, "wrong.yaml": wrong }),
    );
  });
  after(async () => {
    await host.stop();
    await own.remove();
    clusters.dispose();
    await forget();
  });

  const say = async (state: string, errorMessage = ""): Promise<void> => {
    const status = { applicationState: { state, errorMessage } };
    const { status: code } = await ask(
      "PATCH",
      `${object}/status`,
      { status },
      "application/merge-patch+json",
    );
    assert.equal(code, 200);
  };
  const read = async (): Promise<JsonObject> => {
    const { status, body } = await ask("GET", object);
    return status === 200 ? body : {};
  };
  const uidOf = (body: JsonObject): string => textAt(objectAt(body, "metadata"), "uid") ?? "";
  /** Creates the driver pod that an operator would create. It prints a line and exits with `exitCode`. */
  const startDriver = async (name: string, exitCode: number): Promise<void> => {
    const owner = { apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication" };
    const uid = uidOf(await read());
    const pod: Manifest = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name,
        labels: { "spark-role": "driver", "spark-app-selector": `spark-${name}` },
        ownerReferences: [{ ...owner, name: "pi", uid, controller: true }],
      },
      spec: {
        restartPolicy: "Never",
        containers: [
          {
            name: "spark-kubernetes-driver",
            image,
            command: ["/bin/sh", "-c", `echo hello from ${name}; exit ${exitCode}`],
          },
        ],
      },
    };
    const options = { dryRun: false, charset: false };
    const created = await connection.objects.create(
      namespace,
      pod,
      options,
      AbortSignal.timeout(20_000),
    );
    assert.ok(created.ok, JSON.stringify(created));
  };
  const submit = async (): Promise<void> => {
    await workbench.openFile("pi.yaml");
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.waitFor("Submit Application");
    await workbench.quickInput.accept();
  };

  test("a pre-flight check shows the server's findings and creates nothing", async () => {
    await workbench.openFile("wrong.yaml");
    await workbench.command("Spark: Check Before Submitting");
    await workbench.quickInput.waitFor("Check Before Submitting");
    await workbench.quickInput.accept();
    await workbench.tab("check.txt").waitFor();
    await workbench.editor.waitForText('Error P-05: The ServiceAccount "nobody" does not exist.');
    await workbench.picture("operator-1-check");
    await workbench.page.keyboard.press("Control+End");
    await workbench.editor.waitForText("SparkApplication pi: rejected.");
    await workbench.answerNotification('Checked "pi"', "Fix");
    await (await workbench.problems()).filter({ hasText: "cors" }).first().waitFor();
    await workbench.picture("operator-1-fix");
    assert.deepEqual(await read(), {});
  });

  test("a preview shows what would be sent beside what the server would store", async () => {
    await workbench.openFile("pi.yaml");
    await workbench.command("Spark: Preview Submission");
    await workbench.quickInput.waitFor("Preview Submission");
    await workbench.quickInput.accept();
    await workbench.tab("Sent ↔ Stored").first().waitFor();
    await workbench.picture("operator-2-preview");
    assert.deepEqual(await read(), {});
  });

  test("a submission follows the operator's status, then the driver's log, and ends with its exit code", async () => {
    await submit();
    await eventually("the object", read, (body) => uidOf(body) !== "");
    await workbench.waitForTerminal('submitting SparkApplication "pi"');
    await say("SUBMITTED");
    await workbench.waitForTerminal("application: SUBMITTED");
    await say("RUNNING");
    await startDriver("pi-one", 3);
    await workbench.waitForTerminal("hello from pi-one", startMs);
    await say("FAILED", "driver container failed");
    await workbench.waitForTerminal(
      'The operator reports that "pi" failed: driver container failed',
      startMs,
    );
    await workbench.waitForTerminal("exit code: 3", startMs);
    await workbench.picture("operator-3-failed");
  });

  test("an existing object of the same name is replaced only after a confirmation", async () => {
    const first = uidOf(await read());
    await submit();
    await workbench.dialog('Resubmit "pi"').waitFor();
    await workbench.picture("operator-4-resubmit");
    await workbench.answerDialog('Resubmit "pi"', "Cancel");
    await workbench.waitForTerminal("not submitted");
    assert.equal(uidOf(await read()), first);
    await workbench.openFile("pi.yaml");
    await workbench.command("Spark: Resubmit Application");
    await workbench.answerDialog('Resubmit "pi"', "Resubmit");
    await eventually(
      "another object",
      read,
      (body) => uidOf(body) !== "" && uidOf(body) !== first,
      startMs,
    );
    await startDriver("pi-two", 0);
    await workbench.waitForTerminal("hello from pi-two", startMs);
    await say("COMPLETED");
    await workbench.waitForTerminal("application: COMPLETED");
  });

  test("an application is suspended and resumed in the cluster", async () => {
    for (const [button, expected] of [
      ["Suspend", true],
      ["Resume", false],
    ] as const) {
      await workbench.openFile("pi.yaml");
      await workbench.command(`Spark: ${button} Application`);
      await workbench.answerDialog(`${button} "pi" in namespace`, button);
      await eventually("the field", read, (body) => objectAt(body, "spec")["suspend"] === expected);
    }
    await workbench.notification('"pi" is resumed').waitFor();
  });
});
