import { fieldsOf, itemsOf } from "../../spark/pods/fields.ts";
import { timestamp } from "../clock.ts";
import type { Json, JsonObject, KubeObject } from "../kubeObject.ts";

export interface Condition {
  readonly type: string;
  readonly isTrue: boolean;
  readonly reason?: string;
  readonly message?: string;
}

/** A pod's status as JSON. */
export const statusOf = (pod: KubeObject): JsonObject => fieldsOf(pod["status"]) as JsonObject;

/**
 * Conditions with some of them set anew: the time of their last change stays while they say the same, and those
 * that somebody else keeps stay as they are.
 */
export function withConditions(
  pod: KubeObject,
  conditions: readonly Condition[],
  now: number,
): readonly Json[] {
  const before = itemsOf(statusOf(pod)["conditions"]).map((one) => fieldsOf(one) as JsonObject);
  const generation = pod.metadata.generation;
  const set = conditions.map(({ type, isTrue, reason, message }): JsonObject => {
    const status = isTrue ? "True" : "False";
    const old = before.find((one) => one["type"] === type);
    return {
      type,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      status,
      lastProbeTime: null,
      lastTransitionTime:
        old?.["status"] === status ? (old["lastTransitionTime"] ?? null) : timestamp(now),
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
    };
  });
  const kept = before.filter((one) => !conditions.some(({ type }) => type === one["type"]));
  return [...set, ...kept];
}
