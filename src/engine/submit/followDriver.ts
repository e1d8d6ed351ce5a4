import { err, ok, type Result } from "../../base/result.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { isOlder } from "../../spark/pods/resourceVersion.ts";
import { Backoff } from "../watch/backoff.ts";
import type { ClusterError } from "../clusterError.ts";
import type { WatchedPods } from "../logs/containerState.ts";
import type { Clock, Random } from "../ports/clock.ts";
import type { ObjectApi } from "../ports/objects.ts";
import { start } from "../running.ts";
import { Interruption } from "../watch/interruption.ts";
import { needsUser } from "../watch/retryPolicy.ts";

/** The driver pod of one application. */
export interface FollowTarget {
  readonly namespace: string;
  readonly driverPodName: string;
  readonly applicationId: string;
}

interface FollowDriverPorts {
  readonly objects: Pick<ObjectApi, "read">;
  readonly pods: WatchedPods;
  readonly clock: Clock;
  readonly random: Random;
}

export type FollowReport =
  /** A newer version of the pod was seen. */
  | { readonly kind: "state"; readonly pod: PodRecord }
  /** The report interval has passed. `phase` is undefined if no pod was seen yet. */
  | { readonly kind: "interval"; readonly phase: string | undefined };

/** The end of the driver. The result of a deleted pod is unknown; `last` is its last known state. */
export type DriverEnd =
  | { readonly kind: "succeeded" | "failed"; readonly pod: PodRecord }
  | { readonly kind: "gone"; readonly last: PodRecord | undefined };

// If the store lacks the pod for this time, it is read by name. A watch delivers a new pod sooner, unless it lags or
// polls.
const unseenMs = 5_000;

/**
 * Follows the driver pod in the store of a watch until it ends. Returns an error only if the user must act, for example
 * on a missing permission. Calls `report` in the order of changes, and not after the promise settles. Rejects with an
 * AbortError when `signal` aborts; the application keeps running.
 */
export async function followDriver(
  target: FollowTarget,
  ports: FollowDriverPorts,
  reportIntervalMs: number,
  report: (report: FollowReport) => void,
  signal: AbortSignal,
): Promise<Result<DriverEnd, ClusterError>> {
  const follow = new DriverFollow(target, ports, report);
  const ticker = start(async (stop) => {
    for (;;) {
      await ports.clock.sleep(reportIntervalMs, stop);
      report({ kind: "interval", phase: follow.last?.phase });
    }
  });
  const wait = new Interruption();
  let changes = 0;
  const listening = ports.pods.onDidChange(() => {
    changes += 1;
    wait.interrupt();
  });
  try {
    for (;;) {
      signal.throwIfAborted();
      const before = changes;
      const next = await follow.look(signal);
      if (next.kind === "ended") return ok(next.end);
      if (next.kind === "failed") return err(next.error);
      const { waitMs } = next;
      if (changes === before) await wait.run((cut) => ports.clock.sleep(waitMs, cut), signal);
    }
  } finally {
    listening.dispose();
    ticker.dispose();
    await ticker.done;
  }
}

type Look =
  | { readonly kind: "ended"; readonly end: DriverEnd }
  | { readonly kind: "failed"; readonly error: ClusterError }
  | { readonly kind: "wait"; readonly waitMs: number };

class DriverFollow {
  readonly #target: FollowTarget;
  readonly #ports: FollowDriverPorts;
  readonly #report: (report: FollowReport) => void;
  readonly #backoff: Backoff;
  readonly #time: () => number;
  last: PodRecord | undefined;
  /** Time in ms of the steady clock from which a pod that the store lacks is read by name. */
  #readAt: number;

  constructor(
    target: FollowTarget,
    ports: FollowDriverPorts,
    report: (report: FollowReport) => void,
  ) {
    this.#target = target;
    this.#ports = ports;
    this.#report = report;
    this.#backoff = new Backoff(ports.random);
    this.#time = steadyTime(ports.clock);
    this.#readAt = this.#time() + unseenMs;
  }

  /** Reports a new state of the pod. Returns the end, an error, or the time to wait for the next change. */
  async look(signal: AbortSignal): Promise<Look> {
    const { pods } = this.#ports;
    const freshness = pods.freshness();
    const isBroken = freshness?.kind === "failed" || freshness?.kind === "stale";
    if (isBroken && needsUser(freshness.error)) return { kind: "failed", error: freshness.error };
    const pod = this.#find();
    if (pod !== undefined) {
      this.#readAt = -Infinity;
      return this.#take(pod);
    }
    const waitMs = this.#readAt - this.#time();
    if (waitMs > 0) return { kind: "wait", waitMs };
    // While the watch is not live, the store may lack an existing pod, so wait.
    return freshness?.kind === "live" ? this.#read(signal) : { kind: "wait", waitMs: unseenMs };
  }

  #find(): PodRecord | undefined {
    const { driverPodName, namespace } = this.#target;
    const { pods } = this.#ports;
    if (this.last !== undefined) return pods.findPod(this.last.uid);
    for (const pod of pods.pods()) {
      if (pod.name === driverPodName && pod.namespace === namespace) return pod;
    }
    return undefined;
  }

  /** Reads a pod that the store lacks: it was deleted, or the watch lags behind. */
  async #read(signal: AbortSignal): Promise<Look> {
    const { namespace, driverPodName: name } = this.#target;
    const reference = { apiVersion: "v1", kind: "Pod", namespace, name };
    const read = await this.#ports.objects.read(reference, signal);
    if (!read.ok) {
      if (read.error.kind === "notFound") return this.#gone();
      if (needsUser(read.error)) return { kind: "failed", error: read.error };
      return { kind: "wait", waitMs: this.#backoff.next(this.#ports.clock.now()) };
    }
    const pod = decodePod(read.value.body);
    if (pod === undefined || (this.last && pod.uid !== this.last.uid)) return this.#gone();
    this.#readAt = this.#time() + unseenMs;
    return this.#take(pod);
  }

  #gone(): Look {
    return { kind: "ended", end: { kind: "gone", last: this.last } };
  }

  #take(pod: PodRecord): Look {
    const known = this.last?.resourceVersion;
    const { resourceVersion: version } = pod;
    if (known === undefined || (version !== known && !isOlder(version, known))) {
      this.last = pod;
      this.#report({ kind: "state", pod });
    }
    const last = this.last ?? pod;
    if (last.phase === "Succeeded") return { kind: "ended", end: { kind: "succeeded", pod: last } };
    if (last.phase === "Failed") return { kind: "ended", end: { kind: "failed", pod: last } };
    return { kind: "wait", waitMs: unseenMs };
  }
}
