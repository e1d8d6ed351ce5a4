import { hasEndedPod } from "../pods/application.ts";
import { executorIdOf } from "../pods/executorId.ts";
import { twinOf } from "../pods/executorPods.ts";
import type { Patient, Rule, Words } from "./diagnosis.ts";
import { words } from "./rule.ts";

/** The id of the diagnosis that two pods are one executor to Spark. */
export const sharedIdRule = "D110";

/** What shows only beside the driver, or beside what the driver says. */
export const applicationRules: readonly Rule[] = [
  { id: "D94", needs: "the pod", find: outlivesDriver },
  { id: "D95", needs: "the driver's word", find: driverHasNotNoticed },
  { id: "D96", needs: "the driver's word", find: notRegistered },
  { id: sharedIdRule, needs: "the pod", find: sharesItsId },
];

function outlivesDriver({ application, role, state }: Patient): Words | undefined {
  const { driver } = application;
  if (role !== "executor" || state.kind !== "running") return undefined;
  const isGone = driver === undefined ? application.state.kind === "orphaned" : hasEndedPod(driver);
  if (!isGone) return undefined;
  return words(
    "its driver is gone",
    "The driver has ended and this executor still runs. It notices by itself within minutes and ends; its pod may stay.",
    "Clean up what the application left behind.",
  );
}

function driverHasNotNoticed({ report, pod, state, role }: Patient): Words | undefined {
  const id = executorIdOf(pod);
  if (role !== "executor" || state.kind !== "failed" || id === undefined) return undefined;
  if (report?.registered.has(String(id)) !== true) return undefined;
  return words(
    "ended, and the driver has not noticed yet",
    "The pod has ended, and the driver still counts this executor as its own. It looks again every 30 s.",
    "Wait; if it lasts, the driver's watch on its pods is broken.",
    ["spark.kubernetes.executor.enableApiPolling"],
  );
}

function sharesItsId({ application, pod, role }: Patient): Words | undefined {
  const executorId = executorIdOf(pod);
  if (role !== "executor" || executorId === undefined) return undefined;
  const twin = twinOf(application, { pod, executorId });
  if (twin === undefined) return undefined;
  return words(
    `executor id ${executorId} is also that of pod ${twin.pod.name}`,
    "Two pods of one application have the same executor id. Spark's driver knows only the one that it heard of last.",
    "Look at which of the two belongs to the driver that runs, and delete the other. An application id is for one run.",
  );
}

// Jars to fetch and a JVM to start take their time.
const patienceMs = 120_000;

function notRegistered({ report, pod, state, role, now }: Patient): Words | undefined {
  const id = executorIdOf(pod);
  if (role !== "executor" || state.kind !== "running" || id === undefined) return undefined;
  if (report === undefined || report.registered.has(String(id))) return undefined;
  const reason = report.removed.get(String(id));
  if (reason !== undefined) {
    return words(
      "given up by its driver",
      "The driver has removed this executor, and its pod still runs.",
      "Nothing, if it goes within a minute.",
      [],
      reason,
    );
  }
  const since = now - Date.parse(pod.startTime ?? pod.creationTimestamp);
  if (!(since > patienceMs)) return undefined;
  return words(
    `not registered for ${Math.round(since / 60_000)} min`,
    "The pod runs, and its executor has not registered with the driver: it still fetches dependencies, does not reach the driver, or was given up before it came.",
    "Look at its log; check that it reaches the driver's service.",
    ["spark.kubernetes.allocation.executor.timeout"],
  );
}
