import { err, ok, type Result } from "../../../src/base/result.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { Clock } from "../../../src/engine/ports/clock.ts";
import type {
  PodListRequest,
  PodPage,
  PodSelection,
  PodSource,
  PodWatchEvent,
  PodWatchItem,
  PodWatchRequest,
} from "../../../src/engine/ports/pods.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";

export const unreachable: ClusterError = {
  kind: "unreachable",
  server: "https://cluster.test",
  detail: "connection refused",
  requestSent: false,
};

/** Whether the server supports `sendInitialEvents`; servers before 1.27 ignore it. */
export type Streaming = "supported" | "refused" | "ignored";

// A list takes this time. Events that occur meanwhile are sent before its end.
const listTakesMs = 3;
const bookmarkEveryMs = 60_000;
// The pod source fails a watch that has had no bookmark for this time.
const silenceLimitMs = 75_000;

/**
 * The pods of an API server, which supports lists and watches. All pods share one counter of versions. A test can
 * expire the history and the pages, and cut watches in several ways.
 */
export class FakePodServer implements PodSource {
  streaming: Streaming = "supported";
  /** Delay of each response or error, in milliseconds. */
  slowness = 1;
  /** Requests in order: `list`, `list+` for further pages, `stream`, `watch@<version>`. */
  readonly requests: string[] = [];
  readonly #clock: Clock;
  readonly #pods = new Map<string, PodRecord>();
  readonly #history: { readonly version: number; readonly event: PodEvent }[] = [];
  readonly #streams = new Set<OpenStream>();
  readonly #refusals: Refusal[] = [];
  readonly #pages = new Map<
    string,
    { readonly pods: readonly PodRecord[]; readonly version: string }
  >();
  #version = 1000;
  #forgottenTo = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The pods that a client must have in the end. */
  get pods(): readonly PodRecord[] {
    return [...this.#pods.values()];
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /** Creates or changes a pod and gives it the next version. */
  put(pod: PodRecord): void {
    const kind = this.#pods.has(pod.uid) ? "modified" : "added";
    const stored = { ...pod, resourceVersion: this.#nextVersion() };
    this.#pods.set(pod.uid, stored);
    this.#tell({ kind, pod: stored });
  }

  remove(uid: string): void {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return;
    this.#pods.delete(uid);
    this.#tell({ kind: "deleted", pod: { ...pod, resourceVersion: this.#nextVersion() } });
  }

  /** Expires all versions up to the current one, and all pages. */
  forget(): void {
    this.#forgottenTo = this.#version;
    this.#history.length = 0;
    this.#pages.clear();
  }

  /** Ends open watches, normally or with an error. Undelivered events are lost. */
  cut(error?: ClusterError): void {
    for (const stream of this.#streams) stream.end(error);
  }

  /** Removes the pod without an event. */
  lose(uid: string): void {
    if (this.#pods.delete(uid)) this.#nextVersion();
  }

  /** Replaces all pods and continues from this version, like a server restored from a backup. */
  restore(version: number, pods: readonly PodRecord[]): void {
    this.#version = version;
    this.#history.length = 0;
    this.#pods.clear();
    for (const pod of pods) this.put(pod);
  }

  /** Makes open watches deliver nothing more, as if packets were dropped. */
  mute(): void {
    for (const stream of this.#streams) stream.mute();
  }

  /** Makes the next request of this kind fail with this error; `closed` ends a watch at once, without an error. */
  refuse(verb: "list" | "watch" | "any", error: ClusterError): void;
  refuse(verb: "watch", error: "closed"): void;
  refuse(verb: Refusal["verb"], error: Refusal["error"]): void {
    this.#refusals.push({ verb, error });
  }

  heal(): void {
    this.#refusals.length = 0;
    this.streaming = "supported";
  }

  async listPods(
    request: PodListRequest,
    signal: AbortSignal,
  ): Promise<Result<PodPage, ClusterError>> {
    this.requests.push(request.continueToken === undefined ? "list" : "list+");
    await this.#clock.sleep(this.slowness, signal);
    const refusal = this.#takeRefusal("list");
    if (refusal !== undefined && refusal !== "closed") return err(refusal);
    const whole = this.#pages.get(request.continueToken?.split("/")[0] ?? "") ?? {
      pods: select(this.pods, request),
      version: String(this.#version),
    };
    if (request.continueToken !== undefined && !this.#pages.has(whole.version)) {
      return err({ kind: "expired", detail: "the continue token is too old" });
    }
    const from = Number(request.continueToken?.split("/")[1] ?? 0);
    const to = from + request.limit;
    const hasMore = to < whole.pods.length;
    if (hasMore) this.#pages.set(whole.version, whole);
    return ok({
      pods: whole.pods.slice(from, to),
      resourceVersion: whole.version,
      continueToken: hasMore ? `${whole.version}/${to}` : undefined,
    });
  }

  async *watchPods(
    request: PodWatchRequest,
    signal: AbortSignal,
  ): AsyncGenerator<PodWatchItem, void, undefined> {
    this.requests.push(
      request.sendInitialEvents ? "stream" : `watch@${request.resourceVersion ?? ""}`,
    );
    await this.#clock.sleep(this.slowness, signal);
    const refusal = this.#takeRefusal("watch") ?? this.#refusalOf(request);
    if (refusal === "closed") return;
    if (refusal) {
      yield { kind: "failed", error: refusal };
      return;
    }
    yield { kind: "events", events: [] };
    const stream = new OpenStream(request, this.#clock, () => String(this.#version));
    this.#open(stream, request);
    this.#streams.add(stream);
    try {
      yield* stream.items(signal);
    } finally {
      this.#streams.delete(stream);
    }
  }

  #open(stream: OpenStream, request: PodWatchRequest): void {
    if (request.resourceVersion !== undefined) {
      const since = Number(request.resourceVersion);
      for (const { version, event } of this.#history) if (version > since) stream.push(event);
      return;
    }
    for (const pod of select(this.pods, request)) stream.push({ kind: "added", pod });
    if (request.sendInitialEvents && this.streaming === "supported") {
      stream.listEndsAt = this.#clock.now() + listTakesMs;
    }
  }

  #refusalOf(request: PodWatchRequest): ClusterError | undefined {
    if (request.sendInitialEvents && this.streaming === "refused") {
      return { kind: "invalid", detail: "sendInitialEvents is forbidden", causes: [] };
    }
    const { resourceVersion } = request;
    return resourceVersion !== undefined && Number(resourceVersion) < this.#forgottenTo
      ? { kind: "expired", detail: "too old resource version" }
      : undefined;
  }

  #takeRefusal(verb: "list" | "watch"): Refusal["error"] | undefined {
    const at = this.#refusals.findIndex(
      (refusal) => refusal.verb === verb || refusal.verb === "any",
    );
    return at === -1 ? undefined : this.#refusals.splice(at, 1)[0]?.error;
  }

  #nextVersion(): string {
    this.#version += 1;
    return String(this.#version);
  }

  #tell(event: PodEvent): void {
    this.#history.push({ version: this.#version, event });
    for (const stream of this.#streams) stream.push(event);
  }
}

interface Refusal {
  readonly verb: "list" | "watch" | "any";
  readonly error: ClusterError | "closed";
}

type PodEvent = Exclude<PodWatchEvent, { readonly kind: "bookmark" }>;

const select = (pods: readonly PodRecord[], { namespace }: PodSelection): readonly PodRecord[] =>
  pods.filter((pod) => namespace === undefined || pod.namespace === namespace);

class OpenStream {
  readonly #request: PodWatchRequest;
  readonly #clock: Clock;
  readonly #version: () => string;
  /** The time at which the bookmark that ends a streamed list is sent. */
  listEndsAt = Infinity;
  #waiting: PodWatchEvent[] = [];
  #isMuted = false;
  #ended: { readonly error: ClusterError | undefined } | undefined;
  #ring: () => void = () => undefined;

  constructor(request: PodWatchRequest, clock: Clock, version: () => string) {
    this.#request = request;
    this.#clock = clock;
    this.#version = version;
  }

  push(event: PodWatchEvent): void {
    if (this.#isMuted || this.#ended !== undefined) return;
    if (event.kind !== "bookmark" && select([event.pod], this.#request).length === 0) return;
    this.#waiting.push(event);
    this.#ring();
  }

  end(error: ClusterError | undefined): void {
    if (this.#isMuted) return;
    this.#waiting = [];
    this.#ended ??= { error };
    this.#ring();
  }

  mute(): void {
    this.#isMuted = true;
    this.#ring();
  }

  async *items(signal: AbortSignal): AsyncGenerator<PodWatchItem, void, undefined> {
    const endAt = this.#clock.now() + this.#request.timeoutSeconds * 1000;
    let bookmarkAt = this.#clock.now() + bookmarkEveryMs;
    for (;;) {
      if (this.#waiting.length > 0) {
        const events = this.#waiting;
        this.#waiting = [];
        yield { kind: "events", events };
      } else if (this.#ended !== undefined) {
        if (this.#ended.error) yield { kind: "failed", error: this.#ended.error };
        return;
      } else if (this.#isMuted) {
        await this.#clock.sleep(silenceLimitMs, signal);
        yield { kind: "failed", error: { ...unreachable, detail: "nothing came" } };
        return;
      } else if (this.#clock.now() >= endAt) {
        return;
      } else if (this.#clock.now() >= Math.min(bookmarkAt, this.listEndsAt)) {
        const initialEventsEnd = this.#clock.now() >= this.listEndsAt;
        if (initialEventsEnd) this.listEndsAt = Infinity;
        else bookmarkAt += bookmarkEveryMs;
        const resourceVersion = this.#version();
        yield { kind: "events", events: [{ kind: "bookmark", resourceVersion, initialEventsEnd }] };
      } else {
        await this.#waitUntil(Math.min(bookmarkAt, endAt, this.listEndsAt), signal);
      }
    }
  }

  /** Waits until this time, or until an event arrives. */
  async #waitUntil(time: number, signal: AbortSignal): Promise<void> {
    const rung = new AbortController();
    this.#ring = () => {
      rung.abort();
    };
    try {
      await this.#clock.sleep(time - this.#clock.now(), AbortSignal.any([signal, rung.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!rung.signal.aborted) throw error;
    } finally {
      this.#ring = () => undefined;
    }
  }
}
