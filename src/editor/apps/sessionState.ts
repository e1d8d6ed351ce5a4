import type { ClusterError } from "../../engine/clusterError.ts";
import type { Freshness } from "../../engine/watch/podSubscription.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { Application } from "../../spark/pods/application.ts";
import {
  emptyModel,
  findApplication,
  type ApplicationModel,
} from "../../spark/pods/applications.ts";
import { emptySnapshot, type PodSnapshot } from "../../spark/pods/podSnapshot.ts";

/** The state of the session or of one context. `idle`: not started. */
export type SessionState =
  | { readonly kind: "idle" }
  | { readonly kind: "connecting" }
  | {
      readonly kind: "connected";
      readonly connection: Connection;
      readonly watches: readonly NamespaceWatch[];
    }
  | { readonly kind: "failed"; readonly error: ClusterError };

/** The watch of one namespace, or of all namespaces, and its current result. */
export interface NamespaceWatch {
  readonly context: string;
  /** Undefined if the watch covers all namespaces. */
  readonly namespace: string | undefined;
  /** True if a request showed that the namespace does not exist. */
  readonly isMissing: boolean;
  readonly freshness: Freshness;
  readonly snapshot: PodSnapshot;
  readonly model: ApplicationModel;
}

export const unknownWatch = (context: string, freshness: Freshness): NamespaceWatch => ({
  ...{ context, namespace: undefined, isMissing: false },
  ...{ freshness, snapshot: emptySnapshot, model: emptyModel },
});

/**
 * Merges the states of all contexts: `connected` if one of them is connected, else `connecting` if one is connecting,
 * else the state of the first context.
 */
export function joinStates(
  lives: readonly { readonly state: SessionState; readonly context: string | undefined }[],
): SessionState {
  const states = lives.map(({ state }) => state);
  const connected = states.find((state) => state.kind === "connected");
  if (connected === undefined)
    return states.find(({ kind }) => kind === "connecting") ?? states[0] ?? { kind: "idle" };
  const watches = lives.flatMap(({ state, context = "" }) => {
    if (state.kind === "connected") return state.watches;
    return [unknownWatch(context, state.kind === "failed" ? state : { kind: "connecting" })];
  });
  return { ...connected, watches };
}

export const watchesIn = (state: SessionState): readonly NamespaceWatch[] =>
  state.kind === "connected" ? state.watches : [];

/** Returns the watched contexts, the chosen one first. */
export const contextsIn = (state: SessionState): readonly string[] => [
  ...new Set(watchesIn(state).map(({ context }) => context)),
];

/** Returns the context if several contexts are watched, else undefined. */
export const contextIfSeveral = (state: SessionState, context: string): string | undefined =>
  contextsIn(state).length > 1 ? context : undefined;

/** Returns `etl`, or `staging · etl` if several contexts are watched. */
export const placeWords = (
  state: SessionState,
  { context = "", namespace }: { readonly context: string | undefined; readonly namespace: string },
): string =>
  [contextIfSeveral(state, context), namespace].filter((part) => part !== undefined).join(" · ");

/** True if the watch covers the namespace. */
export const isWatchOf = (watch: NamespaceWatch, namespace: string): boolean =>
  (watch.namespace ?? namespace) === namespace;

/** Finds the live watch that covers a namespace; undefined if there is none. */
export const liveWatchIn = (
  state: SessionState,
  context: string | undefined,
  namespace: string,
): NamespaceWatch | undefined =>
  watchesIn(state).find(
    (watch) =>
      watch.context === context && isWatchOf(watch, namespace) && watch.freshness.kind === "live",
  );

export function findInSession(state: SessionState, key: string): Application | undefined {
  for (const { model } of watchesIn(state)) {
    const application = findApplication(model, key);
    if (application) return application;
  }
  return undefined;
}
