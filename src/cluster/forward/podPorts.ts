import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { PodPort, PodPorts, PodStream, PodStreamItem } from "../../engine/ports/channels.ts";
import { onAbort } from "../../io/abort.ts";
import { type AnswerRules, type ApiCall, type ApiClient, headersMs } from "../apiRequest.ts";
import { openChannels } from "../exec/openChannels.ts";
import type { FramePiece } from "../../io/webSocket/frames.ts";
import type { WebSocketClient } from "../../io/webSocket/webSocketClient.ts";
import { pathOf, podResource } from "../resources.ts";
import { BodyLost } from "../../io/http/body.ts";

// Two channels per port. The first message of each channel contains the port number.
const protocols = ["v4.channel.k8s.io"];
const channel = { data: 0, error: 1 } as const;

const rules: AnswerRules = {
  channel: "forwards",
  headersMs,
  silenceMs: undefined,
  wholeMs: undefined,
};

// A pod may send nothing for hours, so pings check the connection.
const pingEveryMs = 20_000;
const answerWithinMs = 10_000;
// Servers accept larger frames, but this size keeps the send buffer small.
const largestMessage = 1 << 16;

/** Port forwards over WebSocket, one WebSocket per connection. */
export class ApiPodPorts implements PodPorts {
  readonly #api: ApiClient;
  readonly #clock: Clock;

  constructor(api: ApiClient, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  async open(
    { namespace, name, port }: PodPort,
    signal: AbortSignal,
  ): Promise<Result<PodStream, ClusterError>> {
    const path = pathOf(podResource, namespace, name);
    if (!path.ok) return path;
    const request = {
      path: `${path.value}/portforward?ports=${port}`,
      subject: { verb: "create" as const, resource: "pods/portforward", namespace, name },
      protocols,
      purpose: "ports",
    };
    const opened = await openChannels(this.#api, request, rules, signal);
    if (!opened.ok) return err(unlessUnscheduled(opened.error));
    return ok(new Stream(opened.value.socket, this.#api, opened.value.call, this.#clock));
  }
}

/** Maps a 400 to a retriable error: the server responds with 400 while the pod is unscheduled. */
const unlessUnscheduled = (error: ClusterError): ClusterError =>
  error.kind === "invalid" ? { kind: "badResponse", status: 400, detail: error.detail } : error;

class Stream implements PodStream {
  readonly items: AsyncIterable<PodStreamItem>;
  readonly #socket: WebSocketClient;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  #heardAt: number;

  constructor(socket: WebSocketClient, api: ApiClient, call: ApiCall, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    this.#heardAt = clock.now();
    this.items = this.#read(api, call);
    // `#watch` always rejects when the stream ends; that is not an error.
    this.#watch().catch(() => undefined);
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    for (let at = 0; at < bytes.length; at += largestMessage) {
      this.#socket.send(Uint8Array.of(channel.data), bytes.subarray(at, at + largestMessage));
    }
    return this.#socket.drained();
  }

  dispose(): void {
    this.#over.abort();
    this.#socket.dispose();
  }

  async *#read(api: ApiClient, call: ApiCall): AsyncGenerator<PodStreamItem> {
    const listener = onAbort(api.ended, () => {
      this.dispose();
    });
    const reader = new ChannelReader();
    const heard = (): void => {
      this.#heardAt = this.#clock.now();
    };
    try {
      for await (const piece of this.#socket.pieces(heard)) {
        const item = reader.read(piece);
        if (item !== undefined) yield item;
        if (item?.kind === "failed") return;
      }
    } catch (error) {
      if (!(error instanceof BodyLost)) throw error;
      if (!this.#over.signal.aborted) yield { kind: "failed", error: api.lossOf(error, call) };
    } finally {
      listener.dispose();
      this.dispose();
    }
  }

  /** Sends pings and closes the connection if the server stops responding. */
  async #watch(): Promise<void> {
    const { signal } = this.#over;
    for (;;) {
      await this.#clock.sleep(pingEveryMs, signal);
      const asked = this.#clock.now();
      this.#socket.ping();
      await this.#clock.sleep(answerWithinMs, signal);
      // A slow consumer of `items` delays pongs, too. So do not close the connection while data is unread.
      if (this.#heardAt < asked && !this.#socket.hasUnread) this.#socket.destroy();
    }
  }
}

/** Decodes the two channels of a port. */
class ChannelReader {
  #begun = 0;
  /** Channel of the incomplete message; undefined between messages. */
  #from: number | undefined;
  #held: Buffer[] = [];

  /** Returns data as it arrives. Errors and port numbers are read only from complete messages. */
  read({ payload, isLast }: FramePiece): PodStreamItem | undefined {
    if (payload.length === 0 && !isLast) return undefined;
    const isFirst = this.#from === undefined;
    const from = (this.#from ??= payload[0] ?? -1);
    if (isLast) this.#from = undefined;
    const bytes = isFirst ? payload.subarray(1) : payload;
    if (from === channel.data && this.#begun === ports) return bytesItem(bytes);
    this.#held.push(bytes);
    if (!isLast) return undefined;
    const whole = Buffer.concat(this.#held.splice(0));
    // The first message of each channel repeats the port.
    if (this.#begun < ports && whole.length === 2) {
      this.#begun += 1;
      return undefined;
    }
    if (from === channel.data) return bytesItem(whole);
    return from === channel.error && whole.length > 0
      ? { kind: "failed", error: refusal(whole.toString()) }
      : undefined;
  }
}

/** Number of messages that contain the port number, one per channel. */
const ports = 2;

const bytesItem = (bytes: Buffer): PodStreamItem | undefined =>
  bytes.length === 0 ? undefined : { kind: "bytes", bytes };

const refusal = (text: string): ClusterError => ({
  kind: "badResponse",
  status: undefined,
  detail: text.trim(),
});
