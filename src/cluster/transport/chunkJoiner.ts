import type { MemoryPool } from "./memoryPool.ts";
import { parseHead, type BodyFrame } from "./responseHead.ts";

const [carriageReturn, lineFeed, semicolon] = [0x0d, 0x0a, 0x3b];
// Eight digits and a line end: room for the length of what is joined, filled in when it is known.
const lengthOfSize = 10;
const none = Buffer.alloc(0);
const longestHead = 128 << 10;
const protocol = "HTTP/1.1 ";
const mostDigits = 8;

type State =
  "head" | "size" | "extension" | "data" | "dataEnd" | "trailer" | "counted" | "verbatim";

/**
 * Takes the bytes of HTTP/1.1 answers and gives the same answers, with all chunks that have come by then joined to
 * one. A server that flushes after each line sends a chunk for each, and whoever reads HTTP pays for each of them.
 * What does not look like an answer in chunks passes as it is.
 */
export class ChunkJoiner {
  readonly #pool: MemoryPool;
  #state: State = "head";
  /** Of the chunk, or of the counted body, what is still to come. */
  #left = 0;
  #digits = 0;
  #out: Buffer = none;
  #length = 0;
  /** Where the open chunk begins in what goes out. */
  #chunkAt = -1;
  /** Of a head, what has come in earlier pieces. */
  #headAt = -1;
  #lineLength = 0;

  constructor(pool: MemoryPool) {
    this.#pool = pool;
  }

  get length(): number {
    return this.#length;
  }

  /** True if an answer has come to its end, and nothing of the next one is here. */
  get isBetweenAnswers(): boolean {
    return this.#state === "head" && this.#headAt === -1;
  }

  /** `bytes` may be used again by their owner afterwards. */
  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      switch (this.#state) {
        case "size":
          at = this.#readSize(bytes, at);
          break;
        case "data":
          at = this.#readData(bytes, at);
          break;
        case "dataEnd":
          at = this.#readDataEnd(bytes, at);
          break;
        case "extension":
          at = this.#readExtension(bytes, at);
          break;
        case "head":
          at = this.#readHead(bytes, at);
          break;
        case "trailer":
          at = this.#readTrailer(bytes, at);
          break;
        case "counted":
          at = this.#readCounted(bytes, at);
          break;
        case "verbatim":
          this.#copy(bytes, at, bytes.length);
          at = bytes.length;
      }
    }
  }

  /**
   * What is ready to be read on, valid until `release`; empty while only the beginning of a head has come.
   */
  take(): Buffer {
    if (this.#headAt >= 0) return none;
    this.#closeChunk();
    const taken = this.#out.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** What was taken has been read: its memory is for others now. */
  release(): void {
    if (this.#length > 0) return;
    this.#pool.giveBack(this.#out);
    this.#out = none;
  }

  /** The rest, as no more will come. */
  end(): Buffer {
    this.#headAt = -1;
    return this.take();
  }

  #readSize(bytes: Buffer, from: number): number {
    let at = from;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      const digit = digitOf(byte);
      if (digit >= 0 && this.#digits < mostDigits) {
        this.#left = this.#left * 16 + digit;
        this.#digits += 1;
        continue;
      }
      if (this.#digits > 0 && (byte === carriageReturn || byte === semicolon)) {
        this.#state = "extension";
        return at;
      }
      const read = this.#digits === 0 ? "" : this.#left.toString(16).padStart(this.#digits, "0");
      return this.#giveUp(read, at);
    }
    return at;
  }

  #readExtension(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(lineFeed, from);
    if (end === -1) return bytes.length;
    if (this.#left > 0) this.#state = "data";
    else {
      this.#closeChunk();
      this.#say("0\r\n");
      this.#state = "trailer";
      this.#lineLength = 0;
    }
    return end + 1;
  }

  #readData(bytes: Buffer, from: number): number {
    if (this.#chunkAt === -1) {
      this.#chunkAt = this.#length;
      this.#makeRoom(lengthOfSize);
      this.#length += lengthOfSize;
    }
    const end = Math.min(bytes.length, from + this.#left);
    this.#copy(bytes, from, end);
    this.#left -= end - from;
    if (this.#left === 0) this.#state = "dataEnd";
    return end;
  }

  #readDataEnd(bytes: Buffer, from: number): number {
    const byte = bytes[from];
    if (byte !== carriageReturn && byte !== lineFeed) return this.#giveUp("", from);
    if (byte === lineFeed) this.#beginSize();
    return from + 1;
  }

  #beginSize(): void {
    this.#state = "size";
    this.#left = 0;
    this.#digits = 0;
  }

  #readTrailer(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      if (bytes[at] !== lineFeed) {
        if (bytes[at] !== carriageReturn) this.#lineLength += 1;
        continue;
      }
      if (this.#lineLength === 0) {
        this.#copy(bytes, from, at + 1);
        this.#state = "head";
        return at + 1;
      }
      this.#lineLength = 0;
    }
    this.#copy(bytes, from, bytes.length);
    return bytes.length;
  }

  #readHead(bytes: Buffer, from: number): number {
    if (this.#headAt === -1) this.#headAt = this.#length;
    const before = this.#length;
    this.#copy(bytes, from, bytes.length);
    const end = this.#out
      .subarray(0, this.#length)
      .indexOf("\r\n\r\n", Math.max(this.#headAt, before - 3));
    if (end === -1) {
      const isLong = this.#length - this.#headAt > longestHead;
      if (isLong || !this.#beginsLikeHead()) this.#goOn({ kind: "toTheEnd" });
      return bytes.length;
    }
    const head = this.#out.toString("latin1", this.#headAt, end);
    const next = from + (end + 4 - before);
    this.#length = end + 4;
    this.#goOn(parseHead(head));
    return next;
  }

  #beginsLikeHead(): boolean {
    const begun = this.#out.toString("latin1", this.#headAt, this.#length);
    return begun.startsWith(protocol) || protocol.startsWith(begun);
  }

  #goOn(body: BodyFrame): void {
    this.#headAt = -1;
    switch (body.kind) {
      case "chunks":
        this.#beginSize();
        break;
      case "counted":
        this.#left = body.length;
        this.#state = body.length === 0 ? "head" : "counted";
        break;
      case "toTheEnd":
        this.#state = "verbatim";
    }
  }

  #readCounted(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#left);
    this.#copy(bytes, from, end);
    this.#left -= end - from;
    if (this.#left === 0) this.#state = "head";
    return end;
  }

  /** Who reads on is shown what came, and will say what is wrong with it. */
  #giveUp(read: string, at: number): number {
    this.#closeChunk();
    this.#say(read);
    this.#state = "verbatim";
    return at;
  }

  #closeChunk(): void {
    if (this.#chunkAt === -1) return;
    const size = this.#length - this.#chunkAt - lengthOfSize;
    this.#out.write(`${size.toString(16).padStart(8, "0")}\r\n`, this.#chunkAt, "latin1");
    this.#chunkAt = -1;
    this.#say("\r\n");
  }

  #say(text: string): void {
    this.#makeRoom(text.length);
    this.#length += this.#out.write(text, this.#length, "latin1");
  }

  #copy(bytes: Buffer, from: number, to: number): void {
    this.#makeRoom(to - from);
    bytes.copy(this.#out, this.#length, from, to);
    this.#length += to - from;
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#out.length) return;
    const larger = this.#pool.take(needed);
    this.#out.copy(larger, 0, 0, this.#length);
    this.#pool.giveBack(this.#out);
    this.#out = larger;
  }
}

/** -1: no digit of sixteen. */
function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
