import type { Disposable } from "../base/disposable.ts";
import { containerNamed, hasTargetEnded, type LogTarget } from "../spark/logs/targets.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import { findPod, podsOf } from "../spark/pods/podSnapshot.ts";
import type { PodStore } from "./podStore.ts";
import type { Freshness } from "./podSubscription.ts";
import type { ContainerNews } from "./tail.ts";

/** Pods that are watched. */
export interface KnownPods {
  /** Whether those of a namespace are known as the cluster has them now: one that is not watched has them, too. */
  readonly areKnown: (namespace: string) => boolean;
  readonly findPod: (uid: string) => PodRecord | undefined;
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** The pods of somebody's watch. */
export interface WatchedPods extends KnownPods {
  /** Undefined: nobody watches them, now. */
  readonly freshness: () => Freshness | undefined;
  readonly pods: () => Iterable<PodRecord>;
}

/** What a tail is to know of a container in a pod that is watched, and when it changes. */
export function containerNews(pods: KnownPods, target: LogTarget): ContainerNews {
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
    return [pod?.phase, container?.state?.kind, container?.restartCount].join();
  };
  // A pod that has just been created is not known yet, so that only one that was known can be gone.
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

/** A pod as it is known now: undefined once it is gone, and as it was where nobody can tell. */
export function podNow(pods: KnownPods, before: PodRecord): PodRecord | undefined {
  return pods.findPod(before.uid) ?? (pods.areKnown(before.namespace) ? undefined : before);
}

// As often as a person would notice.
const intervalMs = 100;

/** Of a store that holds all pods that are asked for. */
export const podsOfStore = (store: PodStore): WatchedPods => ({
  freshness: () => store.freshness,
  areKnown: () => store.freshness.kind === "live",
  pods: () => podsOf(store.snapshot),
  findPod: (uid) => findPod(store.snapshot, uid),
  onDidChange: (listener) => store.subscribe(listener, { intervalMs }),
});
