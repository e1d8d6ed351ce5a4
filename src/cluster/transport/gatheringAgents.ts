import http from "node:http";
import https from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { GatheredReads } from "./gatheredReads.ts";

// What waits of one answer before its socket is not read on.
const highWaterMark = 32 << 10;

type OnConnection = (error: Error | null, stream: Duplex) => void;

/** Keeps connections whose pieces are gathered before they are read as HTTP. */
export class GatheringAgent extends http.Agent {
  readonly #reads = new GatheredReads();

  override createConnection(
    options: http.ClientRequestArgs,
    callback?: OnConnection,
  ): Duplex | null | undefined {
    const gathered = this.#reads.newSocket();
    const socket = super.createConnection(
      { ...options, highWaterMark, onread: gathered.onread } as http.ClientRequestArgs,
      callback,
    );
    if (socket instanceof Socket) this.#reads.adopt(gathered, socket);
    return socket;
  }
}

/** The same over TLS. */
export class SecureGatheringAgent extends https.Agent {
  readonly #reads = new GatheredReads();

  override createConnection(
    options: https.RequestOptions,
    callback?: OnConnection,
  ): Duplex | null | undefined {
    const gathered = this.#reads.newSocket();
    const socket = super.createConnection(
      { ...options, highWaterMark, onread: gathered.onread } as https.RequestOptions,
      callback,
    );
    if (socket instanceof Socket) this.#reads.adopt(gathered, socket);
    return socket;
  }
}
