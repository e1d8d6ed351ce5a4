import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { newAuthority } from "../../src/sandbox/security/certificates.ts";
import { ManualClock } from "./clocks.ts";
import { type HostileServer, startServer } from "./hostileServer.ts";
import {
  connectTo,
  errorOf,
  namespaceJson,
  never,
  readNamespace,
  statusJson,
  temporaryFolder,
  tryConnect,
  valueOf,
} from "./rig.ts";

const authority = newAuthority("Test Authority");
const tls = authority.issue("api.test");
const cluster = { "certificate-authority-data": Buffer.from(authority.cert).toString("base64") };

const accept = (t: TestContext): Promise<HostileServer> =>
  startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    { tls },
  );

test("sends tokens and passwords as the kubeconfig contains them", async (t) => {
  const server = await accept(t);
  const rows = [
    [{ token: "abc" }, "Bearer abc"],
    [{ token: 123 }, "Bearer 123"],
    [
      { username: "jane", password: "p:ss ü" },
      `Basic ${Buffer.from("jane:p:ss ü").toString("base64")}`,
    ],
    [{ username: "jane" }, `Basic ${Buffer.from("jane:").toString("base64")}`],
    [
      {
        token: "abc",
        exec: { apiVersion: "client.authentication.k8s.io/v1", command: "never-run" },
      },
      "Bearer abc",
    ],
    [{}, undefined],
  ] as const;
  for (const [user, authorization] of rows) {
    const { connection } = await connectTo(t, server.url, { cluster, user });
    valueOf(await readNamespace(connection));
    assert.equal(server.seen.at(-1)?.headers.authorization, authorization);
  }
});

test("does not resend a rejected token", async (t) => {
  const server = await startServer(
    t,
    (_seen, reply) => {
      reply.json(401, statusJson(401, "Unauthorized", "Unauthorized"));
    },
    { tls },
  );
  const { connection } = await connectTo(t, server.url, { cluster, user: { token: "abc" } });
  assert.equal(errorOf(await readNamespace(connection)).kind, "unauthorized");
  assert.equal(server.seen.length, 1);
});

test("reads a token file again each minute, trims it, and prefers it to a token", async (t) => {
  const folder = await temporaryFolder(t);
  const tokenFile = join(folder, "token");
  const server = await accept(t);
  const clock = new ManualClock();
  const user = { token: "old", tokenFile };
  const { connection } = await connectTo(t, server.url, { cluster, user, clock });
  const steps = [
    [0, "one\n", "one"],
    [30_000, "two", "one"],
    [40_000, "two", "two"],
    // A writer may truncate or remove the file for a moment.
    [70_000, "", "two"],
    [70_000, undefined, "two"],
    [70_000, "three", "three"],
  ] as const;
  for (const [ms, text, expected] of steps) {
    await clock.advance(ms);
    if (text === undefined) await rm(tokenFile);
    else await writeFile(tokenFile, text);
    valueOf(await readNamespace(connection));
    assert.equal(server.seen.at(-1)?.headers.authorization, `Bearer ${expected}`);
  }
});

test("reads the token file immediately after a 401", async (t) => {
  const folder = await temporaryFolder(t);
  const tokenFile = join(folder, "token");
  await writeFile(tokenFile, "one");
  const server = await startServer(
    t,
    (seen, reply) => {
      if (seen.headers.authorization === "Bearer two") reply.json(200, namespaceJson);
      else reply.json(401, statusJson(401, "Unauthorized", "Unauthorized"));
    },
    { tls },
  );
  const { connection } = await connectTo(t, server.url, { cluster, user: { tokenFile } });
  assert.equal(errorOf(await readNamespace(connection)).kind, "unauthorized");
  assert.equal(server.seen.length, 1, "the file has nothing new to try");
  await writeFile(tokenFile, "two");
  valueOf(await readNamespace(connection));
});

test("keeps credentials after a 401 from a pod, and renews them after a 401 from the cluster", async (t) => {
  const tokenFile = join(await temporaryFolder(t), "token");
  await writeFile(tokenFile, "one");
  let isOfPod = true;
  const server = await startServer(
    t,
    (_seen, reply) => {
      if (isOfPod) reply.send(401, "text/html", "<html>Unauthorized</html>");
      else reply.json(401, statusJson(401, "Unauthorized", "Unauthorized"));
    },
    { tls },
  );
  const { connection } = await connectTo(t, server.url, { cluster, user: { tokenFile } });
  const page = { namespace: "ns", name: "pi-driver", port: 4040 };
  const read = async () => errorOf(await connection.pages.read(page, "/", never)).kind;
  // The first request reads the token file. After that, only a renewal reads it again.
  assert.equal(await read(), "badResponse");
  await writeFile(tokenFile, "two");
  assert.equal(await read(), "badResponse");
  isOfPod = false;
  assert.equal(await read(), "unauthorized");
  assert.deepEqual(
    server.seen.map(({ headers }) => headers.authorization),
    ["Bearer one", "Bearer one", "Bearer one", "Bearer two"],
  );
});

test("resends a request with renewed credentials only once", async (t) => {
  const tokenFile = join(await temporaryFolder(t), "token");
  writeFileSync(tokenFile, "token-0");
  const server = await startServer(
    t,
    (_seen, reply) => {
      // By the time the client receives the 401, the file contains a new token.
      writeFileSync(tokenFile, `token-${server.seen.length}`);
      reply.json(401, statusJson(401, "Unauthorized", "Unauthorized"));
    },
    { tls },
  );
  const { connection } = await connectTo(t, server.url, { cluster, user: { tokenFile } });
  assert.equal(errorOf(await readNamespace(connection)).kind, "unauthorized");
  const tokens = server.seen.map(({ headers }) => headers.authorization);
  assert.deepEqual(tokens, ["Bearer token-0", "Bearer token-1"]);
});

test("names the path of a missing or empty token file", async (t) => {
  const server = await accept(t);
  const empty = join(await temporaryFolder(t), "empty");
  await writeFile(empty, " \n");
  for (const [tokenFile, words] of [
    ["gone", /token file .*\/gone cannot be read \(ENOENT\)/],
    [empty, /empty contains no valid token/],
  ] as const) {
    const { connection } = await connectTo(t, server.url, { cluster, user: { tokenFile } });
    const error = errorOf(await readNamespace(connection));
    assert.ok(error.kind === "configuration" && error.problem === "credentials");
    assert.match(error.detail, words);
  }
});

test("sends impersonation completely: user, uid, each group, each extra value", async (t) => {
  const server = await accept(t);
  const user = {
    token: "abc",
    as: "jané",
    "as-uid": "42",
    "as-groups": ["devs", "system:authenticated"],
    "as-user-extra": { "example.com/scope": ["view", "edit"], 'A key"%': ["x"] },
  };
  const { connection } = await connectTo(t, server.url, { cluster, user });
  valueOf(await readNamespace(connection));
  const raw = server.seen[0]?.rawHeaders ?? [];
  const sent = raw.flatMap((name, index) =>
    index % 2 === 0 && name.startsWith("Impersonate-")
      ? [`${name}: ${Buffer.from(raw[index + 1] ?? "", "latin1").toString()}`]
      : [],
  );
  assert.deepEqual(sent, [
    "Impersonate-User: jané",
    "Impersonate-Uid: 42",
    "Impersonate-Group: devs",
    "Impersonate-Group: system:authenticated",
    "Impersonate-Extra-example.com%2Fscope: view",
    "Impersonate-Extra-example.com%2Fscope: edit",
    "Impersonate-Extra-A%20key%22%25: x",
  ]);
});

test("refuses unsupported credentials with a reason and a workaround", async (t) => {
  const provider = (name: string, config = {}): unknown => ({ "auth-provider": { name, config } });
  const rows = [
    [provider("gcp"), "unsupported", /auth-provider "gcp".*gke-gcloud-auth-plugin/],
    [provider("azure"), "unsupported", /kubelogin/],
    [provider("openstack"), "unsupported", /use an exec plug-in/],
    [provider("constructor"), "unsupported", /use an exec plug-in/],
    [provider("oidc"), "invalidKubeconfig", /needs an idp-issuer-url/],
    [
      provider("oidc", { "idp-issuer-url": "http://idp", "client-id": "c" }),
      "invalidKubeconfig",
      /https:/,
    ],
    [{ "as-groups": ["devs"] }, "invalidKubeconfig", /without "as"/],
    [{ as: "a\r\nX-Evil: 1" }, "invalidKubeconfig", /cannot be sent in a header/],
    [{ token: "a\r\nX-Evil: 1" }, "invalidKubeconfig", /cannot be sent in a header/],
    [
      { "client-certificate-data": "Yw==" },
      "invalidKubeconfig",
      /needs both a certificate and its key/,
    ],
    [
      { "client-certificate-data": "Yw==", "client-key-data": "Yw==" },
      "invalidKubeconfig",
      /cannot be used: .*no start line/,
    ],
    [
      { "client-certificate": "gone.crt" },
      "invalidKubeconfig",
      /gone.crt cannot be read \(ENOENT\)/,
    ],
  ] as const;
  for (const [user, problem, words] of rows) {
    const { result } = await tryConnect(t, "https://127.0.0.1:9", { user });
    const error = errorOf(result);
    assert.ok(error.kind === "configuration" && error.problem === problem, JSON.stringify(error));
    assert.match(error.detail, words);
  }
});

test("rejects a certificate authority that is missing or invalid", async (t) => {
  const data = (text: string): string => Buffer.from(text).toString("base64");
  const rows = [
    [{ "certificate-authority": "gone.crt" }, /gone.crt cannot be read/],
    [{ "certificate-authority-data": data("junk") }, /no PEM certificate/],
    [
      { "certificate-authority-data": data(authority.cert.replace("MII", "AAA")) },
      /authority of the cluster "c" in .* cannot be used/,
    ],
  ] as const;
  for (const [wrong, words] of rows) {
    const { result } = await tryConnect(t, "https://127.0.0.1:9", { cluster: wrong });
    const error = errorOf(result);
    assert.ok(error.kind === "configuration" && error.problem === "invalidKubeconfig");
    assert.match(error.detail, words);
  }
});
