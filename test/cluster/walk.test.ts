// A complete user session by keyboard and mouse in a real VS Code, with real Spark on a real cluster. Saves a
// screenshot after each step to out/host/pictures.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { Connection } from "../../src/engine/ports/connection.ts";
import { eventually } from "../host/eventually.ts";
import type { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { relayApiServer, type ApiOutage } from "./apiOutage.ts";
import { quickJvmLines } from "./quickJvms.ts";
import { requireCluster } from "./requireCluster.ts";
import { openEditor, openTestPlace, type TestPlace } from "./testPlace.ts";

const { kubeconfig, image, restartApiServer } = requireCluster();
const namespace = `spark-k8s-walk-${process.pid}`;

// Small enough for two cores; the conf help must find the misspelled key.
const confFile = `spark.kubernetes.driver.request.cores    0.1
spark.kubernetes.executor.request.cores  0.1
spark.driver.memory                      512m
spark.executor.memory                    512m
spark.executor.instances                 2
spark.ui.showConsoleProgres              false
${quickJvmLines}`;

const examplesJar = "local:///opt/spark/examples/jars/sparkdev-examples.jar";

// Time for the image, a JVM and two executors on a busy machine with two cores.
const startMs = 120_000;

describe("the way from the palette to real executors and back", { timeout: 900_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let outage: ApiOutage;
  let place: TestPlace;
  let connection: Connection;

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    ({ connection } = place);
    outage = await relayApiServer(kubeconfig, place.folder, restartApiServer);
    ({ host, workbench } = await openEditor(outage.kubeconfig, namespace, {
      "conf/spark-defaults.conf": confFile,
      "jobs/pi.py": "# in the image\n",
    }));
  });

  after(async () => {
    await host.stop();
    await outage.close();
    await place.close();
  });

  // Saves a screenshot of the window after each test, to find the cause of a failure.
  afterEach(async ({ name }) => {
    await workbench.picture(`walk-last-${name.replaceAll(/[^a-z0-9]+/gi, "-").slice(0, 40)}`);
  });

  const tree = () => workbench.tree("Applications");
  const rows = () => tree().rows();
  const describeRows = async (): Promise<readonly string[]> =>
    (await rows()).map(({ label, description }) => `${label}: ${description}`);
  const childrenOf = async (application: string): Promise<readonly string[]> => {
    const all = await rows();
    const at = all.findIndex(({ label }) => label === application);
    const level = all[at]?.level ?? 0;
    const below = at < 0 ? [] : all.slice(at + 1);
    const end = below.findIndex((row) => row.level <= level);
    return (end < 0 ? below : below.slice(0, end)).map(
      ({ label, description }) => `${label}: ${description}`,
    );
  };

  /** Completes the steps of the quick input in order; undefined accepts the first choice. */
  const answer = async (
    steps: readonly (readonly [placeholder: RegExp, text: string | undefined])[],
  ) => {
    for (const [placeholder, text] of steps) {
      const box = workbench.quickInput.root.getByPlaceholder(placeholder);
      await box.first().waitFor();
      if (text !== undefined) await workbench.quickInput.type(text);
      await workbench.quickInput.accept();
    }
  };
  const submitJvm = async (words: string): Promise<void> => {
    await workbench.command("Spark: Submit Application…");
    await answer([
      [/^Application:/, examplesJar],
      [/^Main class/, "SparkdevExamples"],
      [/^Spark image/, image],
      [/^Service account/, place.own.serviceAccount],
      [/^Configuration file/, undefined],
      [/^Arguments/, words],
    ]);
  };
  const leftovers = async (kind: string, prefix: string): Promise<readonly string[]> => {
    const listed = await connection.objects.list(
      { apiVersion: "v1", kind },
      namespace,
      "",
      AbortSignal.timeout(10_000),
    );
    assert.ok(listed.ok, `${kind} can be listed`);
    return listed.value.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  };

  test("the tree says that nothing runs and offers to submit", async () => {
    await workbench.openContainer("Spark");
    await workbench.welcome().getByRole("button", { name: "Submit Application" }).waitFor();
    await workbench.picture("walk-1-empty");
  });

  test("the conf file has its misspelled key underlined", async () => {
    await workbench.openFile("spark-defaults.conf");
    await workbench.editor.squiggles("warning").first().waitFor();
    await workbench.picture("walk-2-conf");
  });

  test("an application submitted from the palette shows its driver and two executors running", async () => {
    await submitJvm("sleep 600 4");
    await eventually(
      "a driver and two executors running",
      () => childrenOf("sparkdevexamples"),
      (found) =>
        found.length === 3 && found.every((row) => /^(driver|executor [12]): running/.test(row)),
      startMs,
    );
    await workbench.picture("walk-3-running");
  });

  test("the log of the driver is followed in a terminal", async () => {
    await workbench.waitForTerminal("-- Open Spark UI --", startMs);
    await workbench.waitForTerminal("Starting task", startMs);
    await workbench.picture("walk-4-log");
  });

  test("Ctrl+C stops following, and Tail Logs resumes it", async () => {
    await workbench.pressInTerminal("Control+C");
    await workbench.waitForTerminal("detached; the application is still running");
    await tree().row("sparkdevexamples").inlineAction("Tail Logs…");
    await workbench.waitForTerminal("Starting task");
  });

  test("a killed executor is named in the question, and Spark starts another", async () => {
    await tree().row("executor 1").inlineAction("Kill Executor…");
    const question = 'Kill executor 1 of "sparkdevexamples"?';
    await workbench.dialog(question).waitFor();
    await workbench.picture("walk-5-kill");
    await workbench.answerDialog(question, "Kill Executor");
    await eventually(
      "executor 3 in the place of executor 1",
      () => childrenOf("sparkdevexamples"),
      (found) =>
        found.some((row) => row.startsWith("executor 3: running")) &&
        !found.some((row) => row.startsWith("executor 1: running")),
      startMs,
    );
    await workbench.picture("walk-6-replaced");
  });

  test("the tree is stale while the API server is away, and recovers automatically", async () => {
    const before = (await rows()).map(({ label }) => label);
    await outage.begin();
    const status = workbench.page.locator(".part.sidebar").getByText(/^Stale since/);
    await status.waitFor({ timeout: 60_000 });
    assert.deepEqual(
      (await rows()).map(({ label }) => label),
      before,
    );
    await workbench.picture("walk-7-stale");
    await outage.end();
    await status.waitFor({ state: "hidden", timeout: 60_000 });
    assert.deepEqual(
      (await rows()).map(({ label }) => label),
      before,
    );
    await workbench.picture("walk-8-live-again");
  });

  test("stopping an application deletes its executors, its Service and its ConfigMap", async () => {
    assert.equal((await leftovers("Service", "sparkdevexamples-")).length, 1);
    await workbench.command("Spark: Stop Application…");
    const question = 'Stop "sparkdevexamples"?';
    const words = await workbench.dialog(question).innerText();
    assert.match(words, /Service sparkdevexamples-/);
    assert.match(words, /ConfigMap spark-drv-/);
    await workbench.picture("walk-9-stop");
    await workbench.answerDialog(question, "Stop Application");
    await eventually(
      "an empty tree",
      describeRows,
      (found) => !found.some((row) => row.startsWith("sparkdevexamples")),
      startMs,
    );
    for (const [kind, prefix] of [
      ["Pod", "sparkdevexamples-"],
      ["Service", "sparkdevexamples-"],
      ["ConfigMap", "spark-drv-"],
      ["ConfigMap", "spark-exec-"],
    ] as const) {
      await eventually(
        `no ${kind}`,
        () => leftovers(kind, prefix),
        (names) => names.length === 0,
        60_000,
      );
    }
    await workbench.picture("walk-10-gone");
  });

  test("SparkPi's result can be read in its log, and the application has succeeded", async () => {
    await submitJvm("pi 4");
    await workbench.waitForTerminal("Pi is roughly", startMs);
    await workbench.waitForTerminal("driver: succeeded", startMs);
    await eventually(
      "the application to have succeeded",
      describeRows,
      (found) => found.some((row) => row.startsWith("sparkdevexamples: succeeded")),
      startMs,
    );
    await workbench.picture("walk-11-pi");
  });

  test("a Python application runs from the button on its file", async () => {
    await workbench.openFile("pi.py");
    await workbench.command("Spark: Submit Application…");
    await answer([
      [/^Application:/, undefined],
      [/^Spark image/, undefined],
      [/^Service account/, undefined],
      [/^Configuration file/, undefined],
      [/^Arguments/, "2"],
    ]);
    await workbench.waitForTerminal("Pi is roughly", startMs);
    await eventually(
      "the application to have succeeded",
      describeRows,
      (found) => found.some((row) => row.startsWith("pi-py: succeeded")),
      startMs,
    );
    await workbench.picture("walk-12-python");
  });
});
