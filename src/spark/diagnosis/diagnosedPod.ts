import { isDriverRole, roleLabel } from "../labels.ts";
import type { Application, SparkPod } from "../pods/application.ts";
import { isPython } from "../pods/origin.ts";
import type { DiagnosedPod } from "./diagnosis.ts";

/** The input of the diagnosis rules that does not come from the pod watch. */
type ReadFacts = Pick<DiagnosedPod, "events" | "report" | "largestNode" | "isStoppedHere" | "now">;

/** Creates the input of the diagnosis rules for one pod of an application. */
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
