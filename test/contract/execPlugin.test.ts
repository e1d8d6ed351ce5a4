import assert from "node:assert/strict";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { newAuthority } from "../../src/sandbox/security/certificates.ts";
import { ManualClock } from "./clocks.ts";
import { type HostileServer, type Seen, startServer } from "./hostileServer.ts";
import {
  connectTo,
  errorOf,
  namespaceJson,
  readNamespace,
  type Rig,
  type RigOptions,
  statusJson,
  temporaryFolder,
  tryConnect,
  valueOf,
} from "./rig.ts";

const version = "client.authentication.k8s.io/v1";
const authority = newAuthority("Test Authority");
const tls = authority.issue("api.test");
const cluster = { "certificate-authority-data": Buffer.from(authority.cert).toString("base64") };

const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const credential = (status: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ apiVersion: version, kind: "ExecCredential", status });

interface Plugin {
  readonly exec: Readonly<Record<string, unknown>>;
  /** Returns the number of runs. */
  runs(): Promise<number>;
}

/** Creates a plug-in that counts its runs and then runs the shell script; `$n` is the number of the run, from 1. */
async function newPlugin(t: TestContext, script: string): Promise<Plugin> {
  const folder = await temporaryFolder(t);
  const command = join(folder, "plugin.sh");
  const counter = join(folder, "runs");
  await writeFile(counter, "");
  await writeFile(
    command,
    `#!/bin/sh\necho run >> ${shell(counter)}\nn=$(grep -c run ${shell(counter)})\n${script}\n`,
  );
  await chmod(command, 0o755);
  return {
    exec: { apiVersion: version, command, interactiveMode: "Never" },
    runs: async () => (await readFile(counter, "utf8")).split("run").length - 1,
  };
}

const accept = (t: TestContext): Promise<HostileServer> =>
  startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    { tls },
  );

const connect = (
  t: TestContext,
  server: HostileServer,
  { exec }: Plugin,
  options: RigOptions = {},
): Promise<Rig> => connectTo(t, server.url, { user: { exec }, cluster, ...options });

const tokens = (seen: readonly Seen[]): (string | undefined)[] =>
  seen.map(({ headers }) => headers.authorization);

test("runs the plug-in once for ten concurrent first requests", async (t) => {
  const plugin = await newPlugin(
    t,
    `sleep 0.1; printf %s ${shell(credential({ token: "tok-1" }))}`,
  );
  const server = await accept(t);
  const { connection } = await connect(t, server, plugin);
  assert.equal(await plugin.runs(), 0);
  const results = await Promise.all(Array.from({ length: 10 }, () => readNamespace(connection)));
  for (const result of results) valueOf(result);
  assert.equal(await plugin.runs(), 1);
  assert.deepEqual([...new Set(tokens(server.seen))], ["Bearer tok-1"]);
});

test("a canceled request does not cancel the plug-in for other requests", async (t) => {
  const plugin = await newPlugin(
    t,
    `sleep 0.2; printf %s ${shell(credential({ token: "tok-1" }))}`,
  );
  const server = await accept(t);
  const { connection } = await connect(t, server, plugin);
  const stop = new AbortController();
  const first = assert.rejects(readNamespace(connection, stop.signal), { name: "AbortError" });
  const second = readNamespace(connection);
  stop.abort();
  await first;
  valueOf(await second);
  assert.equal(await plugin.runs(), 1);
});

test("passes cluster info if requested, arguments and variables to the plug-in", async (t) => {
  const plugin = await newPlugin(
    t,
    'printf "%s" "$KUBERNETES_EXEC_INFO" > "$OUT.$MODE"; ' +
      'printf \'{"apiVersion":"%s","kind":"ExecCredential","status":{"token":"%s-%s"}}\' "$VERSION" "$1" "$MODE"',
  );
  const server = await accept(t);
  const folder = await temporaryFolder(t);
  for (const [apiVersion, mode] of [
    [version, "yes"],
    ["client.authentication.k8s.io/v1beta1", "no"],
  ] as const) {
    const exec = {
      ...plugin.exec,
      apiVersion,
      args: ["argument"],
      env: [
        { name: "MODE", value: mode },
        { name: "VERSION", value: apiVersion },
        { name: "OUT", value: join(folder, "told") },
      ],
      provideClusterInfo: mode === "yes",
    };
    const extensions = [
      { name: "client.authentication.k8s.io/exec", extension: { audience: "a", count: 7 } },
    ];
    const { connection } = await connect(
      t,
      server,
      { ...plugin, exec },
      { cluster: { ...cluster, "tls-server-name": "localhost", extensions } },
    );
    valueOf(await readNamespace(connection));
    assert.equal(tokens(server.seen).at(-1), `Bearer argument-${mode}`);
    const told: unknown = JSON.parse(await readFile(join(folder, `told.${mode}`), "utf8"));
    const info = {
      server: server.url,
      "tls-server-name": "localhost",
      "certificate-authority-data": cluster["certificate-authority-data"],
      config: { audience: "a", count: 7 },
    };
    const spec = mode === "yes" ? { cluster: info, interactive: false } : { interactive: false };
    assert.deepEqual(told, { apiVersion, kind: "ExecCredential", spec });
  }
});

test("gives the plug-in an empty standard input", async (t) => {
  const plugin = await newPlugin(
    t,
    `cat > /dev/null; printf %s ${shell(credential({ token: "tok" }))}`,
  );
  const { connection } = await connect(t, await accept(t), plugin);
  valueOf(await readNamespace(connection));
});

test("resolves a relative command beside the kubeconfig, and a bare name on the PATH", async (t) => {
  const plugin = await newPlugin(t, `printf %s ${shell(credential({ token: "tok" }))}`);
  const server = await accept(t);
  const rig = await connect(t, server, { ...plugin, exec: { ...plugin.exec, command: "./bin/p" } });
  await mkdir(join(rig.folder, "bin"));
  const real = String(plugin.exec["command"]);
  await writeFile(join(rig.folder, "bin", "p"), `#!/bin/sh\nexec ${real}\n`, { mode: 0o755 });
  valueOf(await readNamespace(rig.connection));
  const PATH = `${join(rig.folder, "bin")}:${process.env["PATH"] ?? ""}`;
  const bare = { ...plugin, exec: { ...plugin.exec, command: "p" } };
  valueOf(await readNamespace((await connect(t, server, bare, { env: { PATH } })).connection));
});

test("renews credentials one minute before they expire, not earlier", async (t) => {
  const clock = new ManualClock();
  const at = (ms: number): string => new Date(clock.now() + ms).toISOString();
  const first = credential({ token: "tok-1", expirationTimestamp: at(600_000) });
  const second = credential({ token: "tok-2", expirationTimestamp: at(6_000_000) });
  const plugin = await newPlugin(
    t,
    `[ $n = 1 ] && printf %s ${shell(first)} || printf %s ${shell(second)}`,
  );
  const server = await accept(t);
  const { connection } = await connect(t, server, plugin, { clock });
  for (const ms of [0, 530_000, 20_000, 60_000]) {
    await clock.advance(ms);
    valueOf(await readNamespace(connection));
  }
  assert.deepEqual(tokens(server.seen), [
    "Bearer tok-1",
    "Bearer tok-1",
    "Bearer tok-2",
    "Bearer tok-2",
  ]);
  assert.equal(await plugin.runs(), 2);
});

test("keeps credentials without expiry, and renews those of under a minute every ten seconds", async (t) => {
  const clock = new ManualClock();
  const soon = new Date(clock.now() + 3_000).toISOString();
  for (const [status, runs] of [
    [{ token: "tok" }, 1],
    [{ token: "tok", expirationTimestamp: soon }, 3],
  ] as const) {
    const plugin = await newPlugin(t, `printf %s ${shell(credential(status))}`);
    const { connection } = await connect(t, await accept(t), plugin, { clock });
    for (let i = 0; i < 25; i++) {
      valueOf(await readNamespace(connection));
      await clock.advance(1_000);
    }
    assert.equal(await plugin.runs(), runs);
  }
});

test("renews credentials after a 401 and resends the request once", async (t) => {
  const plugin = await newPlugin(
    t,
    `printf %s ${shell(credential({ token: "tok-N" }))} | sed s/tok-N/tok-$n/`,
  );
  const clock = new ManualClock();
  let accepted = "Bearer tok-1";
  const server = await startServer(
    t,
    (seen, reply) => {
      if (seen.headers.authorization === accepted) reply.json(200, namespaceJson);
      else reply.json(401, statusJson(401, "Unauthorized", "Unauthorized"));
    },
    { tls },
  );
  const { connection } = await connect(t, server, plugin, { clock });
  valueOf(await readNamespace(connection));
  accepted = "Bearer tok-2";
  await clock.advance(11_000);
  const results = await Promise.all(Array.from({ length: 5 }, () => readNamespace(connection)));
  for (const result of results) valueOf(result);
  assert.equal(await plugin.runs(), 2);
  // The plug-in does not run again within ten seconds, even after another 401.
  accepted = "nobody";
  assert.equal(errorOf(await readNamespace(connection)).kind, "unauthorized");
  assert.equal(errorOf(await readNamespace(connection)).kind, "unauthorized");
  assert.equal(await plugin.runs(), 2);
  // After ten seconds, a failing request runs it once more.
  await clock.advance(11_000);
  assert.equal(errorOf(await readNamespace(connection)).kind, "unauthorized");
  assert.equal(await plugin.runs(), 3);
});

test("accepts a client certificate, and a new certificate opens new connections", async (t) => {
  const [one, two] = ["one", "two"].map((name) => authority.issue(name));
  assert.ok(one && two);
  const clock = new ManualClock();
  const print = ({ cert, key }: typeof one, ms: number): string =>
    `printf %s ${shell(
      credential({
        clientCertificateData: cert,
        clientKeyData: key,
        expirationTimestamp: new Date(clock.now() + ms).toISOString(),
      }),
    )}`;
  const plugin = await newPlugin(
    t,
    `[ $n = 1 ] && ${print(one, 120_000)} || ${print(two, 9_000_000)}`,
  );
  const server = await startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    { tls, clientAuthority: authority.cert },
  );
  const { connection } = await connect(t, server, plugin, { clock });
  for (const ms of [0, 0, 90_000, 0]) {
    await clock.advance(ms);
    valueOf(await readNamespace(connection));
  }
  assert.deepEqual(
    server.seen.map((seen) => seen.connection),
    [1, 1, 2, 2],
  );
});

test("each plug-in failure reports what failed and why", async (t) => {
  const at = "client.authentication.k8s.io";
  const rows: readonly (readonly [string, RegExp])[] = [
    [
      "echo the session has expired >&2; exit 3",
      /failed with exit code 3: the session has expired$/,
    ],
    ["kill -9 $$", /failed with a signal/],
    ["echo junk", /did not print an ExecCredential/],
    ["", /did not print an ExecCredential/],
    [`printf %s ${shell(credential({}))}`, /printed neither a token nor a certificate/],
    [
      `echo '{"apiVersion":"${at}/v1beta1","kind":"ExecCredential"}'`,
      /returned the API version .*v1beta1, but the kubeconfig specifies/,
    ],
    [`printf %s ${shell(credential({ token: "a\nb" }))}`, /cannot be sent in a header/],
    [`printf %s ${shell(credential({ clientCertificateData: "c" }))}`, /without its key/],
    [
      `printf %s ${shell(credential({ clientCertificateData: "c", clientKeyData: "k" }))}`,
      /cannot be used/,
    ],
    [
      `printf %s ${shell(credential({ token: "t", expirationTimestamp: "soon" }))}`,
      /invalid expirationTimestamp/,
    ],
    ["yes", /printed too much output/],
  ];
  const server = await accept(t);
  await Promise.all(
    rows.map(async ([script, words]) => {
      const plugin = await newPlugin(t, script);
      const { connection } = await connect(t, server, plugin);
      for (const attempt of [1, 2]) {
        const error = errorOf(await readNamespace(connection));
        assert.ok(error.kind === "configuration" && error.problem === "credentials", `${attempt}`);
        assert.match(error.detail, words);
      }
      assert.equal(await plugin.runs(), 1, "a failure is not repeated at once");
    }),
  );
  assert.equal(server.seen.length, 0);
});

test("keeps the end of long plug-in output", async (t) => {
  const plugin = await newPlugin(t, "yes | head -c 200000 >&2; echo the reason >&2; exit 1");
  const { connection } = await connect(t, await accept(t), plugin);
  const { detail } = errorOf(await readNamespace(connection));
  assert.match(detail, /y\nthe reason$/);
  assert.ok(detail.length < 2500);
});

test("reports a missing command with the installHint of the kubeconfig", async (t) => {
  const exec = {
    apiVersion: version,
    command: "no-such-plugin",
    installHint: "Run brew install it",
  };
  const { connection } = await connectTo(t, "https://127.0.0.1:9", { user: { exec } });
  const error = errorOf(await readNamespace(connection));
  assert.match(error.detail, /"no-such-plugin".* was not found. Run brew install it$/);
});

test("reports a command that cannot be started", async (t) => {
  const exec = { apiVersion: version, command: "no\0such", args: [] };
  const { connection } = await connectTo(t, "https://127.0.0.1:9", { user: { exec } });
  assert.match(
    errorOf(await readNamespace(connection)).detail,
    /cannot be run \(ERR_INVALID_ARG_VALUE\)/,
  );
});

test("stops a plug-in after one minute, including its child processes", async (t) => {
  const folder = await temporaryFolder(t);
  const pids = join(folder, "pids");
  const plugin = await newPlugin(
    t,
    `trap '' TERM; sleep 300 & echo $! >> ${shell(pids)}; echo $$ >> ${shell(pids)}; echo waiting for you >&2; while :; do sleep 300; done`,
  );
  const clock = new ManualClock();
  const { connection } = await connect(t, await accept(t), plugin, { clock });
  const read = readNamespace(connection);
  const started = async (): Promise<string[]> =>
    (await readFile(pids, "utf8").catch(() => "")).split("\n").filter(Boolean);
  while ((await started()).length < 2) await wait(5);
  await wait(50);
  await clock.advance(61_000);
  const error = errorOf(await read);
  assert.match(error.detail, /did not end within 60 s and was stopped: waiting for you$/);
  await clock.advance(2_000);
  for (const pid of await started()) {
    while (isAlive(Number(pid))) await wait(5);
  }
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("disposing the connection kills its plug-in", async (t) => {
  const folder = await temporaryFolder(t);
  const pidFile = join(folder, "pid");
  const plugin = await newPlugin(t, `echo $$ > ${shell(pidFile)}; exec sleep 300`);
  const { connection } = await connect(t, await accept(t), plugin);
  const read = assert.rejects(readNamespace(connection), { name: "AbortError" });
  let pid = 0;
  while (pid === 0) {
    pid = Number(await readFile(pidFile, "utf8").catch(() => "0"));
    await wait(5);
  }
  connection.dispose();
  await read;
  while (isAlive(pid)) await wait(5);
});

test("runs no plug-in when plug-ins are not allowed", async (t) => {
  const plugin = await newPlugin(t, `printf %s ${shell(credential({ token: "tok" }))}`);
  const options = { user: { exec: plugin.exec }, mayRunPlugins: false };
  const { result } = await tryConnect(t, "https://127.0.0.1:9", options);
  const error = errorOf(result);
  assert.ok(error.kind === "configuration" && error.problem === "credentials");
  assert.equal(await plugin.runs(), 0);
});

test("refuses unsupported plug-in requirements with the reason", async (t) => {
  const rows: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
    [
      { apiVersion: "client.authentication.k8s.io/v1alpha1" },
      /requires the exec API version .*v1alpha1/,
    ],
    [{ interactiveMode: "Always" }, /requires a terminal/],
    [{ command: "" }, /without a command/],
  ];
  for (const [wrong, words] of rows) {
    const exec = { apiVersion: version, command: "p", ...wrong };
    const { result } = await tryConnect(t, "https://127.0.0.1:9", { user: { exec } });
    const error = errorOf(result);
    assert.equal(error.kind, "configuration");
    assert.match(error.detail, words);
  }
});

test("runs no plug-in and sends no credentials over plain HTTP", async (t) => {
  const plugin = await newPlugin(t, `printf %s ${shell(credential({ token: "tok" }))}`);
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, namespaceJson);
  });
  const { connection } = await connectTo(t, server.url, {
    user: { exec: plugin.exec, as: "jane" },
  });
  valueOf(await readNamespace(connection));
  const names = Object.keys(server.seen[0]?.headers ?? {});
  assert.deepEqual(names, ["accept", "user-agent", "host", "connection"]);
  assert.equal(await plugin.runs(), 0);
});
