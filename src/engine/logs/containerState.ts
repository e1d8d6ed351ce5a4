import type { Disposable } from "../../base/disposable.ts";
import { containerNamed, hasTargetEnded, type LogTarget } from "../../spark/logs/targets.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { findPod, podsOf } from "../../spark/pods/podSnapshot.ts";
import type { PodStore } from "../watch/podStore.ts";
import type { Freshness } from "../watch/podSubscription.ts";
import type { ContainerUpdates } from "./tail.ts";

/** Read access to watched pods, for logs: lookup by uid, freshness and changes. */
export interface KnownPods {
  /**
   * True if the cached pods of the namespace are up to date; an unwatched namespace returns false.
   */
  readonly areKnown: (namespace: string) => boolean;
  readonly findPod: (uid: string) => PodRecord | undefined;
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** The pods of one watch. */
export interface WatchedPods extends KnownPods {
  /** Undefined while the pods are not watched. */
  readonly freshness: () => Freshness | undefined;
  readonly pods: () => Iterable<PodRecord>;
}

/** Returns functions with which a tail reads a container's state from the watched pods. */
export function containerUpdates(pods: KnownPods, target: LogTarget): ContainerUpdates {
  let wasSeen = false;
  const find = (): PodRecord | undefined => {
    const pod = pods.findPod(target.uid);
    wasSeen ||= pod !== undefined;
    return pod;
  };
  const containerOf = (pod: PodRecord | undefined): PodRecord["containers"][number] | undefined =>
    pod && containerNamed(pod, target.container);
  const state = (): string => {
    const pod = find();
    const container = containerOf(pod);
    // A live watch shows that the server is reachable, so include it: a waiting tail should then reconnect.
    const isLive = pods.areKnown(target.namespace);
    return [pod?.phase, container?.state?.kind, container?.restartCount, isLive].join();
  };
  // A new pod may be missing from the cache, so only a pod that was seen before can be deleted.
  const isKnown = (): boolean => wasSeen && pods.areKnown(target.namespace);
  return {
    hasEnded: () => {
      const pod = find();
      return isKnown() ? hasTargetEnded(pod, target) : undefined;
    },
    isGone: () => find() === undefined && isKnown(),
    restarts: () => {
      const container = containerOf(find());
      if (container === undefined) return undefined;
      const { lastState, restartCount } = container;
      const lastEnd = lastState?.kind === "terminated" ? lastState : undefined;
      return { count: restartCount, lastEnd };
    },
    onDidChange: (look) => {
      let before = state();
      return pods.onDidChange(() => {
        const now = state();
        if (now === before) return;
        before = now;
        look();
      });
    },
  };
}

/** Returns the current pod; undefined if it was deleted; its last known state if the watch is stale. */
export function podNow(pods: KnownPods, before: PodRecord): PodRecord | undefined {
  return pods.findPod(before.uid) ?? (pods.areKnown(before.namespace) ? undefined : before);
}

// Batching interval for pod changes. Users do not notice this delay.
const intervalMs = 100;

/**
 * Returns the watched pods of a store. The store must contain every requested pod, because `areKnown` ignores the
 * namespace.
 */
export const podsOfStore = (store: PodStore): WatchedPods => ({
  freshness: () => store.freshness,
  areKnown: () => store.freshness.kind === "live",
  pods: () => podsOf(store.snapshot),
  findPod: (uid) => findPod(store.snapshot, uid),
  onDidChange: (listener) => store.subscribe(listener, { intervalMs }),
});
