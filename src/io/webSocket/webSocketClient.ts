import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import type { Disposable } from "../../base/disposable.ts";
import { drained } from "../drained.ts";
import { BodyLost } from "../http/body.ts";
import type { Upgraded } from "../http/exchange.ts";
import {
  BadFrame,
  clientFrame,
  FrameReader,
  largestPayload,
  opcode,
  type FramePiece,
} from "./frames.ts";

/** Returns the expected Sec-WebSocket-Accept header (RFC 6455, section 4.2.2). */
export const acceptOf = (key: string): string =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");

const largeFrame = 64 << 10;
/** Maximum size of a frame header, in bytes. */
const maxHead = 14;
/** Maximum number of buffers in the pool for large frames. */
const maxKept = 3;

/** The client side of a WebSocket that carries binary messages. */
export class WebSocketClient implements Disposable {
  readonly #socket: Duplex;
  readonly #head: Buffer;
  /** Pool of buffers for large frames. A new buffer for each frame of an upload would increase memory use. */
  readonly #written: Buffer[] = [];
  #hasSaidGoodbye = false;

  constructor({ socket, head }: Pick<Upgraded, "socket" | "head">) {
    this.#socket = socket;
    this.#head = head;
  }

  /** Sends the joined parts as one binary message. */
  send(...parts: readonly Uint8Array[]): void {
    this.#write(opcode.binary, ...parts);
  }

  /** Sends a ping. `pieces` and `messages` do not yield the pong, but call `heard` when it arrives. */
  ping(): void {
    this.#write(opcode.ping, Buffer.alloc(0));
  }

  /** Resolves when the write buffer is drained or the socket closes; undefined if no wait is needed. */
  drained(): Promise<void> | undefined {
    const socket = this.#socket;
    if (!socket.writableNeedDrain || socket.destroyed) return undefined;
    return drained(socket);
  }

  /** Closes the connection at once, without a close frame. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** True if the socket has buffered bytes that were not read yet. */
  get hasUnread(): boolean {
    return this.#socket.readableLength > 0;
  }

  /** Yields complete messages. Ends and throws like `pieces`; also throws BodyLost if a message is too large. */
  async *messages(heard: () => void = () => undefined): AsyncGenerator<Buffer> {
    let parts: Buffer[] = [];
    let length = 0;
    for await (const { payload, isLast } of this.pieces(heard)) {
      parts.push(payload);
      length += payload.length;
      // A message may have any number of frames, so limit its total size.
      if (length > largestPayload) {
        throw new BodyLost(new BadFrame(`a message has more than ${largestPayload} bytes`));
      }
      if (!isLast) continue;
      length = 0;
      const [only] = parts;
      yield only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
      parts = [];
    }
  }

  /**
   * Yields parts of messages as they arrive, until the server sends a close frame. Throws BodyLost if the connection
   * breaks or a frame is invalid. Calls `heard` whenever bytes arrive. Disposes the socket at the end.
   */
  async *pieces(heard: () => void = () => undefined): AsyncGenerator<FramePiece> {
    const reader = new FrameReader();
    try {
      for await (const bytes of this.#bytes()) {
        heard();
        for (const piece of reader.push(bytes)) {
          const control = this.#answerControl(piece);
          if (control === "close") return;
          if (control !== "answered") yield piece;
        }
      }
      throw new BodyLost(new Error("the connection was closed before its end was told"));
    } catch (error) {
      if (error instanceof BodyLost) throw error;
      throw new BodyLost(error instanceof Error ? error : new BadFrame(String(error)));
    } finally {
      this.dispose();
    }
  }

  dispose(): void {
    this.#sayGoodbye(Buffer.from([0x03, 0xe8]));
    // Flush the written data, then close without waiting for the server.
    this.#socket.end(() => this.#socket.destroy());
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    if (this.#head.length > 0) yield this.#head;
    const chunks: AsyncIterable<unknown> = this.#socket;
    for await (const chunk of chunks) if (chunk instanceof Buffer) yield chunk;
  }

  #answerControl({ opcode: kind, payload }: FramePiece): "close" | "answered" | undefined {
    switch (kind) {
      case opcode.ping:
        this.#write(opcode.pong, payload);
        return "answered";
      case opcode.pong:
        return "answered";
      case opcode.close:
        this.#sayGoodbye(payload.subarray(0, 2));
        return "close";
      default:
        return undefined;
    }
  }

  #sayGoodbye(code: Buffer): void {
    if (this.#hasSaidGoodbye) return;
    this.#write(opcode.close, code);
    this.#hasSaidGoodbye = true;
  }

  #write(kind: number, ...parts: readonly Uint8Array[]): void {
    if (this.#hasSaidGoodbye || !this.#socket.writable) return;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length < largeFrame) {
      this.#socket.write(clientFrame(kind, parts));
      return;
    }
    const memory = this.#written.pop() ?? Buffer.allocUnsafe(length + maxHead);
    this.#socket.write(clientFrame(kind, parts, memory), () => {
      if (this.#written.length < maxKept) this.#written.push(memory);
    });
  }
}
