import { inEnglish, type Message } from "../../base/message.ts";
import { applicationRules } from "./applicationWide.ts";
import { containerRules, lifeRules, startRules } from "./containers.ts";
import {
  logCauseRule,
  type Confidence,
  type Diagnosis,
  type DiagnosedPod,
  type DiagnosisRule,
} from "./diagnosis.ts";
import { evictionRules } from "./evictions.ts";
import { executorFailuresCode, exitRules } from "./exits.ts";
import { imageDiagnoses } from "./images.ts";
import { memoryDiagnoses } from "./memory.ts";
import { resizeRules } from "./resizes.ts";
import { sparkEnd } from "./rule.ts";
import { autoscalerRules, schedulingRules } from "./scheduling.ts";
import { isStarving, noResourcesRule, starvingRules } from "./starving.ts";

/** All rules in order of precedence: events of the whole pod, then exit codes, then start problems. */
export const rules: readonly DiagnosisRule[] = [
  ...evictionRules,
  ...memoryDiagnoses,
  ...exitRules,
  ...imageDiagnoses,
  ...containerRules,
  ...schedulingRules,
  ...autoscalerRules,
  ...startRules,
  ...lifeRules,
  ...resizeRules,
  ...starvingRules,
  ...applicationRules,
];

// These rules never match running pods, and most pods run.
const ofWaiting = new Set([...imageDiagnoses, ...schedulingRules, ...autoscalerRules]);
const rulesOnceRunning = rules.filter((rule) => !ofWaiting.has(rule));
const rulesWithoutWord = rulesOnceRunning.filter(({ needs }) => needs === "the pod");

function rulesFor({ state, events, report, logCause }: DiagnosedPod): readonly DiagnosisRule[] {
  // The user stopped the pod and knows why it ended. Only the rules for a terminating pod add information, such as a
  // failed decommissioning script.
  if (state.kind === "stopped") return lifeRules;
  if (state.kind !== "running") return rules;
  const isSilent = events.length === 0 && report === undefined && logCause === undefined;
  return isSilent ? rulesWithoutWord : rulesOnceRunning;
}

/**
 * Returns all diagnoses of a pod. The first is for the row; the others are further evidence. Empty for a healthy pod.
 */
export function diagnose(diagnosed: DiagnosedPod): readonly Diagnosis[] {
  const found: Diagnosis[] = [];
  for (const { id, find } of rulesFor(diagnosed)) {
    const said = find(diagnosed);
    if (said !== undefined && !isSaid(found, id, said.fact))
      found.push({ id, confidence: confidenceOf(id), ...said });
  }
  if (found.length <= 1) return found;
  return found.filter(
    (one, index) =>
      index === 0 || !(isFallback(one.id) || repeatsMessage(one, found.slice(0, index))),
  );
}

// Rules that report which part of a pod fails, but not why.
const withoutReason: readonly string[] = ["D65", "D72"];

/** True if the diagnosis has no reason, and an earlier one explains the same message. */
const repeatsMessage = ({ id, told }: Diagnosis, earlier: readonly Diagnosis[]): boolean =>
  withoutReason.includes(id) && earlier.some((one) => one.told === told);

const rulesBeforeLog = rules.slice(
  0,
  rules.findIndex(({ id }) => id === logCauseRule),
);

/**
 * Returns the part of the log that could explain the state better than the pod does. `end`: the end of the log after a
 * failure. `latest`: the latest lines of a driver that lacks executors. Undefined if no log is needed.
 */
export function neededLog(diagnosed: DiagnosedPod): "end" | "latest" | undefined {
  const { role, application, report, now } = diagnosed;
  if (role === "driver" && isStarving(application, report, now)) return "latest";
  const end = sparkEnd(diagnosed);
  if (end?.exitCode === executorFailuresCode) return role === "driver" ? "end" : undefined;
  return end !== undefined && !rulesBeforeLog.some(({ find }) => find(diagnosed))
    ? "end"
    : undefined;
}

const isSaid = (found: readonly Diagnosis[], id: string, fact: Message): boolean =>
  found.some((one) => one.id === id || inEnglish(one.fact) === inEnglish(fact));

// Rules that name a usual cause of a state, without evidence for it.
const general: readonly string[] = ["D102", "D103", "D106", "D107", "D108", "D75"];

// Rules that infer the cause from an exit code, from times, or from the absence of something.
const inferred: readonly string[] = [
  ...["D01", "D02", "D03", "D05", "D07", "D10", "D12", "D15", "D52", "D88"],
  ...[noResourcesRule, "D94", "D95", "D96", "D110"],
];

const confidenceOf = (id: string): Confidence =>
  isGeneral(id) ? "possible" : inferred.includes(id) ? "likely" : "certain";

/**
 * True for a rule whose diagnosis is shown only if no other rule matches. D10 is one, because an eviction or a probe
 * also ends a container with SIGTERM.
 */
const isFallback = (id: string): boolean => isGeneral(id) || id === "D10";

const isGeneral = (id: string): boolean => general.includes(id);
