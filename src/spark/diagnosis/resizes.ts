import { msg } from "../../base/message.ts";
import type { DiagnosedPod, DiagnosisRule, DiagnosisText } from "./diagnosis.ts";
import { eventWith, words } from "./rule.ts";

/** Rules for a running pod or volume that cannot grow in place (ExecutorResizePlugin, ExecutorPVCResizePlugin). */
export const resizeRules: readonly DiagnosisRule[] = [
  { id: "D77", needs: "the pod", find: cannotGrow },
  { id: "D76", needs: "its events", find: volumeCannotGrow },
];

function cannotGrow({ pod, state }: DiagnosedPod): DiagnosisText | undefined {
  if (state.kind !== "running") return undefined;
  const pending = pod.conditions.find(
    ({ type, status }) => type === "PodResizePending" && status === "True",
  );
  const failed = pod.conditions.find(
    ({ type, reason }) => type === "PodResizeInProgress" && reason === "Error",
  );
  const condition = pending ?? failed;
  if (condition === undefined) return undefined;
  const isInfeasible = condition.reason === "Infeasible";
  return words(
    failed === condition
      ? msg("its memory cannot grow: error of its node")
      : isInfeasible
        ? msg("its memory cannot grow on its node")
        : msg("its memory waits for room on its node"),
    isInfeasible
      ? msg("The node is too small for the larger request of the pod, also if it is empty.")
      : msg("The node cannot give the pod its larger request now."),
    isInfeasible
      ? msg("Use larger nodes, or start executors with the memory that they need.")
      : msg("Wait until other pods of the node end, or start executors with more memory."),
    ["spark.executor.memory", "spark.kubernetes.executor.resizeFactor"],
    condition.message,
  );
}

function volumeCannotGrow(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const told = diagnosed.state.kind === "running" && eventWith(diagnosed, "VolumeResizeFailed");
  if (!told) return undefined;
  return words(
    msg("its volume cannot grow"),
    msg("The storage of the volume claim refuses a larger size."),
    msg(
      "Use a storage class with allowVolumeExpansion, or create the volumes with the size that they need.",
    ),
    [
      "spark.kubernetes.executor.volumes.persistentVolumeClaim.*.options.storageClass",
      "spark.kubernetes.executor.volumes.persistentVolumeClaim.*.options.sizeLimit",
      "spark.kubernetes.executor.pvc.resizeFactor",
    ],
    told.message,
  );
}
