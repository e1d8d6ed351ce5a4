import { isDriverRole, roleLabel } from "../labels.ts";
import type { Application, SparkPod } from "../pods/application.ts";
import { isPython } from "../pods/origin.ts";
import type { DiagnosedPod } from "./diagnosis.ts";

/** The facts about a pod that the watch does not deliver. */
type ReadFacts = Pick<DiagnosedPod, "events" | "report" | "largestNode" | "isStoppedHere" | "now">;

/** Builds the input of the rules for a pod of an application. */
export const diagnosedPod = (
  application: Application,
  { pod, state }: SparkPod,
  facts: ReadFacts,
): DiagnosedPod => ({
  ...{ pod, state, application },
  role: isDriverRole(pod.labels[roleLabel]) ? "driver" : "executor",
  isPython: isPython(application),
  ...facts,
});
