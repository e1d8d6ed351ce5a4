import { isDriverRole, roleLabel } from "../labels.ts";
import {
  hasEndedPod,
  type Application,
  type ExecutorPod,
  type DeletedPodFacts,
  type SparkPod,
} from "./application.ts";
import { applicationStateOf } from "./applicationState.ts";
import { compareText } from "./compareText.ts";
import { displayState, isDeletion } from "./displayState.ts";
import { executorIdOf } from "./executorId.ts";
import { byExecutorId, emptyTally, executorPodOf, recount } from "./executorPods.ts";
import { executorSetOf } from "./executorSets.ts";
import { editOrdered, emptyOrdered, findIn, firstOf, itemsIn, type Ordered } from "./ordered.ts";
import { applicationIdOf, nameOf, originOf } from "./origin.ts";
import type { PodRecord } from "./podRecord.ts";
import type { PodRemoval } from "./podSnapshot.ts";

/** Pod changes of one application id. */
export interface RunEdit {
  /** The previous versions of modified pods. Their new versions are in `come`. */
  readonly replaced: PodRecord[];
  readonly removed: PodRemoval[];
  readonly come: PodRecord[];
}

/**
 * Returns the run after the edit. Undefined if no pods are left. The edit may add or remove the driver, but not replace
 * it with another one.
 */
export function editRun(
  key: string,
  before: Application | undefined,
  { replaced, removed, come }: RunEdit,
): Application | undefined {
  const gone = { live: [] as ExecutorPod[], ended: [] as ExecutorPod[] };
  const oldDriver = before?.driver;
  let driver = oldDriver;
  const leave = (pod: PodRecord): void => {
    if (isDriver(pod)) {
      if (pod.uid === driver?.pod.uid) driver = undefined;
    } else if (before !== undefined) {
      const executor = findExecutor(before, pod);
      if (executor !== undefined) gone[listOf(executor)].push(executor);
    }
  };
  for (const pod of replaced) leave(pod);
  for (const { before: pod } of removed) if (pod !== undefined) leave(pod);

  const arrived = { live: [] as ExecutorPod[], ended: [] as ExecutorPod[] };
  let newDriver: PodRecord | undefined;
  for (const pod of come) {
    if (isDriver(pod)) newDriver ??= pod;
    else {
      const executor = executorPodOf(pod);
      arrived[listOf(executor)].push(executor);
    }
  }
  if (newDriver !== undefined) driver = sparkPodOf(newDriver);

  const edited = (list: "live" | "ended"): Ordered<ExecutorPod> =>
    editOrdered(before?.[list] ?? emptyOrdered, gone[list], arrived[list], byExecutorId);
  const lost = driver === undefined ? (oldDriver ?? before?.past.driver) : undefined;
  const seen = pastOf(before?.past, (driver ?? lost)?.pod, removed, come);
  const { counts, profiles } = recount(
    before ?? emptyTally,
    joined(gone.live, gone.ended),
    joined(arrived.live, arrived.ended),
  );
  return finishRun(key, before, {
    driver,
    live: edited("live"),
    ended: edited("ended"),
    counts,
    formerIds: formerIdsAfter(before?.formerIds ?? noIds, replaced, removed, come),
    profiles,
    past: seen.driver === lost ? seen : { ...seen, driver: lost },
  });
}

const joined = <T>(list: readonly T[], more: readonly T[]): readonly T[] =>
  more.length === 0 ? list : [...list, ...more];

type FormerIds = Application["formerIds"];

const noIds: FormerIds = new Map();

/** Returns the former executor ids after the edit; the same map if it needs no change. */
function formerIdsAfter(
  before: FormerIds,
  replaced: readonly PodRecord[],
  removed: readonly PodRemoval[],
  come: readonly PodRecord[],
): FormerIds {
  const [was] = replaced;
  const [is] = come;
  // Fast path: most changes replace one pod with a newer version of itself.
  const isItself = was?.uid === is?.uid && replaced.length + come.length === 2;
  if (removed.length === 0 && isItself && was && is && executorIdOf(was) === executorIdOf(is)) {
    return before;
  }
  const ids = new Map(replaced.map((pod) => [pod.uid, executorIdOf(pod)]));
  const changed = come.filter((pod) => {
    const id = ids.get(pod.uid);
    return id !== undefined && id !== executorIdOf(pod);
  });
  const gone = removed.filter(({ last }) => before.has(last.uid));
  if (changed.length + gone.length === 0) return before;
  const after = new Map(before);
  for (const { last } of gone) after.delete(last.uid);
  for (const { uid } of changed) {
    after.set(uid, [...(before.get(uid) ?? []), ids.get(uid) ?? 0].slice(-formerIdsKept));
  }
  return after;
}

// Maximum number of former ids per pod: a crash-looping container gets a new id on each start.
const formerIdsKept = 10;

type Parts = Pick<
  Application,
  "driver" | "live" | "ended" | "counts" | "formerIds" | "profiles" | "past"
>;

function finishRun(
  key: string,
  before: Application | undefined,
  parts: Parts,
): Application | undefined {
  const { driver, live, ended, past } = parts;
  const witness = driver?.pod ?? firstOf(live)?.pod ?? firstOf(ended)?.pod;
  if (witness === undefined) return undefined;
  // Name and origin come from the driver. If the run has no driver before and after the edit, keeps the previous ones,
  // because executors have fewer labels.
  const told = before?.driver === undefined && driver === undefined ? before : undefined;
  const same = before?.driver?.pod === driver?.pod && driver !== undefined ? before : told;
  return {
    key,
    namespace: witness.namespace,
    id: applicationIdOf(witness),
    name: same?.name ?? nameOf(witness),
    createdAt: driver?.pod.creationTimestamp ?? past.firstSeen,
    origin: same?.origin ?? originOf(witness),
    ...parts,
    state: applicationStateOf(parts, before?.state),
    resource: before?.resource,
    formerKeys: before?.formerKeys ?? [],
  };
}

/**
 * Updates a run's summary of deleted pods from removed and new pods. Returns the same object if nothing changed.
 * Ignores pods that another driver owns, because they belong to another run.
 */
function pastOf(
  before: DeletedPodFacts | undefined,
  driver: PodRecord | undefined,
  removed: readonly PodRemoval[],
  come: readonly PodRecord[],
): DeletedPodFacts {
  let { firstSeen = "", highestId = 0, failed = 0, finished = 0 } = before ?? {};
  let { lastFailed, lastDeleted, lastFinishedAt, setProfiles = noProfiles } = before ?? {};
  // An executor is assumed to belong to this run if its owner is a StatefulSet or ReplicaSet, or if it has no owner.
  const isOwn = (pod: PodRecord): boolean =>
    driver === undefined ||
    ownUid(pod) === driver.uid ||
    (isExecutor(pod) && pod.ownerPod === undefined);
  const see = (pod: PodRecord): void => {
    const { creationTimestamp } = pod;
    if (firstSeen === "" || creationTimestamp < firstSeen) firstSeen = creationTimestamp;
    if (!isExecutor(pod)) return;
    highestId = Math.max(highestId, executorIdOf(pod) ?? 0);
    const profile = executorSetOf(pod)?.profile;
    if (profile !== undefined && !setProfiles.includes(profile)) {
      setProfiles = [...setProfiles, profile];
    }
  };
  for (const pod of come) if (isOwn(pod)) see(pod);
  let isTold = false;
  for (const { before: known, last } of removed) {
    if (!isOwn(last)) continue;
    see(last);
    if (!isExecutor(last)) continue;
    isTold = true;
    const left = endOfRemoved(known, last);
    if (left.state.kind === "failed") {
      failed += 1;
      if (lastFailed === undefined || endsNoLater(lastFailed.pod, last)) lastFailed = left;
    } else {
      finished += 1;
      if (isDeletion(left.state)) lastDeleted = left;
      const at = endOf(last);
      if (at !== undefined && at > (lastFinishedAt ?? "")) lastFinishedAt = at;
    }
  }
  const isSame =
    !isTold &&
    firstSeen === before?.firstSeen &&
    highestId === before.highestId &&
    setProfiles === before.setProfiles;
  if (isSame) return before;
  return {
    ...{
      firstSeen,
      highestId,
      failed,
      finished,
      lastFailed,
      lastDeleted,
      lastFinishedAt,
      setProfiles,
    },
    driver: before?.driver,
  };
}

/**
 * Returns the removed pod in its final state. A failure seen before the deletion takes precedence: Spark deletes the
 * pods of failed executors, and exit code 143 would then look like an effect of the deletion.
 */
function endOfRemoved(known: PodRecord | undefined, last: PodRecord): SparkPod {
  const before = known && sparkPodOf(known);
  return before?.state.kind === "failed" ? before : sparkPodOf(last);
}

const noProfiles: DeletedPodFacts["setProfiles"] = [];

const endsNoLater = (pod: PodRecord, other: PodRecord): boolean =>
  (endOf(pod) ?? "") <= (endOf(other) ?? "");

// Returns the latest end time of the containers. If none has ended, returns the deletion timestamp, which is the end of
// the grace period.
function endOf({ containers, deletionTimestamp }: PodRecord): string | undefined {
  const ends = containers.flatMap(({ state }) =>
    state?.kind === "terminated" ? (state.finishedAt ?? []) : [],
  );
  return ends.sort(compareText).at(-1) ?? deletionTimestamp;
}

export const touchesDriver = ({ replaced, removed, come }: RunEdit): boolean =>
  come.some(isDriver) || replaced.some(isDriver) || removed.some(({ last }) => isDriver(last));

/** Returns the uids of the drivers that exist after the edit, for all runs of one id. */
export function driversAfter(
  before: readonly Application[],
  { replaced, removed, come }: RunEdit,
): ReadonlySet<string> {
  const uids = new Set(before.flatMap(({ driver }) => driver?.pod.uid ?? []));
  for (const { uid } of replaced) uids.delete(uid);
  for (const { last } of removed) uids.delete(last.uid);
  for (const pod of come) if (isDriver(pod)) uids.add(pod.uid);
  return uids;
}

/** Splits the edit of an application id by run. Returns the parts by run key. `key`: the key of the newest run. */
export function editsByRun(
  key: string,
  formerKeys: readonly string[],
  { replaced, removed, come }: RunEdit,
): ReadonlyMap<string, RunEdit> {
  if (formerKeys.length === 0) return new Map([[key, { replaced, removed, come }]]);
  const edits = new Map<string, RunEdit>();
  const editOf = (pod: PodRecord): RunEdit => {
    const former = formerKeyOf(key, ownUid(pod) ?? "");
    const run = formerKeys.includes(former) ? former : key;
    const edit = edits.get(run) ?? { replaced: [], removed: [], come: [] };
    edits.set(run, edit);
    return edit;
  };
  for (const pod of replaced) editOf(pod).replaced.push(pod);
  for (const removal of removed) editOf(removal.before ?? removal.last).removed.push(removal);
  for (const pod of come) editOf(pod).come.push(pod);
  return edits;
}

/**
 * Returns the uid of a driver pod, or of an executor's owner: the driver, a StatefulSet or a ReplicaSet. Undefined if
 * an executor has no owner.
 */
const ownUid = (pod: PodRecord): string | undefined => (isDriver(pod) ? pod.uid : pod.ownerUid);

const formerKeyOf = (key: string, driverUid: string): string => `${key}@${driverUid}`;

/**
 * Returns the runs of a reused application id, newest driver first. An executor belongs to the driver that owns its
 * pod, or else to the newest run.
 */
export function splitRuns(
  key: string,
  before: readonly Application[],
  { replaced, removed, come }: RunEdit,
): readonly Application[] {
  const out = new Set(
    [...replaced, ...removed.flatMap((removal) => removal.before ?? [])].map(({ uid }) => uid),
  );
  const pods = [...before.flatMap(podsIn).filter(({ uid }) => !out.has(uid)), ...come];
  const drivers = pods.filter(isDriver).sort(newestFirst);
  const uids = new Set(drivers.map(({ uid }) => uid));
  const newest = drivers[0]?.uid ?? "";
  const members = new Map<string, RunEdit>();
  const runOf = (pod: PodRecord): RunEdit => {
    const uid = ownUid(pod);
    const run = uid !== undefined && uids.has(uid) ? uid : newest;
    const ofRun = members.get(run) ?? { replaced: [], removed: [], come: [] };
    members.set(run, ofRun);
    return ofRun;
  };
  for (const pod of pods) runOf(pod).come.push(pod);
  for (const removal of removed) runOf(removal.last).removed.push(removal);
  const runs = drivers.slice(1).flatMap(({ uid }) => {
    return rebuild(formerKeyOf(key, uid), before, members.get(uid)) ?? [];
  });
  const current = rebuild(key, before, members.get(newest));
  return current === undefined
    ? runs
    : [{ ...current, formerKeys: runs.map((run) => run.key) }, ...runs];
}

/**
 * Rebuilds a run from its pods. Reuses the objects of known executors and the summary of deleted pods. Undefined if the
 * run has no pods.
 */
function rebuild(
  key: string,
  before: readonly Application[],
  edit: RunEdit | undefined,
): Application | undefined {
  if (edit === undefined) return undefined;
  const run = editRun(key, undefined, { ...edit, removed: [] });
  if (run === undefined) return undefined;
  const { driver } = run;
  const known =
    driver === undefined
      ? before[0]
      : before.find((one) => (one.driver ?? one.past.driver)?.pod.uid === driver.pod.uid);
  const same = (executor: ExecutorPod): ExecutorPod => {
    const found = before.map((one) => findExecutor(one, executor.pod)).find((one) => one);
    return found?.pod === executor.pod ? found : executor;
  };
  const keep = ({ size, runs }: Ordered<ExecutorPod>): Ordered<ExecutorPod> => ({
    size,
    runs: runs.map((items) => items.map(same)),
  });
  const kept = known?.driver?.pod === driver?.pod ? known?.driver : undefined;
  const lost = driver === undefined ? (known?.driver ?? known?.past.driver) : undefined;
  const seen = pastOf(known?.past, (driver ?? lost)?.pod, edit.removed, edit.come);
  const past = { ...seen, driver: lost };
  return {
    ...run,
    driver: kept ?? driver,
    live: keep(run.live),
    ended: keep(run.ended),
    formerIds: known?.formerIds ?? noIds,
    past,
    state: driver === undefined ? applicationStateOf({ driver, live: run.live, past }) : run.state,
  };
}

export function findExecutor(application: Application, pod: PodRecord): ExecutorPod | undefined {
  const probe = { pod, executorId: executorIdOf(pod) };
  return (
    findIn(application.live, probe, byExecutorId) ?? findIn(application.ended, probe, byExecutorId)
  );
}

/** Iterates over all existing executors, live ones first. */
export function* executorsOf({
  live,
  ended,
}: Application): Generator<ExecutorPod, void, undefined> {
  yield* itemsIn(live);
  yield* itemsIn(ended);
}

/** Returns the existing pods of the driver and of all executors. */
export const podsIn = (application: Application): readonly PodRecord[] => [
  ...(application.driver === undefined ? [] : [application.driver.pod]),
  ...[...executorsOf(application)].map(({ pod }) => pod),
];

const sparkPodOf = (pod: PodRecord): SparkPod => ({ pod, state: displayState(pod) });

const isDriver = ({ labels }: PodRecord): boolean => isDriverRole(labels[roleLabel]);
const isExecutor = (pod: PodRecord): boolean => !isDriver(pod);
const listOf = (executor: SparkPod): "live" | "ended" => (hasEndedPod(executor) ? "ended" : "live");

const newestFirst = (a: PodRecord, b: PodRecord): number =>
  compareText(b.creationTimestamp, a.creationTimestamp) || compareText(b.uid, a.uid);
