import { isBeingDeleted, type Application, type ExecutorPod } from "./application.ts";
import { replacedIn, type Ordered } from "./ordered.ts";

/**
 * Returns the changed executors if only their own rows change. Undefined if the application's row or the list of
 * executors changes.
 */
export function executorsApart(
  before: Application,
  after: Application,
): readonly ExecutorPod[] | undefined {
  if (!isSameRow(before, after)) return undefined;
  const apart: ExecutorPod[] = [];
  for (const list of ["live", "ended"] as const) {
    const replaced = before[list] === after[list] ? [] : replacedIn(before[list], after[list]);
    if (replaced === undefined) return undefined;
    for (const { before: was, after: is } of replaced) {
      // The application's row shows why executors are pending, so a change of a pending executor changes it.
      const isSettled = is.state.kind === "running" || list === "ended";
      // An ended executor's row moves out of its group while the pod is being deleted.
      const isMoved = isBeingDeleted(was) !== isBeingDeleted(is);
      const isSame = was.pod.uid === is.pod.uid && was.state.kind === is.state.kind;
      if (!isSame || !isSettled || isMoved) return undefined;
      apart.push(is);
    }
  }
  return apart;
}

/** Returns the uids of the pods of `before` that `after` lacks. Skips the runs of executors that both share. */
export function podsGone(before: Application, after: Application): Iterable<string> {
  const gone = new Set<string>();
  const lists = ["live", "ended"] as const;
  for (const list of lists) {
    for (const { pod } of apartFrom(before[list], after[list])) gone.add(pod.uid);
  }
  for (const list of lists) {
    for (const { pod } of apartFrom(after[list], before[list])) gone.delete(pod.uid);
  }
  const driver = before.driver?.pod.uid;
  if (driver !== undefined && driver !== after.driver?.pod.uid) gone.add(driver);
  return gone;
}

/** Iterates over the items of the first list, except those in runs that both lists share. */
function* apartFrom<T>({ runs }: Ordered<T>, other: Ordered<T>): Generator<T, void, undefined> {
  const shared = new Set(other.runs);
  for (const run of runs) if (!shared.has(run)) yield* run;
}

const isSameRow = (before: Application, after: Application): boolean =>
  before.name === after.name &&
  before.createdAt === after.createdAt &&
  before.driver === after.driver &&
  before.counts === after.counts &&
  before.profiles === after.profiles &&
  before.past === after.past &&
  before.state === after.state &&
  before.resource === after.resource;
