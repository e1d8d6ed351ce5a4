import { fieldsOf, numberOf, textOf } from "../pods/fields.ts";

/** What some part of the cluster has noted of a pod: an Event, as Kubernetes calls it. */
export interface PodNotice {
  /** `FailedMount`, `NotTriggerScaleUp` … */
  readonly reason: string;
  readonly message: string;
  readonly isWarning: boolean;
  /** How often. */
  readonly count: number;
  readonly lastAt: string;
  /** The part of the cluster that noted it. */
  readonly from: string;
}

/** Never throws: what has not the expected type counts as absent. */
export function decodeNotice(json: unknown): PodNotice {
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

export const newestNoticeFirst = (a: PodNotice, b: PodNotice): number =>
  a.lastAt < b.lastAt ? 1 : a.lastAt > b.lastAt ? -1 : 0;
