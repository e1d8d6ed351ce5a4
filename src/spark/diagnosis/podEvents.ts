import { compareText } from "../pods/compareText.ts";
import { fieldsOf, textOf } from "../pods/fields.ts";
import { decodeNotice, type PodNotice } from "./podNotice.ts";

/** A notice, and of which pod it is. */
export interface PodEvent {
  readonly notice: PodNotice;
  readonly podUid: string;
  readonly podName: string;
}

/** Never throws. Undefined for an event that is about no pod. */
export function decodePodEvent(json: unknown): PodEvent | undefined {
  const about = fieldsOf(fieldsOf(json)["involvedObject"]);
  const podUid = textOf(about["uid"]);
  if (about["kind"] !== "Pod" || podUid === undefined) return undefined;
  return { notice: decodeNotice(json), podUid, podName: textOf(about["name"]) ?? "" };
}

/** The oldest first. */
export const inOrderOfTime = (events: readonly PodEvent[]): readonly PodEvent[] =>
  events.toSorted((a, b) => compareText(a.notice.lastAt, b.notice.lastAt));

/** `2026-01-02T03:04:05Z  Warning  FailedScheduling  pi-exec-1: 0/3 nodes … (4 times)` */
export function describeEvent({ notice, podName }: PodEvent): string {
  const { lastAt, isWarning, reason, message, count } = notice;
  const times = count > 1 ? ` (${count} times)` : "";
  const words = message.replaceAll(/\s+/g, " ").trim();
  return `${lastAt}  ${isWarning ? "Warning" : "Normal "}  ${reason}  ${podName}: ${words}${times}`;
}
