import { assertNever } from "../../base/assertNever.ts";
import { listed, msg, type Message } from "../../base/message.ts";
import type { Application, ApplicationState, ExecutorCounts } from "./application.ts";
import { describeState } from "./describeState.ts";
import type { OperatorResource } from "./operatorResource.ts";
import { sumOf } from "./executorPods.ts";

/** Describes an application's state for a tree row: `running, 2 executors (1 pending)`. */
export function describeApplication({ state, counts }: Application): Message {
  return listed([describeApplicationState(state), describeCounts(counts)]);
}

export function describeApplicationState(state: ApplicationState): Message {
  if (state.kind === "orphaned") return msg("no driver pod");
  if (state.kind === "operated") return describeResource(state.resource);
  if (state.kind !== "driverElsewhere") return describeState(state);
  return state.owner === undefined
    ? msg("running, driver outside the cluster")
    : msg`running, driver in pod ${state.owner}`;
}

// Shows the operator's name of the state untranslated, because it is data of the resource.
function describeResource({ outlook, word }: OperatorResource): Message {
  switch (outlook) {
    case "waiting":
      return word === "" ? msg("not yet seen by its operator") : msg`waiting: ${word}`;
    case "running":
      return msg("running");
    case "succeeded":
      return msg("succeeded");
    case "suspended":
      return msg("suspended");
    case "failed":
      return msg`failed: ${word}`;
    default:
      return assertNever(outlook);
  }
}

/**
 * Returns `2 executors (1 pending)`: two run, and a third is pending. If none runs or is pending, the number counts all:
 * `2 executors (2 finished)`. Undefined without pods.
 */
export function describeCounts(counts: ExecutorCounts): Message | undefined {
  const all = sumOf(counts);
  if (all === 0) return undefined;
  const others = describePodCounts({ ...counts, running: 0 });
  const { running, pending } = counts;
  const count = running + pending > 0 ? running : all;
  const head = count === 0 ? msg("no executors") : describeExecutorCount(count);
  return others === undefined ? head : msg`${head} (${others})`;
}

export const describeExecutorCount = (count: number): Message =>
  count === 1 ? msg("1 executor") : msg`${count} executors`;

/** Returns `1 pending, 3 running`. Undefined if all counts are 0. */
export const describePodCounts = (counts: ExecutorCounts): Message | undefined => {
  const { pending, running, failed, finished, unknown } = counts;
  return listed([
    pending > 0 ? msg`${pending} pending` : undefined,
    running > 0 ? msg`${running} running` : undefined,
    failed > 0 ? msg`${failed} failed` : undefined,
    finished > 0 ? msg`${finished} finished` : undefined,
    unknown > 0 ? msg`${unknown} unknown` : undefined,
  ]);
};
