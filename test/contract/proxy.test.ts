import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { proxyOfEnvironment } from "../../src/io/proxy/proxyOfEnvironment.ts";
import { newAuthority } from "../../src/sandbox/security/certificates.ts";
import { startServer } from "./hostileServer.ts";
import { connectTo, errorOf, namespaceJson, never, readNamespace, valueOf } from "./rig.ts";
import { listen, pipeTo, portOf } from "./sockets.ts";

const authority = newAuthority("Test Authority");
const tls = authority.issue("api.test", { hosts: ["api.test"] });
const cluster = { "certificate-authority-data": Buffer.from(authority.cert).toString("base64") };

const accept = (t: TestContext, secure = true): ReturnType<typeof startServer> =>
  startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    secure ? { tls } : {},
  );

const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m" } };
const once = { dryRun: false, charset: false };

interface Proxy {
  readonly port: number;
  readonly sockets: ReadonlySet<Socket>;
  readonly asked: readonly string[];
}

/** Starts an HTTP proxy that connects every tunnel to 127.0.0.1, so that tests can use any host name. */
async function startHttpProxy(t: TestContext, authorization?: string): Promise<Proxy> {
  const asked: string[] = [];
  const mayPass = ({ headers }: IncomingMessage): boolean =>
    authorization === undefined || headers["proxy-authorization"] === authorization;
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""} ${request.headers.host ?? ""}`);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(namespaceJson));
  });
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    if (mayPass(request)) {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      pipeTo(socket, Number(request.url?.split(":")[1]));
    } else socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  const sockets = keepSockets(server);
  await listen(server);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: portOf(server), asked, sockets };
}

function keepSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return sockets;
}

/** Starts a SOCKS5 proxy with the part of RFC 1928 that the client uses. */
async function startSocksProxy(t: TestContext, password?: string): Promise<Proxy> {
  const asked: string[] = [];
  const server = createTcpServer((socket) => {
    let step = 0;
    socket.on("error", () => undefined);
    socket.on("data", function onData(bytes) {
      step += 1;
      if (step === 1) socket.write(Buffer.from([5, password === undefined ? 0 : 2]));
      else if (step === 2 && password !== undefined) {
        const given = bytes.subarray(2).toString("latin1");
        socket.write(Buffer.from([1, given.endsWith(password) ? 0 : 1]));
      } else {
        const length = bytes[4] ?? 0;
        const host = bytes.subarray(5, 5 + length).toString();
        const port = bytes.readUInt16BE(5 + length);
        asked.push(`${host}:${port}`);
        socket.off("data", onData);
        const refused = host === "refused.test";
        // Sends the response in two chunks, with the proxy's address as a host name.
        socket.write(Buffer.from([5, refused ? 5 : 0, 0, 3, 2]));
        setTimeout(() => {
          socket.write(Buffer.from("xx\0\0"));
          if (!refused) pipeTo(socket, port);
        }, 5);
      }
    });
  });
  const sockets = keepSockets(server);
  await listen(server);
  t.after(() => server.close());
  return { port: portOf(server), asked, sockets };
}

test("a kubeconfig proxy gets a CONNECT request and sees no tunneled traffic", async (t) => {
  const server = await accept(t);
  const pair = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
  const proxy = await startHttpProxy(t, pair);
  const { connection } = await connectTo(t, `https://api.test:${server.port}`, {
    cluster: { ...cluster, "proxy-url": `http://me:p%40ss@127.0.0.1:${proxy.port}` },
  });
  for (let i = 0; i < 3; i++) valueOf(await readNamespace(connection));
  assert.deepEqual(proxy.asked, [`CONNECT api.test:${server.port}`]);
  assert.deepEqual(
    server.seen.map((seen) => [seen.connection, seen.headers["proxy-authorization"]]),
    [
      [1, undefined],
      [1, undefined],
      [1, undefined],
    ],
  );
});

test("verifies the server certificate through a tunnel", async (t) => {
  const server = await accept(t);
  const proxy = await startHttpProxy(t);
  const { connection } = await connectTo(t, `https://else.test:${server.port}`, {
    cluster: { ...cluster, "proxy-url": `http://127.0.0.1:${proxy.port}` },
  });
  const error = errorOf(await connection.objects.create("ns", configMap, once, never));
  assert.ok(error.kind === "unreachable" && !error.requestSent);
  assert.match(error.detail, /CN=api.test; .* not for this host/);
});

test("lets a SOCKS proxy resolve the host name", async (t) => {
  const server = await accept(t);
  for (const [password, user] of [
    [undefined, ""],
    ["secret", "me:secret@"],
  ] as const) {
    const proxy = await startSocksProxy(t, password);
    const { connection } = await connectTo(t, `https://api.test:${server.port}`, {
      cluster: { ...cluster, "proxy-url": `socks5://${user}127.0.0.1:${proxy.port}` },
    });
    valueOf(await readNamespace(connection));
    valueOf(await readNamespace(connection));
    assert.deepEqual(proxy.asked, [`api.test:${server.port}`]);
  }
});

test("sends plain HTTP to a proxy with an absolute URL, and through a tunnel over SOCKS", async (t) => {
  const server = await accept(t, false);
  const http = await startHttpProxy(t);
  const throughHttp = await connectTo(t, "http://api.test:8001/base", {
    cluster: { "proxy-url": `http://127.0.0.1:${http.port}` },
  });
  valueOf(await readNamespace(throughHttp.connection));
  assert.deepEqual(http.asked, [
    "GET http://api.test:8001/base/api/v1/namespaces/ns api.test:8001",
  ]);
  const socks = await startSocksProxy(t);
  const throughSocks = await connectTo(t, `http://api.test:${server.port}`, {
    cluster: { "proxy-url": `socks5://127.0.0.1:${socks.port}` },
  });
  valueOf(await readNamespace(throughSocks.connection));
  assert.equal(server.seen[0]?.headers.host, `api.test:${server.port}`);
});

test("distinguishes a refusing proxy from a refusing server", async (t) => {
  const http = await startHttpProxy(t, "somebody else");
  const socks = await startSocksProxy(t, "other");
  const rows = [
    [
      `http://me:wrong@127.0.0.1:${http.port}`,
      /^the proxy 127.0.0.1:\d+ answered with status 407$/,
    ],
    [`socks5://me:wrong@127.0.0.1:${socks.port}`, /did not accept user and password$/],
    [`socks5://127.0.0.1:${http.port}`, /does not support SOCKS 5|closed the connection/],
    ["http://127.0.0.1:9", /refused/],
  ] as const;
  for (const [url, words] of rows) {
    const { connection, log } = await connectTo(t, "https://api.test:1", {
      cluster: { ...cluster, "proxy-url": url },
    });
    const error = errorOf(await readNamespace(connection));
    assert.ok(error.kind === "unreachable" && !error.requestSent);
    assert.match(error.detail, words);
    assert.doesNotMatch(log.join("\n"), /wrong/);
  }
});

test("reports a server that the SOCKS proxy cannot reach", async (t) => {
  const proxy = await startSocksProxy(t);
  const { connection } = await connectTo(t, "https://refused.test:1", {
    cluster: { ...cluster, "proxy-url": `socks5://127.0.0.1:${proxy.port}` },
  });
  assert.match(errorOf(await readNamespace(connection)).detail, /was refused by the server/);
});

test("a broken tunnel counts as a lost connection", async (t) => {
  const silent = await startServer(t, () => undefined, { tls });
  const http = await startHttpProxy(t);
  const socks = await startSocksProxy(t);
  for (const proxy of [`http://127.0.0.1:${http.port}`, `socks5://127.0.0.1:${socks.port}`]) {
    const { connection } = await connectTo(t, `https://api.test:${silent.port}`, {
      cluster: { ...cluster, "proxy-url": proxy },
    });
    const before = silent.seen.length;
    const write = connection.objects.create("ns", configMap, once, never);
    while (silent.seen.length === before) await wait(2);
    for (const socket of [...http.sockets, ...socks.sockets]) socket.resetAndDestroy();
    const error = errorOf(await write);
    assert.ok(error.kind === "unreachable" && error.requestSent);
  }
});

test("uses the proxy of the environment when the kubeconfig has none", async (t) => {
  const server = await accept(t);
  const proxy = await startHttpProxy(t);
  const env = { HTTPS_PROXY: `127.0.0.1:${proxy.port}` };
  const { connection } = await connectTo(t, `https://api.test:${server.port}`, { cluster, env });
  valueOf(await readNamespace(connection));
  assert.equal(proxy.asked.length, 1);
});

test("reads NO_PROXY like kubectl", () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ["https://api.test", "", true],
    ["https://api.test", "*", false],
    ["https://api.test", "other, api.test", false],
    ["https://a.api.test", "api.test", false],
    ["https://xapi.test", "api.test", true],
    ["https://a.api.test", ".api.test", false],
    ["https://api.test", ".api.test", true],
    ["https://a.api.test", "*.api.test", false],
    ["https://API.test:6443", "api.test:6443", false],
    ["https://api.test:6444", "api.test:6443", true],
    ["https://10.1.2.3", "10.0.0.0/8", false],
    ["https://11.1.2.3", "10.0.0.0/8", true],
    ["https://10.1.2.3", "10.0.0.0/99", true],
    ["https://10.1.2.3:6443", "10.1.2.3", false],
    ["https://[fd00::1]", "fd00::/8", false],
    ["https://[fd00::1]", "fd00::1", false],
    ["https://[fd00::1]", "10.0.0.0/8", true],
    ["https://localhost", "", false],
    ["https://127.0.0.2", "", false],
    ["https://[::1]", "", false],
  ];
  for (const [server, NO_PROXY, isProxied] of rows) {
    const proxy = proxyOfEnvironment(new URL(server), { HTTPS_PROXY: "http://p:1", NO_PROXY });
    assert.equal(proxy !== undefined, isProxied, `${server} with NO_PROXY=${NO_PROXY}`);
  }
  const url = new URL("http://api.test");
  assert.equal(proxyOfEnvironment(url, { HTTPS_PROXY: "http://p:1" }), undefined);
  assert.equal(proxyOfEnvironment(url, { http_proxy: "http://p:1" })?.url.host, "p:1");
});
