import { msg } from "../../base/message.ts";
import { disruptionOf } from "../pods/podExit.ts";
import type { DiagnosedPod, DiagnosisRule, DiagnosisText } from "./diagnosis.ts";
import { includesAny, words } from "./rule.ts";

/** Rules for events of the whole pod: it was evicted, preempted or rejected, or its node was lost. */
export const evictionRules: readonly DiagnosisRule[] = [
  evicted("D20", ["resource: memory"], () =>
    words(
      msg("evicted: its node ran out of memory"),
      msg("The node was low on memory and evicted the pod."),
      msg(
        "Request the memory that the pod actually uses, add nodes, or set a priority class in the pod template.",
      ),
      ["spark.executor.memory", "spark.executor.memoryOverhead"],
    ),
  ),
  evicted("D21", ["resource: ephemeral-storage"], () =>
    words(
      msg("evicted: its node's disk is full"),
      msg(
        "The node was low on disk space and evicted the pod. Spark writes shuffle files and spilled data there.",
      ),
      msg(
        "Mount a volume named spark-local-dir-… in each executor, or use nodes with larger disks.",
      ),
      [
        "spark.kubernetes.executor.volumes.persistentVolumeClaim.spark-local-dir-1.options.claimName",
      ],
    ),
  ),
  evicted("D22", ["usage of emptydir"], (role) =>
    words(
      msg("evicted: an emptyDir volume exceeded its limit"),
      msg("The pod wrote more to an emptyDir volume than its size limit allows."),
      msg("Raise the size limit of the volume."),
      [`spark.kubernetes.${role}.volumes.emptyDir.spark-local-dir-1.options.sizeLimit`],
    ),
  ),
  evicted("D23", ["local storage usage exceeds", "ephemeral local storage limit"], () =>
    words(
      msg("evicted: local storage limit exceeded"),
      msg(
        "The containers wrote more to the node's disk than their ephemeral storage limit allows.",
      ),
      msg("Raise the limit in the pod template, or use volumes."),
      ["spark.kubernetes.executor.podTemplateFile"],
    ),
  ),
  evicted("D24", ["inodes", "pids"], () =>
    words(
      msg("evicted: its node ran out of inodes or process ids"),
      msg("The node was low on inodes or process ids and evicted the pod."),
      msg("Write fewer and larger files, and check the limits of the node."),
    ),
  ),
  evicted("D106", [""], () =>
    words(
      msg("evicted by its node"),
      msg("The node was short of a resource and evicted the pod."),
      msg("Check the node's conditions and events."),
    ),
  ),
  disrupted("D25", ["PreemptionByScheduler"], () =>
    words(
      msg("preempted by a higher-priority pod"),
      msg("The scheduler preempted the pod to make room for a pod with a higher priority."),
      msg(
        "Set a priority class in the pod template, or enable decommissioning, so that executors migrate their data first.",
      ),
      ["spark.kubernetes.executor.podTemplateFile", "spark.decommission.enabled"],
    ),
  ),
  disrupted("D26", ["EvictionByEvictionAPI"], () =>
    words(
      msg("evicted through the API"),
      msg(
        "A user or a controller evicted the pod through a node drain, an autoscaler or a direct request.",
      ),
      msg(
        'Annotate the pods with cluster-autoscaler.kubernetes.io/safe-to-evict: "false", add a PodDisruptionBudget, or enable decommissioning.',
      ),
      [
        "spark.kubernetes.executor.annotation.cluster-autoscaler.kubernetes.io/safe-to-evict",
        "spark.decommission.enabled",
      ],
    ),
  ),
  disrupted("D27", ["DeletionByTaintManager"], () =>
    words(
      msg("evicted: its node was tainted"),
      msg(
        "The node received a NoExecute taint because it was not ready, unreachable, or about to be removed.",
      ),
      msg("Tolerate the taint in the pod template, or enable decommissioning."),
      ["spark.kubernetes.executor.podTemplateFile", "spark.decommission.enabled"],
    ),
  ),
  disrupted("D32", ["DeletionByPodGC"], () =>
    words(
      msg("its node was removed"),
      msg("The node was removed from the cluster together with the pod."),
      msg(
        "This is normal for spot and autoscaled nodes. Enable decommissioning, so that executors migrate their data first.",
      ),
      ["spark.decommission.enabled"],
    ),
  ),
  rejected("D29", ["Terminated", "Shutdown"], () =>
    words(
      msg("its node was shutting down"),
      msg("The node shut down gracefully. Spark counts the end of the pod as an executor failure."),
      msg(
        "Enable decommissioning, and set an interval after which executor failures no longer count.",
      ),
      ["spark.decommission.enabled", "spark.executor.failuresValidityInterval"],
    ),
  ),
  rejected("D30", ["NodeShutdown"], () =>
    words(
      msg("rejected: its node was shutting down"),
      msg("The pod was scheduled to a node that was already shutting down."),
      msg("No action needed for an executor. Spark requests another one."),
    ),
  ),
  { id: "D31", needs: "the pod", find: nodeLost },
  rejected("D33", ["Preempting"], () =>
    words(
      msg("preempted by a critical pod"),
      msg("The node evicted the pod to make room for a critical system pod."),
      msg("Reserve resources for system pods on the nodes."),
    ),
  ),
  { id: "D34", needs: "the pod", find: outOf },
  rejected("D35", ["UnexpectedAdmissionError"], () =>
    words(
      msg("rejected by its node: no device available"),
      msg("The node could not allocate a device, such as a GPU, or aligned CPU cores."),
      msg("Check the device plugin of the node."),
      ["spark.executor.resource.gpu.amount"],
    ),
  ),
  rejected("D36", ["NodeAffinity"], () =>
    words(
      msg("rejected by its node: labels do not match"),
      msg("The node's labels changed after scheduling, or a custom scheduler ignored them."),
      msg("Compare the node selector with the node's labels."),
      ["spark.kubernetes.node.selector.*"],
    ),
  ),
  rejected("D37", ["DeadlineExceeded"], () =>
    words(
      msg("pod deadline exceeded"),
      msg("The pod ran longer than activeDeadlineSeconds in the pod template."),
      msg("Remove or raise activeDeadlineSeconds in the pod template."),
      ["spark.kubernetes.driver.podTemplateFile", "spark.kubernetes.executor.podTemplateFile"],
    ),
  ),
  disrupted("D28", ["TerminationByKubelet"], () =>
    words(
      msg("terminated by its node"),
      msg(
        "The node terminated the pod because of a resource shortage, a critical pod, or a shutdown.",
      ),
      msg("Check the events of the node."),
    ),
  ),
];

function evicted(
  id: string,
  fragments: readonly string[],
  say: (role: DiagnosedPod["role"]) => DiagnosisText,
): DiagnosisRule {
  const find = ({ pod, role }: DiagnosedPod): DiagnosisText | undefined =>
    pod.reason === "Evicted" && includesAny(pod.message, ...fragments)
      ? { ...say(role), told: pod.message }
      : undefined;
  return { id, needs: "the pod", find };
}

function rejected(id: string, reasons: readonly string[], say: () => DiagnosisText): DiagnosisRule {
  const find = ({ pod }: DiagnosedPod): DiagnosisText | undefined =>
    reasons.includes(pod.reason ?? "") ? { ...say(), told: pod.message } : undefined;
  return { id, needs: "the pod", find };
}

function disrupted(
  id: string,
  reasons: readonly string[],
  say: () => DiagnosisText,
): DiagnosisRule {
  const find = ({ pod }: DiagnosedPod): DiagnosisText | undefined => {
    const condition = disruptionOf(pod);
    if (condition === undefined || !reasons.includes(condition.reason ?? "")) return undefined;
    return { ...say(), told: condition.message };
  };
  return { id, needs: "the pod", find };
}

function nodeLost({ pod, state }: DiagnosedPod): DiagnosisText | undefined {
  if (pod.reason !== "NodeLost" && state.kind !== "unknown") return undefined;
  return words(
    pod.nodeName === undefined
      ? msg("its node is unreachable")
      : msg`node ${pod.nodeName} is unreachable`,
    msg("The node does not report its status, so it is unknown whether the pod still runs."),
    msg("Wait for the node. Force-delete the pod only if you know that the node is down."),
    [],
    pod.message,
  );
}

function outOf({ pod }: DiagnosedPod): DiagnosisText | undefined {
  const resource = pod.reason && /^OutOf(.+)$/.exec(pod.reason)?.[1];
  if (!resource) return undefined;
  return words(
    msg`rejected by its node: out of ${resource}`,
    msg`The node had no ${resource} left when the pod arrived. Two schedulers, or the scheduler and the node, calculated the free amount differently.`,
    msg(
      "No action needed for an executor if this happens once. Spark requests another one. If it happens often, look for pods that bypass the scheduler.",
    ),
    [],
    pod.message,
  );
}
