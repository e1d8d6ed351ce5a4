import { ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Clock, PodPort, PodPorts, PodStream, PodStreamItem } from "../../engine/ports.ts";
import { onAbort } from "../abort.ts";
import { type AnswerRules, type ApiCall, type ApiClient, headersMs } from "../apiRequest.ts";
import { openChannels } from "../exec/openChannels.ts";
import type { Piece } from "../exec/frames.ts";
import type { WebSocketEnd } from "../exec/webSocket.ts";
import { pathOf, podResource } from "../resources.ts";
import { BodyLost } from "../transport/body.ts";

// Two channels a port; each begins with a message that holds the port's number.
const protocols = ["v4.channel.k8s.io"];
const channel = { data: 0, error: 1 } as const;

const rules: AnswerRules = {
  channel: "forwards",
  headersMs,
  silenceMs: undefined,
  wholeMs: undefined,
};

// A pod may be silent for hours; that the way to it still stands is asked for now and then.
const pingEveryMs = 20_000;
const answerWithinMs = 10_000;
// Servers take frames of any size; one of this size keeps what waits in memory small.
const largestMessage = 1 << 16;

/** Ports of pods, over WebSocket: one for each connection. */
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
    if (!opened.ok) return opened;
    return ok(new Stream(opened.value.socket, this.#api, opened.value.call, this.#clock));
  }
}

class Stream implements PodStream {
  readonly items: AsyncIterable<PodStreamItem>;
  readonly #socket: WebSocketEnd;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  #heardAt: number;

  constructor(socket: WebSocketEnd, api: ApiClient, call: ApiCall, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    this.#heardAt = clock.now();
    this.items = this.#read(api, call);
    // Rejects when the stream is over, which is its one way to end.
    this.#watch().catch(() => undefined);
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    for (let at = 0; at < bytes.length; at += largestMessage) {
      const piece = bytes.subarray(at, at + largestMessage);
      this.#socket.send(Buffer.concat([Buffer.from([channel.data]), piece]));
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

  /** Breaks the connection off when its other end does not answer any more. */
  async #watch(): Promise<void> {
    const { signal } = this.#over;
    for (;;) {
      await this.#clock.sleep(pingEveryMs, signal);
      const asked = this.#clock.now();
      this.#socket.ping();
      await this.#clock.sleep(answerWithinMs, signal);
      // A reader that is slow hears nothing although all is well; it has something to read then.
      if (this.#heardAt < asked && !this.#socket.hasUnread) this.#socket.destroy();
    }
  }
}

/** Reads the two channels of a port. */
class ChannelReader {
  #begun = 0;
  /** Of the message that is still coming; undefined between two. */
  #from: number | undefined;
  #held: Buffer[] = [];

  /** Bytes go on as they come; what else there is counts when it is whole. */
  read({ payload, isLast }: Piece): PodStreamItem | undefined {
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

/** How many messages tell of the port. */
const ports = 2;

const bytesItem = (bytes: Buffer): PodStreamItem | undefined =>
  bytes.length === 0 ? undefined : { kind: "bytes", bytes };

const refusal = (text: string): ClusterError => ({
  kind: "badResponse",
  status: undefined,
  detail: text.trim(),
});
