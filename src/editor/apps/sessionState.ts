import type { ClusterError } from "../../engine/clusterError.ts";
import type { Freshness } from "../../engine/podSubscription.ts";
import type { Connection } from "../../engine/ports.ts";
import type { Application } from "../../spark/pods/application.ts";
import {
  emptyModel,
  findApplication,
  type ApplicationModel,
} from "../../spark/pods/applications.ts";
import { emptySnapshot, type PodSnapshot } from "../../spark/pods/podSnapshot.ts";

/** Where the session, or its part with one context, stands: nothing asked of it yet, on its way, connected, or why not. */
export type SessionState =
  | { readonly kind: "idle" }
  | { readonly kind: "connecting" }
  | {
      readonly kind: "connected";
      readonly connection: Connection;
      readonly watches: readonly NamespaceWatch[];
    }
  | { readonly kind: "failed"; readonly error: ClusterError };

/** What is known of one namespace. */
export interface NamespaceWatch {
  readonly context: string;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  /** The cluster has no such namespace, as far as that could be asked. */
  readonly isMissing: boolean;
  readonly freshness: Freshness;
  readonly snapshot: PodSnapshot;
  readonly model: ApplicationModel;
}

export const unknownWatch = (context: string, freshness: Freshness): NamespaceWatch => ({
  ...{ context, namespace: undefined, isMissing: false },
  ...{ freshness, snapshot: emptySnapshot, model: emptyModel },
});

/** What all the connections have to show. */
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

/** The contexts that are looked at, the chosen one first. */
export const contextsIn = (state: SessionState): readonly string[] => [
  ...new Set(watchesIn(state).map(({ context }) => context)),
];

/** A context where it has to be named: several are looked at. */
export const contextToName = (state: SessionState, context: string): string | undefined =>
  contextsIn(state).length > 1 ? context : undefined;

/** `etl`; where several clusters are looked at, `staging · etl`. */
export const placeWords = (
  state: SessionState,
  { context = "", namespace }: { readonly context: string | undefined; readonly namespace: string },
): string =>
  [contextToName(state, context), namespace].filter((part) => part !== undefined).join(" · ");

/** Whether the pods of a namespace are among those of a watch. */
export const isWatchOf = (watch: NamespaceWatch, namespace: string): boolean =>
  (watch.namespace ?? namespace) === namespace;

/** The watch that tells of a namespace as the cluster has it now; undefined where none does. */
export const liveWatchIn = (
  state: SessionState,
  context: string | undefined,
  namespace: string,
): NamespaceWatch | undefined =>
  watchesIn(state).find(
    (watch) =>
      watch.context === context && isWatchOf(watch, namespace) && watch.freshness.kind === "live",
  );

export function findIn(state: SessionState, key: string): Application | undefined {
  for (const { model } of watchesIn(state)) {
    const application = findApplication(model, key);
    if (application) return application;
  }
  return undefined;
}
