// A WebSocket server (RFC 6455) with the features that watches, exec and port forwarding use.
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { Emitter, type Event } from "../../base/emitter.ts";

export interface WebSocketPeer {
  readonly protocol: string;
  readonly onDidReceive: Event<Buffer>;
  /** Settles when the connection has closed. */
  readonly closed: Promise<void>;
  send(message: string | Buffer): void;
  close(): void;
}

const magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const [continuation, text, binary, closing, ping, pong] = [0, 1, 2, 8, 9, 10];
// Maximum payload of a frame in bytes. A larger frame closes the connection.
const maxMessageBytes = 4 * 1024 * 1024;

export const isWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === "websocket" && headers["sec-websocket-key"] !== undefined;

/**
 * Accepts an upgrade, sends the 101 response, and returns the connection. If the client offers subprotocols but none
 * that is supported, returns undefined and sends nothing; the caller must reject the request.
 */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  supported: readonly string[],
): WebSocketPeer | undefined {
  const offered = (request.headers["sec-websocket-protocol"] ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const protocol = offered.find((one) => supported.includes(one));
  if (offered.length > 0 && protocol === undefined) return undefined;
  const key = String(request.headers["sec-websocket-key"]);
  const proof = createHash("sha1").update(`${key}${magic}`).digest("base64");
  socket.write(
    [
      "HTTP/1.1 101 Switching Protocols",
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Accept: ${proof}`,
      ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
      "\r\n",
    ].join("\r\n"),
  );
  return peerOn(socket, protocol ?? "");
}

function peerOn(socket: Duplex, protocol: string): WebSocketPeer {
  const ignore = (): void => undefined;
  const received = new Emitter<Buffer>(ignore);
  const closed = new Promise<void>((resolve) => {
    socket.on("error", () => {
      resolve();
    });
    socket.on("close", () => {
      resolve();
    });
  });
  let waiting: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];

  const write = (opcode: number, content: Buffer): void => {
    if (!socket.writable) return;
    socket.write(Buffer.concat([header(opcode, content.length), content]));
  };
  const hear = (opcode: number, content: Buffer, isLast: boolean): void => {
    if (opcode === ping) write(pong, content);
    else if (opcode === closing) {
      write(closing, content.subarray(0, 2));
      socket.end();
    } else if (opcode === text || opcode === binary || opcode === continuation) {
      parts.push(content);
      if (!isLast) return;
      const whole = Buffer.concat(parts);
      parts = [];
      received.fire(whole);
    }
  };

  socket.on("data", (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    for (let frame = readFrame(waiting); frame !== undefined; frame = readFrame(waiting)) {
      if (frame === "tooLarge") {
        socket.destroy();
        return;
      }
      waiting = waiting.subarray(frame.size);
      hear(frame.opcode, frame.content, frame.isLast);
    }
  });
  socket.on("end", () => {
    socket.end();
  });

  return {
    protocol,
    onDidReceive: received.event,
    closed,
    send: (message) => {
      if (typeof message === "string") write(text, Buffer.from(message));
      else write(binary, message);
    },
    close: () => {
      write(closing, Buffer.from([0x03, 0xe8]));
      socket.end();
    },
  };
}

function header(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, length]);
  const long = Buffer.alloc(length < 65_536 ? 4 : 10);
  long[0] = first;
  if (length < 65_536) {
    long[1] = 126;
    long.writeUInt16BE(length, 2);
  } else {
    long[1] = 127;
    long.writeBigUInt64BE(BigInt(length), 2);
  }
  return long;
}

interface Frame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly content: Buffer;
  readonly size: number;
}

function readFrame(bytes: Buffer): Frame | "tooLarge" | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start) return undefined;
  const length =
    short === 126
      ? bytes.readUInt16BE(2)
      : short === 127
        ? Number(bytes.readBigUInt64BE(2))
        : short;
  // Reject unmasked frames, too: RFC 6455 requires clients to mask them.
  if (length > maxMessageBytes || (second & 0x80) === 0) return "tooLarge";
  const size = start + 4 + length;
  if (bytes.length < size) return undefined;
  const mask = bytes.subarray(start, start + 4);
  const content = Buffer.from(bytes.subarray(start + 4, size));
  for (let at = 0; at < content.length; at += 1) {
    content[at] = (content[at] ?? 0) ^ (mask[at % 4] ?? 0);
  }
  return { opcode: first & 0x0f, isLast: (first & 0x80) !== 0, content, size };
}
