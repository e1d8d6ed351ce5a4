import { msg } from "../../base/message.ts";
import { hasEndedPod } from "../pods/application.ts";
import { executorIdOf } from "../pods/executorId.ts";
import { podWithSameId } from "../pods/executorPods.ts";
import type { DiagnosedPod, DiagnosisRule, DiagnosisText } from "./diagnosis.ts";
import { words } from "./rule.ts";

/** The rule for two pods that have the same executor id. */
export const sharedIdRule = "D110";

/** Rules that compare a pod with its driver, with the driver's report, or with other executors. */
export const applicationRules: readonly DiagnosisRule[] = [
  { id: "D94", needs: "the pod", find: outlivesDriver },
  { id: "D95", needs: "the driver's word", find: driverHasNotNoticed },
  { id: "D96", needs: "the driver's word", find: notRegistered },
  { id: "D112", needs: "the driver's word", find: excluded },
  { id: sharedIdRule, needs: "the pod", find: sharesItsId },
];

function outlivesDriver({ application, role, state }: DiagnosedPod): DiagnosisText | undefined {
  const { driver } = application;
  if (role !== "executor" || state.kind !== "running") return undefined;
  const hasEnded =
    driver === undefined ? application.state.kind === "orphaned" : hasEndedPod(driver);
  if (!hasEnded) return undefined;
  return words(
    msg("its driver has ended"),
    msg(
      "The driver has ended, but this executor is still running. It ends within minutes. Its pod may remain.",
    ),
    msg("Delete the leftover resources of the application."),
  );
}

function driverHasNotNoticed({
  report,
  pod,
  state,
  role,
}: DiagnosedPod): DiagnosisText | undefined {
  const id = executorIdOf(pod);
  if (role !== "executor" || state.kind !== "failed" || id === undefined) return undefined;
  if (report?.registered.has(String(id)) !== true) return undefined;
  return words(
    msg("ended, but still registered with the driver"),
    msg(
      "The pod has ended, but the driver has not removed this executor yet. The driver polls its pods every 30 s.",
    ),
    msg("Wait. If the state persists, the driver's pod watch is broken."),
    ["spark.kubernetes.executor.enableApiPolling"],
  );
}

function sharesItsId({ application, pod, role }: DiagnosedPod): DiagnosisText | undefined {
  const executorId = executorIdOf(pod);
  if (role !== "executor" || executorId === undefined) return undefined;
  const twin = podWithSameId(application, { pod, executorId });
  if (twin === undefined) return undefined;
  return words(
    msg`same executor id (${executorId}) as pod ${twin.pod.name}`,
    msg(
      "Two pods of one application have the same executor id. The driver tracks only the pod that it saw last.",
    ),
    msg(
      "Find the pod that belongs to the running driver, and delete the other one. Use each application id for one run only.",
    ),
  );
}

// An executor may need this long to register, because it fetches jars and starts the JVM.
const registrationMs = 120_000;

function notRegistered({ report, pod, state, role, now }: DiagnosedPod): DiagnosisText | undefined {
  const id = executorIdOf(pod);
  if (role !== "executor" || state.kind !== "running" || id === undefined) return undefined;
  if (report === undefined || report.registered.has(String(id))) return undefined;
  const reason = report.removed.get(String(id));
  if (reason !== undefined) {
    return words(
      msg("removed by its driver"),
      msg("The driver has removed this executor, but its pod is still running."),
      msg("No action needed if the pod ends within a minute."),
      [],
      reason,
    );
  }
  const since = now - Date.parse(pod.startTime ?? pod.creationTimestamp);
  if (!(since > registrationMs)) return undefined;
  return words(
    msg`not registered for ${Math.round(since / 60_000)} min`,
    msg(
      "The pod is running, but its executor has not registered. It is fetching dependencies, cannot reach the driver, or was rejected by the driver after its timeout.",
    ),
    msg("Check its log, and check that it can reach the driver's Service."),
    ["spark.kubernetes.allocation.executor.timeout"],
  );
}

function excluded({ report, pod, state, role }: DiagnosedPod): DiagnosisText | undefined {
  const id = executorIdOf(pod);
  if (role !== "executor" || state.kind !== "running" || id === undefined) return undefined;
  if (report?.excluded?.has(String(id)) !== true) return undefined;
  return words(
    msg("excluded by its driver"),
    msg(
      "Too many tasks failed on this executor or its node, so the driver schedules no more tasks there.",
    ),
    msg("Check the failed tasks in its log. The exclusion ends after its timeout."),
    ["spark.excludeOnFailure.enabled", "spark.excludeOnFailure.timeout"],
  );
}
