// Follows the driver pod with the requests of spark-submit: a GET, then a watch, and a GET for each event.
import { Emitter } from "../../src/base/emitter.ts";
import type { WatchedPods } from "../../src/engine/logs/containerState.ts";
import type { Clock } from "../../src/engine/ports/clock.ts";
import type { Connection } from "../../src/engine/ports/connection.ts";
import type { StoredObject } from "../../src/engine/ports/objects.ts";
import { start, type Running } from "../../src/engine/running.ts";
import type { FollowTarget } from "../../src/engine/submit/followDriver.ts";
import type { Freshness } from "../../src/engine/watch/podSubscription.ts";
import { needsUser } from "../../src/engine/watch/retryPolicy.ts";
import { appSelectorLabel, driverRole, roleLabel } from "../../src/spark/labels.ts";
import { decodePod } from "../../src/spark/pods/decodePod.ts";
import type { PodRecord } from "../../src/spark/pods/podRecord.ts";

const retryMs = 800;

export class RequestedPods implements WatchedPods {
  readonly running: Running;
  readonly #target: FollowTarget;
  readonly #connection: Pick<Connection, "objects" | "pods">;
  readonly #changes = new Emitter<undefined>((error) => {
    throw error;
  });
  readonly #bodies = new Map<string, StoredObject>();
  #pod: PodRecord | undefined;
  #freshness: Freshness = { kind: "connecting" };

  constructor(
    target: FollowTarget,
    connection: Pick<Connection, "objects" | "pods">,
    clock: Clock,
  ) {
    this.#target = target;
    this.#connection = connection;
    this.running = start(async (signal) => {
      for (;;) {
        if (!(await this.#followOnce(signal))) await clock.sleep(retryMs, signal);
      }
    });
  }

  readonly onDidChange: WatchedPods["onDidChange"] = (listener) => this.#changes.event(listener);
  readonly freshness = (): Freshness => this.#freshness;
  readonly areKnown = (): boolean => this.#freshness.kind === "live";
  readonly pods = (): Iterable<PodRecord> => (this.#pod ? [this.#pod] : []);
  readonly findPod = (uid: string): PodRecord | undefined =>
    this.#pod?.uid === uid ? this.#pod : undefined;

  /** Returns the complete JSON of the pod in this version; throws if it was never read. */
  bodyOf({ resourceVersion }: PodRecord): StoredObject {
    const stored = this.#bodies.get(resourceVersion);
    if (stored === undefined) throw new Error(`no pod of version ${resourceVersion}`);
    return stored;
  }

  /** Reads the pod and watches it until the watch ends. Returns false after a failure, so that the caller waits. */
  async #followOnce(signal: AbortSignal): Promise<boolean> {
    if (!(await this.#read(signal))) return false;
    const { namespace, applicationId } = this.#target;
    const request = {
      namespace,
      labelSelector: `${appSelectorLabel}=${applicationId},${roleLabel}=${driverRole}`,
      resourceVersion: this.#pod?.resourceVersion,
      sendInitialEvents: false,
      timeoutSeconds: 300,
    };
    for await (const item of this.#connection.pods.watchPods(request, signal)) {
      if (item.kind === "failed") {
        if (needsUser(item.error)) this.#set(this.#pod, { kind: "failed", error: item.error });
        return item.error.kind === "expired";
      }
      if (item.events.every(({ kind }) => kind === "bookmark")) continue;
      if (!(await this.#read(signal))) return false;
    }
    return true;
  }

  async #read(signal: AbortSignal): Promise<boolean> {
    const { namespace, driverPodName: name } = this.#target;
    const reference = { apiVersion: "v1", kind: "Pod", namespace, name };
    const read = await this.#connection.objects.read(reference, signal);
    signal.throwIfAborted();
    if (read.ok) {
      const pod = decodePod(read.value.body);
      if (pod) this.#bodies.set(pod.resourceVersion, read.value);
      this.#set(pod, { kind: "live", polled: undefined });
    } else if (read.error.kind === "notFound") {
      this.#set(undefined, { kind: "live", polled: undefined });
    } else if (needsUser(read.error)) {
      this.#set(this.#pod, { kind: "failed", error: read.error });
    }
    return read.ok;
  }

  #set(pod: PodRecord | undefined, freshness: Freshness): void {
    this.#pod = pod;
    this.#freshness = freshness;
    this.#changes.fire(undefined);
  }
}
