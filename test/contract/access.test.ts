// Connections that a Spark configuration opens itself: which credentials go to which server, over real TLS.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { TLSSocket } from "node:tls";
import { openClusters } from "../../src/cluster/door.ts";
import type { Result } from "../../src/base/result.ts";
import type { ClusterError } from "../../src/engine/clusterError.ts";
import type {
  AccessConnection,
  AgreeToTrust,
  TrustQuestion,
} from "../../src/engine/ports/connection.ts";
import type { ConfAccess } from "../../src/spark/submit/conf/access.ts";
import { newAuthority } from "../../src/sandbox/security/certificates.ts";
import { isInside } from "../../src/storage/door.ts";
import { realClock } from "./clocks.ts";
import { type HostileServer, startServer } from "./hostileServer.ts";
import { errorOf, namespaceJson, never, readNamespace, temporaryFolder, valueOf } from "./rig.ts";

const authority = newAuthority("Test Authority");
const tls = authority.issue("api.test");
const ada = authority.issue("ada");
const bob = authority.issue("bob");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const ca = { "certificate-authority-data": base64(authority.cert) };

const ownToken: ConfAccess["token"] = { text: "own", source: { kind: "literal" } };
const plainAccess: ConfAccess = {
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
  /** The path of a kubeconfig that a command names. */
  readonly named?: string;
  /** Environment variables of the editor. */
  readonly userEnvironment?: Readonly<Record<string, string>>;
  readonly folders?: readonly string[];
}

/** Records the trust prompts and accepts or declines them all. */
class Answers {
  readonly asked: TrustQuestion[] = [];
  isYes = true;
  readonly agree: AgreeToTrust = (question) => {
    this.asked.push(question);
    return Promise.resolve(this.isYes);
  };
}

/** Opens the connection that a Spark configuration defines. If `kubeconfig` is undefined, no kubeconfig exists. */
async function reach(
  t: TestContext,
  access: Partial<ConfAccess>,
  kubeconfig: Place | undefined,
  { chosen, answers = new Answers() }: { chosen?: string; answers?: Answers } = {},
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
    env: { PATH: process.env["PATH"], KUBECONFIG: file, ...kubeconfig?.userEnvironment },
    homeDirectory: folder,
    userAgent: "contract-test/1",
    log: () => undefined,
    serviceAccountFolder: join(folder, "none"),
  });
  t.after(() => {
    opened.dispose();
  });
  const { folders = [] } = kubeconfig ?? {};
  const isOfWorkspace = (path: string): Promise<boolean> => isInside(path, folders);
  const place = { context: chosen, kubeconfig: kubeconfig?.named, isOfWorkspace };
  const settings = { kubeconfigFiles: [], mayRunPlugins: true };
  const offer = await opened.connectTo({ ...plainAccess, ...access }, place, settings, never);
  return offer.ok ? offer.value.open(answers.agree, never) : offer;
}

/** Starts a TLS server that responds to every request with 200. */
const accept = (t: TestContext): Promise<HostileServer> =>
  startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    { tls },
  );

/** Starts a server that requests a client certificate and records its common name. */
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

test("uses the credentials of the context whose server is the master, current or not", async (t) => {
  const server = await accept(t);
  const connection = valueOf(await reach(t, { server: server.url }, twoContexts(server.url)));
  valueOf(await readNamespace(connection));
  assert.equal(server.seen.at(-1)?.headers.authorization, "Bearer ada-token");
  assert.deepEqual(connection.identity, { kind: "context" });
  assert.equal(connection.context, "here");
  assert.equal(connection.contextNamespace, "of-here");
});

test("marks a server of no context as foreign and asks before it sends anything", async (t) => {
  const server = await accept(t);
  const place = { ...twoContexts("https://other.test"), current: "here" };
  const answers = new Answers();
  const connection = valueOf(await reach(t, { server: server.url }, place, { answers }));
  assert.deepEqual(answers.asked, [
    {
      server: server.url,
      credentials: [{ kind: "context", context: "here" }],
      changes: [{ kind: "otherServer", ownServer: "https://other.test" }],
      fingerprint: createHash("sha256").update(authority.cert.trim()).digest("hex"),
    },
  ]);
  assert.deepEqual(connection.identity, {
    kind: "foreign",
    context: "here",
    ownServer: "https://other.test",
  });
  assert.equal(connection.context, server.url);
  assert.equal(server.connections, 0);
  // After consent, requests carry the context's credentials, as those of spark-submit do.
  valueOf(await readNamespace(connection));
  assert.equal(server.seen.at(-1)?.headers.authorization, "Bearer ada-token");
});

test("finds all contexts of a server, however its URL is spelled", async (t) => {
  const place: Place = {
    clusters: [
      cluster("c1", "https://127.0.0.1:6443"),
      cluster("c2", "https://API.example.com"),
      cluster("c3", "https://10.0.0.1:6443/"),
    ],
    users: [user("ada", "ada-token")],
    contexts: [
      context("dev", "c2", "ada"),
      context("prod", "c1", "ada"),
      context("live", "c1", "ada"),
      context("eu", "c3", "ada"),
    ],
    current: "dev",
  };
  const contextsOf = async (server: string, named?: string): Promise<readonly string[]> =>
    valueOf(await reach(t, { server, ...(named !== undefined && { context: named }) }, place))
      .serverContexts;
  for (const server of ["https://localhost:6443", "https://[::1]:6443", "https://127.1:6443/"])
    assert.deepEqual(await contextsOf(server), ["prod", "live"], server);
  assert.deepEqual(await contextsOf("https://api.example.com.:443"), ["dev"]);
  assert.deepEqual(await contextsOf("https://[::ffff:10.0.0.1]:6443"), ["eu"]);
  for (const server of ["https://127.0.0.2:6443", "https://other.test", "https://localhost:6444"])
    assert.deepEqual(await contextsOf(server), [], server);
  // If the context named in the conf has this server, only it matches. Otherwise all contexts with the server match.
  assert.deepEqual(await contextsOf("https://127.0.0.1:6443", "live"), ["live"]);
  assert.deepEqual(await contextsOf("https://localhost:6443", "dev"), ["prod", "live"]);
});

test("the chosen context of a server stands alone, unless other credentials are sent", async (t) => {
  const server = "https://10.0.0.1:6443";
  const place: Place = {
    clusters: [cluster("c", server)],
    users: [user("ada", "ada-token")],
    contexts: ["prod", "dev", "live"].map((name) => context(name, "c", "ada")),
    current: "dev",
  };
  const contextsOf = async (access: object): Promise<readonly string[]> =>
    valueOf(await reach(t, { server, ...access }, place)).serverContexts;
  assert.deepEqual(await contextsOf({}), ["dev"]);
  assert.deepEqual(await contextsOf({ context: "live" }), ["live"]);
  assert.deepEqual(await contextsOf({ token: ownToken }), ["prod", "dev", "live"]);
  assert.deepEqual(await contextsOf({ server: "https://[::ffff:10.0.0.1]:6443" }), [
    "prod",
    "dev",
    "live",
  ]);
});

test("sends a token of the conf without the client certificate of the context", async (t) => {
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
  const own = valueOf(await reach(t, { server: server.url, token: ownToken }, place));
  assert.deepEqual(own.identity, { kind: "conf" });
  const error = errorOf(await readNamespace(own));
  assert.match(error.kind === "unreachable" ? error.detail : "", /certificate required/);
});

test("prefers certificate files of the conf to those of the kubeconfig", async (t) => {
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

test("connects with a token and a CA when there is no kubeconfig", async (t) => {
  const server = await accept(t);
  const access = { server: server.url, token: ownToken, trustsAnyCertificate: true };
  const connection = valueOf(await reach(t, access, undefined));
  valueOf(await readNamespace(connection));
  assert.equal(server.seen.at(-1)?.headers.authorization, "Bearer own");
  assert.equal(connection.contextNamespace, undefined);
});

test("refuses an untrusted certificate unless the conf trusts any", async (t) => {
  const server = await accept(t);
  const careful = valueOf(await reach(t, { server: server.url, token: ownToken }, undefined));
  assert.equal(errorOf(await readNamespace(careful)).kind, "unreachable");
  assert.equal(server.seen.length, 0);
});

test("sends no credentials over plain http and asks for no consent", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, namespaceJson);
  });
  const connection = valueOf(
    await reach(t, { server: server.url, token: ownToken }, twoContexts("https://other.test")),
  );
  assert.deepEqual(connection.identity, { kind: "none" });
  valueOf(await readNamespace(connection));
  assert.equal(server.seen.at(-1)?.headers.authorization, undefined);
});

test("fails when the context named in the conf does not exist", async (t) => {
  const access = { server: "https://h.test", context: "gone" };
  const result = await reach(t, access, twoContexts("https://h.test"));
  const error = errorOf(result);
  assert.equal(error.kind === "configuration" && error.problem, "noContext");
  assert.equal(errorOf(await reach(t, access, undefined)).kind, "configuration");
});

test("applies the request timeout of the conf", async (t) => {
  const server = await startServer(t, () => undefined, { tls });
  const access = { server: server.url, trustsAnyCertificate: true, requestTimeoutMs: 50 };
  const connection = valueOf(await reach(t, access, undefined));
  const error = errorOf(await readNamespace(connection));
  assert.match(error.kind === "unreachable" ? error.detail : "", /within 0\.05 s/);
});

/** Starts a hostile server that the document names. No context of the user's kubeconfig has this server. */
async function attacked(t: TestContext): Promise<{ readonly server: HostileServer; place: Place }> {
  const server = await accept(t);
  return { server, place: { ...twoContexts("https://other.test"), current: "here" } };
}

const declined = async (
  t: TestContext,
  access: Partial<ConfAccess>,
  place: Place | undefined,
): Promise<readonly TrustQuestion[]> => {
  const answers = new Answers();
  answers.isYes = false;
  const error = errorOf(await reach(t, access, place, { answers }));
  assert.equal(error.kind === "configuration" && error.problem, "declined");
  return answers.asked;
};

const kindsOf = (items: readonly { readonly kind: string }[] | undefined): readonly string[] =>
  (items ?? []).map(({ kind }) => kind);

describe("the user's credentials at a server named by a document", () => {
  test("sends no byte of HTTP when the user does not agree", async (t) => {
    const { server, place } = await attacked(t);
    const access = { server: server.url, trustsAnyCertificate: true };
    const [question] = await declined(t, access, place);
    assert.equal(question?.server, server.url);
    assert.deepEqual(kindsOf(question.changes), ["otherServer", "noVerification"]);
    assert.match(question.fingerprint ?? "", /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    assert.equal(server.seen.length, 0);
  });

  test("asks before a token of the editor's environment goes anywhere", async (t) => {
    const { server } = await attacked(t);
    const source = { kind: "environment", name: "KUBERNETES_AUTH_TOKEN" } as const;
    const token = { text: "t", source };
    const access = { server: server.url, token, trustsAnyCertificate: true };
    const [question] = await declined(t, access, undefined);
    assert.deepEqual(question?.credentials, [source]);
    assert.equal(server.seen.length, 0);
  });

  test("asks before it sends a token that a variable put into the document", async (t) => {
    const { server } = await attacked(t);
    const token = { text: "t", source: { kind: "variable" } } as const;
    const [question] = await declined(
      t,
      { server: server.url, token, trustsAnyCertificate: true },
      undefined,
    );
    assert.deepEqual(kindsOf(question?.credentials), ["variable"]);
  });

  test("asks for a token file outside the workspace, but not for one inside", async (t) => {
    const { server } = await attacked(t);
    const folder = await temporaryFolder(t);
    const home = await temporaryFolder(t);
    await writeFile(join(home, "token"), "user's");
    await writeFile(join(folder, "token"), "own");
    await mkdir(join(folder, "deep"));
    await symlink(join(home, "token"), join(folder, "deep", "link"));
    const withFile = (path: string): Partial<ConfAccess> => ({
      server: server.url,
      token: { text: "t", source: { kind: "file", path } },
      trustsAnyCertificate: true,
    });
    const place = { folders: [folder] };
    for (const path of [join(home, "token"), join(folder, "deep", "link")]) {
      const [question] = await declined(t, withFile(path), place);
      assert.deepEqual(question?.credentials, [{ kind: "file", path }]);
    }
    const answers = new Answers();
    valueOf(await reach(t, withFile(join(folder, "token")), place, { answers }));
    assert.deepEqual(answers.asked, []);
  });

  test("asks for client certificates outside the workspace", async (t) => {
    const { server } = await attacked(t);
    const home = await temporaryFolder(t);
    const [clientCertFile, clientKeyFile] = [join(home, "cert"), join(home, "key")];
    await writeFile(clientCertFile, bob.cert);
    await writeFile(clientKeyFile, bob.key);
    const access = { server: server.url, clientCertFile, clientKeyFile };
    const [question] = await declined(t, access, undefined);
    assert.deepEqual(kindsOf(question?.credentials), ["file", "file"]);
  });

  test("does not ask for a literal token in the document", async (t) => {
    const { server, place } = await attacked(t);
    const answers = new Answers();
    const access = { server: server.url, token: ownToken, trustsAnyCertificate: true };
    valueOf(await readNamespace(valueOf(await reach(t, access, place, { answers }))));
    assert.deepEqual(answers.asked, []);
  });

  test("does not ask for the user's own server with the user's own CA", async (t) => {
    const { server } = await attacked(t);
    const answers = new Answers();
    const place = twoContexts(server.url);
    valueOf(await reach(t, { server: server.url }, place, { answers }));
    assert.deepEqual(answers.asked, []);
  });

  test("asks when a document disables TLS verification of the user's own server", async (t) => {
    const { server } = await attacked(t);
    const access = { server: server.url, trustsAnyCertificate: true };
    const [question] = await declined(t, access, twoContexts(server.url));
    assert.deepEqual(kindsOf(question?.changes), ["noVerification"]);
    assert.equal(server.seen.length, 0);
  });

  test("asks for a different CA, but not for the same CA in another file", async (t) => {
    const { server } = await attacked(t);
    const folder = await temporaryFolder(t);
    const [same, other] = [join(folder, "same"), join(folder, "other")];
    await writeFile(same, authority.cert);
    await writeFile(other, newAuthority("Another Authority").cert);
    const place = twoContexts(server.url);
    const [question] = await declined(t, { server: server.url, caCertFile: other }, place);
    assert.deepEqual(kindsOf(question?.changes), ["otherAuthority"]);
    const answers = new Answers();
    valueOf(await reach(t, { server: server.url, caCertFile: same }, place, { answers }));
    assert.deepEqual(answers.asked, []);
  });

  test("asks for a named kubeconfig unless all its credentials are literal", async (t) => {
    const { server } = await attacked(t);
    const folder = await temporaryFolder(t);
    const home = await temporaryFolder(t);
    await writeFile(join(home, "token"), "user's");
    const write = async (name: string, user: unknown): Promise<string> => {
      const path = join(folder, name);
      const config = { ...twoContexts(server.url), users: [{ name: "ada", user }] };
      await writeFile(path, JSON.stringify({ ...config, "current-context": "here" }));
      return path;
    };
    const reading = await write("reading", { tokenFile: join(home, "token") });
    const literal = await write("literal", { token: ownToken });
    const place = (path: string): Place => ({
      folders: [folder],
      named: path,
    });
    const [question] = await declined(t, { server: server.url }, place(reading));
    const [change] = question?.changes ?? [];
    assert.ok(change?.kind === "kubeconfig");
    assert.equal(change.path, reading);
    assert.equal(server.seen.length, 0);
    const answers = new Answers();
    valueOf(await reach(t, { server: server.url }, place(literal), { answers }));
    assert.deepEqual(answers.asked, []);
  });

  test("asks again when a named kubeconfig changes where its credentials come from", async (t) => {
    const { server } = await attacked(t);
    const folder = await temporaryFolder(t);
    const path = join(folder, "config");
    const apiVersion = "client.authentication.k8s.io/v1";
    const exec = (...args: string[]): unknown => ({
      exec: { apiVersion, command: "sign-in", args, interactiveMode: "Never" },
    });
    const tokenFile = (name: string): unknown => ({ tokenFile: join(folder, name) });
    const provider = { "auth-provider": { name: "gcp", config: { "cmd-path": "sign-in" } } };
    const ask = async (user: unknown): Promise<string> => {
      const config = { ...twoContexts(server.url), users: [{ name: "ada", user }] };
      await writeFile(path, JSON.stringify({ ...config, "current-context": "here" }));
      const answers = new Answers();
      answers.isYes = false;
      errorOf(await reach(t, { server: server.url }, { named: path }, { answers }));
      return JSON.stringify(answers.asked);
    };
    const users = [tokenFile("dev"), tokenFile("prod"), exec(), exec("--prod"), provider];
    const asked = new Set<string>();
    for (const user of users) asked.add(await ask(user));
    assert.equal(asked.size, users.length);
    assert.ok(asked.has(await ask(tokenFile("dev"))));
    const secret = { ...provider, "auth-provider": { name: "gcp", config: { token: "canary" } } };
    assert.doesNotMatch(await ask(secret), /canary/);
  });

  test("accepts only the approved certificate, on every connection", async (t) => {
    const { server, place } = await attacked(t);
    const access = { server: server.url, trustsAnyCertificate: true };
    const answers = new Answers();
    const connection = valueOf(await reach(t, access, place, { answers }));
    valueOf(await readNamespace(connection));
    const before = server.seen.length;
    // The server presents another certificate, like a man in the middle.
    server.present(authority.issue("api.test"));
    for (const socket of server.open) socket.destroy();
    for (let times = 0; times < 3; times += 1) {
      const error = errorOf(await readNamespace(connection));
      assert.match(error.kind === "unreachable" ? error.detail : "", /another certificate/);
    }
    const watch = connection.pods.watchPods(
      {
        namespace: "ns",
        labelSelector: "",
        resourceVersion: "1",
        sendInitialEvents: false,
        timeoutSeconds: 300,
      },
      never,
    );
    for await (const item of watch) assert.equal(item.kind, "failed");
    assert.equal(server.seen.length, before);
    const again = new Answers();
    valueOf(await reach(t, access, place, { answers: again }));
    assert.notEqual(again.asked[0]?.fingerprint, answers.asked[0]?.fingerprint);
  });

  test("accepts only the approved certificate over TLS 1.2, too", async (t) => {
    const server = await startServer(
      t,
      (_seen, reply) => {
        reply.json(200, namespaceJson);
      },
      { tls, maxVersion: "TLSv1.2" },
    );
    const place = { ...twoContexts("https://other.test"), current: "here" };
    const access = { server: server.url, trustsAnyCertificate: true };
    const connection = valueOf(await reach(t, access, place));
    valueOf(await readNamespace(connection));
    server.present(authority.issue("api.test"));
    for (const socket of server.open) socket.destroy();
    for (let times = 0; times < 3; times += 1) {
      assert.equal(errorOf(await readNamespace(connection)).kind, "unreachable");
    }
    assert.equal(server.seen.length, 1);
  });

  test("reports a connection error when the certificate cannot be read", async (t) => {
    const access = { server: "https://127.0.0.1:9", trustsAnyCertificate: true };
    const answers = new Answers();
    const place = { ...twoContexts("https://other.test"), current: "here" };
    const error = errorOf(await reach(t, access, place, { answers }));
    assert.equal(error.kind, "unreachable");
    assert.deepEqual(answers.asked, []);
  });
});
