import type { Socket } from "node:net";
import { ChunkJoiner } from "./chunkJoiner.ts";
import { MemoryPool } from "./memoryPool.ts";

// What one read of a secured connection gives at most.
const readSize = 16 << 10;
/** A socket that has gathered this much is not read on before it is handed on. */
const mostOfOne = 16 << 10;
/** So many reads take some milliseconds; then everybody else has a turn. */
const mostReads = 3_000;
const mostBytes = 4 << 20;
/** Whose server sends less at a time is read again when there should be this much, all of it at once. */
const enough = 8 << 10;
const restStepMs = 5;
const lookMs = 10;

/**
 * Reads many sockets on which servers send little pieces, some thousands a second: a log is sent and encrypted
 * line by line. Pieces of a turn are gathered and handed on as one, and a server that goes on and on is looked at
 * some dozen times a second, so that what reading costs depends on the bytes and not on the pieces.
 */
export class GatheredReads {
  readonly #all = new Set<Gathered>();
  readonly #fresh: Gathered[] = [];
  /** Until when. */
  readonly #resting = new Map<Gathered, number>();
  readonly #longestRestMs: number;
  /** In which pieces are gathered until their turn is over. */
  readonly #pool = new MemoryPool();
  #shared: Buffer | undefined;
  #reads = 0;
  #bytes = 0;

  /** `longestRestMs`: how long a server that goes on and on may be left unread, for its next pieces to come together. */
  constructor(longestRestMs: number) {
    this.#longestRestMs = longestRestMs;
  }

  /**
   * What to connect a socket with. What is decrypted comes piece by piece, so that all such sockets can do with one
   * memory; a plain one may be given its memory long before its bytes come.
   */
  newSocket(isSecure: boolean): Gathered {
    const memory = isSecure ? (this.#shared ??= newMemory()) : newMemory();
    const gathered: Gathered = new Gathered(memory, this.#pool, (length) => {
      this.#take(gathered, length);
    });
    return gathered;
  }

  /** The socket that was connected so. One that does not take its reads that way is as it always is. */
  adopt(gathered: Gathered, socket: Socket): void {
    this.#all.add(gathered);
    gathered.attach(socket);
    socket.prependListener("end", () => {
      gathered.end();
    });
    socket.once("close", () => {
      this.#all.delete(gathered);
      this.#resting.delete(gathered);
    });
  }

  #take(gathered: Gathered, length: number): void {
    if (!gathered.isFresh) {
      if (this.#fresh.length === 0) setImmediate(this.#handOn);
      gathered.isFresh = true;
      this.#fresh.push(gathered);
    }
    this.#reads += 1;
    this.#bytes += length;
    if (this.#reads === mostReads || this.#bytes > mostBytes)
      for (const one of this.#all) one.hold();
    else if (gathered.length > mostOfOne) gathered.hold();
  }

  readonly #handOn = (): void => {
    const isCrowded = this.#reads >= mostReads || this.#bytes > mostBytes;
    this.#reads = 0;
    this.#bytes = 0;
    for (const gathered of this.#fresh.splice(0)) {
      gathered.isFresh = false;
      const restMs = gathered.restMs(this.#longestRestMs);
      gathered.handOn();
      if (restMs > 0) this.#rest(gathered, restMs);
      else gathered.release();
    }
    if (!isCrowded) return;
    for (const one of this.#all) if (!this.#resting.has(one)) one.release();
  };

  #rest(gathered: Gathered, restMs: number): void {
    gathered.hold();
    if (this.#resting.size === 0) setTimeout(this.#wake, lookMs);
    this.#resting.set(gathered, performance.now() + restMs);
  }

  readonly #wake = (): void => {
    const now = performance.now();
    for (const [gathered, until] of this.#resting) {
      if (until > now) continue;
      this.#resting.delete(gathered);
      gathered.release();
    }
    if (this.#resting.size > 0) setTimeout(this.#wake, lookMs);
  };
}

const newMemory = (): Buffer => Buffer.allocUnsafeSlow(readSize);

/** One socket; its reader sees whole turns of it. */
class Gathered {
  /** For `onread` of the socket. */
  readonly onread: { readonly buffer: Buffer; readonly callback: (length: number) => boolean };
  readonly #joiner: ChunkJoiner;
  #socket: Socket | undefined;
  #resume: () => void = () => undefined;
  #pause: () => void = () => undefined;
  #isWanted = true;
  #isHeld = false;
  #handedAt = -Infinity;
  /** How often something of this answer was handed on. */
  #times = 0;
  isFresh = false;

  /** `taken`: told of bytes that have been read into the buffer. */
  constructor(buffer: Buffer, pool: MemoryPool, taken: (length: number) => void) {
    this.#joiner = new ChunkJoiner(pool);
    this.onread = {
      buffer,
      callback: (length) => {
        this.#joiner.push(buffer.subarray(0, length));
        taken(length);
        return true;
      },
    };
  }

  get length(): number {
    return this.#joiner.length;
  }

  /** Whoever reads the socket may pause it and go on, and so may we: it is read when both want to. */
  attach(socket: Socket): void {
    this.#socket = socket;
    this.#resume = socket.resume.bind(socket);
    this.#pause = socket.pause.bind(socket);
    socket.resume = () => {
      this.#isWanted = true;
      if (!this.#isHeld) this.#resume();
      return socket;
    };
    socket.pause = () => {
      this.#isWanted = false;
      this.#pause();
      return socket;
    };
  }

  hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#pause();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    if (this.#isWanted && this.#socket?.destroyed === false) this.#resume();
  }

  /** How long it takes until enough has come, as fast as what is here came. */
  restMs(atMostMs: number): number {
    const { length } = this;
    if (length >= enough) return 0;
    const tookMs = performance.now() - this.#handedAt;
    // A short answer is wanted at once; only what goes on and on can wait.
    const longestMs = Math.min(atMostMs, this.#times * restStepMs);
    return Math.min(longestMs, ((enough - length) / Math.max(1, length)) * tookMs);
  }

  handOn(): void {
    this.#handedAt = performance.now();
    this.#times += 1;
    this.#give(this.#joiner.take());
    this.#joiner.release();
    if (this.#joiner.isBetweenAnswers) this.#times = 0;
  }

  end(): void {
    this.#give(this.#joiner.end());
    this.#joiner.release();
  }

  #give(bytes: Buffer): void {
    const socket = this.#socket;
    if (bytes.length === 0 || socket === undefined || socket.destroyed) return;
    // Whoever has read the whole answer listens no more. Node's parser of HTTP copies what it hands on.
    if (socket.listenerCount("data") > 0) socket.emit("data", bytes);
  }
}
