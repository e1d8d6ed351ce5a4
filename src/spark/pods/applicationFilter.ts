import { assertNever } from "../../base/assertNever.ts";
import { isAlive, type Application } from "./application.ts";

/** The criteria for applications to show. Empty fields select all. */
export interface ApplicationFilter {
  /** A part of the name or of the id. Upper and lower case are equal. */
  readonly text: string;
  readonly stateClasses: ReadonlySet<StateClass>;
  readonly namespaces: ReadonlySet<string>;
  /** The value of `SPARK_USER`. */
  readonly user: string | undefined;
}

/** The state of an application in four classes. */
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

/** `profileOf`: the run profile that the application's row names. Called only if a text is searched. */
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
