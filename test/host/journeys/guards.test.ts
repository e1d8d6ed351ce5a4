// Guards against accidental changes: credentials for another server, guarded contexts and read-only contexts. The
// clusters are small servers that record their requests.
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
  let stranger = "";
  /** The URL of the server in the kubeconfig, with `localhost` instead of its IP address. */
  let alias = "";
  /** The Authorization header of each request to any of the servers. */
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
    const own = await serve();
    stranger = await serve();
    alias = own.replace("127.0.0.1", "localhost");
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
    const profiles = ["dev", "prod-eu", "audit"].map((context) => ({
      type: "spark",
      label: `orders in ${context}`,
      application: "local:///jobs/orders.py",
      image: "spark:4.3.0",
      context,
    }));
    host = await VscodeHost.start({
      version: "newest",
      env: { KUBECONFIG: kubeconfig },
    });
    workbench = await host.open(
      await host.makeWorkspace({
        "other.sh": commandFor(stranger),
        "alias.sh": commandFor(alias),
        "unasked.sh": commandFor(await serve()),
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

  const paste = async (file = "other.sh"): Promise<void> => {
    await workbench.openFile(file);
    await workbench.editor.root.locator(".view-line").first().click();
    await workbench.page.keyboard.press("Control+A");
    await workbench.command("Spark: Submit Pasted Command…");
    await workbench.quickInput.waitFor('Submit "orders" as Spark 4.3.0');
    await workbench.quickInput.accept();
  };

  /** Confirms a submission by typing the server's URL. No context has this server, so all default guards apply. */
  const typeServer = async (): Promise<void> => {
    await workbench.quickInput.waitFor('Submit "orders"');
    await workbench.quickInput.answer(stranger);
  };

  const useSettings = async (settings: Readonly<Record<string, unknown>>): Promise<void> => {
    await host.changeSettings(settings);
    await workbench.reload();
  };

  test("credentials of a context are sent to another server only after a question", async () => {
    const question = /^.*Send the credentials of context "dev" to https:\/\/127\.0\.0\.1:\d+/;
    await workbench.openFile("other.sh");
    await workbench.inThemes(async (theme) => {
      await paste();
      await workbench.dialog(question).waitFor();
      await workbench.picture(`guards-1-foreign-${theme}`);
      await workbench.answerDialog(question, "Cancel");
      await workbench.waitForTerminal("Nothing was sent. You did not agree");
    });
    assert.equal(reached.length, 0);
    await paste();
    await workbench.dialog(question).waitFor();
    await workbench.answerDialog(question, "Send Credentials");
    await typeServer();
    await workbench.waitForTerminal("forbidden");
    assert.ok(reached.includes(`Bearer ${token}`));
    assert.ok(!(await workbench.terminalText()).includes(token));
  });

  test("an accepted server is not asked about again", async () => {
    reached.length = 0;
    await paste();
    await typeServer();
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

  test("a guarded context requires its name before anything is sent", async () => {
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
        (message) => message.includes('Type "prod-eu" to continue, or press Escape to cancel'),
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

  test("a server has the guard of its contexts in every spelling", async () => {
    reached.length = 0;
    const question = /^.*Send the credentials of context "dev" to https:\/\/localhost:\d+/;
    await paste("alias.sh");
    await workbench.dialog(question).waitFor();
    await workbench.answerDialog(question, "Send Credentials");
    await workbench.quickInput.waitFor('Submit "orders"');
    await workbench.quickInput.cancel();
    await workbench.waitForTerminal("not submitted");
    assert.equal(reached.length, 0);
  });

  test("each context is listed with its guard, and an invalid entry guards all", async () => {
    await useSettings({ "sparkK8s.guardedContexts": ["*-eu", "live("] });
    await workbench.command("Spark: Show Guarded Contexts");
    await workbench.quickInput.waitFor("Guarded Contexts");
    const labels = await workbench.quickInput.root.innerText();
    assert.match(labels, /prod-eu.*confirmed by typing the name.*\*-eu/s);
    assert.match(labels, /dev.*Entry 2 of "sparkK8s\.guardedContexts" is not a valid pattern/s);
    await workbench.picture("guards-4-contexts");
    await workbench.quickInput.cancel();
    await workbench.statusBarItem("every context is guarded").waitFor();
    await submit("orders in dev");
    await workbench.quickInput.waitFor("dev");
    await workbench.quickInput.cancel();
    await workbench.waitForTerminal("not submitted");
  });

  test("a read-only context sends nothing and names the setting", async () => {
    await useSettings({
      "sparkK8s.guardedContexts": ["prod"],
      "sparkK8s.readOnlyContexts": ["audit"],
    });
    reached.length = 0;
    await submit("orders in audit");
    await workbench.waitForTerminal("sparkK8s.readOnlyContexts");
    await workbench.waitForTerminal("terminated with exit code: 1");
    await workbench.picture("guards-3-read-only");
    assert.equal(reached.length, 0);
  });

  test("if any context is read-only, an unknown server gets nothing and no question", async () => {
    reached.length = 0;
    // The user has not agreed to the server of the last file yet.
    for (const file of ["other.sh", "alias.sh", "unasked.sh"]) {
      // Close earlier terminals: they show the same texts, and the new one takes the focus.
      await workbench.command("Terminal: Kill All Terminals");
      await paste(file);
      await workbench.waitForTerminal("sparkK8s.readOnlyContexts");
      await workbench.waitForTerminal("terminated with exit code: 1");
    }
    assert.equal(reached.length, 0);
  });
});
