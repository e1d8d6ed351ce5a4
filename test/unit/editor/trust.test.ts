import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { agreeToTrust, askToReachAddress } from "../../../src/editor/submit/agreeToTrust.ts";
import type { TrustQuestion } from "../../../src/engine/ports/connection.ts";
import { memoryMemento } from "./memoryMemento.ts";
import { scriptedScreen } from "./screenFixture.ts";

const question: TrustQuestion = {
  server: "https://other:6443",
  credentials: [{ kind: "context", context: "dev" }],
  changes: [{ kind: "otherServer", ownServer: "https://dev:6443" }],
  fingerprint: "AA:BB",
};
const intro =
  "The workspace or the pasted command chose this server, and the credentials are yours.";
const last = "Agree only if you trust this server. You are asked again if any of this changes.";

/** Returns the paragraphs of the prompt, without those that all prompts have. */
async function detailOf(given: Partial<TrustQuestion>): Promise<readonly string[]> {
  const screen = scriptedScreen(undefined);
  await agreeToTrust({ ...question, ...given }, memoryMemento(), screen);
  const [, ...detail] = (screen.shown[0] ?? "").split("\n").filter((line) => line !== "");
  return detail.filter((line) => line !== intro && line !== last && !line.startsWith("["));
}

describe("consent to send credentials to a server that a document names", () => {
  test("names the credentials, the server and all changes", async () => {
    const screen = scriptedScreen("Send Credentials");
    assert.equal(await agreeToTrust(question, memoryMemento(), screen), true);
    assert.deepEqual(screen.shown, [
      [
        'warning: Send the credentials of context "dev" to https://other:6443?',
        `${intro}\n`,
        "The context has a different server: https://dev:6443.\n",
        "Fingerprint (SHA-256): AA:BB\n",
        last,
        "[Send Credentials]",
      ].join("\n"),
    ]);
  });

  test("is remembered for the same question only", async () => {
    const memory = memoryMemento();
    const screen = scriptedScreen("Send Credentials");
    assert.equal(await agreeToTrust(question, memory, screen), true);
    assert.equal(await agreeToTrust(question, memory, screen), true);
    assert.equal(screen.shown.length, 1);
    const others: readonly Partial<TrustQuestion>[] = [
      { server: "https://third:6443" },
      { fingerprint: "CC" },
      { fingerprint: undefined },
      { credentials: [{ kind: "environment", name: "TOKEN" }] },
      { changes: [{ kind: "notEncrypted" }] },
    ];
    for (const other of others) {
      const asked = scriptedScreen(undefined);
      assert.equal(await agreeToTrust({ ...question, ...other }, memory, asked), false);
      assert.equal(asked.shown.length, 1);
    }
  });

  test("is asked again after a refusal", async () => {
    const memory = memoryMemento();
    const screen = scriptedScreen(undefined, "Send Credentials");
    assert.equal(await agreeToTrust(question, memory, screen), false);
    assert.equal(await agreeToTrust(question, memory, screen), true);
  });

  test("keeps the latest 500 answers", async () => {
    const memory = memoryMemento();
    const ask = (server: string, screen: ReturnType<typeof scriptedScreen>): Promise<boolean> =>
      agreeToTrust({ ...question, server }, memory, screen);
    for (let at = 0; at <= 500; at += 1)
      await ask(`https://s${at}`, scriptedScreen("Send Credentials"));
    const [oldest, second] = [scriptedScreen(undefined), scriptedScreen(undefined)];
    assert.equal(await ask("https://s1", second), true);
    assert.equal(await ask("https://s0", oldest), false);
    assert.deepEqual([second.shown.length, oldest.shown.length], [0, 1]);
  });

  test("states each change that the document makes", async () => {
    const texts: readonly (readonly [TrustQuestion["changes"][number], string])[] = [
      [{ kind: "otherServer", ownServer: undefined }, "Your settings do not contain this server."],
      [
        { kind: "kubeconfig", path: "/project/k.yaml", user: "x" },
        'Server and user are from the kubeconfig "/project/k.yaml".',
      ],
      [
        { kind: "noVerification" },
        "The server certificate is not verified, so another server could impersonate it. After you agree, only the certificate with this fingerprint is accepted.",
      ],
      [
        { kind: "otherAuthority" },
        "The server uses a certificate authority that is not in your settings.",
      ],
      [
        { kind: "otherServerName", name: "api" },
        'The certificate is checked against the name "api".',
      ],
      [
        { kind: "notEncrypted" },
        "The connection is not encrypted; others on the network can read it.",
      ],
      [{ kind: "proxy", proxy: undefined }, "The connection bypasses your proxy."],
      [{ kind: "proxy", proxy: "http://p:3128" }, "The connection uses the proxy http://p:3128."],
    ];
    for (const [change, text] of texts) {
      assert.deepEqual(await detailOf({ changes: [change], fingerprint: "" }), [text]);
    }
  });

  test("names each kind of credential", async () => {
    const screen = scriptedScreen(undefined);
    const credentials: TrustQuestion["credentials"] = [
      { kind: "environment", name: "TOKEN" },
      { kind: "file", path: "/t" },
      { kind: "awsProfile", name: "etl" },
      { kind: "variable" },
    ];
    await agreeToTrust({ ...question, credentials }, memoryMemento(), screen);
    assert.equal(
      screen.shown[0]?.split("\n")[0],
      'warning: Send the credentials in the variable "TOKEN", the credentials in the file "/t", the keys of the AWS profile "etl", the credentials from a variable to https://other:6443?',
    );
  });

  test("asks once per bucket for files outside the workspace", async () => {
    const memory = memoryMemento();
    const upload = (path: string, server: string): TrustQuestion => ({
      ...{ ...question, server },
      credentials: [{ kind: "upload", path }],
    });
    const screen = scriptedScreen("Upload", undefined);
    assert.equal(await agreeToTrust(upload("/home/a.jar", "s3a://jars"), memory, screen), true);
    assert.equal(await agreeToTrust(upload("/home/b.jar", "s3a://jars"), memory, screen), true);
    assert.equal(await agreeToTrust(upload("/home/b.jar", "s3a://other"), memory, screen), false);
    assert.deepEqual(screen.shown, [
      "warning: Upload local files to s3a://jars?\nFirst file outside the workspace: /home/a.jar\n\nThe workspace or the pasted command chose the file and its destination. You are asked once per bucket.\n[Upload]",
      "warning: Upload local files to s3a://other?\nFirst file outside the workspace: /home/b.jar\n\nThe workspace or the pasted command chose the file and its destination. You are asked once per bucket.\n[Upload]",
    ]);
  });

  test("asks once per server and address before it fetches from a private address", async () => {
    const memory = memoryMemento();
    const screen = scriptedScreen("Fetch", undefined);
    const place = { origin: "http://files", address: "127.0.0.1" };
    assert.equal(await askToReachAddress(place, memory, screen), true);
    assert.equal(await askToReachAddress(place, memory, screen), true);
    assert.equal(await askToReachAddress({ ...place, address: "10.0.0.1" }, memory, screen), false);
    assert.deepEqual(screen.shown, [
      "warning: Fetch a file from http://files?\nThe workspace or the pasted command chose this server. Its address 127.0.0.1 is not public: it is a loopback, private or reserved address. You are asked once per server and address.\n[Fetch]",
      "warning: Fetch a file from http://files?\nThe workspace or the pasted command chose this server. Its address 10.0.0.1 is not public: it is a loopback, private or reserved address. You are asked once per server and address.\n[Fetch]",
    ]);
  });
});
