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
      ? msg("its memory cannot grow: node error")
      : isInfeasible
        ? msg("its memory cannot grow on its node")
        : msg("its memory cannot grow until its node has room"),
    isInfeasible
      ? msg("The pod's larger request exceeds the total capacity of the node.")
      : msg("The node cannot satisfy the pod's larger request at the moment."),
    isInfeasible
      ? msg("Use larger nodes, or start the executors with the memory that they need.")
      : msg("Wait until other pods on the node end, or start the executors with more memory."),
    ["spark.executor.memory", "spark.kubernetes.executor.resizeFactor"],
    condition.message,
  );
}

function volumeCannotGrow(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const told = diagnosed.state.kind === "running" && eventWith(diagnosed, "VolumeResizeFailed");
  if (!told) return undefined;
  return words(
    msg("its volume cannot grow"),
    msg("The storage of the volume claim rejects a larger size."),
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
