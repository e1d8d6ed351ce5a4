import { assertNever } from "../../base/assertNever.ts";
import { msg, type Message } from "../../base/message.ts";
import type { DisplayState } from "../pods/displayState.ts";

/** The reasons why a pod is pending. A pod has one reason at a time. */
export const pendingReasons = [
  "memory",
  "cpu",
  "volume",
  "taint",
  "affinity",
  "queue",
  "scheduling",
  "image",
  "init",
  "problem",
  "starting",
] as const;
export type PendingReason = (typeof pendingReasons)[number];

/** Returns the reason why a pod is pending. Undefined for a pod that is not pending. */
export function pendingReasonOf(state: DisplayState): PendingReason | undefined {
  switch (state.kind) {
    case "requested":
      return "scheduling";
    case "unscheduled":
      return state.held ? "queue" : refusalReason(state.message ?? "");
    case "pulling":
      return "image";
    case "initializing":
      return "init";
    case "blocked":
      return /image/i.test(state.problem.reason) ? "image" : "problem";
    case "scheduled":
    case "starting":
      return "starting";
    case "running":
    case "terminating":
    case "succeeded":
    case "failed":
    case "stopped":
    case "deleted":
    case "unknown":
      return undefined;
    default:
      return assertNever(state);
  }
}

// Fragments of the scheduler's message. The first match wins, in the order of the diagnosis rules.
const fragments: readonly (readonly [string, PendingReason])[] = [
  ["persistentvolumeclaim", "volume"],
  ["volume", "volume"],
  ["insufficient memory", "memory"],
  ["insufficient cpu", "cpu"],
  ["taint", "taint"],
  ["affinity", "affinity"],
  ["node selector", "affinity"],
  ["topology spread", "affinity"],
];

function refusalReason(message: string): PendingReason {
  const text = message.slice(0, 2_000).toLowerCase();
  return fragments.find(([fragment]) => text.includes(fragment))?.[1] ?? "scheduling";
}

export const pendingReasonNames: Readonly<Record<PendingReason, Message>> = {
  memory: msg("no node has enough memory"),
  cpu: msg("no node has enough CPU"),
  volume: msg("volume"),
  taint: msg("taints"),
  affinity: msg("node selection"),
  queue: msg("held by a queue"),
  scheduling: msg("waiting for the scheduler"),
  image: msg("pulling the image"),
  init: msg("init container"),
  problem: msg("cannot start"),
  starting: msg("starting"),
};
