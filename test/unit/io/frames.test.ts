import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { FrameReader } from "../../../src/io/webSocket/frames.ts";
import { WebSocketClient } from "../../../src/io/webSocket/webSocketClient.ts";
import { BodyLost } from "../../../src/io/http/body.ts";

describe("WebSocket frames", () => {
  test("rejects a control frame of more than 125 bytes when its header arrives", () => {
    const head = Buffer.from([0x89, 126, 0, 126]);
    assert.throws(() => new FrameReader().push(head), /a control frame has 126 bytes/);
  });

  test("returns a control frame of 125 bytes when its last byte arrives", () => {
    const reader = new FrameReader();
    const frame = Buffer.concat([Buffer.from([0x89, 125]), Buffer.alloc(125)]);
    assert.deepEqual(reader.push(frame.subarray(0, 100)), []);
    const pieces = reader.push(frame.subarray(100));
    assert.deepEqual(
      pieces.map(({ payload }) => payload.length),
      [125],
    );
  });

  test("throws when a fragmented message exceeds 16 MiB", async () => {
    const socket = new PassThrough();
    const end = new WebSocketClient({ socket, head: Buffer.alloc(0) });
    // The first 1 MiB frame of a binary message without the FIN bit, then continuation frames.
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(1n << 20n);
    const frameOf = (opcode: number): Buffer =>
      Buffer.concat([Buffer.from([opcode, 127]), size, Buffer.alloc(1 << 20)]);
    const read = (async () => {
      for await (const message of end.messages()) assert.fail(`a message of ${message.length}`);
    })();
    socket.write(frameOf(2));
    for (let count = 0; count < 20; count += 1) socket.write(frameOf(0));
    await assert.rejects(read, (error: unknown) => {
      assert.ok(error instanceof BodyLost);
      return true;
    });
    assert.ok(socket.destroyed || socket.writableEnded);
  });
});
