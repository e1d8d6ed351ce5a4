import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { BodyLost } from "../../../src/io/http/body.ts";
import { acceptWebSocket, isWebSocket } from "../../../src/io/webSocket/acceptWebSocket.ts";
import {
  clientFrame,
  FrameReader,
  largestPayload,
  opcode,
} from "../../../src/io/webSocket/frames.ts";
import { acceptOf, WebSocketClient } from "../../../src/io/webSocket/webSocketClient.ts";

/** Returns a frame as a server sends it, without a mask. */
function serverFrame(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([first, length]), payload]);
  const head = Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

const lengths = [0, 1, 3, 4, 5, 125, 126, 127, 65_535, 65_536, 70_001];
const bytesOf = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 7) % 256));

describe("a frame of a client", () => {
  /** Returns the opcode and the unmasked payload of a frame. */
  function decoded(frame: Buffer): readonly [first: number, payload: Buffer] {
    const [first = 0, second = 0] = frame;
    assert.ok(second >= 128, "the frame is masked");
    const short = second & 127;
    const start = short === 126 ? 4 : short === 127 ? 10 : 2;
    const length =
      short === 126
        ? frame.readUInt16BE(2)
        : short === 127
          ? Number(frame.readBigUInt64BE(2))
          : short;
    const mask = frame.subarray(start, start + 4);
    const masked = frame.subarray(start + 4);
    assert.equal(masked.length, length);
    return [first, Buffer.from(masked.map((byte, index) => byte ^ (mask[index % 4] ?? 0)))];
  }

  for (const length of lengths) {
    test(`has a payload of ${length} bytes`, () => {
      const bytes = bytesOf(length);
      const [first, payload] = decoded(clientFrame(opcode.binary, [bytes]));
      assert.equal(first, 0x82);
      assert.ok(payload.equals(bytes));
    });
  }

  test("joins its parts", () => {
    const [first, payload] = decoded(
      clientFrame(opcode.ping, [bytesOf(3), bytesOf(0), bytesOf(2)]),
    );
    assert.deepEqual([first, [...payload]], [0x89, [0, 7, 14, 0, 7]]);
  });

  test("uses the given memory if it fits", () => {
    const memory = Buffer.alloc(11);
    const frame = clientFrame(opcode.binary, [bytesOf(5)], memory);
    assert.equal(frame.buffer, memory.buffer);
    assert.equal(frame.length, 11);
    const other = clientFrame(opcode.binary, [bytesOf(6)], memory);
    assert.notEqual(other.buffer, memory.buffer);
    assert.deepEqual(decoded(other)[1], bytesOf(6));
  });
});

describe("the frames of a server", () => {
  const read = (...chunks: readonly Buffer[]) => {
    const reader = new FrameReader();
    return chunks.flatMap((chunk) => reader.push(chunk));
  };

  for (const length of lengths) {
    test(`have a payload of ${length} bytes`, () => {
      const payload = bytesOf(length);
      const pieces = read(serverFrame(0x82, payload));
      assert.deepEqual(pieces, [{ opcode: 2, payload, isLast: true }]);
    });
  }

  test("arrive byte by byte", () => {
    const stream = Buffer.concat([
      serverFrame(0x02, bytesOf(2)),
      serverFrame(0x89, bytesOf(3)),
      serverFrame(0x80, bytesOf(130)),
    ]);
    const pieces = read(...Array.from(stream, (byte) => Buffer.from([byte])));
    const data = pieces.filter(({ opcode: kind }) => kind < 8);
    assert.deepEqual(
      Buffer.concat(data.map(({ payload }) => payload)),
      Buffer.concat([bytesOf(2), bytesOf(130)]),
    );
    assert.deepEqual(
      pieces.filter(({ isLast }) => isLast).map((piece) => [piece.opcode, piece.payload.length]),
      [
        [9, 3],
        [0, 1],
      ],
    );
    assert.deepEqual(pieces.find((piece) => piece.opcode === 9)?.payload, bytesOf(3));
  });

  test("are passed on in the pieces that arrive", () => {
    const frame = serverFrame(0x82, bytesOf(10));
    const pieces = read(frame.subarray(0, 2), frame.subarray(2, 6), frame.subarray(6));
    assert.deepEqual(
      pieces.map(({ payload, isLast }) => [payload.length, isLast]),
      [
        [4, false],
        [6, true],
      ],
    );
  });

  for (const [title, frame, message] of [
    ["with an extension", Buffer.from([0xc2, 0]), "a frame uses an extension that was not agreed"],
    ["with a mask", Buffer.from([0x82, 0x80]), "a frame of the server is masked"],
  ] as const) {
    test(`${title} are refused`, () => {
      assert.throws(() => read(frame), { name: "BadFrame", message });
    });
  }

  test("have at most 16 MiB", () => {
    const head = (length: number): Buffer => {
      const bytes = Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
      bytes.writeBigUInt64BE(BigInt(length), 2);
      return bytes;
    };
    assert.equal(largestPayload, 16_777_216);
    assert.deepEqual(read(head(largestPayload)), []);
    assert.throws(() => read(head(largestPayload + 1)), /a frame has 16777217 bytes/);
  });
});

/** Accepts a client; returns the peer and the bytes of both directions. */
function accepted(protocols?: string, supported: readonly string[] = ["a", "b"]) {
  const socket = new PassThrough();
  const written: Buffer[] = [];
  socket.write = ((bytes: Buffer | string) => {
    written.push(Buffer.from(bytes));
    return true;
  }) as typeof socket.write;
  const headers = {
    ...{ upgrade: "websocket", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" },
    ...(protocols !== undefined && { "sec-websocket-protocol": protocols }),
  };
  const request = { headers } as unknown as IncomingMessage;
  const peer = acceptWebSocket(request, socket, supported);
  /** Returns what the peer wrote since the last call. */
  const sent = (): Buffer => Buffer.concat(written.splice(0));
  const receive = (...chunks: readonly Buffer[]): void => {
    for (const chunk of chunks) socket.emit("data", chunk);
  };
  return { socket, peer, sent, receive };
}

describe("an upgrade to a WebSocket", () => {
  test("is recognized by its headers", () => {
    const is = (headers: object): boolean => isWebSocket({ headers } as unknown as IncomingMessage);
    assert.equal(is({ upgrade: "WebSocket", "sec-websocket-key": "k" }), true);
    assert.equal(is({ upgrade: "websocket" }), false);
    assert.equal(is({ upgrade: "h2c", "sec-websocket-key": "k" }), false);
    assert.equal(is({ "sec-websocket-key": "k" }), false);
  });

  // The example of RFC 6455, section 1.3.
  const proof = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
  test("is proved by the client's key", () => {
    assert.equal(acceptOf("dGhlIHNhbXBsZSBub25jZQ=="), proof);
    const { peer, sent } = accepted();
    assert.equal(peer?.protocol, "");
    assert.equal(
      sent().toString(),
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${proof}\r\n\r\n`,
    );
  });

  for (const [offered, protocol] of [
    ["a", "a"],
    ["x, b,a", "b"],
    [" , ", ""],
  ] as const) {
    test(`agrees on "${protocol}" for the offer "${offered}"`, () => {
      const { peer, sent } = accepted(offered);
      assert.equal(peer?.protocol, protocol);
      const line = /Sec-WebSocket-Protocol: (.*)\r\n/.exec(sent().toString());
      assert.equal(line?.[1] ?? "", protocol);
    });
  }

  test("is refused if no offered protocol is supported", () => {
    const { peer, sent } = accepted("x, y");
    assert.equal(peer, undefined);
    assert.equal(sent().length, 0);
  });
});

describe("a WebSocket of a server", () => {
  function opened() {
    const { peer, sent, ...rest } = accepted();
    assert.ok(peer);
    sent();
    const received: Buffer[] = [];
    peer.onDidReceive((message) => void received.push(message));
    return { ...rest, peer, sent, received };
  }

  for (const length of lengths) {
    test(`sends and receives ${length} bytes`, () => {
      const { peer, sent, receive, received } = opened();
      peer.send(bytesOf(length));
      assert.ok(sent().equals(serverFrame(0x82, bytesOf(length))));
      receive(clientFrame(opcode.binary, [bytesOf(length)]));
      assert.equal(received.length, 1);
      assert.ok(received[0]?.equals(bytesOf(length)));
    });
  }

  test("sends text in text frames", () => {
    const { peer, sent } = opened();
    peer.send("hä");
    assert.deepEqual(sent(), serverFrame(0x81, Buffer.from("hä")));
  });

  test("joins the frames of a message, and answers a ping between them", () => {
    const { sent, receive, received } = opened();
    const first = clientFrame(opcode.text, [Buffer.from("a")]);
    first[0] = opcode.text;
    const second = clientFrame(opcode.continuation, [Buffer.from("b")]);
    second[0] = opcode.continuation;
    const last = clientFrame(opcode.continuation, [Buffer.from("c")]);
    const ping = clientFrame(opcode.ping, [Buffer.from("p")]);
    const stream = Buffer.concat([first, ping, second, last]);
    receive(stream.subarray(0, 1), stream.subarray(1, 9), stream.subarray(9));
    assert.deepEqual(received.map(String), ["abc"]);
    assert.deepEqual(sent(), serverFrame(0x8a, Buffer.from("p")));
    receive(clientFrame(opcode.pong, []), clientFrame(opcode.binary, [Buffer.from("d")]));
    assert.deepEqual(received.map(String), ["abc", "d"]);
    assert.equal(sent().length, 0);
  });

  test("answers a close frame with its code and ends", () => {
    const { socket, sent, receive } = opened();
    receive(clientFrame(opcode.close, [Buffer.from([0x03, 0xe9, 0x78])]));
    assert.deepEqual(sent(), serverFrame(0x88, Buffer.from([0x03, 0xe9])));
    assert.equal(socket.writableEnded, true);
  });

  test("closes with the code 1000, and sends nothing more", () => {
    const { socket, peer, sent } = opened();
    peer.close();
    assert.deepEqual(sent(), serverFrame(0x88, Buffer.from([0x03, 0xe8])));
    assert.equal(socket.writableEnded, true);
    peer.send("late");
    assert.equal(sent().length, 0);
  });

  test("ends when the client ends", () => {
    const { socket } = opened();
    socket.emit("end");
    assert.equal(socket.writableEnded, true);
  });

  for (const event of ["close", "error"]) {
    test(`is closed after the event "${event}" of its socket`, async () => {
      const { socket, peer } = opened();
      socket.emit(event, new Error("lost"));
      await peer.closed;
    });
  }

  for (const [title, frame] of [
    ["without a mask", serverFrame(0x82, Buffer.from("a"))],
    ["of more than 4 MiB", Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0x40, 0, 1])],
  ] as const) {
    test(`destroys its socket after a frame ${title}`, () => {
      const { socket, receive, received } = opened();
      receive(frame);
      assert.equal(socket.destroyed, true);
      assert.equal(received.length, 0);
    });
  }

  test("receives a frame of 4 MiB", () => {
    const { socket, receive, received } = opened();
    receive(clientFrame(opcode.binary, [Buffer.alloc(4 << 20)]));
    assert.equal(socket.destroyed, false);
    assert.equal(received[0]?.length, 4 << 20);
  });
});

describe("a WebSocket of a client", () => {
  function opened(head: Buffer = Buffer.alloc(0)) {
    const incoming = new PassThrough();
    const client = new WebSocketClient({ socket: incoming, head });
    const all: Buffer[] = [];
    incoming.write = ((bytes: Buffer, sent?: () => void) => {
      all.push(bytes);
      sent?.();
      return true;
    }) as typeof incoming.write;
    const push = (...frames: readonly Buffer[]): void => {
      for (const frame of frames) incoming.push(frame);
    };
    /** Returns the frames that were written since the last call. */
    const written = (): readonly Buffer[] => all.splice(0);
    /** Returns the first byte and the length of each written frame. */
    const frames = (): readonly (readonly number[])[] =>
      written().map((bytes) => [bytes[0] ?? 0, bytes.length]);
    return { incoming, client, push, frames, written };
  }
  const messagesOf = async (client: WebSocketClient, heard?: () => void): Promise<string[]> => {
    const messages: string[] = [];
    for await (const message of client.messages(heard)) messages.push(message.toString());
    return messages;
  };
  const close = serverFrame(0x88, Buffer.from([0x03, 0xe8]));

  test("yields the messages until the close frame, and closes", async () => {
    const { client, push, incoming, frames } = opened(serverFrame(0x82, Buffer.from("head")));
    push(
      serverFrame(0x02, Buffer.from("a")),
      serverFrame(0x8a, Buffer.alloc(0)),
      serverFrame(0x80, Buffer.from("b")),
      serverFrame(0x82, Buffer.from("c")),
      close,
      serverFrame(0x82, Buffer.from("late")),
    );
    assert.deepEqual(await messagesOf(client), ["head", "ab", "c"]);
    // Only one close frame: 2 bytes of header, 4 of mask, 2 of code.
    assert.deepEqual(frames(), [[0x88, 8]]);
    assert.equal(incoming.destroyed, true);
    client.send(Buffer.from("x"));
    client.ping();
    client.dispose();
    assert.deepEqual(frames(), []);
  });

  test("reports each arrival of bytes", async () => {
    const { client, push } = opened(serverFrame(0x8a, Buffer.alloc(0)));
    let heard = 0;
    push(close);
    await messagesOf(client, () => (heard += 1));
    assert.equal(heard, 2);
  });

  test("answers pings", async () => {
    const { client, push, frames } = opened();
    push(serverFrame(0x89, Buffer.from("abc")), close);
    assert.deepEqual(await messagesOf(client), []);
    assert.deepEqual(frames(), [
      [0x8a, 9],
      [0x88, 8],
    ]);
  });

  test("sends messages, pings and a close frame", () => {
    const { client, frames } = opened();
    client.send(Buffer.from("a"), Buffer.from("bc"));
    client.ping();
    client.send(bytesOf(70_000));
    client.send(bytesOf(70_000));
    client.dispose();
    assert.deepEqual(frames(), [
      [0x82, 9],
      [0x89, 6],
      [0x82, 70_014],
      [0x82, 70_014],
      [0x88, 8],
    ]);
  });

  test("closes with the code 1000, and destroys its socket", async () => {
    const { client, written, incoming } = opened();
    const closed = once(incoming, "close");
    client.dispose();
    await closed;
    const [frame] = written();
    assert.ok(frame);
    const [mask, code] = [frame.subarray(2, 6), frame.subarray(6)];
    assert.deepEqual(
      [...code].map((byte, index) => byte ^ (mask[index] ?? 0)),
      [0x03, 0xe8],
    );
  });

  test("answers a close frame with its code, without the reason", async () => {
    const { client, push, frames } = opened();
    push(serverFrame(0x88, Buffer.from([0x03, 0xe9, 0x78, 0x79])));
    assert.deepEqual(await messagesOf(client), []);
    assert.deepEqual(frames(), [[0x88, 8]]);
  });

  test("reuses the memory of large frames", () => {
    const { client, written } = opened();
    const isReused = (length: number): boolean => {
      client.send(bytesOf(length));
      client.send(bytesOf(length));
      const [first, second] = written();
      return first?.buffer === second?.buffer;
    };
    assert.deepEqual([65_535, 65_536].map(isReused), [false, true]);
  });

  test("receives a message of 16 MiB in several frames", async () => {
    const { client, push } = opened();
    const part = Buffer.alloc(1 << 20);
    push(serverFrame(0x02, part));
    for (let count = 0; count < 14; count += 1) push(serverFrame(0x00, part));
    push(serverFrame(0x80, part));
    const first = (await client.messages().next()) as IteratorResult<Buffer, undefined>;
    assert.equal(first.value?.length, 16 << 20);
  });

  test("has unread bytes from the first byte on", () => {
    const { client, push } = opened();
    assert.equal(client.hasUnread, false);
    push(Buffer.from([0x82]));
    assert.equal(client.hasUnread, true);
  });

  test("loses its messages if the connection ends without a close frame", async () => {
    const { client, push } = opened();
    push(serverFrame(0x82, Buffer.from("a")));
    const messages = client.messages();
    assert.deepEqual(await messages.next(), { done: false, value: Buffer.from("a") });
    push(null as never);
    await assert.rejects(messages.next(), (error) => {
      assert.ok(error instanceof BodyLost);
      assert.equal(error.message, "the connection was closed before its end was told");
      return true;
    });
  });

  test("loses its messages after an invalid frame or a failure of the socket", async () => {
    const invalid = opened();
    invalid.push(Buffer.from([0x82, 0x80]));
    await assert.rejects(messagesOf(invalid.client), (error) => {
      assert.ok(error instanceof BodyLost && error.cause.name === "BadFrame");
      return true;
    });
    const broken = opened();
    const read = messagesOf(broken.client);
    broken.incoming.destroy(new Error("reset"));
    await assert.rejects(read, (error) => error instanceof BodyLost && error.message === "reset");
  });

  test("waits for a full buffer to drain, but not if it is destroyed", async () => {
    const socket = new PassThrough({ highWaterMark: 4 });
    const client = new WebSocketClient({ socket, head: Buffer.alloc(0) });
    assert.equal(client.drained(), undefined);
    client.send(Buffer.from("more than the buffer"));
    const drained = client.drained();
    assert.ok(drained);
    assert.equal(client.hasUnread, true);
    socket.resume();
    await drained;
    assert.equal(client.hasUnread, false);
    const closed = once(socket, "close");
    client.destroy();
    await closed;
    assert.equal(client.drained(), undefined);
  });
});
