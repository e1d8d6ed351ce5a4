import { assertNever } from "../../base/assertNever.ts";
import type { Application, ApplicationState, ExecutorCounts } from "./application.ts";
import { describeState } from "./describeState.ts";
import type { OperatorResource } from "./operatorResource.ts";
import { sumOf } from "./executorPods.ts";

/** An application's state for a tree row: `running, 3 executors (1 pending)`. */
export function describeApplication({ state, counts }: Application): string {
  const words = describeApplicationState(state);
  const tail = describeCounts(counts);
  return tail === "" ? words : `${words}, ${tail}`;
}

export function describeApplicationState(state: ApplicationState): string {
  if (state.kind === "orphaned") return "no driver pod";
  if (state.kind === "operated") return describeResource(state.resource);
  if (state.kind !== "driverElsewhere") return describeState(state);
  return state.owner === undefined
    ? "running, driver outside the cluster"
    : `running, driver in pod ${state.owner}`;
}

function describeResource({ outlook, word }: OperatorResource): string {
  switch (outlook) {
    case "waiting":
      return word === "" ? "not yet seen by its operator" : `waiting: ${word}`;
    case "running":
    case "succeeded":
    case "suspended":
      return outlook;
    case "failed":
      return `failed: ${word}`;
    default:
      return assertNever(outlook);
  }
}

function describeCounts(counts: ExecutorCounts): string {
  const { pending, failed, finished, unknown } = counts;
  const all = sumOf(counts);
  if (all === 0) return "";
  const parts = [
    [pending, "pending"],
    [failed, "failed"],
    [finished, "finished"],
    [unknown, "unknown"],
  ] as const;
  const others = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const head = all === 1 ? "1 executor" : `${all} executors`;
  return others.length === 0 ? head : `${head} (${others.join(", ")})`;
}
