// Applications of two clusters side by side: a command reaches the cluster of its row, and closing
// a cluster leaves no connection to it.
import assert from "node:assert/strict";
import { delimiter } from "node:path";
import { after, before, describe, test } from "node:test";
import { eventually } from "../eventually.ts";
import { VscodeHost } from "../vscodeHost.ts";
import type { Workbench } from "../workbench.ts";
import {
  podOf,
  startLittleCluster,
  statusOf,
  type Asked,
  type LittleCluster,
  type Told,
} from "./littleCluster.ts";

const createdAt = new Date(Date.now() - 240_000).toISOString();
// Both clusters have pods of the same names, like the test and production clusters of one team.
const pods = [
  podOf("orders-driver", { labels: { "spark-role": "driver" }, createdAt }),
  podOf("orders-exec-1", {
    labels: {
      "spark-role": "executor",
      "spark-exec-id": "1",
      "spark-exec-resourceprofile-id": "2",
    },
    createdAt,
  }),
  podOf("orders-exec-2", {
    labels: { "spark-role": "executor", "spark-exec-id": "2" },
    createdAt,
    phase: "Failed",
  }),
];

describe("two clusters", { timeout: 240_000 }, () => {
  /** Delete requests with the name of the cluster: `staging DELETE orders-exec-1`. */
  const changes: string[] = [];
  const clusters: LittleCluster[] = [];
  let host: VscodeHost;
  let workbench: Workbench;

  const serve = async (name: string): Promise<LittleCluster> => {
    const answer = ({ method, path, isWatch }: Asked, told: Told): void => {
      if (method === "DELETE") {
        changes.push(`${name} ${method} ${path.split("/").at(-1) ?? ""}`);
        told.json(200, {});
      } else if (path.endsWith("/events")) told.json(200, { metadata: {}, items: [] });
      else if (isWatch && path.endsWith("/pods")) told.watch(pods);
      else told.json(404, statusOf(404, "NotFound", "not here"));
    };
    const cluster = await startLittleCluster(answer, name);
    clusters.push(cluster);
    return cluster;
  };

  before(async () => {
    const files = [await serve("dev"), await serve("staging")].map(({ kubeconfig }) => kubeconfig);
    const env = { KUBECONFIG: files.join(delimiter) };
    host = await VscodeHost.start({ version: "newest", env });
    workbench = await host.open(await host.makeWorkspace({ "readme.txt": "" }));
    await workbench.openContainer("Spark");
  });
  after(async () => {
    await host.stop();
    for (const cluster of clusters) await cluster.stop();
  });

  const contextsOfRows = async (): Promise<readonly string[]> =>
    (await workbench.tree("Applications").rows())
      .filter(({ label }) => label === "etl")
      .map(({ description }) => description);

  test("applications of a second cluster are shown beside those of the first", async () => {
    await workbench.tree("Applications").row("executor 1").waitFor();
    await workbench.command("Spark: Watch More Clusters…");
    await workbench.quickInput.waitFor("Watch More Clusters");
    await workbench.quickInput.tick("staging");
    await workbench.picture("clusters-1-pick");
    await workbench.quickInput.accept();
    await eventually("both clusters", contextsOfRows, ({ length }) => length === 2);
    assert.deepEqual(await contextsOfRows(), ["dev", "staging"]);
    await workbench.pictures("clusters-2-both");
  });

  test("rows have screen reader labels with their visible text", async () => {
    const rows = workbench.tree("Applications");
    for (const name of ["Namespace etl · dev", "Namespace etl · staging"]) {
      await rows.root.getByRole("treeitem", { name }).waitFor();
    }
    const ended = rows.root.getByRole("treeitem", { name: "1 ended executor · 1 failed" });
    await ended.first().waitFor();
    const executor = rows.row("executor 1");
    assert.match(await executor.tooltip(), /Resource profile:\s*2/);
    await executor.closeTooltip();
  });

  test("a command uses the cluster of its row", async () => {
    const rows = workbench.tree("Applications");
    await rows.lastRow("executor 1").contextMenu("Kill Executor…");
    const question = 'Kill executor 1 of "orders"?';
    await workbench.dialog(question).getByText("Context: staging").waitFor();
    await workbench.answerDialog(question, "Kill Executor");
    await eventually(
      "the deletion",
      () => Promise.resolve(changes),
      ({ length }) => length > 0,
    );
    assert.deepEqual(changes, ["staging DELETE orders-exec-1"]);
  });

  test("pick items name their cluster", async () => {
    const { quickInput } = workbench;
    await workbench.command("Spark: Show Pod");
    await quickInput.waitFor("Show Pod");
    const rows = quickInput.root.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "dev · etl · spark-1" }).waitFor();
    await rows.filter({ hasText: "staging · etl · spark-1" }).click();
    await quickInput.waitFor('Pod of "orders"');
    await quickInput.cancel();
  });

  test("drivers of the same name in two clusters are forwarded separately", async () => {
    const rows = workbench.tree("Applications");
    for (const row of [rows.row("driver"), rows.lastRow("driver")]) {
      await row.contextMenu("Forward Port…");
      await workbench.quickInput.waitFor("Forward Port");
      await workbench.quickInput.answer("4040");
      // Shows the IP address that it listens on, as `localhost` may resolve to another one.
      await workbench
        .notification(/Port 4040 of orders driver is forwarded to 127\.0\.0\.1:\d+ \(local only\)/)
        .waitFor();
      await workbench.dismissNotifications();
    }
    await workbench.command("Spark: Forwarded Ports…");
    await workbench.quickInput.waitFor("Forwarded Ports");
    for (const place of ["dev · etl", "staging · etl"]) {
      await workbench.quickInput.root
        .getByText(`orders driver, port 4040 · ${place}`)
        .first()
        .waitFor();
    }
    await workbench.quickInput.cancel();
  });

  test("drivers of the same name in two clusters open in two editors", async () => {
    const rows = workbench.tree("Applications");
    const events = "orders driver events.log";
    for (const row of [rows.row("driver"), rows.lastRow("driver")]) {
      await row.contextMenu("Show Events");
      await workbench.tab(events).first().waitFor();
    }
    await eventually(
      "two editors",
      () => workbench.tab(events).count(),
      (open) => open === 2,
    );
  });

  test("Delete applies to the focused row instead of another selected row", async () => {
    await workbench.tree("Applications").row("executor 1").click();
    await workbench.page.keyboard.press("ArrowUp");
    await workbench.page.keyboard.press("Delete");
    await workbench.dialog('Delete "orders"?').waitFor();
    await workbench.page.keyboard.press("Escape");
    assert.equal(changes.length, 1);
  });

  test("Delete on a namespace deletes nothing and says so", async () => {
    await workbench.tree("Applications").row("etl").click();
    await workbench.page.keyboard.press("Delete");
    await workbench.notification(/^Namespaces and pages .* cannot be deleted as a whole/).waitFor();
    await workbench.dismissNotifications();
    assert.equal(changes.length, 1);
  });

  test("a closed cluster leaves neither rows nor connections", async () => {
    await workbench.command("Spark: Watch More Clusters…");
    await workbench.quickInput.waitFor("Watch More Clusters");
    await workbench.quickInput.untick("staging");
    await workbench.quickInput.accept();
    await eventually("one cluster", contextsOfRows, ({ length }) => length === 0);
    await workbench.tree("Applications").row("executor 1").waitFor();
    const staging = clusters[1];
    await eventually(
      "no connection",
      async () => staging?.connections(),
      (open) => open === 0,
    );
  });
});
