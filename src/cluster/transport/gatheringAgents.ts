import http from "node:http";
import https from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { GatheredReads } from "./gatheredReads.ts";

// What waits of one answer before its socket is not read on.
const highWaterMark = 8 << 10;

type OnConnection = (error: Error | null, stream: Duplex) => void;

function connect<Options extends object>(
  reads: GatheredReads,
  isSecure: boolean,
  options: Options,
  create: (options: Options) => Duplex | null | undefined,
): Duplex | null | undefined {
  const gathered = reads.newSocket(isSecure);
  const socket = create({ ...options, highWaterMark, onread: gathered.onread });
  if (socket instanceof Socket) reads.adopt(gathered, socket);
  return socket;
}

/** Keeps connections whose pieces are gathered before they are read as HTTP. */
export class GatheringAgent extends http.Agent {
  readonly #reads: GatheredReads;

  constructor(options: http.AgentOptions, longestRestMs: number) {
    super(options);
    this.#reads = new GatheredReads(longestRestMs);
  }

  override createConnection(
    options: http.ClientRequestArgs,
    callback?: OnConnection,
  ): Duplex | null | undefined {
    return connect(this.#reads, false, options, (own) => super.createConnection(own, callback));
  }
}

/** The same over TLS. */
export class SecureGatheringAgent extends https.Agent {
  readonly #reads: GatheredReads;

  constructor(options: https.AgentOptions, longestRestMs: number) {
    super(options);
    this.#reads = new GatheredReads(longestRestMs);
  }

  override createConnection(
    options: https.RequestOptions,
    callback?: OnConnection,
  ): Duplex | null | undefined {
    return connect(this.#reads, true, options, (own) => super.createConnection(own, callback));
  }
}
