import { assertNever } from "../../base/assertNever.ts";
import { isAlive, type Application } from "./application.ts";

/** Criteria that select the applications to show. An empty field matches every application. */
export interface ApplicationFilter {
  /** Part of the name, the id or the run profile. The search is case-insensitive. */
  readonly text: string;
  readonly stateClasses: ReadonlySet<StateClass>;
  readonly namespaces: ReadonlySet<string>;
  /** The value of `SPARK_USER`. */
  readonly user: string | undefined;
}

/** A coarse application state, for filters. */
export type StateClass = "running" | "waiting" | "failed" | "finished";

export const stateClasses: readonly StateClass[] = ["running", "waiting", "failed", "finished"];

export const noFilter: ApplicationFilter = Object.freeze({
  text: "",
  stateClasses: new Set<StateClass>(),
  namespaces: new Set<string>(),
  user: undefined,
});

export const isFiltering = ({ text, stateClasses: some, namespaces, user }: ApplicationFilter) =>
  text !== "" || some.size > 0 || namespaces.size > 0 || user !== undefined;

/**
 * True if the application meets all criteria. `profileOf`: returns the run profile shown in the application's row;
 * called only if `filter.text` is not empty.
 */
export function matchesFilter(
  filter: ApplicationFilter,
  application: Application,
  profileOf: (application: Application) => string | undefined,
): boolean {
  const { text, stateClasses: some, namespaces, user } = filter;
  const { name, id, namespace, origin } = application;
  return (
    (some.size === 0 || some.has(stateClassOf(application))) &&
    (namespaces.size === 0 || namespaces.has(namespace)) &&
    (user === undefined || origin.user === user) &&
    (text === "" ||
      `${name}\n${id}\n${profileOf(application) ?? ""}`.toLowerCase().includes(text.toLowerCase()))
  );
}

export function stateClassOf(application: Application): StateClass {
  const { state } = application;
  switch (state.kind) {
    case "failed":
      return "failed";
    case "operated":
      if (state.resource.outlook === "failed") return "failed";
      if (state.resource.outlook === "running") return "running";
      return state.resource.hasEnded ? "finished" : "waiting";
    case "requested":
    case "unscheduled":
    case "scheduled":
    case "initializing":
    case "pulling":
    case "starting":
    case "blocked":
      return "waiting";
    case "running":
    case "terminating":
    case "unknown":
    case "driverElsewhere":
    case "orphaned":
    case "succeeded":
    case "stopped":
    case "deleted":
      return isAlive(application) ? "running" : "finished";
    default:
      return assertNever(state);
  }
}

/**
 * True if the application has failed or cannot start. Also true if it is alive and executors have failed or are
 * unreachable.
 */
export function isInTrouble(application: Application): boolean {
  const { state, counts } = application;
  if (state.kind === "blocked" || stateClassOf(application) === "failed") return true;
  return isAlive(application) && counts.failed + counts.unknown > 0;
}
