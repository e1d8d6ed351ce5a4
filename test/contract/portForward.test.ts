// Port forwarding: Kubernetes stream channels over real sockets on one side, a real local port on the other.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openClusters } from "../../src/cluster/door.ts";
import type { ClusterError } from "../../src/engine/clusterError.ts";
import { connectWhenReady } from "../../src/engine/debug/connectWhenReady.ts";
import type { Clock } from "../../src/engine/ports/clock.ts";
import type { Connection } from "../../src/engine/ports/connection.ts";
import type { PortForward } from "../../src/engine/ports/channels.ts";
import { ManualClock, realClock } from "./clocks.ts";
import { acceptStream, goodbye, MaskedReader, message } from "./podFrames.ts";
import { connectTo } from "./rig.ts";

const port = Buffer.from([0xc8, 0x0f]);

interface Pod {
  readonly connection: Connection;
  readonly paths: readonly string[];
  readonly forward: PortForward;
  readonly failures: readonly ClusterError[];
}

/** The pod's handler for received bytes; it responds through `socket`. */
type Serve = (received: Buffer, socket: Duplex) => void;

async function startPod(
  t: TestContext,
  serve: Serve,
  greet?: (socket: Duplex) => void,
  clock: Clock = realClock,
): Promise<Pod> {
  const paths: string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer();
  server.on("upgrade", (request, socket: Duplex) => {
    paths.push(String(request.url));
    sockets.add(socket);
    socket.on("error", () => undefined);
    acceptStream(request, socket);
    socket.write(Buffer.concat([message(0, port), message(1, port)]));
    greet?.(socket);
    const reader = new MaskedReader();
    socket.on("data", (bytes: Buffer) => {
      for (const payload of reader.push(bytes)) serve(payload.subarray(1), socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { connection, folder } = await connectTo(t, url);
  const clusters = openClusters({
    clock,
    random: () => 0,
    env: {},
    homeDirectory: folder,
    userAgent: "contract-test/1",
    log: () => undefined,
  });
  const failures: ClusterError[] = [];
  const forward = await clusters.forward({
    localPort: undefined,
    dial: (signal) =>
      connection.ports.open({ namespace: "ns", name: "driver", port: 4040 }, signal),
    changed: () => undefined,
    failed: (error) => failures.push(error),
  });
  t.after(() => {
    clusters.dispose();
  });
  return { connection, paths, forward, failures };
}

const dial = async ({ localPort }: PortForward): Promise<Socket> => {
  const socket = connect(localPort, "127.0.0.1");
  await once(socket, "connect");
  return socket;
};

async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  return Buffer.concat(chunks);
}

test("forwards bytes both ways, over one stream per connection", async (t) => {
  const { forward, paths } = await startPod(t, (received, socket) => {
    socket.write(message(0, received.toString().toUpperCase()));
    if (received.includes("end")) socket.write(goodbye);
  });
  const all = await Promise.all(
    Array.from({ length: 40 }, async (_, number) => {
      const socket = await dial(forward);
      socket.write(`hello ${number} `);
      socket.write("end");
      return (await readAll(socket)).toString();
    }),
  );
  assert.deepEqual(
    all,
    Array.from({ length: 40 }, (_, number) => `HELLO ${number} END`),
  );
  assert.equal(paths[0], "/api/v1/namespaces/ns/pods/driver/portforward?ports=4040");
  assert.equal(new Set(paths).size, 1);
  while (forward.connections > 0) await wait(1);
});

test("delivers what the pod sends after the client's half-close", async (t) => {
  const { forward } = await startPod(t, (_received, socket) => {
    setTimeout(() => {
      socket.write(Buffer.concat([message(0, "late answer"), goodbye]));
    }, 50);
  });
  const socket = await dial(forward);
  socket.end("request");
  assert.equal((await readAll(socket)).toString(), "late answer");
});

test("a closed port in the pod resets the connection and reports why", async (t) => {
  const { forward, failures } = await startPod(
    t,
    () => undefined,
    (socket) => {
      socket.write(message(1, "dial tcp4 127.0.0.1:4040: connect: connection refused"));
    },
  );
  const socket = await dial(forward);
  const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
  assert.equal(error.code, "ECONNRESET");
  assert.match(failures[0]?.detail ?? "", /connection refused/);
});

test("a broken stream ends its connection at once, and the port serves the next one", async (t) => {
  let isBroken = true;
  const { forward, failures } = await startPod(t, (_received, socket) => {
    if (isBroken) socket.destroy();
    else socket.write(Buffer.concat([message(0, "well"), goodbye]));
  });
  const first = await dial(forward);
  first.write("x");
  await once(first, "error");
  assert.equal(failures.length, 1);
  isBroken = false;
  const second = await dial(forward);
  second.write("x");
  assert.equal((await readAll(second)).toString(), "well");
});

test("waits for a pod that has no node yet", async (t) => {
  const noNode = { kind: "Status", code: 400, message: "pod driver does not have a host assigned" };
  let asked = 0;
  const server = createServer();
  server.on("upgrade", (request, socket: Duplex) => {
    socket.on("error", () => undefined);
    t.after(() => socket.destroy());
    asked += 1;
    if (asked === 1) {
      const body = JSON.stringify(noNode);
      const head = `Content-Type: application/json\r\nContent-Length: ${body.length}`;
      socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\nConnection: close\r\n\r\n${body}`);
      return;
    }
    acceptStream(request, socket);
    socket.write(Buffer.concat([message(0, port), message(1, port), message(0, "hello")]));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { connection } = await connectTo(t, url);
  const open = (signal: AbortSignal) =>
    connection.ports.open({ namespace: "ns", name: "driver", port: 4040 }, signal);
  const refused = await open(AbortSignal.timeout(5_000));
  const expected = { kind: "badResponse", status: 400, detail: noNode.message } as const;
  assert.deepEqual(refused, { ok: false, error: expected });
  asked = 0;
  const clock = { ...realClock, sleep: () => Promise.resolve() };
  const ready = await connectWhenReady(
    { open, protocol: "http2", clock },
    AbortSignal.timeout(5_000),
  );
  assert.ok(ready.ok && asked === 2);
  ready.value.dispose();
});

test("refuses and reports a connection above the limit", async (t) => {
  const { forward, failures } = await startPod(t, () => undefined);
  const sockets = await Promise.all(Array.from({ length: 64 }, () => dial(forward)));
  while (forward.connections < 64) await wait(1);
  const last = await dial(forward);
  await once(last, "close");
  assert.deepEqual(
    failures.map(({ kind }) => kind),
    ["throttled"],
  );
  for (const socket of sockets) socket.destroy();
});

test("at the limit, a new connection replaces the half-closed one that is silent longest", async (t) => {
  const { forward, failures } = await startPod(t, (received, socket) => {
    socket.write(message(0, received));
  });
  const sockets = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const socket = await dial(forward);
      socket.setEncoding("utf8");
      return socket;
    }),
  );
  const [first, second] = sockets;
  assert.ok(first && second);
  for (const socket of [first, second]) {
    socket.end("x");
    await once(socket, "data");
    await wait(20);
  }
  const reset = once(first, "error") as Promise<[NodeJS.ErrnoException]>;
  const last = await dial(forward);
  assert.equal((await reset)[0].code, "ECONNRESET");
  last.write("served");
  assert.equal(String((await once(last, "data"))[0]), "served");
  assert.equal(forward.connections, 64);
  assert.deepEqual([second.destroyed, failures], [false, []]);
  for (const socket of [...sockets, last]) socket.destroy();
});

test("releases a half-closed connection after the pod was silent for a minute", async (t) => {
  const clock = new ManualClock();
  let sent = 0;
  let podSocket: Duplex | undefined;
  const { forward, failures } = await startPod(
    t,
    (_received, socket) => {
      podSocket = socket;
    },
    undefined,
    clock,
  );
  const socket = await dial(forward);
  socket.on("data", (chunk: Buffer) => (sent += chunk.length));
  socket.on("error", () => undefined);
  socket.end("x");
  while (podSocket === undefined) await wait(1);
  for (const expected of [1, 2, 3]) {
    await clock.untilSomethingSleeps(60_000);
    podSocket.write(message(0, "y"));
    while (sent < expected) await wait(1);
    await clock.advance(60_000);
    assert.equal(forward.connections, 1);
  }
  await clock.untilSomethingSleeps(60_000);
  await clock.advance(60_000);
  while (forward.connections > 0) await wait(1);
  assert.deepEqual(failures, []);
});

test("a stopped reader applies backpressure to the pod", async (t) => {
  const block = message(0, Buffer.alloc(1 << 16));
  let sent = 0;
  const { forward } = await startPod(
    t,
    () => undefined,
    (socket) => {
      const pump = (): void => {
        while (sent < 256 << 20) {
          sent += 1 << 16;
          if (!socket.write(block)) {
            socket.once("drain", pump);
            return;
          }
        }
        socket.write(goodbye);
      };
      pump();
    },
  );
  const socket = await dial(forward);
  socket.pause();
  let before = -1;
  while (before !== sent) {
    before = sent;
    await wait(200);
  }
  assert.ok(sent < 64 << 20, `${sent >> 20} MiB were taken from the pod`);
  let length = 0;
  socket.on("data", (chunk: Buffer) => (length += chunk.length));
  socket.resume();
  await once(socket, "close");
  assert.equal(length, 256 << 20);
});

test("a taken local port falls back to another one, on loopback only", async (t) => {
  const { forward, connection } = await startPod(t, () => undefined);
  const clusters = openClusters({
    clock: realClock,
    random: () => 0,
    env: {},
    homeDirectory: "/",
    userAgent: "contract-test/1",
    log: () => undefined,
  });
  const second = await clusters.forward({
    localPort: forward.localPort,
    dial: (signal) => connection.ports.open({ namespace: "ns", name: "driver", port: 1 }, signal),
    changed: () => undefined,
    failed: () => undefined,
  });
  assert.notEqual(second.localPort, forward.localPort);
  clusters.dispose();
  const refused = connect(second.localPort, "127.0.0.1");
  await once(refused, "error");
});
