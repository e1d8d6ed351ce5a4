// What stands between a hurried key and a cluster: credentials for another server, contexts that are guarded,
// contexts that are read-only. The cluster is a little server that notes what reaches it.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { newAuthority } from "../../../src/sandbox/security/certificates.ts";
import { eventually } from "../eventually.ts";
import { VscodeHost } from "../vscodeHost.ts";
import type { Workbench } from "../workbench.ts";

const token = "the-own-token-of-dev";

const commandFor = (master: string): string => `spark-submit --deploy-mode cluster \\
  --master k8s://${master} --name orders \\
  --conf spark.kubernetes.container.image=spark:4.3.0 local:///jobs/orders.py
`;

describe("guards", { timeout: 300_000 }, () => {
  const authority = newAuthority("a test's authority");
  let folder: string;
  let host: VscodeHost;
  let workbench: Workbench;
  const servers: Server[] = [];
  /** The Authorization headers of what has reached a server. */
  const reached: (string | undefined)[] = [];

  const serve = async (): Promise<string> => {
    const { cert, key } = authority.issue("the api server");
    const server = createServer({ cert, key }, ({ headers }, response) => {
      reached.push(headers.authorization);
      response.writeHead(403, { "content-type": "application/json" });
      const message = "pods is forbidden here";
      response.end(JSON.stringify({ kind: "Status", code: 403, reason: "Forbidden", message }));
    });
    servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address);
    return `https://127.0.0.1:${address.port}`;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-guards-"));
    const [own, stranger] = [await serve(), await serve()];
    const cluster = {
      server: own,
      "certificate-authority-data": Buffer.from(authority.cert).toString("base64"),
    };
    const kubeconfig = join(folder, "kubeconfig");
    const config = {
      clusters: [{ name: "c", cluster }],
      users: [{ name: "ada", user: { token } }],
      contexts: ["dev", "prod-eu", "audit"].map((name) => ({
        name,
        context: { cluster: "c", user: "ada", namespace: "etl" },
      })),
      "current-context": "dev",
    };
    await writeFile(kubeconfig, JSON.stringify(config));
    const profiles = ["prod-eu", "audit"].map((context) => ({
      type: "spark",
      label: `orders in ${context}`,
      application: "local:///jobs/orders.py",
      image: "spark:4.3.0",
      context,
    }));
    host = await VscodeHost.start({
      version: "newest",
      env: { KUBECONFIG: kubeconfig },
      settings: { "sparkK8s.readOnlyContexts": ["audit"] },
    });
    workbench = await host.open(
      await host.makeWorkspace({
        "other.sh": commandFor(stranger),
        ".vscode/tasks.json": JSON.stringify({ version: "2.0.0", tasks: profiles }),
      }),
    );
  });
  after(async () => {
    await host.stop();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await rm(folder, { recursive: true });
  });

  const paste = async (): Promise<void> => {
    await workbench.openFile("other.sh");
    await workbench.editor.root.locator(".view-line").first().click();
    await workbench.page.keyboard.press("Control+A");
    await workbench.command("Spark: Submit Pasted Command…");
    await workbench.quickInput.waitFor('Submit "orders" as Spark 4.3.0');
    await workbench.quickInput.accept();
  };

  test("the credentials of a context go to another server only after a question", async () => {
    const question = /^.*Send the credentials of "dev" to https:\/\/127\.0\.0\.1:\d+/;
    await workbench.openFile("other.sh");
    await workbench.inThemes(async (theme) => {
      await paste();
      await workbench.dialog(question).waitFor();
      await workbench.picture(`guards-1-foreign-${theme}`);
      await workbench.answerDialog(question, "Cancel");
      await workbench.waitForTerminal("nothing was sent");
    });
    assert.equal(reached.length, 0);
    await paste();
    await workbench.dialog(question).waitFor();
    await workbench.answerDialog(question, 'Send credentials of "dev"');
    await workbench.waitForTerminal("forbidden");
    assert.ok(reached.includes(`Bearer ${token}`));
    assert.ok(!(await workbench.terminalText()).includes(token));
  });

  test("who agreed is not asked again for that server", async () => {
    reached.length = 0;
    await paste();
    await eventually(
      "the request",
      () => Promise.resolve(reached.length),
      (count) => count > 0,
    );
    assert.equal(await workbench.dialog("Send the credentials").count(), 0);
  });

  const submit = async (profile: string): Promise<void> => {
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.waitFor("Submit Application");
    await workbench.quickInput.choose(profile);
  };

  test("in a guarded context its name is typed before anything is sent", async () => {
    reached.length = 0;
    await workbench.inThemes(async (theme) => {
      await submit("orders in prod-eu");
      await workbench.quickInput.waitFor("prod-eu");
      await workbench.picture(`guards-2-name-${theme}`);
      await workbench.quickInput.type("prod");
      await workbench.quickInput.accept();
      await eventually(
        "the refusal",
        () => workbench.quickInput.message(),
        (message) => message.includes('Type "prod-eu", or Escape to leave it'),
      );
      await workbench.quickInput.cancel();
      await workbench.waitForTerminal("not submitted");
    });
    assert.equal(reached.length, 0);
    await submit("orders in prod-eu");
    await workbench.quickInput.waitFor("prod-eu");
    await workbench.quickInput.answer("prod-eu");
    await workbench.waitForTerminal("forbidden");
  });

  test("in a read-only context nothing is sent, and the setting that says so is named", async () => {
    reached.length = 0;
    await submit("orders in audit");
    await workbench.waitForTerminal("sparkK8s.readOnlyContexts");
    await workbench.waitForTerminal("terminated with exit code: 1");
    await workbench.picture("guards-3-read-only");
    assert.equal(reached.length, 0);
  });
});
