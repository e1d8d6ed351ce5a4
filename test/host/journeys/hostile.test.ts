// Text from a hostile cluster, driver or workspace: the workbench shows it as plain text. None of it becomes a link, a
// command, an icon, an image or markup.
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
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

// A command link in VS Code's Markdown; a click on it would open a terminal.
const link = "[Show details](command:workbench.action.terminal.new)";
const web = "[docs](https://evil.example/a) https://evil.example/b";
const markup = '**bold** <img src="https://evil.example/i.png"> ![i](https://evil.example/j.png)';
const turned = "\u202egnp.exe\u202c";
const colored = "\u001b[31mred\u001b[0m \u001b]8;;https://evil.example/c\u0007over\u001b]8;;\u0007";
const hostile = `${link} $(flame) ${web} ${turned}`;

const context = `prod ${link} $(flame)`;
const profile = `nightly ${link} $(flame)`;
const createdAt = new Date(Date.now() - 240_000).toISOString();
const labels = { "spark-app-name": `orders ${link} $(flame)` };
const running = podOf("orders-driver", {
  labels: { ...labels, "spark-role": "driver" },
  createdAt,
});
const executor = podOf("orders-exec-1", {
  labels: { ...labels, "spark-role": "executor", "spark-exec-id": "1" },
  createdAt,
});
const blocked = {
  ...(podOf("orders-exec-2", {
    labels: { ...labels, "spark-role": "executor", "spark-exec-id": "2" },
    createdAt,
  }) as object),
  spec: {
    nodeName: `node $(flame) ${link}`,
    containers: [{ name: "main", image: `spark:$(flame)${link}` }],
  },
  status: {
    phase: "Pending",
    startTime: createdAt,
    containerStatuses: [
      {
        ...{ name: "main", ready: false, restartCount: 0, image: "spark", imageID: "" },
        state: {
          waiting: { reason: "ErrImagePull", message: `${hostile}\n# head\n${markup} ${colored}` },
        },
      },
    ],
  },
};
// A second application, because commands from the palette prompt for one only if there are several.
const other = podOf("other-driver", {
  labels: { "spark-app-selector": "spark-2", "spark-app-name": "other", "spark-role": "driver" },
  createdAt,
  phase: "Succeeded",
});
const pods = [running, executor, blocked, other];

function answer({ method, path, isWatch }: Asked, told: Told): void {
  if (method === "DELETE") told.json(403, statusOf(403, "Forbidden", `denied ${hostile}`));
  else if (path.includes("/proxy/")) told.json(500, { message: `driver says ${hostile}` });
  else if (isWatch && path.endsWith("/pods")) told.watch(pods);
  else if (path.endsWith("/pods/orders-driver")) told.json(200, running);
  else if (path.endsWith("/events")) {
    told.json(200, { metadata: {}, items: [] });
  } else told.json(404, statusOf(404, "NotFound", `nothing here ${hostile}`));
}

/** Removes the characters that prevent text from being parsed as markup, and replaces no-break spaces with spaces. */
const plain = (text: string): string => text.replaceAll("\u2060", "").replaceAll("\u00a0", " ");

describe("hostile texts", { timeout: 300_000 }, () => {
  let cluster: LittleCluster;
  let host: VscodeHost;
  let workbench: Workbench;

  before(async () => {
    cluster = await startLittleCluster(answer, context);
    host = await VscodeHost.start({ version: "newest", env: { KUBECONFIG: cluster.kubeconfig } });
    const task = {
      ...{ type: "spark", label: profile, image: "spark:4.3.0", context },
      application: `local:///jobs/${link}.py`,
    };
    workbench = await host.open(
      await host.makeWorkspace({
        ".vscode/tasks.json": JSON.stringify({ version: "2.0.0", tasks: [task] }),
      }),
    );
    await workbench.openContainer("Spark");
  });
  after(async () => {
    await host.stop();
    await cluster.stop();
  });

  /** Asserts that nothing in the element is a link, an image or markup; `icons` is the expected number of icons. */
  const isText = async (place: Locator, icons = 0): Promise<void> => {
    const count = (selector: string): Promise<number> => place.locator(selector).count();
    assert.equal(await count("a:not(.label-name)"), 0, `a link in ${await place.innerHTML()}`);
    assert.equal(await count("img, h1, h2, h3, ul, ol, table, code"), 0, await place.innerHTML());
    assert.equal(await count(".codicon"), icons, `icons of the text in ${await place.innerHTML()}`);
  };
  const textIn = async (place: Locator): Promise<string> => plain(await place.innerText());

  test("rows and the view show names literally", async () => {
    const rows = workbench.tree("Applications");
    await rows.row("executor 1").waitFor();
    await workbench.picture("hostile-1-rows");
    const labelsOfRows = rows.root.locator(".monaco-icon-label-container");
    await isText(rows.root.locator(".label-name").first());
    for (const label of await labelsOfRows.all()) await isText(label);
    const shown = plain((await labelsOfRows.allInnerTexts()).join("\n"));
    assert.ok(shown.includes(`orders ${link} $(flame)`), shown);
    assert.ok(!shown.includes("\u202e"));
  });

  test("the status bar shows the context's name with the extension's icon alone", async () => {
    const item = workbench.statusBarItem("prod [Show details]");
    await item.waitFor();
    assert.equal(await item.locator(".codicon").count(), 1);
    assert.equal(await item.locator(".codicon-flame").count(), 0);
    assert.ok((await textIn(item)).includes(context));
  });

  test("a tooltip shows the cluster's message as text", async () => {
    const row = workbench.tree("Applications").row("executor 2");
    await row.tooltip();
    const hover = workbench.page
      .locator(".monaco-hover:not(.hidden)", { hasText: "evil.example" })
      .first();
    await workbench.picture("hostile-2-tooltip");
    await isText(hover);
    const text = await textIn(hover);
    for (const part of [link, "$(flame)", web, "# head", "**bold**", "<img src="]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    // Only the extension's own labels are bold.
    assert.ok((await hover.locator("strong").count()) > 3);
    assert.ok((await hover.locator("strong").allInnerTexts()).every((name) => !/bold/.test(name)));
  });

  test("a refusal's message has no link", async () => {
    const row = workbench.tree("Applications").row("executor 1");
    await row.contextMenu("Kill Executor…");
    const question = /Kill executor 1 of/;
    await workbench.dialog(question).waitFor();
    await workbench.picture("hostile-3-question");
    await isText(workbench.dialog(question).locator(".dialog-message-container"));
    await workbench.answerDialog(question, "Kill Executor");
    await workbench.quickInput.waitFor();
    await workbench.picture("hostile-4-prompt");
    const prompt = workbench.quickInput.root.locator(".quick-input-message");
    await isText(prompt);
    assert.ok((await textIn(prompt)).includes(context));
    await workbench.quickInput.type("x");
    await workbench.quickInput.accept();
    await eventually(
      "the refusal of the name",
      () => textIn(prompt),
      (text) => text.includes('Type "prod'),
    );
    await isText(prompt);
    await workbench.quickInput.answer(context);
    const message = workbench.notification("denied");
    await message.waitFor();
    await workbench.picture("hostile-5-refused");
    await isText(message.locator(".notification-list-item-message"));
    const text = await textIn(message);
    assert.ok(text.includes(`${link} $(flame)`) && text.includes(web), text);
    // Click where a link would be; it would open a terminal.
    await message.getByText("Show details").first().click();
    assert.equal(await workbench.page.locator(".terminal-wrapper").count(), 0);
    await workbench.dismissNotifications();
  });

  test("a driver's answer has no link", async () => {
    await workbench.tree("Applications").row("driver").contextMenu("Show Effective Conf");
    const message = workbench.notification("driver says");
    await message.waitFor();
    await workbench.picture("hostile-6-driver");
    await isText(message.locator(".notification-list-item-message"));
    assert.ok((await textIn(message)).includes(link));
    await workbench.dismissNotifications();
  });

  test("rows of a pick show names literally", async () => {
    const { quickInput } = workbench;
    await workbench.command("Spark: Show Pod");
    await quickInput.waitFor("Show Pod");
    const rows = quickInput.root.locator(".quick-input-list .monaco-list-row");
    const row = rows.filter({ hasText: "orders" }).first();
    await row.waitFor();
    await workbench.picture("hostile-7-pick");
    await isText(row.locator(".quick-input-list-rows"));
    assert.ok((await textIn(row)).includes(`orders ${link} $(flame)`));
    await row.click();
    await quickInput.root
      .locator(".quick-input-list .monaco-list-row", { hasText: "driver" })
      .waitFor();
    await isText(quickInput.root.locator(".quick-input-title"));
    await quickInput.cancel();
  });

  test("a profile's name is text in its view and in the pick", async () => {
    const row = workbench.tree("Run Profiles").row(/^nightly/);
    await row.waitFor();
    await isText(row.root.locator(".monaco-icon-label-container"));
    await row.tooltip();
    const hover = workbench.page.locator(".monaco-hover:not(.hidden)", { hasText: "local:" });
    await isText(hover.first());
    assert.ok((await textIn(hover.first())).includes(`local:///jobs/${link}.py`));
    const { quickInput } = workbench;
    await workbench.command("Spark: Submit Application…");
    await quickInput.waitFor("Submit Application");
    const choice = quickInput.root.locator(".monaco-list-row", { hasText: "nightly" });
    await choice.waitFor();
    await workbench.picture("hostile-8-profiles");
    await isText(choice.locator(".quick-input-list-rows"));
    assert.ok((await textIn(choice)).includes(profile));
    await quickInput.cancel();
    await eventually(
      "the row's label",
      () => textIn(row.root),
      (text) => text.includes(profile),
    );
  });
});
