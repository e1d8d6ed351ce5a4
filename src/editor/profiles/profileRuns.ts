import type { Memento } from "vscode";
import { isRecord } from "../../base/json.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { DriverState, ReportDriver } from "../apps/driverState.ts";
import { storedList } from "../stored.ts";
import type { RunOutcome } from "./runOutcome.ts";

/** The last run of a profile. */
export type LastOutcome =
  /** `state`: the state of the driver, or the progress of the submission. */
  | {
      readonly kind: "running";
      readonly at: number;
      readonly state: RunState;
      /** The uid of the driver, once its pod was created. */
      readonly driver?: string;
    }
  | {
      readonly kind: "ended";
      readonly at: number;
      readonly exitCode: number | undefined;
      /** Undefined if an earlier version of the extension stored the run, or if the run did not report its outcome. */
      readonly outcome?: RunOutcome;
      /** The cause of the failure, for the row. */
      readonly cause?: string;
    };

/** `asked`: not submitted yet, because prompts, a build or an upload come first. */
export type RunState = "asked" | "submitted" | DriverState;

type EndedOutcome = LastOutcome & { readonly kind: "ended" };

export interface ProfileRunsOptions {
  readonly memory: Memento;
  readonly now: () => number;
  /** Reports the state of a driver by its uid until disposal. */
  readonly driverState: (driver: string, report: ReportDriver) => Disposable;
  /** Called after each change of an outcome. */
  readonly changed: () => void;
}

/** A task of a run: the profile's own task, or a copy. */
export interface RunTask {
  readonly name: string;
  readonly folder: string | undefined;
}

interface NewestRun {
  readonly execution: unknown;
  readonly task: RunTask;
  /** True if the task ended before the driver, so that the watch of the driver reports the end of the run. */
  readonly isDetached?: boolean;
}

/**
 * A run that is not submitted yet. `key`: the key of its profile. `at`: the start of its task, in epoch milliseconds.
 */
type AskedRun = NewestRun & { readonly key: string; readonly at: number };

const memoryKey = "profiles.outcomes";

// Maximum number of stored outcomes. Without it, the outcomes of renamed profiles would accumulate.
const outcomesKept = 200;

/** Keeps the last run of each profile, also across windows. */
export class ProfileRuns implements Disposable {
  readonly #options: ProfileRunsOptions;
  /** Maps the label of a concurrent run's task to its profile. */
  readonly #copies = new Map<string, string>();
  readonly #reported = new Map<string, Pick<EndedOutcome, "outcome" | "cause">>();
  /** The newest run of each profile. The end of an earlier run does not change the profile's outcome. */
  readonly #newest = new Map<string, NewestRun>();
  /** Runs by execution that are not submitted yet while an earlier run of the profile is running. */
  readonly #asked = new Map<unknown, AskedRun>();
  /** The watch of the driver of each profile, by the key of the profile. */
  readonly #drivers = new Map<string, Disposable>();
  #outcomes: ReadonlyMap<string, LastOutcome>;

  constructor(options: ProfileRunsOptions) {
    this.#options = options;
    // `storedOutcome` drops runs that were not yet submitted when the window closed.
    this.#outcomes = new Map(storedList(options.memory, memoryKey).flatMap(storedOutcome));
  }

  /** Returns the last run of a profile. Watches the driver of a run that began before the window was reloaded. */
  of(name: string, folder: string | undefined): LastOutcome | undefined {
    const key = keyOf(name, folder);
    const last = this.#outcomes.get(key);
    if (last?.kind === "running" && last.driver !== undefined && !this.#drivers.has(key)) {
      this.#watch(key, last.driver);
    }
    return last;
  }

  /** Counts runs of the task `copy` as runs of the profile `name`. */
  startedAs(copy: string, name: string): void {
    this.#copies.set(copy, name);
  }

  started(task: RunTask, execution: unknown): void {
    // Drop the outcome that a terminated task reported after its end.
    this.#reported.delete(task.name);
    const key = this.#keyOf(task);
    const asked = { key, execution, task, at: this.#options.now() };
    const last = this.#outcomes.get(key);
    // The row shows a running application until the next one is submitted.
    if (last?.kind === "running" && last.state !== "asked") this.#asked.set(execution, asked);
    else this.#showAsked(asked);
  }

  /** Records that a task's run was submitted. `driver` is undefined if an operator creates the driver later. */
  submittedAs(name: string, driver?: PodRecord): void {
    const asked = [...this.#asked.values()].find(({ task }) => task.name === name);
    if (asked !== undefined) this.#showAsked(asked);
    const [key] = [...this.#newest].find(([, { task }]) => task.name === name) ?? [];
    const last = key === undefined ? undefined : this.#outcomes.get(key);
    if (key === undefined || last?.kind !== "running") return;
    // `#note` also stops watching an earlier driver.
    this.#note(key, { ...last, state: "submitted", ...(driver && { driver: driver.uid }) });
    if (driver !== undefined) this.#watch(key, driver.uid);
  }

  /** Records the outcome that a run reports before its task ends. */
  endedAs(task: string, outcome: RunOutcome, cause?: string): void {
    this.#reported.set(task, { outcome, ...(cause !== undefined && { cause }) });
  }

  ended(task: RunTask, execution: unknown, exitCode: number | undefined): void {
    const reported = this.#reported.get(task.name) ?? {};
    this.#reported.delete(task.name);
    const key = this.#keyOf(task);
    if (this.#asked.delete(execution)) return;
    const newest = this.#newest.get(key);
    if (newest !== undefined && newest.execution !== execution) return;
    const last = this.#outcomes.get(key);
    const isDetached = reported.outcome === "detached" || reported.outcome === "submitted";
    if (isDetached && newest !== undefined && last?.kind === "running" && this.#drivers.has(key)) {
      this.#newest.set(key, { ...newest, isDetached });
      this.#options.changed();
      return;
    }
    this.#note(key, { kind: "ended", at: this.#options.now(), exitCode, ...reported });
    this.#showNext(key);
  }

  dispose(): void {
    for (const driver of this.#drivers.values()) driver.dispose();
  }

  #keyOf({ name, folder }: RunTask): string {
    return keyOf(this.#copies.get(name) ?? name, folder);
  }

  #watch(key: string, driver: string): void {
    const watch = new DisposableStore();
    this.#drivers.set(key, watch);
    const report: ReportDriver = (state, end) => {
      // The bundle that watches drivers is loaded first, so a report may arrive after another run has started.
      const last = this.#outcomes.get(key);
      if (last === undefined || this.#drivers.get(key) !== watch) return;
      // The task of a run that this window started reports the end itself, unless it was detached.
      const newest = this.#newest.get(key);
      const isOwn = newest !== undefined && newest.isDetached !== true;
      if (end !== undefined && !isOwn) {
        this.#set(key, { kind: "ended", ...end });
        this.#showNext(key);
      } else if (last.kind === "running") this.#set(key, { ...last, state });
    };
    watch.add(this.#options.driverState(driver, report));
  }

  /** Shows the latest run that is not submitted yet, if there is one. Called at the end of an earlier run. */
  #showNext(key: string): void {
    const asked = [...this.#asked.values()].findLast((one) => one.key === key);
    if (asked !== undefined) this.#showAsked(asked);
  }

  #showAsked({ key, execution, task, at }: AskedRun): void {
    this.#asked.delete(execution);
    this.#newest.set(key, { execution, task });
    this.#note(key, { kind: "running", at, state: "asked" });
  }

  #note(key: string, outcome: LastOutcome): void {
    if (outcome.kind === "ended" || typeof outcome.state === "string") {
      this.#drivers.get(key)?.dispose();
      this.#drivers.delete(key);
    }
    this.#set(key, outcome);
  }

  #set(key: string, outcome: LastOutcome): void {
    const others = [...this.#outcomes].filter(([other]) => other !== key);
    this.#outcomes = new Map([...others.slice(1 - outcomesKept), [key, outcome]]);
    if (outcome.kind === "ended" || typeof outcome.state === "string") {
      void this.#options.memory.update(memoryKey, [...this.#outcomes]);
    }
    this.#options.changed();
  }
}

const keyOf = (name: string, folder: string | undefined): string => `${folder ?? ""} ${name}`;

function storedOutcome(value: unknown): readonly [string, LastOutcome][] {
  if (!Array.isArray(value)) return [];
  const [name, outcome] = value as readonly unknown[];
  if (typeof name !== "string" || !isRecord(outcome)) return [];
  const { at, driver } = outcome;
  if (typeof at !== "number") return [];
  if (outcome["kind"] === "ended") return [[name, outcome as unknown as LastOutcome]];
  return typeof driver === "string"
    ? [[name, { kind: "running", at, state: "submitted", driver }]]
    : [];
}
