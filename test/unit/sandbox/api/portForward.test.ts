import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { describe, test, type TestContext } from "node:test";
import { WebSocketClient } from "../../../../src/io/webSocket/webSocketClient.ts";
import { forwardPorts } from "../../../../src/sandbox/api/portForward.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { refusalText, startApi } from "./apiRig.ts";

const podOf = (status: JsonMembers): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, status },
});
const running = podOf({ phase: "Running", podIP: "127.0.0.1" });

/** Starts a server on loopback; `serve` handles its connections. */
async function listen(
  t: TestContext,
  serve: (socket: Socket) => void,
  host = "127.0.0.1",
): Promise<Server> {
  const server = createServer(serve);
  server.listen(0, host);
  await once(server, "listening");
  t.after(() => server.close());
  return server;
}

/** Starts a server and returns its port. */
const serverOn = async (...options: Parameters<typeof listen>): Promise<number> =>
  ((await listen(...options)).address() as AddressInfo).port;

/** Returns both ends of a connection. */
async function connectionOf(t: TestContext): Promise<readonly [near: Socket, far: Socket]> {
  const server = await listen(t, () => undefined);
  const near = connect((server.address() as AddressInfo).port, "127.0.0.1");
  t.after(() => near.destroy());
  const [far] = (await once(server, "connection")) as [Socket];
  return [near, far];
}

/** Forwards the ports of a pod; returns the messages that the client receives. */
async function forward(
  t: TestContext,
  query: string,
  {
    pod = running,
    protocol = "v4.channel.k8s.io",
    isServedOnLoopback = Promise.resolve(false),
  } = {},
) {
  const [near, far] = await connectionOf(t);
  const { context } = startApi();
  const request = {
    headers: { "sec-websocket-key": "k", "sec-websocket-protocol": protocol },
  } as unknown as IncomingMessage;
  const node = { isServedOnLoopback: () => isServedOnLoopback };
  forwardPorts(
    { ...context, node: () => node as never },
    pod,
    new URLSearchParams(query),
    request,
    far,
  );
  const [answer] = (await once(near, "data")) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 101 [^]*Sec-WebSocket-Protocol: v4\.channel/);
  const head = answer.subarray(answer.indexOf("\r\n\r\n") + 4);
  const client = new WebSocketClient({ socket: near, head });
  const messages = client.messages();
  return {
    send: (channel: number, text: string): void => {
      client.send(Buffer.from([channel]), Buffer.from(text));
    },
    /** Returns the channel and the bytes of the next message. */
    next: async (): Promise<readonly [number | undefined, Buffer]> => {
      const { value } = (await messages.next()) as IteratorResult<Buffer, undefined>;
      assert.ok(value, "the connection is closed");
      return [value[0], value.subarray(1)];
    },
    isClosed: async (): Promise<boolean> => (await messages.next()).done === true,
    close: () => {
      client.dispose();
    },
  };
}

const portBytes = (port: number): Buffer => Buffer.from([port & 0xff, port >> 8]);

describe("a port forward", () => {
  test("starts with the port on the data channel and the error channel of each port", async (t) => {
    const first = await serverOn(t, (socket) => void socket.on("error", () => undefined));
    const second = await serverOn(t, (socket) => void socket.on("error", () => undefined));
    const { next, close } = await forward(t, `ports=${first},${second}&ports=${first}`);
    for (const [index, port] of [first, second, first].entries()) {
      assert.deepEqual(await next(), [2 * index, portBytes(port)]);
      assert.deepEqual(await next(), [2 * index + 1, portBytes(port)]);
    }
    close();
  });

  test("passes data on by the channels of the ports, in both directions", async (t) => {
    const echo = (word: string) => (socket: Socket) => {
      socket.on("data", (bytes) => void socket.write(`${word} ${bytes.toString()}`));
      socket.on("error", () => undefined);
    };
    const first = await serverOn(t, echo("first"));
    const second = await serverOn(t, echo("second"));
    const { next, send, close } = await forward(t, `ports=${first}&ports=${second}`);
    for (let count = 0; count < 4; count += 1) await next();
    send(2, "a");
    assert.deepEqual(await next(), [2, Buffer.from("second a")]);
    send(0, "b");
    assert.deepEqual(await next(), [0, Buffer.from("first b")]);
    send(1, "ignored");
    send(2, "c");
    assert.deepEqual(await next(), [2, Buffer.from("second c")]);
    close();
  });

  test("keeps data that arrives before the connection to the pod", async (t) => {
    const echo = (socket: Socket): void => {
      socket.on("data", (bytes) => void socket.write(bytes));
      socket.on("error", () => undefined);
    };
    const late = await serverOn(t, echo, "127.0.0.1");
    const early = await serverOn(t, echo, "127.0.0.2");
    let connectLate: (isServed: boolean) => void = () => undefined;
    const isServedOnLoopback = new Promise<boolean>((resolve) => {
      connectLate = resolve;
    });
    const pod = podOf({ phase: "Running", podIP: "127.0.0.2" });
    const options = { pod, isServedOnLoopback };
    const { next, send, close } = await forward(t, `ports=${late},${early}`, options);
    for (let count = 0; count < 4; count += 1) await next();
    send(0, "a");
    send(2, "b");
    assert.deepEqual(await next(), [2, Buffer.from("b")]);
    connectLate(true);
    assert.deepEqual(await next(), [0, Buffer.from("a")]);
    close();
  });

  test("closes when the server of the pod closes", async (t) => {
    const port = await serverOn(t, (socket) => socket.end("bye"));
    const { next, isClosed } = await forward(t, `ports=${port}`);
    await next();
    await next();
    assert.deepEqual(await next(), [0, Buffer.from("bye")]);
    assert.equal(await isClosed(), true);
  });

  test("closes the connection to the pod when the client closes", async (t) => {
    const server = await listen(t, (socket) => {
      socket.on("error", () => undefined);
      socket.on("data", () => void socket.write("x"));
    });
    const connected = once(server, "connection") as Promise<[Socket]>;
    const { port } = server.address() as AddressInfo;
    const { next, send, close } = await forward(t, `ports=${port}`);
    const [socket] = await connected;
    const ended = once(socket, "end");
    send(0, "a");
    for (let count = 0; count < 3; count += 1) await next();
    close();
    await ended;
  });

  test("reports a port on which the pod does not listen on its error channel", async (t) => {
    const port = await serverOn(t, () => assert.fail("connected"), "127.0.0.2");
    const { next, isClosed } = await forward(t, `ports=${port}`);
    await next();
    await next();
    const [channel, text] = await next();
    assert.equal(channel, 1);
    assert.equal(
      text.toString(),
      `failed to connect to 127.0.0.1:${port} inside the pod: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
    assert.equal(await isClosed(), true);
  });

  test("connects to the machine's loopback address if the pod listens there", async (t) => {
    const port = await serverOn(t, (socket) => {
      socket.on("error", () => undefined);
      socket.write("loopback");
    });
    const pod = podOf({ phase: "Running", podIP: "127.0.0.2" });
    const options = { pod, isServedOnLoopback: Promise.resolve(true) };
    const { next, close } = await forward(t, `ports=${port}`, options);
    await next();
    await next();
    assert.deepEqual(await next(), [0, Buffer.from("loopback")]);
    close();
  });
});

describe("a refused port forward", () => {
  const refused = (
    query: string,
    pod: KubeObject = running,
    protocol = "v4.channel.k8s.io",
  ): string => {
    const request = { headers: { "sec-websocket-protocol": protocol } };
    const { context } = startApi();
    return refusalText(() => {
      const given = new URLSearchParams(query);
      forwardPorts(context, pod, given, request as unknown as IncomingMessage, new PassThrough());
    });
  };

  for (const [title, pod, status] of [
    ["of a pending pod", podOf({ phase: "Pending" }), "Pending"],
    ["of a pod without a status", { ...podOf({}), status: undefined }, ""],
  ] as const) {
    test(title, () => {
      assert.equal(
        refused("ports=80", pod),
        `500 unable to forward port because pod is not running. Current status=${status}`,
      );
    });
  }

  test("without ports", () => {
    assert.equal(refused(""), '400 query parameter "ports" is required');
  });

  for (const port of ["0", "-1", "65536", "1.5", "http", ""]) {
    test(`of the port "${port}"`, () => {
      assert.equal(refused(`ports=80,${port}`), `400 invalid port "${port}"`);
    });
  }

  test("with another protocol", () => {
    const text = refused("ports=1,65535", running, "v5.channel.k8s.io");
    assert.equal(text, "400 none of the requested subprotocols is supported");
  });
});
