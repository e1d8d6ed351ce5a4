// The progress of running work in a real VS Code, from real drivers of a real cluster.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../host/eventually.ts";
import type { TreeRowText } from "../host/treeView.ts";
import type { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { openPortGateway } from "./portGateway.ts";
import { requireCluster } from "./requireCluster.ts";
import { submitExample } from "./submitted.ts";
import { startHistoryServer } from "./historyServer.ts";
import { openEditor, openTestPlace, type TestPlace } from "./testPlace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-progress-${process.pid}`;
const startMs = 180_000;

describe("progress of running work", { timeout: 600_000 }, () => {
  let gateway: Awaited<ReturnType<typeof openPortGateway>>;
  let place: TestPlace;
  let host: VscodeHost;
  let workbench: Workbench;

  before(async () => {
    gateway = await openPortGateway();
    place = await openTestPlace(kubeconfig, namespace);
    // Two task slots and twenty tasks of 6 s: the stage runs for a minute.
    const { applicationId } = await submitExample(place.connection, place.own, {
      name: "naps",
      image,
      args: ["sleep", "6", "20"],
      conf: { "spark.executor.instances": "2" },
    });
    await startHistoryServer(place, namespace, image, applicationId);
    ({ host, workbench } = await openEditor(
      kubeconfig,
      namespace,
      { "readme.txt": "" },
      { env: { VSCODE_PROXY_URI: gateway.template }, size: { width: 1600, height: 900 } },
    ));
  });
  after(async () => {
    await host.stop();
    await place.close();
    gateway.close();
  });

  const rowsWhen = (
    what: string,
    fits: (rows: readonly TreeRowText[]) => boolean,
  ): Promise<readonly TreeRowText[]> =>
    eventually(what, () => workbench.tree("Applications").rows(), fits, startMs);
  const descriptionOf = (rows: readonly TreeRowText[], label: RegExp): string =>
    rows.find((row) => label.test(row.label))?.description ?? "";

  test("the progress row counts the tasks of the running stage", async () => {
    const rows = await rowsWhen("a stage with ended tasks", (all) =>
      /[1-9]\d* of 20 tasks/.test(descriptionOf(all, /^progress$/)),
    );
    assert.match(descriptionOf(rows, /^progress$/), /^stage 0 · \d+ of 20 tasks/);
  });

  test("the application's row shows the stage in place of the state while it is collapsed", async () => {
    assert.match(
      descriptionOf(await workbench.tree("Applications").rows(), /^naps$/),
      /^running · /,
    );
    await workbench.tree("Applications").row("naps").collapse();
    await rowsWhen("work in the application's row", (all) =>
      /^\d+ % of stage 0 · /.test(descriptionOf(all, /^naps$/)),
    );
    await workbench.pictures("progress-1-collapsed");
    await workbench.tree("Applications").row("naps").expand();
    await rowsWhen("the state", (all) => /^running · /.test(descriptionOf(all, /^naps$/)));
  });

  test("the expanded row shows the stage", async () => {
    await workbench.tree("Applications").row("progress").expand();
    const rows = await rowsWhen(
      "the stage",
      (all) => all.some(({ label }) => label.startsWith("stage")) || hasEnded(all),
    );
    assert.match(descriptionOf(rows, /^stage 0/), /of 20 tasks/);
    await workbench.pictures("progress-2-expanded");
  });

  test("Open Spark UI shows the running stage in a panel", async () => {
    await workbench.tree("Applications").row("naps").inlineAction("Open Spark UI");
    await workbench.tab("Spark UI: naps").waitFor();
    const ui = workbench.panelPage.frameLocator("iframe");
    await ui.getByRole("heading", { name: /Spark Jobs/ }).waitFor({ timeout: 20_000 });
    await ui
      .getByText(/Active Jobs/)
      .first()
      .waitFor();
    await workbench.pictures("progress-3-ui");
    await ui.getByRole("link", { name: "Executors" }).click();
    await ui.getByText("driver", { exact: true }).first().waitFor();
    await workbench.picture("progress-4-ui-executors");
  });

  test("the progress row disappears when the application has ended", async () => {
    const rows = await rowsWhen("the end", hasEnded);
    assert.deepEqual(
      rows.filter(({ label }) => label === "progress"),
      [],
    );
  });

  test("Open Spark UI shows the ended application in the history server of its namespace", async () => {
    await workbench.tab("Spark UI: naps driver").click({ button: "middle" });
    await workbench.tree("Applications").row("naps").contextMenu("Open Spark UI");
    await workbench.tab("Spark UI: naps (").waitFor();
    const ui = workbench.panelPage.frameLocator("iframe");
    await ui.getByText("Completed Jobs").first().waitFor({ timeout: startMs });
    await workbench.pictures("progress-5-history");
    // The page's links lead through the proxy, too.
    await ui.getByRole("link", { name: "Environment" }).click();
    await ui.getByText("from.the.log").first().waitFor({ state: "attached" });
  });

  const hasEnded = (rows: readonly TreeRowText[]): boolean =>
    descriptionOf(rows, /^naps$/).startsWith("succeeded");
});
