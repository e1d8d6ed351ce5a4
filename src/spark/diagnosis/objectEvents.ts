import type { Application, SparkPod } from "../pods/application.ts";
import { executorsOf } from "../pods/applicationRun.ts";
import { possibleSetsOf } from "../pods/executorSets.ts";
import { fieldsOf, textOf } from "../../base/json.ts";
import type { PodRecord } from "../pods/podRecord.ts";
import { timesOf } from "../pods/podTimes.ts";
import { decodePodEvent, type PodEventRecord } from "./podEventRecord.ts";

/** An event and the object that it is about. */
export interface ObjectEvent {
  readonly event: PodEventRecord;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** Decodes an Event. Never throws. Undefined for an event without an object. */
export function decodeObjectEvent(json: unknown): ObjectEvent | undefined {
  const about = fieldsOf(fieldsOf(json)["involvedObject"]);
  const [kind, name, uid] = [about["kind"], about["name"], about["uid"]].map(textOf);
  if (kind === undefined || uid === undefined) return undefined;
  return { event: decodePodEvent(json), kind, name: name ?? "", uid };
}

/** Returns a filter that accepts events about a pod and its volume claims. */
export const isAboutPod =
  (pod: PodRecord) =>
  ({ kind, name, uid, event }: ObjectEvent): boolean =>
    (kind === "Pod" && uid === pod.uid) ||
    (kind === "PersistentVolumeClaim" &&
      event.lastAt >= pod.creationTimestamp &&
      name.startsWith(`${pod.name}-`));

/**
 * Returns a filter that accepts events about an application. These are events about its pods, including deleted pods,
 * its volume claims, its custom resource, and the executors' StatefulSet or Deployment. Deleted pods and claims are
 * recognized by their name prefix: that of a known executor, or one that the driver can have generated.
 */
export function isAboutApplication(application: Application): (event: ObjectEvent) => boolean {
  const { createdAt, past, resource } = application;
  const driver = application.driver ?? past.driver;
  const executors = [...executorsOf(application), ...(past.lastFailed ? [past.lastFailed] : [])];
  const uids = new Set([...executors, ...(driver ? [driver] : [])].map(({ pod }) => pod.uid));
  const sets = possibleSetsOf(application).map(({ name }) => name);
  const ofExecutors = new Set(executors.flatMap(({ pod }) => stemOf(pod.name) ?? []));
  const isStem =
    ofExecutors.size > 0 || driver === undefined
      ? (stem: string): boolean => ofExecutors.has(stem)
      : mayBeStemOf(application.name, driver);
  const isExecutorOrItsOwn = (name: string): boolean => {
    const stem = /^(?<stem>.+?)-exec-\d+(?:-|$)/.exec(name)?.groups?.["stem"];
    return (stem !== undefined && isStem(stem)) || sets.some((set) => name.startsWith(`${set}-`));
  };
  const driverStem = driver && stemOf(driver.pod.name);
  const isByName = ({ kind, name }: ObjectEvent): boolean => {
    if (kind === "Pod" || kind === "ReplicaSet") return isExecutorOrItsOwn(name);
    if (kind === "StatefulSet" || kind === "Deployment") return sets.includes(name);
    const isOfDriver = driverStem !== undefined && name.startsWith(`${driverStem}-driver-pvc-`);
    return kind === "PersistentVolumeClaim" && (isOfDriver || isExecutorOrItsOwn(name));
  };
  // Events from before the application are not matched by name, because an earlier run may have used the name.
  return (event) =>
    (event.kind === "Pod" && uids.has(event.uid)) ||
    // A failed submission has no pod. The operator records the reason as an event of the custom resource.
    (resource !== undefined && event.uid === resource.uid) ||
    (event.event.lastAt >= createdAt && isByName(event));
}

/** Returns `pi-1a2b` for `pi-1a2b-driver` and `pi-1a2b-exec-3`. Undefined for other names. */
const stemOf = (name: string): string | undefined =>
  /^(?<stem>.+)-(?:driver|exec-\d+)$/.exec(name)?.groups?.["stem"];

/**
 * Returns a predicate for name prefixes that a driver can have generated for its executors. Before Spark 3.2, the
 * prefix is the driver's own. Later drivers generate a prefix when they start: the application's name, three random
 * bytes, and the lower 40 bits of the time in milliseconds. Bytes and time are hexadecimal.
 */
function mayBeStemOf(name: string, driver: SparkPod): (stem: string) => boolean {
  const own = stemOf(driver.pod.name) ?? "";
  const bases = new Set([generated(own)?.base, podNameOf(name)]);
  const start = Date.parse(driver.pod.creationTimestamp) - clockSkewMs;
  const end = Date.parse(timesOf(driver).endedAt ?? "") + clockSkewMs;
  const span = Number.isNaN(end) ? timeRange : end - start;
  return (stem) => {
    if (stem === own) return true;
    const parts = generated(stem);
    if (parts === undefined || !bases.has(parts.base)) return false;
    const sinceStart = (((parts.time - start) % timeRange) + timeRange) % timeRange;
    return sinceStart <= Math.min(span, timeRange / 2);
  };
}

const timeRange = 2 ** 40;
// The generated time comes from the node's clock; the other times come from the API server.
const clockSkewMs = 5_000;

function generated(stem: string): { readonly base: string; readonly time: number } | undefined {
  const parts = /^(?<base>.+)-[0-9a-f]{6}(?<time>[0-9a-f]{8,10})$/.exec(stem)?.groups;
  const { base, time } = parts ?? {};
  return base === undefined || time === undefined
    ? undefined
    : { base, time: Number.parseInt(time, 16) };
}

/** Returns an application's name as Spark writes it into pod names. */
const podNameOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/-+/g, "-")
    .replace(/^-/, "")
    .replace(/^[0-9]/, "x");
