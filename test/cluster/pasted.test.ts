// Pasted spark-submit lines in a real VS Code on a real cluster: one runs to its end, others query
// its status and kill it, and a token in the line selects the user.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { Connection } from "../../src/engine/ports/connection.ts";
import { eventually } from "../host/eventually.ts";
import type { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { quickJvms } from "./quickJvms.ts";
import { requireCluster } from "./requireCluster.ts";
import { driversIn, openEditor, openTestPlace, type TestPlace } from "./testPlace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-pasted-${process.pid}`;
const startMs = 120_000;

const quickJvmConf = Object.entries(quickJvms)
  .map(([key, value]) => `--conf ${key}=${value}`)
  .join(" ");

const line = (server: string, name: string, words: string): string => `#!/bin/sh
spark-submit \\
  --master k8s://${server} \\
  --deploy-mode cluster \\
  --name ${name} \\
  --class SparkdevExamples \\
  --driver-memory 512m --executor-memory 512m --num-executors 1 \\
  --conf spark.kubernetes.namespace=${namespace} \\
  --conf "spark.kubernetes.container.image=${image}" \\
  --conf spark.kubernetes.authenticate.driver.serviceAccountName=spark \\
  --conf spark.kubernetes.driver.request.cores=0.1 \\
  --conf spark.kubernetes.executor.request.cores=0.1 \\
  ${quickJvmConf} \\
  local:///opt/spark/examples/jars/sparkdev-examples.jar ${words}
`;

describe("pasted lines", { timeout: 600_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let place: TestPlace;
  let connection: Connection;

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    ({ connection } = place);
    const { server } = connection;
    const drivers = `${namespace}:long-*`;
    ({ host, workbench } = await openEditor(kubeconfig, namespace, {
      "pi.sh": line(server, "pasted-pi", "pi ${SLICES:-2}"),
      "long.sh": line(server, "long", "sleep 600 2"),
      "status.sh": `spark-submit --status '${drivers}' --master k8s://${server}\n`,
      "kill.sh": `spark-submit --kill '${drivers}' --master k8s://${server}\n`,
      "total.py": `from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
print("total", spark.sparkContext.parallelize([1, 2, 4], 2).sum())
spark.stop()
`,
      "local.sh": line(server, "total", "")
        .replace("  --class SparkdevExamples \\\n", "")
        .replace("local:///opt/spark/examples/jars/sparkdev-examples.jar", "total.py"),
      "token.sh": line(server, "nobody", "pi 1").replace(
        "--name",
        "--conf spark.kubernetes.authenticate.submission.oauthToken=not-a-token --name",
      ),
    }));
  });
  after(async () => {
    await host.stop();
    await place.close();
  });

  // Saves a screenshot of the window after each test, to find the cause of a failure.
  afterEach(async ({ name }) => {
    await workbench.picture(`pasted-last-${name.replaceAll(/[^a-z0-9]+/gi, "-").slice(0, 40)}`);
  });

  const paste = async (file: string): Promise<void> => {
    await workbench.openFile(file);
    await workbench.editor.root.locator(".view-line").first().click();
    await workbench.page.keyboard.press("Control+A");
    await workbench.command("Spark: Submit Pasted Command…");
  };
  const runNow = async (name: string): Promise<void> => {
    await workbench.quickInput.waitFor(`Submit "${name}"`);
    await workbench.quickInput.accept();
  };
  const drivers = async (prefix: string): Promise<readonly string[]> =>
    (await driversIn(connection, namespace))
      .map(({ name }) => name)
      .filter((name) => name.startsWith(prefix));

  test("a command of several lines asks for its variable and runs to its end", async () => {
    await paste("pi.sh");
    await workbench.quickInput.waitFor("Value of $SLICES");
    await workbench.quickInput.accept();
    await runNow("pasted-pi");
    await workbench.waitForTerminal("Pi is roughly", startMs);
    await workbench.waitForTerminal("driver: succeeded", startMs);
    await workbench.picture("pasted-cluster-1-pi");
  });

  test("a command with a program of the workspace becomes a run profile that sends it", async () => {
    await paste("local.sh");
    await workbench.quickInput.waitFor("The command cannot be submitted");
    await workbench.picture("pasted-cluster-6-local");
    await workbench.quickInput.accept();
    await workbench.quickInput.waitFor("Save as Run Profile");
    await workbench.quickInput.accept();
    await workbench.tab("tasks.json").waitFor();
    await workbench.picture("pasted-cluster-7-saved");
    const profiles = workbench.tree("Run Profiles");
    await profiles.row("total").inlineAction("Submit Profile");
    await workbench.waitForTerminal("total 7", startMs);
    await workbench.waitForTerminal("driver: succeeded", startMs);
    await workbench.picture("pasted-cluster-8-total");
  });

  test("a command's token, not the kubeconfig, is the identity of the submission", async () => {
    await paste("token.sh");
    await runNow("nobody");
    await workbench.waitForTerminal("rejected the credentials", startMs);
    await workbench.picture("pasted-cluster-2-token");
    assert.deepEqual(await drivers("nobody-"), []);
  });

  test("a pattern shows the driver's state and kills it after a question that names it", async () => {
    await paste("long.sh");
    await runNow("long");
    await workbench.waitForTerminal("driver: running", startMs);
    const [driver = ""] = await drivers("long-");
    await paste("status.sh");
    await workbench.waitForTerminal("phase: Running");
    await workbench.picture("pasted-cluster-3-status");
    await paste("kill.sh");
    const question = `Kill "${driver}"?`;
    await workbench.dialog(question).waitFor();
    await workbench.picture("pasted-cluster-4-kill");
    await workbench.answerDialog(question, "Kill Driver");
    await workbench.waitForTerminal(`deleted driver pod ${driver}`, startMs);
    await eventually(
      "its end",
      () => drivers("long-"),
      (names) => names.length === 0,
      startMs,
    );
    await workbench.picture("pasted-cluster-5-killed");
  });
});
