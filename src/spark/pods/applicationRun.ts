import { isDriverRole, roleLabel } from "../labels.ts";
import {
  hasEndedPod,
  type Application,
  type ApplicationState,
  type ExecutorPod,
  type Past,
  type SparkPod,
} from "./application.ts";
import { compareText } from "./compareText.ts";
import { displayState } from "./displayState.ts";
import { executorIdOf } from "./executorId.ts";
import { byExecutorId, emptyTally, executorPodOf, recount, sumOf } from "./executorPods.ts";
import { editOrdered, emptyOrdered, findIn, firstOf, itemsIn, type Ordered } from "./ordered.ts";
import { applicationIdOf, nameOf, originOf } from "./origin.ts";
import type { PodRecord } from "./podRecord.ts";
import type { PodRemoval } from "./podSnapshot.ts";

/** What happened to the pods of one application id. */
export interface RunEdit {
  /** Pods as they were before they changed. */
  readonly replaced: PodRecord[];
  readonly removed: PodRemoval[];
  readonly come: PodRecord[];
}

/** The next state of an application that has one driver at most; undefined without any pod. */
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
      // Where it stands follows from what it was, so that nobody need look for it.
      const executor = executorPodOf(pod);
      gone[listOf(executor)].push(executor);
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
  const isNewRun =
    driver !== undefined && (oldDriver ?? before?.past.driver)?.pod.uid !== driver.pod.uid;
  const kept = isNewRun && before?.past.driver !== undefined ? undefined : before?.past;
  const seen = pastOf(kept, removed, driver === undefined ? come : [...come, driver.pod]);
  const lost = driver === undefined ? (oldDriver ?? seen.driver) : undefined;
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
    profiles,
    past: seen.driver === lost ? seen : { ...seen, driver: lost },
  });
}

const joined = <T>(list: readonly T[], more: readonly T[]): readonly T[] =>
  more.length === 0 ? list : [...list, ...more];

type Parts = Pick<Application, "driver" | "live" | "ended" | "counts" | "profiles" | "past">;

function finishRun(
  key: string,
  before: Application | undefined,
  parts: Parts,
): Application | undefined {
  const { driver, live, ended, past } = parts;
  const witness = driver?.pod ?? firstOf(live)?.pod ?? firstOf(ended)?.pod;
  if (witness === undefined) return undefined;
  // A driver's origin is its application's; executors know less, so the first word stands.
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
    state: driver?.state ?? driverlessState(live, past, before?.state),
    resource: before?.resource,
    formerKeys: [],
  };
}

function driverlessState(
  live: Ordered<ExecutorPod>,
  past: Past,
  before?: ApplicationState,
): ApplicationState {
  const running = firstOf(live);
  // The cluster deletes what a deleted driver pod owned, and executors end themselves without their driver.
  if (running === undefined || past.driver !== undefined) return { kind: "orphaned" };
  const owner = running.pod.ownerPod;
  const isSame = before?.kind === "driverElsewhere" && before.owner === owner;
  return isSame ? before : { kind: "driverElsewhere", owner };
}

/** What is remembered with these pods too; the same object where they add nothing. */
function pastOf(
  before: Past | undefined,
  removed: readonly PodRemoval[],
  come: readonly PodRecord[],
): Past {
  let { firstSeen = "", highestId = 0, failed = 0, finished = 0, lastFinishedAt } = before ?? {};
  const see = (pod: PodRecord): void => {
    const { creationTimestamp } = pod;
    if (firstSeen === "" || creationTimestamp < firstSeen) firstSeen = creationTimestamp;
    if (isExecutor(pod)) highestId = Math.max(highestId, executorIdOf(pod) ?? 0);
  };
  for (const pod of come) see(pod);
  for (const { last } of removed) {
    see(last);
    if (!isExecutor(last)) continue;
    if (displayState(last).kind === "failed") failed += 1;
    else {
      finished += 1;
      const at = endOf(last);
      if (at !== undefined && at > (lastFinishedAt ?? "")) lastFinishedAt = at;
    }
  }
  const isSame =
    firstSeen === before?.firstSeen && highestId === before.highestId && removed.length === 0;
  if (isSame) return before;
  return { firstSeen, highestId, failed, finished, lastFinishedAt, driver: before?.driver };
}

// When its last container ended; a pod that was deleted while it ran tells no more than its deadline.
function endOf({ containers, deletionTimestamp }: PodRecord): string | undefined {
  const ends = containers.flatMap(({ state }) =>
    state?.kind === "terminated" ? (state.finishedAt ?? []) : [],
  );
  return ends.sort(compareText).at(-1) ?? deletionTimestamp;
}

/**
 * The runs behind one application id that was used more than once, the newest driver's first: an executor
 * belongs to the driver that owns its pod, and one that nobody owns to the newest.
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
  const members = new Map<string, PodRecord[]>([[newest, []]]);
  for (const pod of pods) {
    const owner = pod.ownerUid !== undefined && uids.has(pod.ownerUid) ? pod.ownerUid : newest;
    const run = isDriver(pod) ? pod.uid : owner;
    const ofRun = members.get(run) ?? [];
    members.set(run, ofRun);
    ofRun.push(pod);
  }
  const runs = drivers.slice(1).flatMap(({ uid }) => {
    const former = `${key}@${uid}`;
    return rebuild(former, before, members.get(uid) ?? [], []) ?? [];
  });
  const current = rebuild(key, before, members.get(newest) ?? [], removed);
  return current === undefined
    ? runs
    : [{ ...current, formerKeys: runs.map((run) => run.key) }, ...runs];
}

/** A run anew from its pods; executors that are known stay the same objects. */
function rebuild(
  key: string,
  before: readonly Application[],
  pods: PodRecord[],
  removed: PodRemoval[],
): Application | undefined {
  const driver = pods.find(isDriver);
  const known = before.find((run) => run.driver?.pod.uid === driver?.uid) ?? before[0];
  const run = editRun(key, undefined, { replaced: [], removed: [], come: pods });
  if (run === undefined) return undefined;
  const same = (executor: ExecutorPod): ExecutorPod => {
    const found = before.map((one) => findExecutor(one, executor.pod)).find((one) => one);
    return found?.pod === executor.pod ? found : executor;
  };
  const keep = ({ size, runs }: Ordered<ExecutorPod>): Ordered<ExecutorPod> => ({
    size,
    runs: runs.map((items) => items.map(same)),
  });
  const kept = known?.driver?.pod === driver ? known?.driver : undefined;
  const seen = pastOf(known?.past ?? run.past, removed, pods);
  const past = run.driver === undefined ? seen : { ...seen, driver: undefined };
  return {
    ...run,
    driver: kept ?? run.driver,
    live: keep(run.live),
    ended: keep(run.ended),
    past,
    state: run.driver === undefined ? driverlessState(run.live, past) : run.state,
  };
}

/** The executor of this pod as the application holds it. */
export function findExecutor(application: Application, pod: PodRecord): ExecutorPod | undefined {
  const probe = { pod, executorId: executorIdOf(pod) };
  return (
    findIn(application.live, probe, byExecutorId) ?? findIn(application.ended, probe, byExecutorId)
  );
}

/** All executors whose pods are there, the live ones first. */
export function* executorsOf({
  live,
  ended,
}: Application): Generator<ExecutorPod, void, undefined> {
  yield* itemsIn(live);
  yield* itemsIn(ended);
}

export const countAll = ({ counts }: Application): number => sumOf(counts);

const podsIn = (application: Application): readonly PodRecord[] => [
  ...(application.driver === undefined ? [] : [application.driver.pod]),
  ...[...executorsOf(application)].map(({ pod }) => pod),
];

const sparkPodOf = (pod: PodRecord): SparkPod => ({ pod, state: displayState(pod) });

const isDriver = ({ labels }: PodRecord): boolean => isDriverRole(labels[roleLabel]);
const isExecutor = (pod: PodRecord): boolean => !isDriver(pod);
const listOf = (executor: SparkPod): "live" | "ended" => (hasEndedPod(executor) ? "ended" : "live");

const newestFirst = (a: PodRecord, b: PodRecord): number =>
  compareText(b.creationTimestamp, a.creationTimestamp) || compareText(b.uid, a.uid);
