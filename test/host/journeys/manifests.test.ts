// Manifests for the operators and the converter, by keyboard. The cluster is a small server that validates as an API
// server does, or has no operator. `test/cluster/` contains tests with a real one.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { eventually } from "../eventually.ts";
import { VscodeHost } from "../vscodeHost.ts";
import type { Workbench } from "../workbench.ts";

const manifests = `# The nightly runs
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: orders }
spec:
  type: Python
  sparkVersion: 4.3.0
  mainApplicationFile: local:///jobs/orders.py
  image: registry/spark:4.3.0
  restartPolicy: { type: Always }
  driver: { cors: 1 }
  executor: { instances: 2 }
---
apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: { name: totals }
spec:
  mainClass: org.example.Totals
  jars: local:///jobs/totals.jar
  runtimeVersions: { sparkVersion: 4.3.0 }
`;

const script = `#!/bin/sh
export DATE=2026-01-02
spark-submit \\
  --master k8s://https://prod:6443 --deploy-mode cluster --name orders \\
  --conf spark.kubernetes.container.image=registry/spark:4.3.0 \\
  --conf spark.kubernetes.driver.podTemplateFile=driver.yaml \\
  local:///jobs/orders.py $DATE
`;

const files = {
  "orders.yaml": manifests,
  "other.yaml": "kind: ConfigMap\napiVersion: v1\n",
  "submit.sh": script,
  "driver.yaml": "spec: { containers: [{ name: spark, tty: true }] }\n",
};

const profiles = {
  ".vscode/tasks.json": JSON.stringify({
    version: "2.0.0",
    tasks: [
      {
        type: "spark",
        label: "nightly",
        application: "${workspaceFolder}/orders.yaml",
        name: "orders",
      },
    ],
  }),
};

describe("manifests for the operators", { timeout: 300_000 }, () => {
  let folder: string;
  let api: Server;
  let host: VscodeHost;
  let workbench: Workbench;
  let hasOperator = true;
  const asked: string[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-manifests-"));
    api = createServer((request, response) => {
      const path = request.url ?? "";
      if (path.includes("sparkapplications")) asked.push(`${request.method} ${path}`);
      const isCreation = request.method === "POST" && path.includes("sparkapplications");
      const answer = (code: number, body: object): void => {
        response.writeHead(code, { "content-type": "application/json" });
        response.end(JSON.stringify({ kind: "Status", code, ...body }));
      };
      if (hasOperator && isCreation && path.includes("dryRun=All")) {
        const message = 'strict decoding error: unknown field "spec.driver.cors"';
        answer(400, { status: "Failure", reason: "BadRequest", message });
      } else answer(404, { status: "Failure", reason: "NotFound", message: "not served" });
    });
    api.listen(0, "127.0.0.1");
    await once(api, "listening");
    const address = api.address();
    assert.ok(typeof address === "object" && address);
    const kubeconfig = join(folder, "kubeconfig");
    const config = {
      clusters: [{ name: "c", cluster: { server: `http://127.0.0.1:${address.port}` } }],
      users: [{ name: "ada", user: {} }],
      contexts: [{ name: "dev", context: { cluster: "c", user: "ada", namespace: "etl" } }],
      "current-context": "dev",
    };
    await writeFile(kubeconfig, JSON.stringify(config));
    host = await VscodeHost.start({ version: "newest", env: { KUBECONFIG: kubeconfig } });
    workbench = await host.open(await host.makeWorkspace(files));
  });
  after(async () => {
    await host.stop();
    api.closeAllConnections();
    api.close();
    await rm(folder, { recursive: true });
  });

  const openAs = async (file: string, line: string): Promise<void> => {
    await workbench.openFile(file);
    await workbench.editor.goTo(line);
  };

  test("each manifest of a file has its lenses, and other YAML has none", async () => {
    await workbench.openFile("orders.yaml");
    await eventually(
      "the lenses",
      () => lensesIn(workbench),
      (titles) => titles.filter((title) => title.includes("Convert")).length === 2,
    );
    await workbench.pictures("manifest-1-lenses");
    await workbench.openFile("other.yaml");
    assert.deepEqual(await lensesIn(workbench), []);
  });

  test("a check is a document, and Fix opens the place that the cluster refuses", async () => {
    await openAs("orders.yaml", "mainApplicationFile");
    await workbench.command("Spark: Check Before Submitting");
    await workbench.quickInput.waitFor("Check Before Submitting");
    await workbench.quickInput.accept();
    await workbench.tab("check.txt").waitFor();
    await workbench.editor.waitForText("Pre-flight check: orders");
    await workbench.editor.waitForText("Error unknown-field: Line 11, spec.driver.cors");
    await workbench.pictures("manifest-2-check");
    const message = /Checked "orders" at .+: \d+ errors\. Nothing was submitted\./;
    const buttons = workbench.notification(message).locator(".monaco-button");
    assert.deepEqual(await buttons.allInnerTexts(), ["Fix", "Submit Anyway", "Show Check"]);
    await workbench.answerNotification(message, "Fix");
    await workbench.editor.squiggles("error").first().waitFor();
    await (await workbench.problems()).filter({ hasText: "cors" }).first().waitFor();
    await workbench.picture("manifest-2-fix");
    assert.ok(
      asked.every((line) => line.includes("dryRun=All&fieldValidation=Strict")),
      asked.join(),
    );
  });

  test("without the operator, the run's terminal says so and what to do", async () => {
    hasOperator = false;
    await openAs("orders.yaml", "mainClass");
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.waitFor("Submit Application");
    await workbench.quickInput.accept();
    await workbench.waitForTerminal("Install the operator");
    await workbench.waitForTerminal("Convert Submission");
    await workbench.pictures("manifest-3-no-operator");
    hasOperator = true;
  });

  test("an unsupported conversion is refused with the reason", async () => {
    await openAs("orders.yaml", "mainClass");
    await workbench.command("Spark: Suspend Application");
    await workbench.quickInput.accept();
    await workbench.notification("the API has no such field").waitFor();
    await workbench.picture("manifest-4-suspend");
    await workbench.dismissNotifications();
  });

  test("a manifest becomes a command line with its losses at the top", async () => {
    await openAs("orders.yaml", "mainApplicationFile");
    await workbench.command("Spark: Convert Submission…");
    await workbench.quickInput.choose("orders");
    await workbench.quickInput.choose("spark-submit line");
    await workbench.editor.waitForText("spark-submit \\");
    // Poll, because code lenses move the lines while the text is read.
    const text = await workbench.editor.textThat((seen) =>
      seen.startsWith('# spark-submit line, converted from SparkApplication "orders"'),
    );
    assert.match(text, /# Omitted: spec\.restartPolicy/);
    assert.match(text, /--name orders/);
    await workbench.pictures("manifest-5-line");
  });

  test("a command in a script becomes a manifest with the pod template in it", async () => {
    await openAs("submit.sh", "--deploy-mode");
    await workbench.command("Spark: Convert Submission…");
    await workbench.quickInput.choose("SparkApplication of sparkoperator.k8s.io/v1beta2");
    await workbench.editor.waitForText("kind: SparkApplication");
    await workbench.editor.textThat((text) =>
      [/- .?2026-01-02/, /tty: true/, /# Omitted: spark\.master/].every((part) => part.test(text)),
    );
    await workbench.pictures("manifest-6-manifest");
  });

  test("a command becomes a valid run profile", async () => {
    await openAs("submit.sh", "--deploy-mode");
    await workbench.command("Spark: Convert Submission…");
    await workbench.quickInput.choose("Run profile");
    await workbench.editor.waitForText('"type": "spark"');
    await workbench.editor.waitForText('"application": "local:///jobs/orders.py"');
    await workbench.picture("manifest-7-profile");
  });

  test("a run profile that names a manifest is previewed and checked as the manifest", async () => {
    workbench = await host.open(await host.makeWorkspace({ ...files, ...profiles }));
    await workbench.openFile("submit.sh");
    await workbench.command("Spark: Preview Submission");
    await workbench.quickInput.choose("nightly");
    await workbench.tab("orders.yaml").first().waitFor();
    await workbench.editor.waitForText("kind: SparkApplication");
    await workbench.command("View: Close Editor");
    await workbench.openFile("submit.sh");
    await workbench.command("Spark: Check Before Submitting");
    await workbench.quickInput.choose("nightly");
    await workbench.tab("check.txt").waitFor();
    await workbench.answerNotification('Checked "orders"', "Fix");
    await workbench.tab("orders.yaml").first().waitFor();
    await workbench.editor.squiggles("error").first().waitFor();
  });
});

const lensesIn = ({ editor }: Workbench): Promise<readonly string[]> =>
  editor.root.locator(".codelens-decoration a").allInnerTexts();
