import { applicationRules } from "./applicationWide.ts";
import { containerRules, lifeRules, startRules } from "./containers.ts";
import type { Diagnosis, Patient, Rule } from "./diagnosis.ts";
import { evictionRules } from "./evictions.ts";
import { exitRules } from "./exits.ts";
import { imageRules } from "./images.ts";
import { memoryRules } from "./memory.ts";
import { autoscalerRules, schedulingRules } from "./scheduling.ts";

/**
 * All that can be told from a pod, its events and the driver's word, in the order in which it counts: what
 * was done to the pod as a whole, then how its processes ended, then what keeps it from starting.
 */
export const rules: readonly Rule[] = [
  ...evictionRules,
  ...memoryRules,
  ...exitRules,
  ...imageRules,
  ...containerRules,
  ...schedulingRules,
  ...autoscalerRules,
  ...startRules,
  ...lifeRules,
  ...applicationRules,
];

// Of what makes a pod wait nothing holds once its containers run, and most pods run.
const ofWaiting = new Set([...imageRules, ...schedulingRules, ...autoscalerRules]);
const rulesOnceRunning = rules.filter((rule) => !ofWaiting.has(rule));
const rulesWithoutWord = rulesOnceRunning.filter(({ needs }) => needs === "the pod");

function rulesFor({ state, notices, report }: Patient): readonly Rule[] {
  if (state.kind !== "running") return rules;
  return notices.length === 0 && report === undefined ? rulesWithoutWord : rulesOnceRunning;
}

/** The first is the one for the row; the others are further evidence. None for a pod that is well. */
export function diagnose(patient: Patient): readonly Diagnosis[] {
  const found: Diagnosis[] = [];
  for (const { id, find } of rulesFor(patient)) {
    const said = find(patient);
    if (said !== undefined && !isSaid(found, id, said.fact)) found.push({ id, ...said });
  }
  if (found.length <= 1) return found;
  return found.filter(({ id }) => !isGeneral(id) || id === found[0]?.id);
}

const isSaid = (found: readonly Diagnosis[], id: string, fact: string): boolean =>
  found.some((one) => one.id === id || one.fact === fact);

// These say what any of their kind would: only where nothing says more.
const general: readonly string[] = ["D106", "D107", "D108"];

const isGeneral = (id: string): boolean => general.includes(id);
