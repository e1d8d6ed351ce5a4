// `portforward` over a WebSocket. Each port has two channels: data and error.
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { acceptWebSocket, type WebSocketPeer } from "../../io/webSocket/acceptWebSocket.ts";
import { plainTextOf, type KubeObject } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import { badRequest, Refusal } from "./refusal.ts";

const protocols = ["v4.channel.k8s.io"];

export function forwardPorts(
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
  if (peer === undefined) throw badRequest("none of the offered protocols is spoken");
  for (const [index, port] of ports.entries()) forward(peer, address, port, 2 * index);
}

/** Returns the pod's IP. Throws unless it is a loopback address: the sandbox must not reach other hosts. */
export function loopbackOf(pod: KubeObject): string {
  const address = asObject(pod["status"])?.["podIP"];
  if (typeof address === "string" && /^127\.\d+\.\d+\.\d+$/.test(address)) return address;
  throw new Refusal(503, "ServiceUnavailable", "no endpoints available for the pod");
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw badRequest(`invalid port ${JSON.stringify(text)}`);
}

function forward(peer: WebSocketPeer, address: string, port: number, channel: number): void {
  const send = (on: number, bytes: Uint8Array): void => {
    peer.send(Buffer.concat([Buffer.from([on]), bytes]));
  };
  const number = Buffer.alloc(2);
  number.writeUInt16LE(port);
  send(channel, number);
  send(channel + 1, number);
  const inside = connect(port, address);
  inside.on("data", (bytes) => {
    send(channel, bytes);
  });
  inside.on("error", (error) => {
    const why = `failed to connect to ${address}:${port} inside the pod: ${error.message}`;
    send(channel + 1, Buffer.from(why));
    peer.close();
  });
  inside.on("end", () => {
    peer.close();
  });
  const subscription = peer.onDidReceive((message) => {
    if (message[0] === channel) inside.write(message.subarray(1));
  });
  void peer.closed.then(() => {
    subscription.dispose();
    inside.destroy();
  });
}
