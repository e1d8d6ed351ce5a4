import {
  describePod,
  describeRow,
  isKept,
  kept,
  simulated,
} from "../../../spark/diagnosis/describe.ts";
import type { Diagnosis } from "../../../spark/diagnosis/diagnosis.ts";
import type { DriverReport } from "../../../spark/diagnosis/driverReport.ts";
import type { ExecutorFacts } from "../../../spark/diagnosis/executorFacts.ts";
import {
  hasEndedPod,
  isAlive,
  type Application,
  type SparkPod,
} from "../../../spark/pods/application.ts";
import { describeState } from "../../../spark/pods/describeState.ts";
import { isSimulated } from "../../../spark/pods/origin.ts";

/** Joins the non-empty parts of a description. */
export const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join(" · ");

/** Facts about an application that its pods do not show. */
export interface Known {
  readonly report: DriverReport | undefined;
  readonly diagnose: (pod: SparkPod) => readonly Diagnosis[];
  /** The running stage: `17 % of stage 12 · 1 min left`. */
  readonly progress?: string;
  /** The run profile that created it. */
  readonly profile?: string | undefined;
}

export interface ApplicationText {
  readonly description: string;
  /** The description with the state, which the icon shows to others. */
  readonly spoken: string;
  readonly fact: Diagnosis | undefined;
  readonly executors: ExecutorFacts;
}

/**
 * An application's row. A narrow view cuts the end off, so the cause comes first and replaces the state that the icon
 * shows. `age`: the last part.
 */
export function applicationText(
  application: Application,
  { report, diagnose, progress = "", profile }: Known,
  now: number,
  age: string,
): ApplicationText {
  const { driver, live } = application;
  const { parts, fact, executors } = describeRow(application, report, diagnose, now);
  const ofProfile = profile === application.name ? undefined : profile;
  const hasEnded = driver === undefined ? !isAlive(application) : hasEndedPod(driver);
  const work = hasEnded ? "" : progress;
  const spoken = joined(...parts, work, ofProfile, age);
  // Without a fact, the parts are short: the state, and the executors while the application runs.
  const withoutExecutors = parts.filter((part) => part !== executors.line);
  const isSimulation = parts[0] === simulated;
  const rest = isSimulation ? withoutExecutors.slice(1) : withoutExecutors;
  // A driver that does not run has no executors anyway.
  const isIdle = driver !== undefined && driver.state.kind !== "running" && live.size === 0;
  const line = hasEnded || isIdle ? "" : executors.line;
  // Running work says more than "running".
  const state = work === "" ? rest : [work];
  const head = fact === undefined ? state : [fact.fact, work];
  const mark = isSimulation ? simulated : "";
  return {
    description: joined(...head, line, mark, ofProfile, age),
    spoken,
    fact,
    executors,
  };
}

/** A pod's row: the cause or the state, then the age. The node is in the tooltip. `doing`: replaces the state. */
export function podText(
  { pod, state }: SparkPod,
  diagnosis: Diagnosis | undefined,
  doing: string | undefined,
  age: string,
): { readonly description: string; readonly spoken: string; readonly words: string } {
  const isDoing = doing !== undefined && ["running", "terminating"].includes(state.kind);
  const words = isDoing ? joined(doing, diagnosis?.fact) : describePod(state, diagnosis);
  const isDeleting = "isDeleting" in state && state.isDeleting;
  const short =
    diagnosis === undefined || isDoing
      ? words
      : joined(diagnosis.fact, isDeleting ? "deleting" : undefined);
  const marks = [isKept(pod) ? kept : undefined, isSimulated(pod) ? simulated : undefined];
  return {
    description: joined(short, ...marks, age),
    spoken: joined(words, ...marks, age),
    words: diagnosis === undefined && !isDoing ? describeState(state) : words,
  };
}
