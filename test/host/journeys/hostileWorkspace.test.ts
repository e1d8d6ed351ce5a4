// A workspace whose run profile names another server: no credentials are sent there unless the user agrees. The server
// counts the bytes of HTTP that it receives.
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

const token = "the-token-of-the-user";
const other = "the man in the middle";

describe("a hostile workspace", { timeout: 300_000 }, () => {
  const authority = newAuthority("an unknown authority");
  let folder: string;
  let host: VscodeHost;
  let workbench: Workbench;
  let server: Server;
  let address: string;
  /** The number of bytes of decrypted HTTP that the server received. */
  let bytes = 0;
  /** The number of those bytes on connections for which the server presented another certificate. */
  let bytesUnderOther = 0;
  const headers: (string | undefined)[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-hostile-"));
    const { cert, key } = authority.issue("the other server");
    server = createServer({ cert, key }, (request, response) => {
      headers.push(request.headers.authorization);
      response.writeHead(403, { "content-type": "application/json" });
      const message = "pods is forbidden here";
      response.end(JSON.stringify({ kind: "Status", code: 403, reason: "Forbidden", message }));
    });
    server.on("secureConnection", (socket) => {
      const isUnderOther = JSON.stringify(socket.getCertificate()).includes(other);
      socket.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (isUnderOther) bytesUnderOther += chunk.length;
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const bound = server.address();
    assert.ok(typeof bound === "object" && bound);
    address = `https://127.0.0.1:${bound.port}`;
    const kubeconfig = join(folder, "kubeconfig");
    const config = {
      clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:9" } }],
      users: [{ name: "ada", user: { token } }],
      contexts: [{ name: "dev", context: { cluster: "c", user: "ada", namespace: "etl" } }],
      "current-context": "dev",
    };
    await writeFile(kubeconfig, JSON.stringify(config));
    const profile = {
      type: "spark",
      label: "orders",
      application: "local:///jobs/orders.py",
      image: "spark:4.3.0",
      master: `k8s://${address}`,
      conf: { "spark.kubernetes.trust.certificates": true },
    };
    host = await VscodeHost.start({ version: "newest", env: { KUBECONFIG: kubeconfig } });
    workbench = await host.open(
      await host.makeWorkspace({
        ".vscode/tasks.json": JSON.stringify({ version: "2.0.0", tasks: [profile] }),
      }),
    );
  });
  after(async () => {
    await host.stop();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  const question = (): RegExp => new RegExp(`Send the credentials of context "dev" to ${address}`);

  const check = async (): Promise<void> => {
    await workbench.command("Spark: Check Before Submitting");
    await workbench.quickInput.waitFor("Check Before Submitting");
    await workbench.quickInput.choose("orders");
  };

  test("a preview sends nothing and asks nothing", async () => {
    await workbench.command("Spark: Preview Submission");
    await workbench.quickInput.waitFor("Preview Submission");
    await workbench.quickInput.choose("orders");
    await workbench.tab("preview.yaml").waitFor();
    assert.equal(await workbench.dialog("Send the credentials").count(), 0);
    assert.equal(bytes, 0);
  });

  test("a check asks first, and sends nothing when the answer is no", async () => {
    await check();
    const dialog = workbench.dialog(question());
    await dialog.waitFor();
    const words = await dialog.innerText();
    assert.match(words, /server certificate is not verified/);
    assert.match(words, /Fingerprint \(SHA-256\): (?:[0-9A-F]{2}:){31}/);
    await workbench.picture("hostile-1-question");
    await workbench.answerDialog(question(), "Cancel");
    await workbench.notification(/You did not agree to send credentials/).waitFor();
    assert.equal(bytes, 0);
  });

  test("an accepted check sends the credentials, and the next one does not ask", async () => {
    await check();
    await workbench.dialog(question()).waitFor();
    assert.equal(bytes, 0);
    await workbench.answerDialog(question(), "Send Credentials");
    await workbench.tab("check.txt").waitFor();
    assert.ok(headers.includes(`Bearer ${token}`));
    const before = headers.length;
    await workbench.command("View: Close All Editors");
    await check();
    await eventually(
      "the second check",
      () => Promise.resolve(headers.length),
      (count) => count > before,
    );
    assert.equal(await workbench.dialog("Send the credentials").count(), 0);
    // Wait for the result: it takes the focus, which would close the next quick pick.
    await workbench.tab("check.txt").waitFor();
  });

  test("another certificate asks again before a byte is sent", async () => {
    server.setSecureContext(authority.issue(other));
    server.closeAllConnections();
    await check();
    await workbench.dialog(question()).waitFor();
    await workbench.answerDialog(question(), "Cancel");
    await workbench.notification(/You did not agree to send credentials/).waitFor();
    assert.equal(bytesUnderOther, 0);
  });
});
