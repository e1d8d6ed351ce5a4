import { dotted, msg, verbatim, type Message, type MessageText } from "../../../base/message.ts";
import {
  describePod,
  describeRow,
  isKept,
  keptText,
  simulatedText,
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
import { isSimulated } from "../../../spark/pods/origin.ts";

/** Data about an application that does not come from its pods. */
export interface RowFacts {
  readonly report: DriverReport | undefined;
  readonly diagnose: (pod: SparkPod) => readonly Diagnosis[];
  /** The progress of the running stage, such as `17 % of stage 12 · 1 min left`. */
  readonly progress?: Message | undefined;
  /** The name of the run profile that created the application. */
  readonly profile?: string | undefined;
}

export interface ApplicationText {
  readonly description: Message;
  /** The first part of the description, without progress, as shown and for screen readers. */
  readonly start: { readonly shown: Message; readonly spoken: Message };
  /** The description for screen readers: it includes the state, which is otherwise shown by the icon only. */
  readonly spoken: Message;
  readonly fact: Diagnosis | undefined;
  /** True if the driver runs without running executors, and `fact` is the reason. */
  readonly isStarved: boolean;
  readonly executors: ExecutorFacts;
}

/**
 * Returns the texts of an application's row. The cause comes first, because a narrow view cuts off the end. It replaces
 * the state, which the icon shows. `age` comes last.
 */
export function applicationText(
  application: Application,
  { report, diagnose, progress, profile }: RowFacts,
  now: number,
  age: MessageText,
): ApplicationText {
  const {
    row,
    state,
    isSimulated: isSimulation,
    fact,
    isStarved,
    executors,
  } = describeRow(application, report, diagnose, now);
  const { driver, live } = application;
  const hasEnded = driver === undefined ? !isAlive(application) : hasEndedPod(driver);
  // Do not mention executors while the driver is not running.
  const isIdle = driver !== undefined && driver.state.kind !== "running" && live.size === 0;
  const isEnding = hasEnded || driver?.state.kind === "terminating";
  const work = isEnding ? undefined : progress;
  const end = [textOrNone(profile === application.name ? undefined : profile), textOrNone(age)];
  return {
    description: dotted([
      // The progress is more specific than the state "running".
      fact === undefined ? (work ?? state) : fact.fact,
      fact === undefined ? undefined : work,
      hasEnded || isIdle ? undefined : executors.line,
      isSimulation ? simulatedText : undefined,
      ...end,
    ]),
    start: {
      shown: fact === undefined ? state : fact.fact,
      // Add the fact only for a running driver, because the text of any other state includes it.
      spoken: driver?.state.kind === "running" ? dotted([state, fact?.fact]) : state,
    },
    spoken: dotted([row, work, ...end]),
    fact,
    isStarved,
    executors,
  };
}

const textOrNone = (text: MessageText | undefined): Message | undefined =>
  text === "" ? undefined : typeof text === "string" ? verbatim(text) : text;

/**
 * Returns a pod's texts: the cause or the state, then the age. `doing`: replaces the state of a running or terminating
 * pod.
 */
export function podText(
  { pod, state }: SparkPod,
  diagnosis: Diagnosis | undefined,
  doing: Message | undefined,
  age: MessageText,
): { readonly description: Message; readonly spoken: Message; readonly words: Message } {
  const activity = ["running", "terminating"].includes(state.kind) ? doing : undefined;
  const words =
    activity === undefined ? describePod(state, diagnosis) : dotted([activity, diagnosis?.fact]);
  const isShort = activity === undefined && diagnosis !== undefined;
  const isDeleting = "isDeleting" in state && state.isDeleting;
  const end = [
    isKept(pod) ? keptText : undefined,
    isSimulated(pod) ? simulatedText : undefined,
    textOrNone(age),
  ];
  return {
    description: isShort
      ? dotted([diagnosis.fact, isDeleting ? msg("deleting") : undefined, ...end])
      : dotted([words, ...end]),
    spoken: dotted([words, ...end]),
    words,
  };
}
