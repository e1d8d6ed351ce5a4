import { assertNever } from "../../base/assertNever.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { NamespaceWatch, SessionState } from "./sessionState.ts";

/** The problem that the message above the tree reports. */
export type ViewProblem =
  | { readonly kind: "failed"; readonly context: string; readonly error: ClusterError }
  | {
      readonly kind: "stale";
      readonly context: string;
      readonly since: Stale["since"];
      readonly error: ClusterError;
    }
  | { readonly kind: "polled"; readonly error: ClusterError }
  | { readonly kind: "missing"; readonly context: string; readonly namespace: string };

type Stale = Extract<NamespaceWatch["freshness"], { readonly kind: "stale" }>;

/**
 * Returns the first failed or stale watch, else the first polled one, else the first missing namespace; undefined if
 * there is none. A message hides the welcome view of an empty tree, which explains all problems except a stale watch.
 * So without rows, returns only a stale watch, and only if no watch has failed.
 */
export function viewProblemOf(state: SessionState): ViewProblem | undefined {
  if (state.kind !== "connected") return undefined;
  const hasRows = state.watches.some(({ model }) => model.applications.size > 0);
  if (!hasRows && watchStateOf(state) !== "stale") return undefined;
  for (const { context, freshness } of state.watches) {
    const { kind } = freshness;
    if (kind === "failed") return { kind, context, error: freshness.error };
    if (kind === "stale") return { kind, context, since: freshness.since, error: freshness.error };
  }
  for (const { freshness } of state.watches) {
    if (freshness.kind === "live" && freshness.polled !== undefined) {
      return { kind: "polled", error: freshness.polled };
    }
  }
  for (const { context, namespace = "", isMissing } of state.watches) {
    if (isMissing) return { kind: "missing", context, namespace };
  }
  return undefined;
}

/** Returns the value of the context key for the `when` clauses of the welcome views. */
export function watchStateOf(state: SessionState): string {
  switch (state.kind) {
    case "idle":
    case "connecting":
      return "connecting";
    case "failed":
      return failureWord(state.error);
    case "connected":
      return worst(state.watches);
    default:
      return assertNever(state);
  }
}

function worst(watches: readonly NamespaceWatch[]): string {
  for (const { freshness } of watches) {
    if (freshness.kind === "failed") return failureWord(freshness.error);
  }
  const word = (["stale", "connecting"] as const).find((kind) =>
    watches.some(({ freshness }) => freshness.kind === kind),
  );
  return word ?? (watches.some(({ isMissing }) => isMissing) ? "noNamespace" : "live");
}

function failureWord(error: ClusterError): string {
  switch (error.kind) {
    case "unreachable":
    case "unauthorized":
    case "forbidden":
      return error.kind;
    case "throttled":
      return "busy";
    case "configuration":
      return error.problem === "noKubeconfig" ? "noKubeconfig" : "badKubeconfig";
    case "notFound":
    case "conflict":
    case "protected":
    case "invalid":
    case "expired":
    case "badResponse":
      return "badAnswer";
    default:
      return assertNever(error);
  }
}
