import { randomBytes } from "node:crypto";

// Frames of the WebSocket protocol (RFC 6455), from the client's side.
export const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A part of a message. The pieces of a message arrive in byte order. A control frame is always one piece. */
export interface FramePiece {
  /** The opcode of the frame that contains the piece. */
  readonly opcode: number;
  readonly payload: Buffer;
  /** True if the message ends with this piece. */
  readonly isLast: boolean;
}

/** The received bytes violate the protocol or exceed the size limit. */
export class BadFrame extends Error {
  override readonly name = "BadFrame";
}

export const largestPayload = 16 << 20;
const largestControl = 125;

/**
 * Returns one masked frame with a complete message: the parts, joined in order. RFC 6455 requires clients to mask
 * frames. The frame is a view of `memory` if it fits, or else a new buffer.
 */
export function clientFrame(kind: number, parts: readonly Uint8Array[], memory?: Buffer): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const mask = randomBytes(4);
  const extra = length < 126 ? 0 : length < 1 << 16 ? 2 : 8;
  const start = 2 + extra + 4;
  const size = start + length;
  const frame =
    memory !== undefined && size <= memory.length
      ? memory.subarray(0, size)
      : Buffer.allocUnsafe(size);
  frame[0] = 0x80 | kind;
  frame[1] = 0x80 | (extra === 0 ? length : extra === 2 ? 126 : 127);
  if (extra === 2) frame.writeUInt16BE(length, 2);
  if (extra === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  mask.copy(frame, 2 + extra);
  let at = start;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  maskFrom(frame, start, mask);
  return frame;
}

// Unrolled by four for speed, because every byte of an upload is masked here.
function maskFrom(frame: Buffer, start: number, mask: Buffer): void {
  const [a = 0, b = 0, c = 0, d = 0] = mask;
  const { length } = frame;
  let at = start;
  for (const end = length - ((length - start) % 4); at < end; at += 4) {
    frame[at] = (frame[at] as number) ^ a;
    frame[at + 1] = (frame[at + 1] as number) ^ b;
    frame[at + 2] = (frame[at + 2] as number) ^ c;
    frame[at + 3] = (frame[at + 3] as number) ^ d;
  }
  for (let index = 0; at + index < length; index += 1) {
    frame[at + index] = (frame[at + index] as number) ^ (mask[index] as number);
  }
}

/** Parses the byte stream of a server into pieces of frames. Buffers only incomplete headers and control frames. */
export class FrameReader {
  /** The received part of an incomplete header or control frame. */
  #rest: Buffer = Buffer.alloc(0);
  #frame: Head | undefined;
  /** Payload bytes of the current frame that are still missing. */
  #left = 0;

  /** Parses the next received bytes and returns the pieces that they complete. Throws BadFrame. */
  push(bytes: Buffer): readonly FramePiece[] {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const pieces: FramePiece[] = [];
    for (;;) {
      if (this.#frame === undefined) {
        const head = readHead(rest);
        if (head === undefined) break;
        this.#frame = head;
        this.#left = head.payloadLength;
        rest = rest.subarray(head.length);
      }
      const frame = this.#frame;
      const isWhole = rest.length >= this.#left;
      if (!isWhole && (rest.length === 0 || frame.opcode >= opcode.close)) break;
      const payload = rest.subarray(0, this.#left);
      rest = rest.subarray(payload.length);
      this.#left -= payload.length;
      if (isWhole) this.#frame = undefined;
      pieces.push({ opcode: frame.opcode, payload, isLast: isWhole && frame.isFinal });
    }
    this.#rest = rest;
    return pieces;
  }
}

interface Head {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly length: number;
  readonly payloadLength: number;
}

/** Parses a frame header; undefined if it is incomplete. Throws BadFrame. */
function readHead(rest: Buffer): Head | undefined {
  if (rest.length < 2) return undefined;
  const first = rest.readUInt8(0);
  const second = rest.readUInt8(1);
  if ((first & 0x70) !== 0) throw new BadFrame("a frame uses an extension that was not agreed");
  if ((second & 0x80) !== 0) throw new BadFrame("a frame of the server is masked");
  const short = second & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (rest.length < 2 + extra) return undefined;
  const length =
    extra === 0 ? short : extra === 2 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
  const kind = first & 0x0f;
  // RFC 6455, section 5.5. The limit also bounds the buffer, because control frames are buffered until complete.
  if (kind >= opcode.close && length > largestControl) {
    throw new BadFrame(`a control frame has ${length} bytes`);
  }
  if (length > largestPayload) throw new BadFrame(`a frame has ${length} bytes`);
  return {
    opcode: kind,
    isFinal: (first & 0x80) !== 0,
    length: 2 + extra,
    payloadLength: length,
  };
}
