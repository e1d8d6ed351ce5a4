// The API server's side of Kubernetes stream channels over a WebSocket.
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

const frame = (kind: number, payload: Buffer): Buffer => {
  const long = payload.length >= 1 << 16;
  const head = Buffer.alloc(payload.length < 126 ? 2 : long ? 10 : 4);
  head[0] = 0x80 | kind;
  head[1] = payload.length < 126 ? payload.length : long ? 127 : 126;
  if (head.length === 4) head.writeUInt16BE(payload.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
};
export const message = (channel: number, bytes: Buffer | string): Buffer =>
  frame(2, Buffer.concat([Buffer.from([channel]), Buffer.from(bytes)]));

export const goodbye = frame(8, Buffer.from([0x03, 0xe8]));

/** Completes the server's side of a WebSocket handshake. */
export function acceptStream(request: IncomingMessage, socket: Duplex): void {
  const accept = createHash("sha1")
    .update(`${String(request.headers["sec-websocket-key"])}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n" +
      `sec-websocket-accept: ${accept}\r\nsec-websocket-protocol: v4.channel.k8s.io\r\n\r\n`,
  );
}

/** Unmasks client frames and returns their payloads. */
export class MaskedReader {
  #rest: Buffer = Buffer.alloc(0);

  push(bytes: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const payloads: Buffer[] = [];
    for (;;) {
      const rest = this.#rest;
      if (rest.length < 2) return payloads;
      const short = (rest[1] ?? 0) & 0x7f;
      const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
      if (rest.length < 6 + extra) return payloads;
      const length =
        extra === 0 ? short : extra === 2 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
      const start = 6 + extra;
      if (rest.length < start + length) return payloads;
      const mask = rest.subarray(start - 4, start);
      const payload = Buffer.from(rest.subarray(start, start + length));
      for (let at = 0; at < length; at += 1) payload[at] = (payload[at] ?? 0) ^ (mask[at % 4] ?? 0);
      this.#rest = rest.subarray(start + length);
      if (((rest[0] ?? 0) & 0x0f) === 2) payloads.push(payload);
    }
  }
}
