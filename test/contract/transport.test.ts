import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { LogRequest } from "../../src/engine/ports/logs.ts";
import type { PodWatchRequest } from "../../src/engine/ports/pods.ts";
import type { Manifest } from "../../src/spark/submit/plan/manifest.ts";
import { newAuthority } from "../../src/sandbox/security/certificates.ts";
import { ManualClock } from "./clocks.ts";
import { startServer } from "./hostileServer.ts";
import {
  collect,
  connectTo,
  errorOf,
  namespaceJson,
  never,
  readNamespace,
  statusJson,
  valueOf,
} from "./rig.ts";
import { listen, pipeTo, portOf } from "./sockets.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const authority = newAuthority("Test Authority");
const identity = authority.issue("api.test");
const trusted = { "certificate-authority-data": base64(authority.cert) };

const configMap: Manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m" } };
const once = { dryRun: false, charset: false };

const log: LogRequest = {
  namespace: "ns",
  pod: "p",
  container: "c",
  follow: true,
  previous: false,
  tailLines: 1,
  sinceTime: undefined,
};
const watch: PodWatchRequest = {
  namespace: "ns",
  labelSelector: "",
  resourceVersion: "1",
  sendInitialEvents: false,
  timeoutSeconds: 300,
};

test("two hundred sequential reads use one connection over TLS", async (t) => {
  const server = await startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    { tls: identity },
  );
  const { connection } = await connectTo(t, server.url, { cluster: trusted });
  for (let i = 0; i < 200; i++) valueOf(await readNamespace(connection));
  assert.equal(server.connections, 1);
});

test("error responses keep the connection alive", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(404, statusJson(404, "NotFound", "x".repeat(5000)));
  });
  const { connection } = await connectTo(t, server.url);
  for (let i = 0; i < 20; i++)
    assert.equal(errorOf(await readNamespace(connection)).kind, "notFound");
  assert.equal(server.connections, 1);
});

test("calls share four connections, and watches and logs do not wait for them", async (t) => {
  const server = await startServer(t, (seen, reply) => {
    const bookmark = { type: "BOOKMARK", object: { metadata: { resourceVersion: "1" } } };
    if (seen.path.includes("watch=true")) reply.stream().write(`${JSON.stringify(bookmark)}\n`);
    else if (seen.path.includes("/log?")) reply.stream().write("2026-01-02T03:04:05Z line\n");
  });
  const { connection } = await connectTo(t, server.url);
  const stop = new AbortController();
  const ended: Promise<void>[] = [];
  const abortable = (work: Promise<unknown>): void => {
    ended.push(assert.rejects(work, { name: "AbortError" }));
  };
  for (let i = 0; i < 10; i++) abortable(readNamespace(connection, stop.signal));
  const streams = Array.from({ length: 6 }, () => [
    connection.logs.readLog(log, stop.signal)[Symbol.asyncIterator](),
    connection.pods.watchPods(watch, stop.signal)[Symbol.asyncIterator](),
  ]).flat();
  await Promise.all(streams.map((stream) => stream.next()));
  assert.equal(server.connections, 4 + 12);
  for (const stream of streams) abortable(stream.next());
  stop.abort();
  await Promise.all(ended);
});

test("sends the user agent and no other identification", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, namespaceJson);
  });
  const { connection } = await connectTo(t, server.url);
  valueOf(await readNamespace(connection));
  assert.deepEqual(server.seen[0]?.headers, {
    accept: "application/json",
    "user-agent": "contract-test/1",
    host: server.url.slice("http://".length),
    connection: "keep-alive",
  });
});

test("keeps a path prefix of the API, as some proxies have", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, namespaceJson);
  });
  const { connection } = await connectTo(t, `${server.url}/k8s/clusters/c-1/`);
  valueOf(await readNamespace(connection));
  assert.equal(server.seen[0]?.path, "/k8s/clusters/c-1/api/v1/namespaces/ns");
  assert.equal(connection.server, `${server.url}/k8s/clusters/c-1`);
});

test("a read survives idle connections that the server has closed", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, namespaceJson);
  });
  const { connection } = await connectTo(t, server.url);
  await Promise.all(Array.from({ length: 4 }, () => readNamespace(connection)));
  // Each of the four old connections breaks at its next request, as if the server had just closed it.
  server.script = (seen, reply) => {
    if (seen.connection <= 4) reply.drop();
    else reply.json(200, namespaceJson);
  };
  valueOf(await readNamespace(connection));
  assert.equal(server.seen.length, 4 + 2);
});

test("does not resend a write after a broken connection, and reports that it may have succeeded", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(200, namespaceJson);
  });
  const { connection } = await connectTo(t, server.url);
  valueOf(await readNamespace(connection));
  server.script = (_seen, reply) => {
    reply.drop();
  };
  const error = errorOf(await connection.objects.create("ns", configMap, once, never));
  assert.ok(error.kind === "unreachable" && error.requestSent, JSON.stringify(error));
  assert.equal(server.seen.filter(({ method }) => method === "POST").length, 1);
});

test("requestSent is false for an unsent write, and true after a truncated response", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.raw(
      "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{",
    );
    setTimeout(() => {
      reply.drop();
    }, 5);
  });
  const { connection } = await connectTo(t, server.url);
  const broken = errorOf(await connection.objects.create("ns", configMap, once, never));
  assert.ok(broken.kind === "unreachable" && broken.requestSent);
  assert.equal(server.seen.length, 1);
  const nobody = await connectTo(t, "http://127.0.0.1:9");
  const unsent = errorOf(await nobody.connection.objects.create("ns", configMap, once, never));
  assert.ok(unsent.kind === "unreachable" && !unsent.requestSent);
  assert.match(unsent.detail, /the connection to \S+ was refused/);
});

test("retries a broken handshake once, even for a write", async (t) => {
  const server = await startServer(
    t,
    (_seen, reply) => {
      reply.json(201, { ...namespaceJson, kind: "ConfigMap" });
    },
    { tls: identity },
  );
  let tries = 0;
  // Closes the first connection immediately; forwards later ones to the server.
  const front = createServer((socket) => {
    tries += 1;
    socket.on("error", () => undefined);
    if (tries === 1) socket.destroy();
    else pipeTo(socket, server.port);
  });
  await listen(front);
  t.after(() => front.close());
  const { connection } = await connectTo(t, `https://127.0.0.1:${portOf(front)}`, {
    cluster: trusted,
  });
  valueOf(await connection.objects.create("ns", configMap, once, never));
  assert.deepEqual([tries, server.seen.length], [2, 1]);
});

test("repeats a read once after a truncated response", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    if (server.seen.length === 2) reply.json(200, namespaceJson);
    else {
      reply.raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{");
      setTimeout(() => {
        reply.drop();
      }, 5);
    }
  });
  const { connection } = await connectTo(t, server.url);
  valueOf(await readNamespace(connection));
  const error = errorOf(await readNamespace(connection));
  assert.ok(error.kind === "unreachable" && !error.requestSent);
  assert.equal(server.seen.length, 4);
});

test("reads and writes wait for Retry-After of a busy server", async (t) => {
  const server = await startServer(t, (seen, reply) => {
    const isFirst = server.seen.filter(({ method }) => method === seen.method).length === 1;
    const body = statusJson(429, "TooManyRequests", "slow down");
    if (isFirst) reply.json(429, body, { "retry-after": "7" });
    else reply.json(200, { ...namespaceJson, kind: "ConfigMap" });
  });
  const clock = new ManualClock();
  const { connection } = await connectTo(t, server.url, { clock });
  for (const work of [
    () => readNamespace(connection),
    () => connection.objects.create("ns", configMap, once, never),
  ]) {
    const before = server.seen.length;
    const result = work();
    // Wait for the 7 s of Retry-After, not for the 60 s timeout of the whole call.
    await clock.untilSomethingSleeps(6_900, 7_400);
    await clock.advance(6_000);
    assert.equal(server.seen.length, before + 1);
    await clock.advance(1_500);
    valueOf(await result);
    assert.equal(server.seen.length, before + 2);
  }
});

test("a Retry-After of one request delays all requests", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    if (server.seen.length > 1) reply.json(200, namespaceJson);
    else reply.json(429, statusJson(429, "TooManyRequests", "slow down"), { "retry-after": "5" });
  });
  const clock = new ManualClock();
  const { connection } = await connectTo(t, server.url, { clock });
  const first = readNamespace(connection);
  await clock.untilSomethingSleeps(4_900, 5_900);
  const others = Array.from({ length: 5 }, () => readNamespace(connection));
  await clock.advance(4_000);
  assert.equal(server.seen.length, 1);
  await clock.advance(2_000);
  for (const result of [first, ...others]) valueOf(await result);
});

test("a Retry-After of 30 s is returned to the caller without a retry", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.json(429, statusJson(429, "TooManyRequests", "slow down", { retryAfterSeconds: 30 }));
  });
  const { connection } = await connectTo(t, server.url);
  const error = errorOf(await readNamespace(connection));
  assert.deepEqual(error, { kind: "throttled", retryAfterMs: 30_000, detail: "slow down" });
  assert.equal(server.seen.length, 1);
  // During the pause no request is sent.
  assert.equal(errorOf(await readNamespace(connection)).kind, "throttled");
  assert.equal(server.seen.length, 1);
});

test("limits a Retry-After of one hour to a minute", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    if (server.seen.length > 1) reply.json(200, namespaceJson);
    else reply.json(429, {}, { "retry-after": "3600" });
  });
  const clock = new ManualClock();
  const { connection } = await connectTo(t, server.url, { clock });
  assert.equal(errorOf(await readNamespace(connection)).kind, "throttled");
  await clock.advance(61_000);
  valueOf(await readNamespace(connection));
});

test("a clock that is set back does not extend a Retry-After wait", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    if (server.seen.length > 1) reply.json(200, namespaceJson);
    else reply.json(429, {}, { "retry-after": "15" });
  });
  const clock = new ManualClock();
  const { connection } = await connectTo(t, server.url, { clock });
  assert.equal(errorOf(await readNamespace(connection)).kind, "throttled");
  clock.setBack(600_000);
  const next = readNamespace(connection);
  await clock.untilSomethingSleeps(14_000, 19_000);
  await clock.advance(19_000);
  valueOf(await next);
});

test("takes the cluster's time from Date headers, and local time before them or without skew", async (t) => {
  const clock = new ManualClock();
  let aheadMs = -600_000;
  const server = await startServer(t, (_seen, reply) => {
    const date = new Date(clock.now() + aheadMs).toUTCString();
    reply.json(200, namespaceJson, { date });
  });
  const { connection } = await connectTo(t, server.url, { clock });
  assert.equal(connection.now(), clock.now());
  valueOf(await readNamespace(connection));
  await clock.advance(5_000);
  const skew = connection.now() - clock.now();
  assert.ok(Math.abs(skew - aheadMs) <= 1_000, String(skew));
  aheadMs = -1_000;
  valueOf(await readNamespace(connection));
  assert.equal(connection.now(), clock.now());
});

test("times out when the server sends no response or never ends it", async (t) => {
  const server = await startServer(t, (seen, reply) => {
    if (seen.method === "POST") reply.stream().write("{");
  });
  const clock = new ManualClock();
  const { connection } = await connectTo(t, server.url, { clock });
  const read = readNamespace(connection);
  while (server.seen.length < 1) await wait(2);
  await clock.advance(31_000);
  const late = errorOf(await read);
  assert.ok(late.kind === "unreachable");
  assert.equal(late.detail, "no answer came within 30 s");
  const write = connection.objects.create("ns", configMap, once, never);
  while (server.seen.length < 2) await wait(2);
  await clock.advance(29_000);
  await wait(20);
  await clock.advance(32_000);
  const endless = errorOf(await write);
  assert.ok(endless.kind === "unreachable" && endless.requestSent);
  assert.equal(endless.detail, "the response was not complete within 60 s");
  assert.equal(server.seen.length, 2);
});

test("a connection attempt times out after ten seconds", async (t) => {
  // Accepts the connection and stays silent, so the TLS handshake never ends.
  const silent = createServer(() => undefined);
  await listen(silent);
  const sockets = new Set<{ destroy(): void }>();
  silent.on("connection", (socket) => sockets.add(socket));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const clock = new ManualClock();
  const { connection } = await connectTo(t, `https://127.0.0.1:${portOf(silent)}`, { clock });
  const read = readNamespace(connection);
  while (sockets.size === 0) await wait(2);
  await wait(10);
  await clock.advance(11_000);
  const error = errorOf(await read);
  assert.ok(error.kind === "unreachable");
  assert.equal(error.detail, "no connection was made within 10 s");
});

test("never parses an HTML response as JSON, and hides its text", async (t) => {
  const server = await startServer(t, (seen, reply) => {
    const status = seen.connection > 0 && server.seen.length === 1 ? 502 : 200;
    reply.send(status, "text/html", "<html><script>alert(1)</script>");
  });
  const { connection } = await connectTo(t, server.url);
  assert.deepEqual(errorOf(await readNamespace(connection)), {
    kind: "badResponse",
    status: 502,
    detail: "502 Bad Gateway",
  });
  assert.deepEqual(errorOf(await readNamespace(connection)), {
    kind: "badResponse",
    status: undefined,
    detail: "the content type of the response is text/html, not JSON",
  });
});

test("keeps the plain text of an error response", async (t) => {
  const server = await startServer(t, (_seen, reply) => {
    reply.send(404, "text/plain; charset=utf-8", "404 page not found\n");
  });
  const { connection } = await connectTo(t, server.url);
  assert.equal(errorOf(await readNamespace(connection)).detail, "404 page not found");
});

test("reads only the beginning of a huge error response", async (t) => {
  let written = 0;
  const server = await startServer(t, (_seen, reply) => {
    const stream = reply.stream("text/plain", 500);
    const more = (): void => {
      while (!stream.destroyed && written < 100 << 20) {
        written += 1 << 16;
        if (!stream.write("x".repeat(1 << 16))) {
          stream.once("drain", more);
          return;
        }
      }
    };
    more();
  });
  const { connection } = await connectTo(t, server.url);
  const error = errorOf(await readNamespace(connection));
  assert.ok(error.kind === "badResponse" && error.status === 500);
  assert.ok(error.detail.length <= 500);
  assert.ok(written < 20 << 20, `${written} bytes`);
});

test("refuses endless headers and responses that are not HTTP", async (t) => {
  const heads = [`HTTP/1.1 200 OK\r\nx: ${"x".repeat(1 << 20)}\r\n\r\n`, "SSH-2.0-OpenSSH_9\r\n"];
  const server = await startServer(t, (_seen, reply) => {
    reply.raw(heads[server.seen.length - 1] ?? "");
  });
  const { connection } = await connectTo(t, server.url);
  for (const words of [/too large/, /not valid HTTP/]) {
    const error = errorOf(await readNamespace(connection));
    assert.ok(error.kind === "unreachable");
    assert.match(error.detail, words);
  }
});

test("does not follow redirects, so credentials are not sent elsewhere", async (t) => {
  const other = await startServer(t, (_seen, reply) => {
    reply.json(200, namespaceJson);
  });
  const server = await startServer(t, (_seen, reply) => {
    reply.json(302, {}, { location: `${other.url}/` });
  });
  const { connection } = await connectTo(t, server.url);
  const error = errorOf(await readNamespace(connection));
  assert.ok(error.kind === "badResponse" && error.status === 302);
  assert.equal(other.seen.length, 0);
});

test("each certificate error is one sentence with subject and issuer", async (t) => {
  const day = 24 * 3600 * 1000;
  const rows = [
    [
      authority.issue("old.test", { notAfter: new Date(Date.now() - day) }),
      /CN=old.test; issued by CN=Test Authority\) expired on /,
    ],
    [
      authority.issue("young.test", { notBefore: new Date(Date.now() + day) }),
      /CN=young.test; .* is not valid before /,
    ],
    [
      authority.issue("else.test", { hosts: ["else.test"] }),
      /CN=else.test; .* not for this host, but for DNS:else.test/,
    ],
    [
      newAuthority("Corporate Proxy").issue("api.test"),
      /CN=api.test; issued by CN=Corporate Proxy\) was issued by an untrusted authority/,
    ],
  ] as const;
  for (const [tls, words] of rows) {
    const server = await startServer(t, () => undefined, { tls });
    const { connection } = await connectTo(t, server.url, { cluster: trusted });
    const error = errorOf(await connection.objects.create("ns", configMap, once, never));
    assert.ok(error.kind === "unreachable" && !error.requestSent);
    assert.match(error.detail, words);
    assert.equal(server.seen.length, 0);
  }
});

test("verifies the certificate against tls-server-name, unless the kubeconfig disables it", async (t) => {
  const tls = authority.issue("else.test", { hosts: ["else.test", "10.1.2.3"] });
  const server = await startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    { tls },
  );
  const wrong = { ...trusted, "tls-server-name": "10.1.2.4" };
  const { connection } = await connectTo(t, server.url, { cluster: wrong });
  assert.match(errorOf(await readNamespace(connection)).detail, /is not for this host/);
  for (const cluster of [
    { ...trusted, "tls-server-name": "else.test" },
    { ...trusted, "tls-server-name": "10.1.2.3" },
    { "insecure-skip-tls-verify": true },
  ]) {
    const { connection } = await connectTo(t, server.url, { cluster });
    valueOf(await readNamespace(connection));
  }
});

test("sends a client certificate of the kubeconfig, only over TLS", async (t) => {
  const client = authority.issue("someone");
  const user = {
    "client-certificate-data": base64(client.cert),
    "client-key-data": base64(client.key),
  };
  const server = await startServer(
    t,
    (_seen, reply) => {
      reply.json(200, namespaceJson);
    },
    { tls: identity, clientAuthority: authority.cert },
  );
  const { connection } = await connectTo(t, server.url, { cluster: trusted, user });
  valueOf(await readNamespace(connection));
  const without = await connectTo(t, server.url, { cluster: trusted });
  assert.equal(errorOf(await readNamespace(without.connection)).kind, "unreachable");
});

test("disposing the connection ends its requests and sockets", async (t) => {
  const server = await startServer(t, (seen, reply) => {
    if (!seen.path.includes("namespaces/ns")) reply.json(200, namespaceJson);
  });
  const { connection } = await connectTo(t, server.url);
  const reading = assert.rejects(readNamespace(connection), { name: "AbortError" });
  while (server.seen.length === 0) await wait(2);
  connection.dispose();
  await reading;
  while (server.open.size > 0) await wait(2);
  await assert.rejects(readNamespace(connection), { name: "AbortError" });
  await assert.rejects(collect(connection.logs.readLog(log, never)), { name: "AbortError" });
});
