import type { PodRecord } from "../pods/podRecord.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";
import { fieldsOf, numberOf, textOf } from "../../base/json.ts";

/** A Kubernetes Event about a pod. */
export interface PodEventRecord {
  /** The machine-readable reason, such as `FailedMount` or `NotTriggerScaleUp`. */
  readonly reason: string;
  readonly message: string;
  readonly isWarning: boolean;
  /** The number of occurrences. */
  readonly count: number;
  readonly lastAt: string;
  /** The reporting component, such as `kubelet`. */
  readonly from: string;
}

/** Decodes an Event. Never throws: fields of an unexpected type are treated as absent. */
export function decodePodEvent(json: unknown): PodEventRecord {
  const event = fieldsOf(json);
  const series = fieldsOf(event["series"]);
  return {
    reason: textOf(event["reason"]) ?? "",
    message: textOf(event["message"]) ?? "",
    isWarning: event["type"] === "Warning",
    count: numberOf(series["count"]) ?? numberOf(event["count"]) ?? 1,
    lastAt:
      textOf(series["lastObservedTime"]) ??
      textOf(event["lastTimestamp"]) ??
      textOf(event["eventTime"]) ??
      textOf(fieldsOf(event["metadata"])["creationTimestamp"]) ??
      "",
    from:
      textOf(event["reportingComponent"]) || (textOf(fieldsOf(event["source"])["component"]) ?? ""),
  };
}

/**
 * Returns the events since the start of Spark's container if the container has ended. Earlier warnings, such as a
 * retried mount, did not cause the end. Otherwise returns all events.
 */
export function eventsSinceStart(
  events: readonly PodEventRecord[],
  pod: PodRecord,
): readonly PodEventRecord[] {
  const state = sparkContainerOf(pod)?.state;
  const startedAt = state?.kind === "terminated" ? Date.parse(state.startedAt ?? "") : NaN;
  return Number.isNaN(startedAt)
    ? events
    : events.filter(({ lastAt }) => !(Date.parse(lastAt) < startedAt));
}

export const newestEventFirst = (a: PodEventRecord, b: PodEventRecord): number =>
  a.lastAt < b.lastAt ? 1 : a.lastAt > b.lastAt ? -1 : 0;
