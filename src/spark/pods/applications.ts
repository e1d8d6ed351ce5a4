import { assertNever } from "../../base/assertNever.ts";
import { appNameLabel, appSelectorLabel, driverRole, roleLabel } from "../labels.ts";
import { displayState, type DisplayState } from "./displayState.ts";
import { executorIdOf } from "./executorId.ts";
import type { PodRecord } from "./podRecord.ts";
import { podsOf, type PodChanges, type PodSnapshot } from "./podSnapshot.ts";

/** Drivers and executors, grouped by the Spark run to which they belong. */
export interface ApplicationModel {
  readonly byKey: ReadonlyMap<string, Application>;
  /** The newest first. */
  readonly applications: readonly Application[];
}

export interface Application {
  /** `namespace/id`: unique in a cluster. */
  readonly key: string;
  readonly namespace: string;
  /** Label `spark-app-selector`; the pod's name where it has none. */
  readonly id: string;
  readonly name: string;
  /** When the first of its pods was created. */
  readonly createdAt: string;
  readonly driver: SparkPod | undefined;
  /** Older drivers of the same id, as an operator leaves behind when it submits anew. */
  readonly formerDrivers: readonly SparkPod[];
  /** By executor id; those without one last. */
  readonly executors: readonly ExecutorPod[];
  readonly state: ApplicationState;
  /** Executors by state. */
  readonly counts: ExecutorCounts;
}

/** `orphaned`: executors without a driver pod, as in client mode or when the driver was deleted. */
export type ApplicationState = DisplayState | { readonly kind: "orphaned" };

export interface SparkPod {
  readonly pod: PodRecord;
  readonly state: DisplayState;
}

export interface ExecutorPod extends SparkPod {
  /** Undefined until the pod has a usable `spark-exec-id`. */
  readonly executorId: number | undefined;
}

export interface ExecutorCounts {
  readonly pending: number;
  readonly running: number;
  readonly failed: number;
  readonly finished: number;
  /** Of which their nodes tell nothing. */
  readonly unknown: number;
}

export const emptyModel: ApplicationModel = Object.freeze({ byKey: new Map(), applications: [] });

/** The model of a whole snapshot. */
export const buildApplications = (snapshot: PodSnapshot): ApplicationModel =>
  updateApplications(emptyModel, { added: [...podsOf(snapshot)], modified: [], removed: [] });

/** The next model: applications without a changed pod stay the same objects, and so do unchanged executors. */
export function updateApplications(model: ApplicationModel, changes: PodChanges): ApplicationModel {
  const touched = new Map<string, PodEdit>();
  const editOf = (pod: PodRecord): PodEdit => {
    const key = applicationKeyOf(pod);
    const edit = touched.get(key) ?? { gone: new Set<string>(), come: [] };
    touched.set(key, edit);
    return edit;
  };
  for (const { before } of changes.removed) if (before) editOf(before).gone.add(before.uid);
  for (const { before, after } of changes.modified) {
    editOf(before).gone.add(before.uid);
    editOf(after).come.push(after);
  }
  for (const pod of changes.added) editOf(pod).come.push(pod);
  if (touched.size === 0) return model;

  const byKey = new Map(model.byKey);
  for (const [key, edit] of touched) {
    const application = editApplication(key, byKey.get(key), edit);
    if (application) byKey.set(key, application);
    else byKey.delete(key);
  }
  return { byKey, applications: [...byKey.values()].sort(newestFirst) };
}

interface PodEdit {
  readonly gone: Set<string>;
  readonly come: PodRecord[];
}

export const applicationKeyOf = (pod: PodRecord): string =>
  `${pod.namespace}/${applicationIdOf(pod)}`;

const applicationIdOf = (pod: PodRecord): string => pod.labels[appSelectorLabel] ?? pod.name;

function editApplication(
  key: string,
  application: Application | undefined,
  { gone, come }: PodEdit,
): Application | undefined {
  const stays = ({ pod }: SparkPod): boolean => !gone.has(pod.uid);
  const drivers = [...(application ? driversOf(application) : [])].filter(stays);
  const executors = (application?.executors ?? []).filter(stays);
  for (const pod of come) {
    if (pod.labels[roleLabel] === driverRole) drivers.push({ pod, state: displayState(pod) });
    else executors.push({ pod, state: displayState(pod), executorId: executorIdOf(pod) });
  }
  drivers.sort(newestDriverFirst);
  executors.sort(byExecutorId);
  const [driver, ...formerDrivers] = drivers;
  const witness = driver ?? executors[0];
  if (witness === undefined) return undefined;
  return {
    key,
    namespace: witness.pod.namespace,
    id: applicationIdOf(witness.pod),
    name: nameOf(witness.pod),
    createdAt: earliest([...drivers, ...executors]),
    driver,
    formerDrivers,
    executors,
    state: driver?.state ?? { kind: "orphaned" },
    counts: countExecutors(executors),
  };
}

const driversOf = ({ driver, formerDrivers }: Application): readonly SparkPod[] =>
  driver === undefined ? formerDrivers : [driver, ...formerDrivers];

// Spark's own names: `<prefix>-driver` and `<prefix>-exec-<id>`, the prefix often with a random suffix.
function nameOf(pod: PodRecord): string {
  const label = pod.labels[appNameLabel];
  if (label !== undefined && label !== "") return label;
  const stem = pod.name.replace(/-(?:driver|exec-\d+)$/, "");
  return stem.replace(/-[0-9a-f]{16}$/, "");
}

function countExecutors(executors: readonly ExecutorPod[]): ExecutorCounts {
  const counts = { pending: 0, running: 0, failed: 0, finished: 0, unknown: 0 };
  for (const { state } of executors) counts[countedAs(state)] += 1;
  return counts;
}

function countedAs(state: DisplayState): keyof ExecutorCounts {
  switch (state.kind) {
    case "requested":
    case "unscheduled":
    case "scheduled":
    case "initializing":
    case "pulling":
    case "starting":
    case "blocked":
      return "pending";
    case "running":
    case "terminating":
      return "running";
    case "failed":
    case "unknown":
      return state.kind;
    case "succeeded":
    case "deleted":
      return "finished";
    default:
      return assertNever(state);
  }
}

// Times of the API are all written alike, so that they sort as text; the newest comes first.
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const newestDriverFirst = (a: SparkPod, b: SparkPod): number =>
  compareText(b.pod.creationTimestamp, a.pod.creationTimestamp) ||
  compareText(b.pod.uid, a.pod.uid);

const newestFirst = (a: Application, b: Application): number =>
  compareText(b.createdAt, a.createdAt) || compareText(a.key, b.key);

const byExecutorId = (a: ExecutorPod, b: ExecutorPod): number =>
  (a.executorId ?? Infinity) - (b.executorId ?? Infinity) ||
  compareText(a.pod.creationTimestamp, b.pod.creationTimestamp) ||
  compareText(a.pod.uid, b.pod.uid);

function earliest(pods: readonly SparkPod[]): string {
  let first = pods[0]?.pod.creationTimestamp ?? "";
  for (const { pod } of pods) if (pod.creationTimestamp < first) first = pod.creationTimestamp;
  return first;
}
