import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import type { Disposable } from "../../base/disposable.ts";
import { BodyLost } from "../transport/body.ts";
import type { Upgraded } from "../transport/exchange.ts";
import { BadFrame, clientFrame, FrameReader, opcode, type Piece } from "./frames.ts";

/** The header that shows that the server has understood: RFC 6455, section 4.2.2. */
export const acceptOf = (key: string): string =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");

/** The client's end of a WebSocket that carries binary messages. */
export class WebSocketEnd implements Disposable {
  readonly #socket: Duplex;
  readonly #head: Buffer;
  #hasSaidGoodbye = false;

  constructor({ socket, head }: Pick<Upgraded, "socket" | "head">) {
    this.#socket = socket;
    this.#head = head;
  }

  send(message: Buffer): void {
    this.#write(opcode.binary, message);
  }

  /** Asks the other end for a sign of life, which counts as something heard. */
  ping(): void {
    this.#write(opcode.ping, Buffer.alloc(0));
  }

  /** Settles when what was sent has gone out, or never will. */
  drained(): Promise<void> | undefined {
    const socket = this.#socket;
    if (!socket.writableNeedDrain || socket.destroyed) return undefined;
    return new Promise((resolve) => {
      const settle = (): void => {
        socket.off("drain", settle);
        socket.off("close", settle);
        resolve();
      };
      socket.once("drain", settle);
      socket.once("close", settle);
    });
  }

  /** Breaks off at once. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Whether something has come that nobody has read yet. */
  get hasUnread(): boolean {
    return this.#socket.readableLength > 0;
  }

  /** Whole messages, as `pieces` gives them. */
  async *messages(heard: () => void = () => undefined): AsyncGenerator<Buffer> {
    let parts: Buffer[] = [];
    for await (const { payload, isLast } of this.pieces(heard)) {
      parts.push(payload);
      if (!isLast) continue;
      const [only] = parts;
      yield only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
      parts = [];
    }
  }

  /**
   * What comes of messages as soon as it comes, until the server closes in good order. Throws BodyLost if the
   * connection breaks. `heard` is called for whatever comes.
   */
  async *pieces(heard: () => void = () => undefined): AsyncGenerator<Piece> {
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
    // What was written still goes out; a server that does not close is not waited for.
    this.#socket.end(() => this.#socket.destroy());
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    if (this.#head.length > 0) yield this.#head;
    const chunks: AsyncIterable<unknown> = this.#socket;
    for await (const chunk of chunks) if (chunk instanceof Buffer) yield chunk;
  }

  #answerControl({ opcode: kind, payload }: Piece): "close" | "answered" | undefined {
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

  #write(kind: number, payload: Buffer): void {
    if (!this.#hasSaidGoodbye && this.#socket.writable) {
      this.#socket.write(clientFrame(kind, payload));
    }
  }
}
