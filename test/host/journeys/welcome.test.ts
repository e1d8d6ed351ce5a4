// The welcome text of an empty view: each cause has its own text and action. The clusters are small servers that return
// the errors of an API server.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { confWorkspace } from "../confWorkspace.ts";
import { VscodeHost, type HostOptions } from "../vscodeHost.ts";
import type { Workbench } from "../workbench.ts";
import { startLittleCluster, statusOf } from "./littleCluster.ts";

describe("the Applications view without applications", { timeout: 300_000 }, () => {
  let folder: string;
  let refusing: Server;
  let status = 403;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-welcome-"));
    refusing = createServer((_, response) => {
      const reason = status === 403 ? "Forbidden" : "Unauthorized";
      const message =
        status === 403 ? 'pods is forbidden: User "ada" cannot list resource "pods"' : reason;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ kind: "Status", status: "Failure", reason, message, code: status }),
      );
    });
    refusing.listen(0, "127.0.0.1");
    await once(refusing, "listening");
  });
  after(async () => {
    refusing.closeAllConnections();
    refusing.close();
    await rm(folder, { recursive: true });
  });

  const kubeconfigFor = async (port: number): Promise<string> => {
    const file = join(folder, `kubeconfig-${port}`);
    const config = {
      clusters: [{ name: "c", cluster: { server: `http://127.0.0.1:${port}` } }],
      users: [{ name: "ada", user: { token: "t0ken" } }],
      contexts: [{ name: "dev", context: { cluster: "c", user: "ada", namespace: "etl" } }],
      "current-context": "dev",
    };
    await writeFile(file, JSON.stringify(config));
    return file;
  };
  const portOf = (server: Server): number => {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("not listening");
    return address.port;
  };
  const withWindow = async (
    options: Omit<HostOptions, "version">,
    work: (workbench: Workbench) => Promise<void>,
  ): Promise<void> => {
    const host = await VscodeHost.start({ version: "newest", ...options });
    try {
      const workbench = await host.open(await host.makeWorkspace(confWorkspace));
      await workbench.openContainer("Spark");
      await work(workbench);
    } finally {
      await host.stop();
    }
  };
  test("without a kubeconfig it says so and offers to choose a cluster", () =>
    withWindow({}, async (workbench) => {
      await workbench.welcome().getByText("No kubeconfig was found").waitFor();
      await workbench.welcome().getByRole("button", { name: "Choose Cluster" }).waitFor();
      await workbench.pictures("welcome-no-kubeconfig");
    }));

  test("a kubeconfig that is written later is found automatically", () =>
    withWindow({ env: { KUBECONFIG: join(folder, "later") } }, async (workbench) => {
      await workbench.welcome().getByText("No kubeconfig was found").waitFor();
      status = 403;
      const text = JSON.stringify({
        clusters: [{ name: "c", cluster: { server: `http://127.0.0.1:${portOf(refusing)}` } }],
        users: [{ name: "ada", user: {} }],
        contexts: [{ name: "later", context: { cluster: "c", user: "ada" } }],
        "current-context": "later",
      });
      await writeFile(join(folder, "later"), text);
      await workbench.statusBarItem("later/default").waitFor();
    }));

  test("an unreachable cluster is named with the reason", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const port = portOf(closed);
    closed.close();
    await withWindow({ env: { KUBECONFIG: await kubeconfigFor(port) } }, async (workbench) => {
      await workbench.welcome().getByText("The cluster does not respond").waitFor();
      await workbench.welcome().getByRole("button", { name: "Reconnect Now" }).waitFor();
      await workbench.welcome().getByRole("button", { name: "Show Why" }).click();
      await workbench.notification(`127.0.0.1:${port}`).waitFor();
      await workbench.picture("welcome-unreachable");
    });
  });

  test("the view shows loading while a cluster is slow", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    try {
      const env = { KUBECONFIG: await kubeconfigFor(portOf(silent)) };
      await withWindow({ env }, async (workbench) => {
        await workbench.welcome().getByText("Loading Spark applications").waitFor();
      });
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  test("a failing cluster and an unreachable cluster have different messages", async () => {
    status = 500;
    await withWindow(
      { env: { KUBECONFIG: await kubeconfigFor(portOf(refusing)) } },
      async (workbench) => {
        await workbench.welcome().getByText("not a valid Kubernetes API response").waitFor();
        await workbench.welcome().getByRole("button", { name: "Show Why" }).click();
        await workbench.notification("status 500").waitFor();
      },
    );
  });

  test("a missing namespace is not shown as an empty one", async () => {
    const cluster = await startLittleCluster(({ path, isWatch }, told) => {
      if (isWatch && path.endsWith("/pods")) told.watch([]);
      else told.json(404, statusOf(404, "NotFound", "not here"));
    });
    try {
      await withWindow({ env: { KUBECONFIG: cluster.kubeconfig } }, async (workbench) => {
        await workbench.welcome().getByText("does not exist in this cluster").waitFor();
        await workbench.welcome().getByRole("button", { name: "Choose Namespaces" }).waitFor();
        await workbench.pictures("welcome-no-namespace");
      });
    } finally {
      await cluster.stop();
    }
  });

  test("a missing right is named with the command that checks it", async () => {
    status = 403;
    await withWindow(
      { env: { KUBECONFIG: await kubeconfigFor(portOf(refusing)) } },
      async (workbench) => {
        await workbench.welcome().getByText("You have no permission").waitFor();
        await workbench.welcome().getByRole("button", { name: "Show Why" }).click();
        await workbench.notification(/kubectl auth can-i \w+ pods -n etl/).waitFor();
        await workbench.picture("welcome-forbidden");
      },
    );
  });

  test("rejected credentials and a missing right have different messages", async () => {
    status = 401;
    await withWindow(
      { env: { KUBECONFIG: await kubeconfigFor(portOf(refusing)) } },
      async (workbench) => {
        await workbench.welcome().getByText("rejected your credentials").waitFor();
        await workbench.picture("welcome-unauthorized");
      },
    );
  });

  test("an untrusted workspace contacts no cluster and runs no command", async () => {
    status = 403;
    let asked = 0;
    const count = (): void => {
      asked += 1;
    };
    refusing.on("request", count);
    const env = { KUBECONFIG: await kubeconfigFor(portOf(refusing)) };
    await withWindow({ trust: "untrusted", env }, async (workbench) => {
      await workbench.welcome().getByText("This workspace is not trusted").waitFor();
      const titles = await workbench.commandTitles("Spark: Submit");
      assert.ok(!titles.includes("Spark: Submit Application…"), titles.join(", "));
      await workbench.openFile("spark-defaults.conf");
      await workbench.editor.squiggles("warning").first().waitFor();
      await workbench.picture("welcome-untrusted");
    });
    refusing.off("request", count);
    assert.equal(asked, 0);
  });
});
