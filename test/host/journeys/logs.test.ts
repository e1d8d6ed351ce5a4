// Logs of a running application: following it twice opens one terminal, and a restored tab
// continues after a reload.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Locator } from "playwright-core";
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
const driver = podOf("orders-driver", { labels: { "spark-role": "driver" }, createdAt });

const otherDriver = podOf("other-driver", {
  labels: { "spark-role": "driver", "spark-app-selector": "spark-2" },
  createdAt: new Date(Date.now() - 480_000).toISOString(),
});

const longLine = `INFO SparkContext: ${"a long line, ".repeat(40)}and its end`;

describe("the log of an application", { timeout: 240_000 }, () => {
  let editor: LittleClusterEditor;
  let workbench: Workbench;
  let reads = 0;
  let isGone = false;

  const answer = ({ path, isWatch, isFollowed }: Asked, told: Told): void => {
    if (isWatch && path.endsWith("/pods")) told.watch(isGone ? [] : [driver, otherDriver]);
    else if (path.endsWith("/orders-driver/log") && !isGone) {
      // Count only followed logs, because the row of a driver without executors also reads the end of the log.
      if (isFollowed) reads += 1;
      told.log(`${createdAt} INFO SparkContext: the only line\n${createdAt} ${longLine}\n`);
    } else if (path.endsWith("/other-driver/log")) {
      told.log(`${createdAt} INFO SparkContext: the other run's line\n`);
    } else if (path.endsWith("/pods/orders-driver") && !isGone) told.json(200, driver);
    else told.json(404, statusOf(404, "NotFound", "not here"));
  };

  const pageButtons = (): Locator =>
    workbench.page.locator(".editor-actions").getByRole("button", { name: / Log\b/ });

  before(async () => {
    editor = await openLittleCluster(answer);
    ({ workbench } = editor);
  });
  after(() => editor.close());

  test("following an application twice shows the same terminal", async () => {
    const row = workbench.tree("Applications").row("orders");
    await row.contextMenu("Tail Logs…");
    await workbench.waitForTerminal("the only line");
    const before = reads;
    // Hide the terminal, so that the test sees when the command shows it again.
    const panel = workbench.page.locator(".part.panel .terminal-wrapper.active");
    await workbench.page.keyboard.press("Control+J");
    await panel.waitFor({ state: "hidden" });
    await row.contextMenu("Tail Logs…");
    await panel.waitFor();
    await workbench.waitForTerminal("the only line");
    assert.equal(await workbench.page.locator(".terminal-wrapper").count(), 1);
    assert.equal(reads, before);
  });

  test("a key cuts long lines at the terminal's edge and restores them", async () => {
    const endsWith = (isWhole: boolean): Promise<string> =>
      eventually(
        isWhole ? "whole lines" : "cut lines",
        () => workbench.terminalText(),
        (text) => text.includes("a long line") && text.includes("and its end") === isWhole,
      );
    await endsWith(true);
    await workbench.pressInTerminal("w");
    await endsWith(false);
    await workbench.picture("logs-cut");
    await workbench.pressInTerminal("w");
    await endsWith(true);
  });

  test("a filter in the terminal shows the number of hidden lines, and one key clears it", async () => {
    await workbench.pressInTerminal("l");
    await workbench.pressInTerminal("l");
    await workbench.waitForTerminal(
      /minimum level: warn. Entries shown so far: 0, hidden: 2.*Press c to show all/s,
    );
    await workbench.picture("logs-all-hidden");
    await workbench.pressInTerminal("c");
    await workbench.waitForTerminal("the only line");
  });

  test("if a filter of the tree hides all rows, the view offers to clear it", async () => {
    await workbench.command("Spark: Filter Applications…");
    await workbench.quickInput.answer("failed");
    const welcome = workbench.welcome().filter({ hasText: "No applications match the filter." });
    await welcome.waitFor();
    assert.deepEqual(await workbench.tree("Applications").rows(), []);
    await workbench.picture("logs-tree-filtered");
    await welcome.getByText("Clear Filter").click();
    await workbench.tree("Applications").row("orders").waitFor();
  });

  test("two terminals of the same name open two documents", async () => {
    await workbench.pressInTerminal("o");
    await workbench.editor.waitForText("the only line");
    await workbench.tree("Applications").lastRow("orders").contextMenu("Tail Logs…");
    await workbench.waitForTerminal("the other run's line");
    await workbench.pressInTerminal("o");
    await workbench.editor.waitForText("the other run's line");
    assert.deepEqual(await workbench.tabTitles(), ["orders", "orders"]);
    assert.equal(await pageButtons().count(), 0);
    await workbench.tab("orders").first().click();
    await workbench.editor.waitForText("the only line");
    await workbench.command("View: Close All Editors");
  });

  test("a reloaded window does not restore the tab of a log, whose text was lost", async () => {
    await workbench.openFile("readme.txt");
    await workbench.page.keyboard.press("Control+K");
    await workbench.page.keyboard.press("Enter");
    await workbench.tree("Applications").row("driver").contextMenu("Open Log");
    await workbench.editor.waitForText("the only line");
    assert.equal((await workbench.tabTitles()).length, 2);
    await eventually(
      "buttons that turn pages",
      () => pageButtons().count(),
      (count) => count === 4,
    );
    isGone = true;
    const gone = workbench.page.waitForEvent("framenavigated");
    await workbench.command("Developer: Reload Window");
    await gone;
    await workbench.tab("readme.txt").waitFor();
    assert.deepEqual(await workbench.tabTitles(), ["readme"]);
  });
});
