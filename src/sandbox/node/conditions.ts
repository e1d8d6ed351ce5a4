import { fieldsOf, itemsOf } from "../../base/json.ts";
import { timestamp } from "../clock.ts";
import type { JsonValue, JsonMembers, KubeObject } from "../kubeObject.ts";

export interface Condition {
  readonly type: string;
  readonly isTrue: boolean;
  readonly reason?: string;
  readonly message?: string;
}

/** Returns the status of a pod; empty if it has none. */
export const statusOf = (pod: KubeObject): JsonMembers => fieldsOf(pod["status"]) as JsonMembers;

/**
 * Returns the pod's conditions after adding `conditions` or replacing those of the same type. `lastTransitionTime`
 * changes only with `status`.
 */
export function withConditions(
  pod: KubeObject,
  conditions: readonly Condition[],
  now: number,
): readonly JsonValue[] {
  const before = itemsOf(statusOf(pod)["conditions"]).map((one) => fieldsOf(one) as JsonMembers);
  const generation = pod.metadata.generation;
  const set = conditions.map(({ type, isTrue, reason, message }): JsonMembers => {
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
