// Restarts a submitted application while another cluster is selected: it is stopped and submitted again in its own
// cluster.
import assert from "node:assert/strict";
import { delimiter } from "node:path";
import { after, before, describe, test } from "node:test";
import { eventually } from "../eventually.ts";
import { VscodeHost } from "../vscodeHost.ts";
import type { Workbench } from "../workbench.ts";
import {
  startLittleCluster,
  statusOf,
  type Asked,
  type LittleCluster,
  type Told,
  type TellChange,
} from "./littleCluster.ts";

const profile = {
  ...{ type: "spark", label: "orders", name: "orders", application: "local:///jobs/orders.py" },
  ...{ image: "spark:4.3.0", follow: "none" },
};
const tasks = JSON.stringify({ version: "2.0.0", tasks: [profile] });

interface Pod {
  readonly metadata: { readonly name: string };
}

describe("a restart", { timeout: 240_000 }, () => {
  /** Requests that change pods, with the name of the cluster: `dev POST orders-…-driver`. */
  const changes: string[] = [];
  const clusters: LittleCluster[] = [];
  let host: VscodeHost;
  let workbench: Workbench;

  const serve = async (name: string): Promise<LittleCluster> => {
    const pods = new Map<string, Pod>();
    let version = 10;
    const watches: TellChange[] = [];
    const tell: TellChange = (type, pod) => {
      for (const one of watches) one(type, pod);
    };
    const create = (body: string): Pod => {
      const sent = JSON.parse(body) as Pod;
      version += 1;
      const metadata = {
        ...{ ...sent.metadata, namespace: "etl", uid: `uid-of-${sent.metadata.name}` },
        ...{ resourceVersion: String(version), creationTimestamp: new Date().toISOString() },
      };
      const pod = { ...sent, metadata, status: { phase: "Running" } };
      pods.set(metadata.name, pod);
      tell("ADDED", pod);
      return pod;
    };
    const answer = ({ method, path, isWatch, body }: Asked, told: Told): void => {
      const last = path.split("/").at(-1) ?? "";
      const pod = pods.get(last);
      if (path.endsWith("/pods") && isWatch) watches.push(told.watch([...pods.values()]));
      else if (path.endsWith("/pods") && method === "POST") {
        const made = create(body);
        changes.push(`${name} POST ${made.metadata.name}`);
        told.json(201, made);
      } else if (method === "DELETE" && pod !== undefined) {
        changes.push(`${name} DELETE ${last}`);
        pods.delete(last);
        version += 1;
        tell("DELETED", {
          ...pod,
          metadata: { ...pod.metadata, resourceVersion: String(version) },
        });
        told.json(200, pod);
      } else if (pod !== undefined) told.json(200, pod);
      else if (method === "POST" || method === "PATCH") told.json(201, JSON.parse(body));
      else told.json(404, statusOf(404, "NotFound", "not here"));
    };
    const cluster = await startLittleCluster(answer, name);
    clusters.push(cluster);
    return cluster;
  };

  before(async () => {
    const files = [await serve("dev"), await serve("staging")].map(({ kubeconfig }) => kubeconfig);
    host = await VscodeHost.start({
      version: "newest",
      env: { KUBECONFIG: files.join(delimiter) },
    });
    workbench = await host.open(await host.makeWorkspace({ ".vscode/tasks.json": tasks }));
    await workbench.openContainer("Spark");
  });
  after(async () => {
    await host.stop();
    for (const cluster of clusters) await cluster.stop();
  });

  const changed = (count: number): Promise<unknown> =>
    eventually(
      `${count} changes`,
      () => Promise.resolve(changes),
      ({ length }) => length >= count,
    );
  const row = () => workbench.tree("Applications").row("orders");

  test("uses the application's cluster even if another was selected meanwhile", async () => {
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.choose("orders");
    await changed(1);
    assert.match(changes[0] ?? "", /^dev POST orders-\w+-driver$/);
    await row().waitFor();
    await workbench.command("Spark: Choose Cluster…");
    await workbench.quickInput.choose("staging");
    await workbench.page.getByText("staging/etl").waitFor();
    await workbench.command("Spark: Watch More Clusters…");
    await workbench.quickInput.waitFor("Watch More Clusters");
    await workbench.quickInput.tick("dev");
    await workbench.quickInput.accept();
    await row().waitFor();
    await row().contextMenu("Restart Application…");
    const question = 'Restart "orders"?';
    await workbench.dialog(question).getByText("Context: dev").waitFor();
    await workbench.picture("restarted-1-question");
    await workbench.answerDialog(question, "Restart");
    await changed(3);
    await workbench.picture("restarted-2-after");
    assert.deepEqual(
      changes.map((change) => change.replace(/-\w+-driver$/, "")),
      ["dev POST orders", "dev DELETE orders", "dev POST orders"],
    );
  });
});
