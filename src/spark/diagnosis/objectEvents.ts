import type { Application } from "../pods/application.ts";
import { executorsOf } from "../pods/applicationRun.ts";
import { possibleSetsOf } from "../pods/executorSets.ts";
import { fieldsOf, textOf } from "../../base/json.ts";
import type { PodRecord } from "../pods/podRecord.ts";
import { decodeNotice, type PodNotice } from "./podNotice.ts";

/** An event and the object that it is about. */
export interface ObjectEvent {
  readonly notice: PodNotice;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** Never throws. Undefined for an event without an object. */
export function decodeObjectEvent(json: unknown): ObjectEvent | undefined {
  const about = fieldsOf(fieldsOf(json)["involvedObject"]);
  const [kind, name, uid] = [about["kind"], about["name"], about["uid"]].map(textOf);
  if (kind === undefined || uid === undefined) return undefined;
  return { notice: decodeNotice(json), kind, name: name ?? "", uid };
}

/** Selects events about a pod and its volume claims. */
export const isAboutPod =
  (pod: PodRecord) =>
  ({ kind, name, uid, notice }: ObjectEvent): boolean =>
    (kind === "Pod" && uid === pod.uid) ||
    (kind === "PersistentVolumeClaim" &&
      notice.lastAt >= pod.creationTimestamp &&
      name.startsWith(`${pod.name}-`));

/**
 * Selects events about all pods of an application, deleted ones included, about the StatefulSet or Deployment of
 * its executors, its custom resource and its volume claims. Deleted pods and claims are found by their name
 * prefix: that of any known executor, or else of a driver with a generated name.
 */
export function isAboutApplication(application: Application): (event: ObjectEvent) => boolean {
  const { createdAt, past, resource } = application;
  const driver = application.driver ?? past.driver;
  const executors = [...executorsOf(application), ...(past.lastFailed ? [past.lastFailed] : [])];
  const uids = new Set([...executors, ...(driver ? [driver] : [])].map(({ pod }) => pod.uid));
  const sets = possibleSetsOf(application).map(({ name }) => name);
  const ofExecutors = new Set(executors.flatMap(({ pod }) => stemOf(pod.name) ?? []));
  const stems = ofExecutors.size > 0 || !driver ? ofExecutors : [stemOf(driver.pod.name) ?? ""];
  const isExecutorOrItsOwn = (name: string): boolean =>
    [...stems].some((stem) => name.startsWith(`${stem}-exec-`)) ||
    sets.some((set) => name.startsWith(`${set}-`));
  const isByName = ({ kind, name }: ObjectEvent): boolean => {
    if (kind === "Pod" || kind === "ReplicaSet") return isExecutorOrItsOwn(name);
    if (kind === "StatefulSet" || kind === "Deployment") return sets.includes(name);
    const isOfDriver = [...stems].some((stem) => name.startsWith(`${stem}-driver-pvc-`));
    return kind === "PersistentVolumeClaim" && (isOfDriver || isExecutorOrItsOwn(name));
  };
  // An earlier run may have used the same names.
  return (event) =>
    (event.kind === "Pod" && uids.has(event.uid)) ||
    // After a failed submission there is no pod; the operator writes the reason to its resource.
    (resource !== undefined && event.uid === resource.uid) ||
    (event.notice.lastAt >= createdAt && isByName(event));
}

/** `pi-1a2b` of `pi-1a2b-driver` and `pi-1a2b-exec-3`. */
const stemOf = (name: string): string | undefined =>
  /^(?<stem>.+)-(?:driver|exec-\d+)$/.exec(name)?.groups?.["stem"];
