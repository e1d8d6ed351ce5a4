// `portforward` over a WebSocket. Each port has two channels: data and error.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { acceptWebSocket, type WebSocketPeer } from "../../io/webSocket/acceptWebSocket.ts";
import { plainTextOf, type KubeObject } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import type { ApiContext } from "./context.ts";
import { loopbackOf } from "./podCalls.ts";
import { badRequest, Refusal } from "./refusal.ts";

const protocols = ["v4.channel.k8s.io"];

export function forwardPorts(
  context: ApiContext,
  pod: KubeObject,
  query: URLSearchParams,
  request: IncomingMessage,
  socket: Duplex,
): void {
  const status = asObject(pod["status"]) ?? {};
  if (status["phase"] !== "Running") {
    const message = `unable to forward port because pod is not running. Current status=${plainTextOf(status["phase"])}`;
    throw new Refusal(500, "InternalError", message);
  }
  const ports = query
    .getAll("ports")
    .flatMap((text) => text.split(","))
    .map(portOf);
  if (ports.length === 0) throw badRequest('query parameter "ports" is required');
  const address = loopbackOf(pod);
  const peer = acceptWebSocket(request, socket, protocols);
  if (peer === undefined) throw badRequest("none of the requested subprotocols is supported");
  for (const [index, port] of ports.entries()) {
    // Without a node, pods have no processes, so none of them can listen.
    const isServedOnLoopback = async (): Promise<boolean> =>
      (await context.node()?.isServedOnLoopback(pod, port)) === true;
    const connected = connectInside(address, port, isServedOnLoopback);
    void forward(peer, connected, port, 2 * index);
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw badRequest(`invalid port ${JSON.stringify(text)}`);
}

/** Connects to the pod's address. If that fails, connects to 127.0.0.1 if a process of the pod listens there. */
async function connectInside(
  address: string,
  port: number,
  isServedOnLoopback: () => Promise<boolean>,
): Promise<Socket> {
  try {
    return await connectTo(address, port);
  } catch (error) {
    if (await isServedOnLoopback()) return connectTo("127.0.0.1", port);
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`failed to connect to ${address}:${port} inside the pod: ${why}`);
  }
}

async function connectTo(address: string, port: number): Promise<Socket> {
  const socket = connect(port, address);
  await once(socket, "connect");
  return socket;
}

async function forward(
  peer: WebSocketPeer,
  connected: Promise<Socket>,
  port: number,
  channel: number,
): Promise<void> {
  const send = (on: number, bytes: Uint8Array): void => {
    peer.send(Buffer.concat([Buffer.from([on]), bytes]));
  };
  const number = Buffer.alloc(2);
  number.writeUInt16LE(port);
  send(channel, number);
  send(channel + 1, number);
  const fail = (error: unknown): void => {
    send(channel + 1, Buffer.from(error instanceof Error ? error.message : String(error)));
    peer.close();
  };
  const early: Uint8Array[] = [];
  let write = (bytes: Uint8Array): void => void early.push(bytes);
  const subscription = peer.onDidReceive((message) => {
    if (message[0] === channel) write(message.subarray(1));
  });
  void peer.closed.then(() => {
    subscription.dispose();
  });
  try {
    const inside = await connected;
    inside.on("data", (bytes) => {
      send(channel, bytes);
    });
    inside.on("error", fail);
    inside.on("end", () => {
      peer.close();
    });
    for (const bytes of early.splice(0)) inside.write(bytes);
    write = (bytes) => void inside.write(bytes);
    await peer.closed;
    inside.destroy();
  } catch (error) {
    fail(error);
  }
}
