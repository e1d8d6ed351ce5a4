import type { DriverReport, ReportedExecutors } from "../../spark/diagnosis/driverReport.ts";
import type { Application, ExecutorPod, SparkPod } from "../../spark/pods/application.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";
import type { StageProgress } from "../../spark/progress/progress.ts";
import { executorLimitOf, sampleOf } from "../../spark/timeline/driverSample.ts";
import { driverPod } from "../../spark/timeline/executorCounts.ts";
import {
  changesSince,
  hasEndedPhase,
  timelineMarkOf,
  removalOf,
  podSituationOf,
  spentBy,
  type PodSituation,
} from "../../spark/timeline/podChanges.ts";
import { spansOfActive, type StageSpan } from "../../spark/timeline/stageSpan.ts";
import type { StateChange } from "../../spark/timeline/stateChange.ts";
import {
  addChanges,
  addMark,
  addSample,
  addSpent,
  emptyTimeline,
  putStages,
  type MarkKind,
  type Timeline,
} from "../../spark/timeline/timeline.ts";

/** Data from the driver's REST API for the timeline. A missing member was not read. */
export interface TimelineReading {
  /** All stages of the driver. */
  readonly stages?: readonly StageSpan[];
  /** The active stages only. */
  readonly active?: readonly StageProgress[];
  readonly executors?: Pick<ReportedExecutors, "registered" | "usage" | "totals">;
}

/** Max timelines kept for applications whose pods were deleted. */
const maxRemoved = 50;
/** The minimum time between two samples of the executors. */
const minSampleMs = 1_000;

/**
 * Records timelines of the watched applications: changes of their pods, and the reports of their drivers. Sends no
 * requests. `timelineLimits` bounds the memory of each application.
 */
export class TimelineRecorder {
  readonly #entries = new Map<string, TimelineEntry>();

  /**
   * Compares applications with their last state. `find` returns the current application, `gone` if its pods were
   * deleted, or undefined if that is unknown. `nowOf` returns the time of its cluster in epoch ms.
   */
  take(
    keys: Iterable<string>,
    find: (key: string) => Application | "gone" | undefined,
    nowOf: (key: string) => number,
  ): void {
    for (const key of keys) {
      const application = find(key);
      const entry = this.#entries.get(key);
      if (application === undefined) continue;
      if (application === "gone") {
        if (entry?.application !== undefined) this.#remove(key, entry, nowOf(key));
        continue;
      }
      if (entry?.application === application) continue;
      const known = entry ?? newEntry();
      this.#entries.set(key, known);
      takeApplication(known, application, nowOf(key));
    }
  }

  keys(): Iterable<string> {
    return this.#entries.keys();
  }

  /**
   * Adds data from the REST API of a driver. Ignores unknown applications, and samples the executors at most once a
   * second. `allocation` is undefined if the conf of dynamic allocation is unknown.
   */
  read(
    key: string,
    { stages, active, executors }: TimelineReading,
    facts: { readonly now: number; readonly allocation: DriverReport["allocation"] },
  ): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    const { now, allocation } = facts;
    if (active !== undefined) {
      entry.timeline = putStages(entry.timeline, spansOfActive(entry.timeline.stages, active, now));
    }
    if (stages !== undefined) {
      entry.timeline = putStages(entry.timeline, stages);
      entry.hasStages = true;
      fillSpilled(entry);
    }
    if (executors === undefined || now - entry.sampledAt < minSampleMs) return;
    const limitBytes =
      (entry.application && executorLimitOf(entry.application)) ?? entry.limitBytes;
    entry.limitBytes = limitBytes;
    const spilled = entry.hasStages ? spilledIn(entry.timeline.stages) : undefined;
    const sample = sampleOf(executors, { at: now, allocation, limitBytes, spilled });
    if (sample === undefined) return;
    entry.sampledAt = now;
    entry.timeline = addSample(entry.timeline, sample);
  }

  /**
   * Returns the timeline up to `now`, including the requested resources of pods that still run. Undefined for an
   * unknown application.
   */
  timelineOf(key: string, now: number): Timeline | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    let { timeline } = entry;
    for (const { spark, situation } of entry.pods.values()) {
      if (!hasEndedPhase(situation.phase)) timeline = addSpent(timeline, spentBy(spark, now));
    }
    return timeline;
  }

  #remove(key: string, entry: TimelineEntry, now: number): void {
    removePods(entry, new Set(), now);
    Object.assign(entry, { application: undefined, runs: new Set() });
    // Moves the entry to the end, because the entries that were removed first are dropped first.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const removed = [...this.#entries].filter(([, one]) => one.application === undefined);
    for (const [oldest] of removed.slice(0, -maxRemoved)) this.#entries.delete(oldest);
  }
}

interface RecordedPod {
  readonly name: string;
  readonly situation: PodSituation;
  readonly spark: SparkPod;
  readonly mark: MarkKind | undefined;
  /** The time of the last recorded change. */
  readonly changedAt: number | undefined;
}

interface TimelineEntry {
  application: Application | undefined;
  timeline: Timeline;
  /** By uid. */
  readonly pods: Map<string, RecordedPod>;
  /**
   * The arrays in `runs` of the executor lists that were already compared. An array that is still the same object is
   * skipped.
   */
  runs: ReadonlySet<readonly ExecutorPod[]>;
  sampledAt: number;
  limitBytes: number | undefined;
  hasStages: boolean;
}

const newEntry = (): TimelineEntry => ({
  application: undefined,
  timeline: emptyTimeline,
  pods: new Map(),
  runs: new Set(),
  sampledAt: -Infinity,
  limitBytes: undefined,
  hasStages: false,
});

function takeApplication(entry: TimelineEntry, application: Application, now: number): void {
  entry.application = application;
  const { driver, live, ended } = application;
  const changes: StateChange[] = [];
  if (driver !== undefined) takePod(entry, driverPod, driver, now, changes);
  // Skip known arrays: deliveries come up to 20 times a second, and arrays without a change stay the same objects.
  const runs = new Set([...live.runs, ...ended.runs]);
  for (const run of runs) {
    if (entry.runs.has(run)) continue;
    for (const executor of run) takePod(entry, nameOf(executor), executor, now, changes);
  }
  entry.runs = runs;
  entry.timeline = addChanges(entry.timeline, changes);
  const count = live.size + ended.size + (driver === undefined ? 0 : 1);
  if (count < entry.pods.size) removePods(entry, uidsOf(application), now);
}

function uidsOf({ driver, live, ended }: Application): ReadonlySet<string> {
  const pods = [...itemsIn(live), ...itemsIn(ended), ...(driver === undefined ? [] : [driver])];
  return new Set(pods.map(({ pod }) => pod.uid));
}

const nameOf = ({ executorId, pod }: ExecutorPod): string =>
  executorId === undefined ? pod.name : String(executorId);

function takePod(
  entry: TimelineEntry,
  name: string,
  spark: SparkPod,
  now: number,
  changes: StateChange[],
): void {
  const { uid } = spark.pod;
  const before = entry.pods.get(uid);
  if (before?.spark.pod === spark.pod) return;
  const situation = podSituationOf(spark);
  const changedAt = before?.changedAt;
  const own = changesSince(before?.situation, spark, { name, now, changedAt });
  changes.push(...own);
  const mark = timelineMarkOf(spark, name, now);
  if (mark !== undefined && before?.mark === undefined)
    entry.timeline = addMark(entry.timeline, mark);
  const isEnd = hasEndedPhase(situation.phase);
  if (isEnd && (before === undefined || !hasEndedPhase(before.situation.phase))) {
    entry.timeline = addSpent(entry.timeline, spentBy(spark, now));
  }
  entry.pods.set(uid, {
    ...{ name, situation, spark, mark: mark?.kind ?? before?.mark },
    changedAt: own.at(-1)?.at ?? changedAt,
  });
}

/** Removes the pods whose uids `there` does not contain, and records their ends. */
function removePods(entry: TimelineEntry, there: ReadonlySet<string>, now: number): void {
  const changes: StateChange[] = [];
  for (const [uid, { name, situation, spark }] of entry.pods) {
    if (there.has(uid)) continue;
    entry.pods.delete(uid);
    const change = removalOf(situation, name, now);
    if (change === undefined) continue;
    changes.push(change);
    entry.timeline = addSpent(entry.timeline, spentBy(spark, now));
  }
  entry.timeline = addChanges(entry.timeline, changes);
}

/** Adds the spilled bytes to the last sample if it was taken before the stages were first read. */
function fillSpilled(entry: TimelineEntry): void {
  const { samples, stages } = entry.timeline;
  const last = samples.at(-1);
  if (last === undefined || last.memorySpilledBytes !== undefined) return;
  const { memory, disk } = spilledIn(stages);
  const filled = { ...last, memorySpilledBytes: memory, diskSpilledBytes: disk };
  entry.timeline = { ...entry.timeline, samples: samples.with(-1, filled) };
}

const spilledIn = (
  stages: readonly StageSpan[],
): { readonly memory: number; readonly disk: number } => ({
  memory: stages.reduce((sum, { memorySpilledBytes }) => sum + memorySpilledBytes, 0),
  disk: stages.reduce((sum, { diskSpilledBytes }) => sum + diskSpilledBytes, 0),
});
