import assert from "node:assert/strict";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { openClusters } from "../../src/cluster/door.ts";
import { parseKubeconfigYaml } from "../../src/cluster/kubeconfig/kubeconfigYaml.ts";
import type { Clusters } from "../../src/engine/ports/connection.ts";
import { newAuthority } from "../../src/sandbox/security/certificates.ts";
import { realClock } from "./clocks.ts";
import { startServer } from "./hostileServer.ts";
import {
  errorOf,
  kubeconfigOf,
  namespaceJson,
  never,
  readNamespace,
  temporaryFolder,
  valueOf,
} from "./rig.ts";

interface Home {
  readonly folder: string;
  readonly clusters: Clusters;
}

/** Creates a home folder with files, and a cluster client that searches from there. */
async function newHome(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Home> {
  const folder = await temporaryFolder(t);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const clusters = openClusters({
    clock: realClock,
    random: () => 0,
    env: Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, value.replaceAll("~", folder)]),
    ),
    homeDirectory: folder,
    userAgent: "contract-test/1",
    log: () => undefined,
    serviceAccountFolder: join(folder, "account"),
  });
  t.after(() => {
    clusters.dispose();
  });
  return { folder, clusters };
}

const settings = { kubeconfigFiles: [], mayRunPlugins: true };

const file = (name: string, current?: string): string => `
clusters: [{name: ${name}, cluster: {server: "https://${name}:6443"}}, {name: both, cluster: {server: "https://both-of-${name}"}}]
users: [{name: ${name}, user: {token: t-${name}}}]
contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}}}, {name: both, context: {cluster: both, user: ${name}, namespace: ${name}}}]
${current === undefined ? "" : `current-context: ${current}`}
`;

test("merges files by kubectl's rules: the first definition wins", async (t) => {
  const rows: readonly (readonly [string, string | undefined, readonly string[]])[] = [
    ["~/a", "a", ["a https://a:6443", "both https://both-of-a a"]],
    ["~/a:~/b", "a", ["a https://a:6443", "both https://both-of-a a", "b https://b:6443"]],
    ["~/b:~/a", "b", ["b https://b:6443", "both https://both-of-b b", "a https://a:6443"]],
    // The first file that names a current context sets it.
    [
      "~/none:~/b:~/a",
      "b",
      [
        "none https://none:6443",
        "both https://both-of-none none",
        "b https://b:6443",
        "a https://a:6443",
      ],
    ],
    // Missing files, empty files, empty entries and duplicates are ignored.
    [":~/gone:~/empty:~/comment:~/a:~/a:", "a", ["a https://a:6443", "both https://both-of-a a"]],
    // ~/.kube/config is not read when KUBECONFIG is set.
    ["~/empty", undefined, []],
    ["", "home", ["home https://home:6443", "both https://both-of-home home"]],
  ];
  const files = {
    a: file("a", "a"),
    b: file("b", "b"),
    none: file("none"),
    empty: "",
    comment: "# nothing yet\n---\n",
    ".kube/config": file("home", "home"),
  };
  for (const [list, current, contexts] of rows) {
    const KUBECONFIG = list.replaceAll(":", delimiter);
    const { clusters } = await newHome(t, files, { KUBECONFIG });
    const summary = valueOf(await clusters.readKubeconfig(settings, never));
    const words = summary.contexts.map(({ name, server, namespace }) =>
      [name, server, namespace].filter(Boolean).join(" "),
    );
    assert.deepEqual([summary.currentContext, words], [current, contexts], list);
  }
});

test("the summary names the files read and contains no secrets", async (t) => {
  const { folder, clusters } = await newHome(
    t,
    { a: file("a", "a"), b: file("b") },
    { KUBECONFIG: ["~/a", "~/gone", "~/b"].join(delimiter) },
  );
  const summary = valueOf(await clusters.readKubeconfig(settings, never));
  assert.deepEqual(summary.files, [join(folder, "a"), join(folder, "b")]);
  assert.doesNotMatch(JSON.stringify(summary), /\bt-a\b|token/);
});

test("prefers files of the settings to KUBECONFIG, and expands ~ in them", async (t) => {
  const { clusters } = await newHome(
    t,
    { a: file("a", "a"), "dir/b": file("b", "b") },
    { KUBECONFIG: "~/a" },
  );
  const named = { ...settings, kubeconfigFiles: ["~/dir/b"] };
  const summary = valueOf(await clusters.readKubeconfig(named, never));
  assert.equal(summary.currentContext, "b");
});

test("names the searched paths when no kubeconfig exists", async (t) => {
  const { folder, clusters } = await newHome(t, {});
  for (const [files, path] of [
    [[], join(folder, ".kube", "config")],
    [["/no/such/file"], "/no/such/file"],
  ] as const) {
    const result = await clusters.readKubeconfig({ ...settings, kubeconfigFiles: files }, never);
    const error = errorOf(result);
    assert.ok(error.kind === "configuration" && error.problem === "noKubeconfig");
    assert.ok(error.detail.includes(path));
  }
});

test("names the path and position of an invalid kubeconfig without its text", async (t) => {
  const rows = [
    ["users:\n- name: u\n  user: {token: s3cret", /not valid YAML: .* \(line 3, column \d+\)/],
    ["\ttoken: s3cret", /not valid YAML/],
    ["just a text", /is not a kubeconfig/],
    ["[1, 2]", /is not a kubeconfig/],
  ] as const;
  for (const [text, words] of rows) {
    const { folder, clusters } = await newHome(
      t,
      { bad: text, good: file("a", "a") },
      { KUBECONFIG: `~/good${delimiter}~/bad` },
    );
    const error = errorOf(await clusters.readKubeconfig(settings, never));
    assert.ok(error.kind === "configuration" && error.problem === "invalidKubeconfig");
    assert.match(error.detail, words);
    assert.ok(error.detail.includes(join(folder, "bad")));
    assert.doesNotMatch(error.detail, /s3cret/);
  }
});

test("reports a folder in place of a kubeconfig file", async (t) => {
  const { clusters } = await newHome(t, { "dir/x": "" }, { KUBECONFIG: "~/dir" });
  const error = errorOf(await clusters.readKubeconfig(settings, never));
  assert.match(error.detail, /cannot be read \(EISDIR\)/);
});

test("reports a broken context and lists the available contexts", async (t) => {
  const text = `
clusters: [{name: a, cluster: {server: "https://a"}}, {name: none, cluster: {}}, {name: odd, cluster: {server: "a:6443"}}, {name: socks, cluster: {server: "https://a", proxy-url: "ftp://p"}}]
users: []
contexts:
- {name: no-cluster, context: {cluster: gone}}
- {name: no-user, context: {cluster: a, user: gone}}
- {name: no-server, context: {cluster: none}}
- {name: odd-server, context: {cluster: odd}}
- {name: odd-proxy, context: {cluster: socks}}
`;
  const rows = [
    [undefined, "noContext", /no current context. Available contexts: no-cluster, no-user/],
    ["other", "noContext", /no context "other". Available contexts: /],
    ["no-cluster", "invalidKubeconfig", /refers to the cluster "gone"/],
    ["no-user", "invalidKubeconfig", /refers to the user "gone"/],
    ["no-server", "invalidKubeconfig", /has no server/],
    [
      "odd-server",
      "invalidKubeconfig",
      /must be an https or http URL, such as https:\/\/host:port/,
    ],
    ["odd-proxy", "unsupported", /must begin with http:\/\/, https:\/\/ or socks5:\/\//],
  ] as const;
  const { clusters } = await newHome(t, { ".kube/config": text });
  for (const [name, problem, words] of rows) {
    const error = errorOf(await clusters.connect(name, settings, never));
    assert.ok(error.kind === "configuration" && error.problem === problem, name);
    assert.match(error.detail, words);
  }
});

test("resolves paths relative to their file, and prefers inline data to files", async (t) => {
  const authority = newAuthority("Test Authority");
  const client = authority.issue("someone");
  const server = await startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    { tls: authority.issue("api.test"), clientAuthority: authority.cert },
  );
  const text = (ca: string): string => `
clusters: [{name: c, cluster: {server: "${server.url}", ${ca}}}]
users: [{name: u, user: {client-certificate: ../pki/c.crt, client-key: ../pki/c.key, tokenFile: token}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`;
  const data = `certificate-authority-data: ${Buffer.from(authority.cert).toString("base64")}`;
  const { clusters } = await newHome(
    t,
    {
      "one/config": text("certificate-authority: ../pki/ca.crt"),
      "two/config": text(`certificate-authority: gone.crt, ${data}`),
      "one/token": "of one",
      "two/token": "of two",
      "pki/ca.crt": authority.cert,
      "pki/c.crt": client.cert,
      "pki/c.key": client.key,
    },
    {},
  );
  for (const name of ["one", "two"]) {
    const named = { ...settings, kubeconfigFiles: [`~/${name}/config`] };
    const connection = valueOf(await clusters.connect(undefined, named, never));
    assert.equal(errorOf(await readNamespace(connection)).kind, "configuration");
    await writeFile(
      join(String(valueOf(await clusters.readKubeconfig(named, never)).files[0]), "..", "token"),
      name,
    );
    valueOf(await readNamespace(connection));
    assert.equal(server.seen.at(-1)?.headers.authorization, `Bearer ${name}`);
  }
});

test("uses the service account inside a pod, unless a kubeconfig exists", async (t) => {
  const authority = newAuthority("Test Authority");
  const server = await startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    { tls: authority.issue("api.test") },
  );
  const env = {
    KUBERNETES_SERVICE_HOST: "127.0.0.1",
    KUBERNETES_SERVICE_PORT: String(server.port),
  };
  const account = {
    "account/token": "pod-token",
    "account/ca.crt": authority.cert,
    "account/namespace": "spark",
  };
  const inPod = await newHome(t, account, env);
  const connection = valueOf(await inPod.clusters.connect(undefined, settings, never));
  valueOf(await readNamespace(connection));
  assert.deepEqual([connection.context, connection.namespace], ["in-cluster", "spark"]);
  assert.equal(server.seen[0]?.headers.authorization, "Bearer pod-token");
  assert.deepEqual(valueOf(await inPod.clusters.readKubeconfig(settings, never)).files, []);
  const withFile = await newHome(t, { ...account, ".kube/config": file("a", "a") }, env);
  const summary = valueOf(await withFile.clusters.readKubeconfig(settings, never));
  assert.equal(summary.currentContext, "a");
  const noToken = await newHome(t, {}, env);
  assert.equal(
    errorOf(await noToken.clusters.connect(undefined, settings, never)).kind,
    "configuration",
  );
});

test("the target of a context is the one that a connection has", async (t) => {
  const { clusters } = await newHome(t, { a: file("a", "a") }, { KUBECONFIG: "~/a" });
  for (const name of [undefined, "a", "both"]) {
    const connection = valueOf(await clusters.connect(name, settings, never));
    const { context, server, targetId, namespace } = connection;
    assert.deepEqual(valueOf(await clusters.target(name, settings, never)), {
      context,
      server,
      targetId,
      namespace,
    });
    connection.dispose();
  }
  const error = errorOf(await clusters.target("none", settings, never));
  assert.equal(error.kind === "configuration" && error.problem, "noContext");
});

test("a connection keeps the kubeconfig that it was created from", async (t) => {
  const seen: string[] = [];
  const [one, two] = await Promise.all(
    ["one", "two"].map((name) =>
      startServer(t, (_seen, reply) => {
        seen.push(name);
        reply.json(200, namespaceJson);
      }),
    ),
  );
  const text = (server = ""): string =>
    `{clusters: [{name: c, cluster: {server: "${server}"}}], contexts: [{name: x, context: {cluster: c}}], current-context: x}`;
  const { folder, clusters } = await newHome(t, { ".kube/config": text(one?.url) });
  const before = valueOf(await clusters.connect(undefined, settings, never));
  await writeFile(join(folder, ".kube/config"), text(two?.url));
  const after = valueOf(await clusters.connect(undefined, settings, never));
  for (const connection of [before, after, before]) valueOf(await readNamespace(connection));
  assert.deepEqual(seen, ["one", "two", "one"]);
});

test("keeps scalar values as written, without YAML type conversion", () => {
  const yaml = `
numbers: {zeros: 007, hex: 0x1F, exponent: 1e3, long: 12345678901234567890}
truth: [true, yes, null, ~, ]
twice: 1
twice: 2
base: &base {a: one}
merged: {<<: *base, b: two}
extensions: [{name: e, extension: {n: 7, on: true}}]
`;
  assert.deepEqual(parseKubeconfigYaml(yaml), {
    ok: true,
    value: {
      numbers: { zeros: "007", hex: "0x1F", exponent: "1e3", long: "12345678901234567890" },
      truth: ["true", "yes", null, null],
      twice: "2",
      base: { a: "one" },
      merged: { a: "one", b: "two" },
      extensions: [{ name: "e", extension: { n: 7, on: true } }],
    },
  });
});

test("refuses alias bombs, undefined aliases and very deep nesting", () => {
  const levels = Array.from({ length: 12 }, (_, i) =>
    i === 0 ? "l0: &l0 [x]" : `l${i}: &l${i} [${`*l${i - 1},`.repeat(9)}]`,
  );
  for (const text of [levels.join("\n"), "a: *nothing", "[".repeat(20_000)]) {
    assert.equal(parseKubeconfigYaml(text).ok, false, text.slice(0, 20));
  }
});

test("names the path of an unreadable file", async (t) => {
  const { folder, clusters } = await newHome(t, { secret: file("a") }, { KUBECONFIG: "~/secret" });
  await chmod(join(folder, "secret"), 0);
  const result = await clusters.readKubeconfig(settings, never);
  // root can read every file.
  if (process.getuid?.() === 0) valueOf(result);
  else assert.match(errorOf(result).detail, /secret cannot be read \(EACCES\)/);
});

test("an own kubeconfig adds its context and keeps the user's current context", async (t) => {
  const folder = await temporaryFolder(t);
  const [users, own] = [join(folder, "config"), join(folder, "sandbox")];
  const text = kubeconfigOf("https://127.0.0.1:1", {});
  await writeFile(users, text);
  const clusters = openClusters({
    clock: realClock,
    random: () => 0,
    env: { KUBECONFIG: users },
    homeDirectory: folder,
    ownKubeconfigs: [own],
    userAgent: "contract-test/1",
    log: () => undefined,
  });
  t.after(() => {
    clusters.dispose();
  });
  const read = async (): Promise<readonly string[]> => {
    const settings = { kubeconfigFiles: [], mayRunPlugins: false };
    const summary = valueOf(await clusters.readKubeconfig(settings, never));
    return [summary.currentContext ?? "", ...summary.contexts.map(({ name }) => name)];
  };
  assert.deepEqual(await read(), ["x", "x"]);
  await writeFile(own, text.replaceAll('"x"', '"spark-sandbox"'));
  assert.deepEqual(await read(), ["x", "x", "spark-sandbox"]);
  assert.equal(await readFile(users, "utf8"), text);
});
