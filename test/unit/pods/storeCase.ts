import { readExecutorId } from "../../../src/spark/pods/executorId.ts";
import { sparkState, type SparkStateRules } from "../../../src/spark/pods/executorState.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { rulesOf } from "../../../src/spark/pods/sparkContainer.ts";
import { findPod, podsOf, type PodSnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { executorIdLabel } from "../../../src/spark/labels.ts";
import { replayStore, type Callback, type Operation, type Replay } from "./storeReplay.ts";

/** Operations on Spark's own store, and the subscriber calls that they caused. */
export interface StoreCase {
  readonly id: string;
  readonly ops: readonly Operation[];
  readonly pool?: number;
  readonly options?: { readonly checkAllContainers?: boolean; readonly containerName?: string };
  readonly expect: {
    readonly callbacks: readonly SparkCallback[];
    readonly errors: readonly SparkError[];
    readonly current: SparkSnapshot;
    readonly exit?: number;
  };
}

interface SparkCallback {
  readonly sub: string;
  readonly n: number;
  readonly start: number;
  readonly end: number | null;
  readonly batch: readonly SparkSnapshot[];
  readonly threw?: string;
}

interface SparkSnapshot {
  readonly ts: number;
  /** Maps the executor id to state, pod name and resource version. */
  readonly pods: Readonly<Record<string, unknown>>;
}

interface SparkError {
  readonly at: string;
  readonly op: string;
  readonly error: string;
}

export interface Verdict {
  readonly differences: readonly string[];
  /** The reasons for deliberate differences, which are errors of Spark. */
  readonly deliberate: readonly string[];
}

/** Compares the deliveries of our store and their times with those of Spark. */
export async function checkStoreCase(
  recorded: StoreCase,
  rules: SparkStateRules,
): Promise<Verdict> {
  const { expect, ops, pool = 2 } = recorded;
  const differences: string[] = [];
  const deliberate: string[] = [];
  const ours = await replayStore(ops, pool);
  const textOf = (snapshot: PodSnapshot): string => sparkView(snapshot, rules, ours.isLater);

  const hasStopped = JSON.stringify(ops).includes('"stop"');
  const fatal = expect.callbacks.find(({ threw }) => isFatal(threw));
  const until = fatal?.start ?? Infinity;
  if (fatal)
    deliberate.push("an error of the JVM ends a subscriber's ticks in Spark; ours goes on");
  if (expect.exit !== undefined) deliberate.push("a subscriber's mistake ends Spark's driver");
  const lost = expect.errors.find(({ op }) => op === "replace");
  if (lost) deliberate.push(`Spark loses a whole list: ${lost.error}`);
  const unreadables = expect.errors.filter(({ op }) => op === "update");
  const unreadable =
    unreadables.find(({ error }) => !error.includes("NumberFormat")) ?? unreadables[0];
  if (unreadable) deliberate.push(`Spark throws at its producer: ${unreadable.error}`);
  for (const { op, error } of expect.errors) {
    if (op === "notify" || op === "subscribe") deliberate.push(`${op} throws in Spark: ${error}`);
  }
  const isPhantom = hasRelabelled(ops);
  if (isPhantom) deliberate.push("Spark keeps an executor under the id that its pod had before");
  // Neither view contains a pod with an unreadable executor id. Ours contains a pod that Spark fails to judge.
  const lacksPods = unreadable !== undefined && !unreadable.error.includes("NumberFormat");
  if (ours.wentBack) deliberate.push("Spark goes back to an older version of a pod");
  const judgesContent = lost === undefined && !lacksPods && !isPhantom && !ours.wentBack;

  for (const sub of new Set(expect.callbacks.map((callback) => callback.sub))) {
    const theirs = expect.callbacks.filter((each) => each.sub === sub && each.start < until);
    const own = ours.callbacks.filter((each) => each.sub === sub && each.start < until);
    let known = "";
    let lastTs = 0;
    for (const [at, callback] of theirs.entries()) {
      const where = `${sub} ${callback.n}`;
      const mine = own[at];
      // After a stop, Spark still makes a call that was requested before, even without changes. Our store does not.
      if (mine === undefined && hasStopped && callback.batch.length === 0) continue;
      if (mine === undefined) {
        differences.push(`${where}: we do not call`);
        break;
      }
      const end = mine.end ?? null;
      if (mine.start !== callback.start || (end !== callback.end && expect.exit === undefined)) {
        differences.push(
          `${where}: ours from ${mine.start} to ${String(end)}, Spark's from ${callback.start} to ${String(callback.end)}`,
        );
      }
      if (mine.threw !== (callback.threw !== undefined)) differences.push(`${where}: one throws`);
      if (!judgesContent) continue;
      const batch = callback.batch.map(({ pods }) => sparkText(pods));
      const steps = mine.steps.map(({ snapshot }) => textOf(snapshot));
      const [left, right] = [withoutRepeats(known, steps), withoutRepeats(known, batch)];
      if (left.join("\n") !== right.join("\n")) {
        differences.push(`${where}: ours [${left.join("; ")}], Spark's [${right.join("; ")}]`);
      }
      known = right.at(-1) ?? known;
      lastTs = callback.batch.at(-1)?.ts ?? lastTs;
      if (callback.batch.length > 0 && mine.lastList !== lastTs) {
        differences.push(`${where}: our last list is of ${mine.lastList}, Spark's of ${lastTs}`);
      }
      differences.push(...missingEndings(where, callback, mine));
    }
    const extra = own.slice(theirs.length).filter(({ isFlush }) => !isFlush);
    if (own.some(({ isFlush }, at) => isFlush && at >= theirs.length)) {
      deliberate.push(`Spark stops without telling ${sub} of the rest; ours tells it`);
    }
    if (extra.length > 0 && expect.exit === undefined) {
      differences.push(`${sub}: ${extra.length} calls of ours that Spark does not make`);
    }
  }
  const isComparable = judgesContent && expect.exit === undefined && !fatal && !hasStopped;
  const [mine, theirs] = [textOf(ours.moment.snapshot), sparkText(expect.current.pods)];
  if (isComparable && mine !== theirs)
    differences.push(`in the end: ours ${mine}, Spark's ${theirs}`);
  if (judgesContent && hasStopped) deliberate.push("after a stop Spark's store goes on to change");
  return { differences, deliberate };
}

const isFatal = (threw: string | undefined): boolean => threw?.endsWith("Error") === true;

/** Returns true if a pod changes its executor id, which only some allocators cause. */
function hasRelabelled(ops: readonly Operation[]): boolean {
  const ids = new Map<string, string>();
  let found = false;
  const see = (json: unknown): void => {
    const metadata = (
      json as { metadata?: { uid?: string; labels?: Record<string, string> } } | null
    )?.metadata;
    const [uid, id] = [metadata?.uid ?? "", metadata?.labels?.[executorIdLabel] ?? ""];
    found ||= (ids.get(uid) ?? id) !== id;
    ids.set(uid, id);
  };
  const walk = (operations: readonly Operation[]): void => {
    for (const operation of operations) {
      if (operation.op === "update") see(operation.pod);
      if (operation.op === "replace") operation.pods.forEach(see);
      if (operation.op === "subscribe") Object.values(operation.on ?? {}).forEach(walk);
    }
  };
  walk(ops);
  return found;
}

/** Returns endings that are visible only within one of Spark's batches and that our store has not reported. */
function missingEndings(where: string, { batch }: SparkCallback, mine: Callback): string[] {
  const told = new Set(mine.endings.map(({ pod, kind }) => `${pod.uid} ${kind}`));
  const missing: string[] = [];
  for (const { snapshot } of mine.steps.slice(0, -1)) {
    for (const pod of podsOf(snapshot)) {
      const state = sparkState(pod, rulesOf(pod));
      const isFinal = ["succeeded", "failed", "deleted"].includes(state);
      const first = mine.steps[0] && findPod(mine.steps[0].snapshot, pod.uid);
      const isNew = first === undefined || sparkState(first, rulesOf(first)) !== state;
      if (isFinal && isNew && batch.length > 1 && !told.has(`${pod.uid} ${state}`)) {
        missing.push(`${where}: the end of ${pod.name} is not told`);
      }
    }
  }
  return missing;
}

export const sparkStateWord = (pod: PodRecord, rules: SparkStateRules): string => {
  const state = sparkState(pod, rules);
  return `Pod${state.charAt(0).toUpperCase()}${state.slice(1)}`;
};

/** Returns the pods by executor id as text. Like Spark, uses the pod that changed last if several share an id. */
function sparkView(
  snapshot: PodSnapshot,
  rules: SparkStateRules,
  isLater: Replay["isLater"],
): string {
  const byId = new Map<bigint, PodRecord>();
  for (const pod of podsOf(snapshot)) {
    const id = readExecutorId(pod.labels[executorIdLabel]);
    if (id === undefined) continue;
    const other = byId.get(id);
    if (other && isLater(other, pod)) continue;
    byId.set(id, pod);
  }
  return textOfEntries(
    Array.from(byId, ([id, pod]) => [
      String(id),
      [sparkStateWord(pod, rules), pod.name, pod.resourceVersion],
    ]),
  );
}

const sparkText = (pods: SparkSnapshot["pods"]): string => textOfEntries(Object.entries(pods));

const textOfEntries = (entries: readonly (readonly [string, unknown])[]): string =>
  entries
    .map(([id, entry]) => `${id}=${JSON.stringify(entry)}`)
    .sort()
    .join(" ");

/** Removes consecutive repetitions, because Spark also queues unchanged snapshots. */
function withoutRepeats(known: string, texts: readonly string[]): string[] {
  let last = known;
  return texts.filter((text) => {
    const isNew = text !== last;
    last = text;
    return isNew;
  });
}
