// Simulates a node's log endpoint for one container, byte for byte: runs, rotation, sinceTime, and failures.
import type { ServerResponse } from "node:http";
import type { Reply, Seen } from "./hostileServer.ts";

export interface WrittenLine {
  readonly timestamp: string;
  readonly bytes: Buffer;
}

interface Run {
  readonly lines: WrittenLine[];
  /** The number of lines dropped at the front. */
  rotated: number;
  isOver: boolean;
}

interface Stream {
  readonly response: ServerResponse;
  readonly reply: Reply;
  readonly run: Run;
  readonly isFollowed: boolean;
  readonly since: number;
  position: number;
  bytesLeft: number;
  cut: "drop" | "close";
}

const excuse = "unable to retrieve container logs for containerd://9a55df";

/** Chunk lengths of a response, applied cyclically. */
type ChunkLengths = readonly number[];

export class NodeLog {
  readonly runs: Run[] = [{ lines: [], rotated: 0, isOver: false }];
  readonly #streams = new Set<Stream>();
  readonly #chunks: ChunkLengths;
  #chunk = 0;
  readonly refusals: (number | "drop" | "newNode" | "excuse")[] = [];
  #hasForgotten = false;

  constructor(chunks: ChunkLengths) {
    this.#chunks = chunks;
  }

  get #current(): Run {
    return this.runs.at(-1) as Run;
  }

  get restarts(): number {
    return this.runs.length - 1;
  }

  get isOver(): boolean {
    return this.#current.isOver;
  }

  write(line: WrittenLine): void {
    this.#current.lines.push(line);
    this.#pump();
  }

  /** Drops all but the last `kept` lines of the current run. Open streams have already read the dropped lines. */
  rotate(kept: number): void {
    const run = this.#current;
    run.rotated = Math.max(run.rotated, run.lines.length - kept);
  }

  restart(): void {
    this.#current.isOver = true;
    this.#pump();
    this.runs.push({ lines: [], rotated: 0, isOver: false });
    this.#hasForgotten = false;
  }

  /** Drops the log of the previous run. Reads of it then return an error text that names the container. */
  forget(): void {
    this.#hasForgotten = true;
  }

  end(): void {
    this.#current.isOver = true;
    this.#pump();
  }

  /** Ends open streams after `bytes` more bytes: `drop` breaks the connection, `close` ends the response cleanly. */
  cut(bytes: number, how: "drop" | "close"): void {
    for (const stream of this.#streams) {
      // Without `follow`, a cut response cannot end cleanly, because HTTP clients detect the truncation.
      stream.cut = stream.isFollowed ? how : "drop";
      stream.bytesLeft = bytes;
      if (bytes === 0) this.#end(stream, stream.cut);
    }
  }

  answer({ path }: Seen, reply: Reply): void {
    const refusal = this.refusals.shift();
    if (refusal === "drop") {
      reply.drop();
      return;
    }
    if (refusal === "excuse") {
      reply.stream("text/plain").end(excuse);
      return;
    }
    if (refusal === "newNode") {
      const message = "the server could not find the requested resource ( pods/log driver.1)";
      reply.json(404, { kind: "Status", status: "Failure", reason: "NotFound", message });
      return;
    }
    if (refusal !== undefined) {
      reply.json(refusal, { kind: "Status", status: "Failure", message: "not now", code: refusal });
      return;
    }
    const query = new URL(path, "http://node").searchParams;
    const isPrevious = query.get("previous") === "true";
    const run = this.runs.at(isPrevious ? -2 : -1);
    if (run === undefined || (isPrevious && this.runs.length < 2)) {
      const message = 'previous terminated container "main" in pod "driver.1" not found';
      reply.json(400, { kind: "Status", status: "Failure", reason: "BadRequest", message });
      return;
    }
    if (isPrevious && this.#hasForgotten) {
      reply.stream("text/plain").end(excuse);
      return;
    }
    const since = Date.parse(query.get("sinceTime") ?? "1970-01-01T00:00:00Z");
    const stream: Stream = {
      response: reply.stream("text/plain"),
      reply,
      run,
      isFollowed: query.get("follow") === "true",
      since,
      position: run.rotated,
      bytesLeft: Infinity,
      cut: "drop",
    };
    this.#streams.add(stream);
    this.#pump();
  }

  #pump(): void {
    for (const stream of [...this.#streams]) this.#send(stream);
  }

  #send(stream: Stream): void {
    const { run, response } = stream;
    while (stream.position < run.lines.length) {
      const line = run.lines[stream.position];
      stream.position += 1;
      // A node compares full timestamps with sinceTime, which is in whole seconds.
      if (line === undefined || Date.parse(line.timestamp) < stream.since) continue;
      let bytes = Buffer.concat([Buffer.from(`${line.timestamp} `), line.bytes, Buffer.from("\n")]);
      const isCut = bytes.length >= stream.bytesLeft;
      if (isCut) bytes = bytes.subarray(0, stream.bytesLeft);
      stream.bytesLeft -= bytes.length;
      this.#write(response, bytes);
      if (isCut) {
        this.#end(stream, stream.cut);
        return;
      }
    }
    if (!stream.isFollowed || run.isOver) this.#end(stream, "close");
  }

  #write(response: ServerResponse, bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      const length = this.#chunks[this.#chunk % this.#chunks.length] ?? 1;
      this.#chunk += 1;
      response.write(bytes.subarray(at, at + length));
      at += length;
    }
  }

  #end(stream: Stream, how: "drop" | "close"): void {
    this.#streams.delete(stream);
    if (how === "close") stream.response.end();
    else stream.reply.drop();
  }
}
