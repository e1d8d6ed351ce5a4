// Exec sessions: WebSocket frames (RFC 6455) and Kubernetes stream channels, over real sockets.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../src/engine/ports/clock.ts";
import type { ExecItem, ExecRequest, ExecSession } from "../../src/engine/ports/channels.ts";
import { ManualClock } from "./clocks.ts";
import { startServer } from "./hostileServer.ts";
import { collect, connectTo, errorOf, never, statusJson, valueOf } from "./rig.ts";

interface Peer {
  readonly path: string;
  readonly socket: Duplex;
  /** Waits for the client's next frame; returns its opcode and unmasked payload. */
  readonly frame: () => Promise<readonly [kind: number, payload: Buffer]>;
}

const serverFrame = (kind: number, payload: Buffer, isFinal = true): Buffer => {
  const head = Buffer.alloc(payload.length < 126 ? 2 : 4);
  head[0] = (isFinal ? 0x80 : 0) | kind;
  head[1] = payload.length < 126 ? payload.length : 126;
  if (head.length === 4) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
};
const message = (channel: number, text: string | Buffer): Buffer =>
  serverFrame(2, Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
const goodbye = serverFrame(8, Buffer.from([0x03, 0xe8]));
const success = message(3, JSON.stringify({ status: "Success" }));

/** Starts a server that upgrades to WebSocket; returns the server's peer and the client's session. */
async function startSession(
  t: TestContext,
  options: {
    readonly accept?: string;
    readonly protocol?: string;
    readonly request?: Partial<ExecRequest>;
    readonly clock?: Clock;
  } = {},
): Promise<{ readonly session: ReturnType<typeof open>; readonly peer: Promise<Peer> }> {
  const server = createServer();
  const sockets: Duplex[] = [];
  const peer = new Promise<Peer>((resolve) => {
    server.on("upgrade", (request, socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined);
      const key = String(request.headers["sec-websocket-key"]);
      const accept =
        options.accept ??
        createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      socket.write(
        "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n" +
          `sec-websocket-accept: ${accept}\r\n` +
          `sec-websocket-protocol: ${options.protocol ?? "v5.channel.k8s.io"}\r\n\r\n`,
      );
      resolve({
        path: String(request.url),
        socket,
        frame: reader(socket),
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { connection } = await connectTo(
    t,
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    options.clock && { clock: options.clock },
  );
  return { session: open(connection, options.request), peer };
}

const open = (
  { exec }: Awaited<ReturnType<typeof connectTo>>["connection"],
  request: Partial<ExecRequest> = {},
) =>
  exec.start(
    {
      namespace: "ns",
      pod: "pi-exec-1",
      container: "main",
      command: ["sh", "-c", "echo a b"],
      terminal: { columns: 80, rows: 25 },
      ...request,
    },
    never,
  );

function reader(socket: Duplex): Peer["frame"] {
  let rest = Buffer.alloc(0);
  const take = async (count: number): Promise<Buffer> => {
    while (rest.length < count) {
      const chunks: readonly Buffer[] = await once(socket, "data");
      rest = Buffer.concat([rest, ...chunks]);
    }
    const taken = rest.subarray(0, count);
    rest = rest.subarray(count);
    return taken;
  };
  return async () => {
    const [first = 0, second = 0] = await take(2);
    assert.equal(second & 0x80, 0x80, "a client masks its frames");
    const short = second & 0x7f;
    const length =
      short === 127
        ? Number((await take(8)).readBigUInt64BE())
        : short === 126
          ? (await take(2)).readUInt16BE(0)
          : short;
    const mask = await take(4);
    const payload = await take(length);
    return [first & 0x0f, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)) as Buffer];
  };
}

const textOf = (items: readonly ExecItem[]): string =>
  items.map((item) => (item.kind === "output" ? item.text : "")).join("");

test("delivers output and exit code in order", async (t) => {
  const { session, peer } = await startSession(t);
  const { socket, path } = await peer;
  socket.write(Buffer.concat([message(1, "one\r\n"), message(2, "two\r\n")]));
  const failure = {
    status: "Failure",
    details: { causes: [{ reason: "ExitCode", message: "7" }] },
  };
  socket.write(message(3, JSON.stringify(failure)));
  socket.write(goodbye);
  const items = await collect(valueOf(await session).items);
  assert.equal(textOf(items), "one\r\ntwo\r\n");
  assert.deepEqual(items.at(-1), { kind: "ended", exitCode: 7 });
  assert.equal(
    path,
    "/api/v1/namespaces/ns/pods/pi-exec-1/exec?container=main&stdout=true&stdin=true&tty=true" +
      "&command=sh&command=-c&command=echo+a+b",
  );
});

test("attaches to the first process when there is no command", async (t) => {
  const { session, peer } = await startSession(t, { request: { command: undefined } });
  const { socket, path } = await peer;
  socket.write(Buffer.concat([message(1, ">>> "), success, goodbye]));
  const items = await collect(valueOf(await session).items);
  assert.equal(textOf(items), ">>> ");
  assert.deepEqual(items.at(-1), { kind: "ended", exitCode: 0 });
  assert.equal(
    path,
    "/api/v1/namespaces/ns/pods/pi-exec-1/attach?container=main&stdout=true&stdin=true&tty=true",
  );
});

test("sends input and the terminal size masked on their channels", async (t) => {
  const { session, peer } = await startSession(t);
  const end = valueOf(await session);
  const { frame, socket } = await peer;
  const sent = async (): Promise<string> => {
    const [kind, payload] = await frame();
    return `${kind} ${payload[0]} ${payload.subarray(1).toString()}`;
  };
  assert.equal(await sent(), '2 4 {"Width":80,"Height":25}');
  end.type("ls é\r");
  assert.equal(await sent(), "2 0 ls é\r");
  end.type("x".repeat(300));
  assert.equal(await sent(), `2 0 ${"x".repeat(300)}`);
  end.resize({ columns: 100, rows: 40 });
  assert.equal(await sent(), '2 4 {"Width":100,"Height":40}');
  end.dispose();
  assert.equal((await frame())[0], 8);
  await once(socket, "end");
});

test("joins characters and frames cut anywhere, and answers a ping in between", async (t) => {
  const { session, peer } = await startSession(t);
  const { socket, frame } = await peer;
  const letter = Buffer.from("é");
  const bytes = Buffer.concat([
    message(1, letter.subarray(0, 1)),
    serverFrame(9, Buffer.from("hi")),
    message(1, letter.subarray(1)),
    serverFrame(2, Buffer.from("\x01two "), false),
    serverFrame(0, Buffer.from("parts")),
    message(1, "y".repeat(200)),
    success,
    goodbye,
  ]);
  const items = collect(valueOf(await session).items);
  for (const byte of bytes) socket.write(Buffer.from([byte]));
  assert.equal(textOf(await items), `étwo parts${"y".repeat(200)}`);
  assert.deepEqual((await items).at(-1), { kind: "ended", exitCode: 0 });
  await frame();
  const [kind, payload] = await frame();
  assert.deepEqual([kind, payload.toString()], [10, "hi"]);
});

test("a broken connection is a failure, except after the exit status", async (t) => {
  for (const [told, expected] of [
    [Buffer.from(""), "failed"],
    [success, "ended"],
  ] as const) {
    const { session, peer } = await startSession(t);
    const { socket } = await peer;
    socket.write(Buffer.concat([message(1, "a"), told]));
    setImmediate(() => socket.destroy());
    const items = await collect(valueOf(await session).items);
    assert.equal(items.at(-1)?.kind, expected);
  }
});

test("a disposed session sends a close frame and ends", async (t) => {
  const { session, peer } = await startSession(t);
  const end: ExecSession = valueOf(await session);
  const { socket } = await peer;
  const items = collect(end.items);
  end.dispose();
  await once(socket, "data");
  socket.write(goodbye);
  assert.equal((await items).at(-1)?.kind, "failed");
});

test("refuses a server that does not complete the WebSocket handshake", async (t) => {
  for (const options of [{ accept: "wrong" }, { protocol: "channel.k8s.io" }]) {
    const { session } = await startSession(t, options);
    assert.equal(errorOf(await session).kind, "badResponse");
  }
  const server = await startServer(t, (_, reply) => {
    reply.json(200, {});
  });
  const { connection } = await connectTo(t, server.url);
  assert.equal(errorOf(await open(connection)).kind, "badResponse");
});

test("names a missing right as RBAC does", async (t) => {
  const server = await startServer(t, (_, reply) => {
    reply.json(403, statusJson(403, "Forbidden", "no"));
  });
  const { connection } = await connectTo(t, server.url);
  const error = errorOf(await open(connection));
  assert.ok(error.kind === "forbidden");
  assert.deepEqual([error.verb, error.resource], ["create", "pods/exec"]);
});

test("names the verb that the server checked", async (t) => {
  for (const [detail, verb] of [
    ['User "dev" cannot get resource "pods/exec" in API group ""', "get"],
    ['User "dev" cannot create resource "pods/exec" in API group ""', "create"],
    ['User "dev" cannot get resource "pods" in API group ""', "create"],
  ] as const) {
    const server = await startServer(t, (_, reply) => {
      reply.json(403, statusJson(403, "Forbidden", detail));
    });
    const { connection } = await connectTo(t, server.url);
    const error = errorOf(await open(connection));
    assert.ok(error.kind === "forbidden");
    assert.equal(error.verb, verb);
  }
});

test("reports an eviction blocked by a disruption budget at once, without a retry", async (t) => {
  const server = await startServer(t, (_, reply) => {
    const details = { causes: [{ reason: "DisruptionBudget", message: "needs 3 healthy pods" }] };
    const status = statusJson(429, "TooManyRequests", "Cannot evict pod", details);
    reply.json(429, status, { "retry-after": "10" });
  });
  const { connection } = await connectTo(t, server.url);
  const pod = { namespace: "ns", name: "pi-exec-1" };
  const options = { uid: "u1", gracePeriodSeconds: 300 };
  const error = errorOf(await connection.evictions.evict(pod, options, never));
  assert.equal(error.kind, "protected");
  assert.equal(server.seen.length, 1);
  assert.equal(server.seen[0]?.path, "/api/v1/namespaces/ns/pods/pi-exec-1/eviction");
  const [body] = server.seen.map((one): unknown => JSON.parse(one.body));
  assert.deepEqual(body, {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name: "pi-exec-1", namespace: "ns" },
    deleteOptions: { gracePeriodSeconds: 300, preconditions: { uid: "u1" } },
  });
  server.script = (_, reply) => {
    reply.json(201, { kind: "Status", status: "Success" });
  };
  assert.ok((await connection.evictions.evict(pod, options, never)).ok);
});

const piped = { terminal: undefined, hasInput: true };

describe("a program with standard input", () => {
  test("gets the bytes in order and then the end of its input", async (t) => {
    const { session, peer } = await startSession(t, { request: piped });
    const end = valueOf(await session);
    const { frame, path, socket } = await peer;
    assert.match(path, /exec\?container=main&stdout=true&stdin=true&stderr=true&command=sh/);
    assert.equal(end.canCloseInput, true);
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const written = end.write(bytes);
    end.closeInput();
    const got: Buffer[] = [];
    for (;;) {
      const [kind, payload] = await frame();
      assert.equal(kind, 2);
      if (payload[0] === 255) {
        assert.deepEqual([...payload], [255, 0]);
        break;
      }
      assert.equal(payload[0], 0);
      got.push(payload.subarray(1));
    }
    await written;
    assert.ok(Buffer.concat(got).equals(bytes));
    socket.write(Buffer.concat([message(2, "odd\n"), message(1, "well\n"), success, goodbye]));
    assert.deepEqual(await collect(end.items), [
      { kind: "output", from: "stderr", text: "odd\n" },
      { kind: "output", from: "stdout", text: "well\n" },
      { kind: "ended", exitCode: 0 },
    ]);
  });

  test("an older server cannot close the input", async (t) => {
    const options = { request: piped, protocol: "v4.channel.k8s.io" };
    const { session, peer } = await startSession(t, options);
    const end = valueOf(await session);
    assert.equal(end.canCloseInput, false);
    end.closeInput();
    void end.write(Buffer.from("x"));
    const [, payload] = await (await peer).frame();
    assert.deepEqual([...payload], [0, 120]);
    end.dispose();
  });

  test("a slow reader holds the writer back, so memory stays bounded", async (t) => {
    const { session, peer } = await startSession(t, { request: piped });
    const end = valueOf(await session);
    const { socket } = await peer;
    socket.pause();
    const chunk = new Uint8Array(1 << 17);
    let written = 0;
    const before = process.memoryUsage().arrayBuffers;
    const writing = (async () => {
      while (written < 1 << 30) {
        written += chunk.length;
        await end.write(chunk);
      }
    })();
    await wait(500);
    // The accepted bytes are in socket buffers of the operating system, not in this process.
    assert.ok(written < 64 << 20, `${written} bytes were taken`);
    assert.ok(process.memoryUsage().arrayBuffers - before < 16 << 20);
    const items = collect(end.items);
    socket.destroy();
    assert.equal((await items).at(-1)?.kind, "failed");
    // Writes to a closed session return at once and have no effect.
    await writing;
  });

  test("a cut in the middle is a failure and releases the writer", async (t) => {
    const { session, peer } = await startSession(t, { request: piped });
    const end = valueOf(await session);
    const { socket } = await peer;
    const items = collect(end.items);
    socket.pause();
    const blocked = end.write(new Uint8Array(64 << 20));
    socket.destroy();
    await blocked;
    const last = (await items).at(-1);
    assert.ok(last?.kind === "failed" && last.error.kind === "unreachable");
  });

  test("disposing closes the connection although the server reads nothing", async (t) => {
    const { session, peer } = await startSession(t, { request: piped });
    const end = valueOf(await session);
    const { socket } = await peer;
    socket.pause();
    void end.write(new Uint8Array(64 << 20));
    const closed = new Promise((resolve) => socket.once("end", resolve).once("close", resolve));
    const items = collect(end.items);
    end.dispose();
    socket.resume();
    await closed;
    assert.equal((await items).at(-1)?.kind, "failed");
  });

  test("a server that neither answers nor takes input for a minute is given up", async (t) => {
    const clock = new ManualClock();
    const { session, peer } = await startSession(t, { request: piped, clock });
    const end = valueOf(await session);
    await peer;
    const items = collect(end.items);
    for (let passed = 0; passed < 80_000; passed += 20_000) await clock.advance(20_000);
    assert.equal((await items).at(-1)?.kind, "failed");
  });

  test("a missing container is named by the server's words", async (t) => {
    const server = await startServer(t, (_, reply) => {
      reply.json(500, statusJson(500, "InternalError", 'container not found ("main")'));
    });
    const { connection } = await connectTo(t, server.url);
    const error = errorOf(await open(connection, piped));
    assert.equal(error.kind, "badResponse");
    assert.match(error.detail, /container not found/);
  });

  test("a missing right is named as RBAC does", async (t) => {
    const server = await startServer(t, (_, reply) => {
      reply.json(403, statusJson(403, "Forbidden", "no"));
    });
    const { connection } = await connectTo(t, server.url);
    const error = errorOf(await open(connection, piped));
    assert.ok(error.kind === "forbidden");
    assert.deepEqual([error.verb, error.resource], ["create", "pods/exec"]);
  });
});
