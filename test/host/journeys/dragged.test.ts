// Drags rows out of the tree: a drop inserts their names, and changes nothing in the cluster.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
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
const executor = (id: string): unknown =>
  podOf(`orders-exec-${id}`, {
    labels: { "spark-role": "executor", "spark-exec-id": id },
    createdAt,
  });
const pods = [
  podOf("orders-driver", { labels: { "spark-role": "driver" }, createdAt }),
  executor("1"),
  executor("2"),
];

const allNames = "orders-driver\norders-exec-1\norders-exec-2";

describe("rows that are dragged", { timeout: 240_000 }, () => {
  const changes: string[] = [];
  let cluster: LittleCluster;
  let host: VscodeHost;
  let workbench: Workbench;

  before(async () => {
    const answer = ({ method, path, isWatch }: Asked, told: Told): void => {
      const isQuestion = method === "GET" || path.startsWith("/apis/authorization.k8s.io/");
      if (!isQuestion) changes.push(`${method} ${path}`);
      if (isWatch && path.endsWith("/pods")) told.watch(pods);
      else told.json(404, statusOf(404, "NotFound", "not here"));
    };
    cluster = await startLittleCluster(answer);
    host = await VscodeHost.start({
      version: "newest",
      env: { KUBECONFIG: cluster.kubeconfig },
    });
    workbench = await host.open(await host.makeWorkspace({ "notes.md": "" }));
    await workbench.openContainer("Spark");
    await workbench.tree("Applications").row("executor 2").waitFor();
  });
  after(async () => {
    await host.stop();
    await cluster.stop();
  });

  test("insert their names into an editor, one per line, and do nothing elsewhere", async () => {
    await workbench.openFile("notes.md");
    const rows = workbench.tree("Applications");
    await rows.row("executor 1").dragTo(rows.row("orders").root);
    await rows.row("executor 1").dragTo(workbench.editor.root);
    // If one of these drops took effect late, its text or its editor would be found after the next drop.
    await rows.row("driver").click();
    await rows.row("executor 2").clickUpTo();
    await rows.row("executor 1").dragTo(workbench.editor.root, "Shift");
    await workbench.editor.textThat((text) => text === allNames);
    assert.equal((await workbench.tabTitles()).length, 1);
    await workbench.pictures("dragged-1-editor");
  });

  test("drop their names into an untitled file", async () => {
    await workbench.command("File: New Untitled Text File");
    await workbench.tab("Untitled-1").waitFor();
    // This row is not selected: the drop inserts it instead of the selected rows.
    const row = workbench.tree("Applications").row("orders");
    await row.dragTo(workbench.editor.root, "Shift");
    await workbench.editor.textThat((text) => text === "spark-1");
  });

  test("drop a name into a terminal without running it", async () => {
    await workbench.command("Terminal: Create New Terminal");
    await workbench.waitForTerminal(/[#$]/);
    await workbench.typeInTerminal("echo of ");
    const terminal = workbench.page.locator(".terminal-wrapper.active .xterm-rows");
    const row = workbench.tree("Applications").row("executor 1");
    await row.click();
    await row.dragTo(terminal);
    await workbench.waitForTerminal("echo of 'orders-exec-1'");
    await workbench.picture("dragged-2-terminal");
    await workbench.pressInTerminal("Enter");
    await workbench.waitForTerminal(/^of orders-exec-1$/m);
  });

  test("do not change the cluster", async () => {
    const rows = await workbench.tree("Applications").rows();
    assert.deepEqual(
      rows.map(({ label }) => label),
      ["orders", "driver", "executor 1", "executor 2"],
    );
    assert.deepEqual(changes, []);
  });
});
