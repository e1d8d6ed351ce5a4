// The messages if a cluster rejects requests: a forbidden watch, and executors of which some may not be deleted.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
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

// As many executors as the view can show.
const count = 8;
const createdAt = new Date(Date.now() - 240_000).toISOString();
const pods = [
  podOf("orders-driver", { labels: { "spark-role": "driver" }, createdAt }),
  ...Array.from({ length: count }, (_, at) =>
    podOf(`orders-exec-${at + 1}`, {
      labels: { "spark-role": "executor", "spark-exec-id": String(at + 1) },
      createdAt,
    }),
  ),
];

/** The names of the pods in delete requests, in the order of the requests. */
const deletions: string[] = [];

// Lists are allowed and watches are forbidden. A disruption budget protects every third pod.
function answer({ method, path, isWatch }: Asked, told: Told): void {
  const name = path.split("/").at(-1) ?? "";
  if (method === "DELETE") {
    deletions.push(name);
    const isProtected = Number(/\d+$/.exec(name)?.[0]) % 3 === 0;
    if (isProtected) told.json(403, statusOf(403, "Forbidden", `pods "${name}" is forbidden here`));
    else told.json(200, {});
  } else if (!path.endsWith("/pods")) told.json(404, statusOf(404, "NotFound", "not here"));
  else if (isWatch) told.json(403, statusOf(403, "Forbidden", "pods is forbidden: cannot watch"));
  else told.json(200, { metadata: { resourceVersion: "1" }, items: pods });
}

describe("a cluster that refuses", { timeout: 240_000 }, () => {
  let editor: LittleClusterEditor;
  let workbench: Workbench;

  before(async () => {
    editor = await openLittleCluster(answer);
    ({ workbench } = editor);
  });
  after(() => editor.close());

  test("pods that may be listed but not watched are polled, and the view says so", async () => {
    await workbench.tree("Applications").row("executor 8").waitFor();
    const said = workbench.page.locator(".part.sidebar").getByText(/^Refreshed only every 30 s:/);
    await said.waitFor();
    await workbench.pictures("refusals-1-polled");
  });

  test("deletes each of many executors and reports the refused ones in one message", async () => {
    const tree = workbench.tree("Applications");
    await tree.row("executor 1").click();
    await tree.row("executor 8").root.click({ modifiers: ["Shift"] });
    await tree.row("executor 8").contextMenu("Kill Executor…");
    const question = `Kill ${count} executors?`;
    await workbench.dialog(question).waitFor();
    await workbench.picture("refusals-2-question");
    await workbench.answerDialog(question, `Kill ${count} Executors`);
    await eventually(
      "all tried",
      () => Promise.resolve(new Set(deletions).size),
      (tried) => tried === count,
    );
    await workbench.notification(/2 of 8 executors were not killed\. /).waitFor();
    await workbench.picture("refusals-3-told");
    assert.equal(deletions.length, count, "what is refused is not tried again");
  });
});
