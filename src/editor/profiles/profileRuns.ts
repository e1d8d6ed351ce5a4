import type { Memento } from "vscode";
import { isRecord } from "../../base/json.ts";
import type { Disposable } from "../../base/disposable.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { DriverState } from "../apps/driverState.ts";
import { storedList } from "../stored.ts";
import type { RunOutcome } from "./runOutcome.ts";

/** The last run of a profile. */
export type LastOutcome =
  /** `state`: that of its driver, or how far its submission is. */
  | { readonly kind: "running"; readonly at: number; readonly state: RunState }
  | {
      readonly kind: "ended";
      readonly at: number;
      readonly exitCode: number | undefined;
      /** Undefined in state of earlier versions, and if the run did not report it. */
      readonly outcome?: RunOutcome;
      /** Why it failed, for the row. */
      readonly cause?: string;
    };

/** `asked`: questions, a build or an upload precede the submission. */
export type RunState = "asked" | "submitted" | DriverState;

type EndedOutcome = LastOutcome & { readonly kind: "ended" };

export interface ProfileRunsOptions {
  readonly memory: Memento;
  readonly now: () => number;
  /** Reports the state of a driver until disposal. */
  readonly driverState: (driver: PodRecord, report: (state: DriverState) => void) => Disposable;
  /** Called after each change of an outcome. */
  readonly changed: () => void;
}

/** A task of a run: a profile's own, or a copy of it. */
export interface RunTask {
  readonly name: string;
  readonly folder: string | undefined;
}

const memoryKey = "profiles.outcomes";

// Bounds the stored state when profiles are renamed.
const outcomesKept = 200;

/** The last run of each profile. */
export class ProfileRuns implements Disposable {
  readonly #options: ProfileRunsOptions;
  /** Maps the label of a concurrent run's task to its profile. */
  readonly #copies = new Map<string, string>();
  readonly #reported = new Map<string, Pick<EndedOutcome, "outcome" | "cause">>();
  /** The newest run of each profile: the end of an earlier one is not its outcome. */
  readonly #newest = new Map<string, { readonly execution: unknown; readonly task: RunTask }>();
  /** The watched drivers by profile. */
  readonly #drivers = new Map<string, Disposable>();
  #outcomes: ReadonlyMap<string, LastOutcome>;

  constructor(options: ProfileRunsOptions) {
    this.#options = options;
    // Drops runs that were active when the window closed.
    this.#outcomes = new Map(storedList(options.memory, memoryKey).filter(isEnded));
  }

  /** The last run of a profile. */
  of(name: string, folder: string | undefined): LastOutcome | undefined {
    return this.#outcomes.get(keyOf(name, folder));
  }

  /** Counts runs of the task `copy` as runs of the profile `name`. */
  startedAs(copy: string, name: string): void {
    this.#copies.set(copy, name);
  }

  started(task: RunTask, execution: unknown): void {
    // A terminated task can report after its end.
    this.#reported.delete(task.name);
    const key = this.#keyOf(task);
    this.#newest.set(key, { execution, task });
    this.#note(key, { kind: "running", at: this.#options.now(), state: "asked" });
  }

  /** Notes what a task's run has submitted; `driver` undefined: an operator creates it later. */
  submittedAs(name: string, driver?: PodRecord): void {
    const [key] = [...this.#newest].find(([, { task }]) => task.name === name) ?? [];
    const last = key === undefined ? undefined : this.#outcomes.get(key);
    if (key === undefined || last?.kind !== "running") return;
    // Ends the watch of an earlier driver.
    this.#note(key, { ...last, state: "submitted" });
    if (driver === undefined) return;
    const watch = this.#options.driverState(driver, (state) => {
      // The bundle of the watch loads meanwhile, so the first report may be late.
      const now = this.#outcomes.get(key);
      if (now?.kind === "running" && now.at === last.at) this.#note(key, { ...last, state });
    });
    this.#drivers.set(key, watch);
  }

  /** Reports the outcome of a task's run, before the task ends. */
  endedAs(task: string, outcome: RunOutcome, cause?: string): void {
    this.#reported.set(task, { outcome, ...(cause !== undefined && { cause }) });
  }

  ended(task: RunTask, execution: unknown, exitCode: number | undefined): void {
    const reported = this.#reported.get(task.name) ?? {};
    this.#reported.delete(task.name);
    const key = this.#keyOf(task);
    const newest = this.#newest.get(key);
    if (newest !== undefined && newest.execution !== execution) return;
    this.#note(key, { kind: "ended", at: this.#options.now(), exitCode, ...reported });
  }

  dispose(): void {
    for (const driver of this.#drivers.values()) driver.dispose();
  }

  #keyOf({ name, folder }: RunTask): string {
    return keyOf(this.#copies.get(name) ?? name, folder);
  }

  #note(key: string, outcome: LastOutcome): void {
    const others = [...this.#outcomes].filter(([other]) => other !== key);
    this.#outcomes = new Map([...others.slice(1 - outcomesKept), [key, outcome]]);
    if (outcome.kind === "ended" || typeof outcome.state === "string") {
      this.#drivers.get(key)?.dispose();
      this.#drivers.delete(key);
      void this.#options.memory.update(memoryKey, [...this.#outcomes]);
    }
    this.#options.changed();
  }
}

const keyOf = (name: string, folder: string | undefined): string => `${folder ?? ""} ${name}`;

const isEnded = (value: unknown): value is [string, EndedOutcome] => {
  if (!Array.isArray(value)) return false;
  const [name, outcome] = value as readonly unknown[];
  return (
    typeof name === "string" &&
    isRecord(outcome) &&
    outcome["kind"] === "ended" &&
    typeof outcome["at"] === "number"
  );
};
