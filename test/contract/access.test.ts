// A submission's own way to its server: whose credentials go where, over real TLS.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { TLSSocket } from "node:tls";
import { openClusters } from "../../src/cluster/door.ts";
import type { Result } from "../../src/base/result.ts";
import type { ClusterError } from "../../src/engine/clusterError.ts";
import type { AccessConnection } from "../../src/engine/ports.ts";
import type { Access } from "../../src/spark/submit/access.ts";
import { newAuthority } from "../../src/sandbox/security/certificates.ts";
import { realClock } from "./clocks.ts";
import { type HostileServer, startServer } from "./hostileServer.ts";
import { errorOf, namespaceJson, never, readNamespace, temporaryFolder, valueOf } from "./rig.ts";

const authority = newAuthority("Test Authority");
const tls = authority.issue("api.test");
const ada = authority.issue("ada");
const bob = authority.issue("bob");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const ca = { "certificate-authority-data": base64(authority.cert) };

const plainAccess: Access = {
  server: "",
  context: undefined,
  token: undefined,
  caCertFile: undefined,
  clientKeyFile: undefined,
  clientCertFile: undefined,
  trustsAnyCertificate: false,
  requestTimeoutMs: undefined,
  connectionTimeoutMs: undefined,
};

interface Place {
  readonly clusters?: readonly unknown[];
  readonly users?: readonly unknown[];
  readonly contexts?: readonly unknown[];
  readonly current?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** `kubeconfig` undefined: there is none. */
async function reach(
  t: TestContext,
  access: Partial<Access>,
  kubeconfig: Place | undefined,
  chosen?: string,
): Promise<Result<AccessConnection, ClusterError>> {
  const folder = await temporaryFolder(t);
  const file = join(folder, "config");
  if (kubeconfig) {
    const { clusters = [], users = [], contexts = [], current } = kubeconfig;
    await writeFile(
      file,
      JSON.stringify({ clusters, users, contexts, "current-context": current }),
    );
  }
  const opened = openClusters({
    clock: realClock,
    random: () => 0,
    env: { PATH: process.env["PATH"], KUBECONFIG: file },
    homeDirectory: folder,
    userAgent: "contract-test/1",
    log: () => undefined,
    serviceAccountFolder: join(folder, "none"),
  });
  t.after(() => {
    opened.dispose();
  });
  const place = { context: chosen, environment: kubeconfig?.environment ?? {} };
  const settings = { kubeconfigFiles: [], mayRunPlugins: true };
  return opened.connectTo({ ...plainAccess, ...access }, place, settings, never);
}

/** Answers everything. */
const accept = (t: TestContext): Promise<HostileServer> =>
  startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    { tls },
  );

/** Asks for a client certificate, and notes the name in it. */
async function demand(t: TestContext): Promise<HostileServer & { readonly names: string[] }> {
  const names: string[] = [];
  const server = await startServer(
    t,
    (_seen, reply) => {
      for (const socket of server.open) {
        if (socket instanceof TLSSocket) names.push(subjectOf(socket));
      }
      reply.json(200, namespaceJson);
    },
    { tls, clientAuthority: authority.cert },
  );
  return Object.assign(server, { names });
}

const subjectOf = (socket: TLSSocket): string => {
  const certificate: unknown = socket.getPeerCertificate();
  return /"CN":"([^"]*)"/.exec(JSON.stringify(certificate, ["subject", "CN"]))?.[1] ?? "";
};

const cluster = (name: string, server: string): unknown => ({ name, cluster: { server, ...ca } });
const user = (name: string, token: string): unknown => ({ name, user: { token } });
const context = (name: string, of: string, by: string): unknown => ({
  name,
  context: { cluster: of, user: by, namespace: `of-${name}` },
});

const twoContexts = (url: string): Place => ({
  clusters: [cluster("here", url), cluster("elsewhere", "https://elsewhere.test:6443")],
  users: [user("ada", "ada-token"), user("bob", "bob-token")],
  contexts: [context("here", "here", "ada"), context("elsewhere", "elsewhere", "bob")],
  current: "elsewhere",
});

test("the context that has the master's server lends its credentials, the current one or not", async (t) => {
  const server = await accept(t);
  const connection = valueOf(await reach(t, { server: server.url }, twoContexts(server.url)));
  valueOf(await readNamespace(connection));
  assert.equal(server.seen.at(-1)?.headers.authorization, "Bearer ada-token");
  assert.deepEqual(connection.identity, { kind: "context" });
  assert.equal(connection.context, "here");
  assert.equal(connection.contextNamespace, "of-here");
});

test("a server that no context has is told apart, so that nothing is sent there unasked", async (t) => {
  const server = await accept(t);
  const place = { ...twoContexts("https://other.test"), current: "here" };
  const connection = valueOf(await reach(t, { server: server.url }, place));
  assert.deepEqual(connection.identity, {
    kind: "foreign",
    context: "here",
    ownServer: "https://other.test",
  });
  assert.equal(connection.context, server.url);
  assert.equal(server.connections, 0);
  // Who agrees sends what spark-submit sends.
  valueOf(await readNamespace(connection));
  assert.equal(server.seen.at(-1)?.headers.authorization, "Bearer ada-token");
});

test("a token of the conf goes alone, without the context's certificate", async (t) => {
  const server = await demand(t);
  const place: Place = {
    clusters: [cluster("here", server.url)],
    users: [
      {
        name: "ada",
        user: { "client-certificate-data": base64(ada.cert), "client-key-data": base64(ada.key) },
      },
    ],
    contexts: [context("here", "here", "ada")],
    current: "here",
  };
  const plain = valueOf(await reach(t, { server: server.url }, place));
  valueOf(await readNamespace(plain));
  assert.equal(server.names.at(-1), "ada");
  plain.dispose();
  const own = valueOf(await reach(t, { server: server.url, token: "own" }, place));
  assert.deepEqual(own.identity, { kind: "conf" });
  const error = errorOf(await readNamespace(own));
  assert.match(error.kind === "unreachable" ? error.detail : "", /certificate required/);
});

test("files of the conf come before what the kubeconfig holds", async (t) => {
  const server = await demand(t);
  const folder = await temporaryFolder(t);
  const [caCertFile, clientCertFile, clientKeyFile] = ["ca", "cert", "key"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(caCertFile, authority.cert);
  await writeFile(clientCertFile, bob.cert);
  await writeFile(clientKeyFile, bob.key);
  const wrong = newAuthority("Another Authority");
  const place: Place = {
    clusters: [
      {
        name: "here",
        cluster: { server: server.url, "certificate-authority-data": base64(wrong.cert) },
      },
    ],
    users: [
      {
        name: "ada",
        user: { "client-certificate-data": base64(ada.cert), "client-key-data": base64(ada.key) },
      },
    ],
    contexts: [context("here", "here", "ada")],
    current: "here",
  };
  const access = { server: server.url, caCertFile, clientCertFile, clientKeyFile };
  valueOf(await readNamespace(valueOf(await reach(t, access, place))));
  assert.equal(server.names.at(-1), "bob");
  const unknown = valueOf(await reach(t, { server: server.url }, place));
  assert.equal(errorOf(await readNamespace(unknown)).kind, "unreachable");
});

test("without a kubeconfig a token and an authority are enough", async (t) => {
  const server = await accept(t);
  const access = { server: server.url, token: "own", trustsAnyCertificate: true };
  const connection = valueOf(await reach(t, access, undefined));
  valueOf(await readNamespace(connection));
  assert.equal(server.seen.at(-1)?.headers.authorization, "Bearer own");
  assert.equal(connection.contextNamespace, undefined);
});

test("a certificate that nobody vouches for is refused unless the conf trusts any", async (t) => {
  const server = await accept(t);
  const careful = valueOf(await reach(t, { server: server.url, token: "own" }, undefined));
  assert.equal(errorOf(await readNamespace(careful)).kind, "unreachable");
  assert.equal(server.seen.length, 0);
});

test("over plain http no credentials are sent, and nobody is asked for them", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, namespaceJson);
  });
  const connection = valueOf(
    await reach(t, { server: server.url, token: "own" }, twoContexts("https://other.test")),
  );
  assert.deepEqual(connection.identity, { kind: "none" });
  valueOf(await readNamespace(connection));
  assert.equal(server.seen.at(-1)?.headers.authorization, undefined);
});

test("a context that the conf names must be there", async (t) => {
  const access = { server: "https://h.test", context: "gone" };
  const result = await reach(t, access, twoContexts("https://h.test"));
  const error = errorOf(result);
  assert.equal(error.kind === "configuration" && error.problem, "noContext");
  assert.equal(errorOf(await reach(t, access, undefined)).kind, "configuration");
});

test("the conf's limit for an answer holds", async (t) => {
  const server = await startServer(t, () => undefined, { tls });
  const access = { server: server.url, trustsAnyCertificate: true, requestTimeoutMs: 50 };
  const connection = valueOf(await reach(t, access, undefined));
  const error = errorOf(await readNamespace(connection));
  assert.match(error.kind === "unreachable" ? error.detail : "", /within 0\.05 s/);
});
