import type { PodCondition } from "../pods/podRecord.ts";
import type { Patient, Rule, Words } from "./diagnosis.ts";
import { says, words } from "./rule.ts";

/** What was done to the pod as a whole: evicted, preempted, rejected, its node gone. */
export const evictionRules: readonly Rule[] = [
  evicted("D20", ["resource: memory"], () =>
    words(
      "evicted: its node ran out of memory",
      "The node was low on memory and evicted the pod.",
      "Ask for what is really used, add nodes, or give the pods a priority class in the template.",
      ["spark.executor.memory", "spark.executor.memoryOverhead"],
    ),
  ),
  evicted("D21", ["resource: ephemeral-storage"], () =>
    words(
      "evicted: its node's disk is full",
      "The node was low on disk space and evicted the pod: shuffle files and spilled data of Spark lie there.",
      "Give executors volumes of their own, named spark-local-dir-…, or nodes with larger disks.",
      [
        "spark.kubernetes.executor.volumes.persistentVolumeClaim.spark-local-dir-1.options.claimName",
      ],
    ),
  ),
  evicted("D22", ["usage of emptydir"], () =>
    words(
      "evicted: an emptyDir volume went over its limit",
      "The pod wrote more into an emptyDir volume than its size limit allows.",
      "Raise the limit of the volume.",
      ["spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.options.sizeLimit"],
    ),
  ),
  evicted("D23", ["local storage usage exceeds", "ephemeral local storage limit"], () =>
    words(
      "evicted: over its limit of local storage",
      "The containers wrote more to the node's disk than their limit of ephemeral storage allows.",
      "Raise that limit in the pod template, or use volumes.",
      ["spark.kubernetes.executor.podTemplateFile"],
    ),
  ),
  evicted("D24", ["inodes", "pids"], () =>
    words(
      "evicted: its node ran out of inodes or process ids",
      "The node was low on inodes or process ids and evicted the pod.",
      "Write fewer and larger files; look at the node's limits.",
    ),
  ),
  evicted("D106", [""], () =>
    words(
      "evicted by its node",
      "The node was short of a resource and evicted the pod.",
      "Look at the node.",
    ),
  ),
  disrupted("D25", ["PreemptionByScheduler"], () =>
    words(
      "preempted by a pod of higher priority",
      "The scheduler took its place for a pod of higher priority.",
      "Give the pods a priority class in the template; let executors move their blocks away before they leave.",
      ["spark.kubernetes.executor.podTemplateFile", "spark.decommission.enabled"],
    ),
  ),
  disrupted("D26", ["EvictionByEvictionAPI"], () =>
    words(
      "evicted: its node is drained",
      "Somebody, or an autoscaler, drained its node.",
      'Annotate the pods with cluster-autoscaler.kubernetes.io/safe-to-evict: "false", protect them with a disruption budget, or let executors move their blocks away.',
      [
        "spark.kubernetes.executor.annotation.cluster-autoscaler.kubernetes.io/safe-to-evict",
        "spark.decommission.enabled",
      ],
    ),
  ),
  disrupted("D27", ["DeletionByTaintManager"], () =>
    words(
      "evicted: its node was tainted",
      "Its node got a taint that evicts: it was not ready, not reachable, or about to be taken away.",
      "Tolerate the taint in the pod template, or let executors move their blocks away.",
      ["spark.kubernetes.executor.podTemplateFile", "spark.decommission.enabled"],
    ),
  ),
  disrupted("D32", ["DeletionByPodGC"], () =>
    words(
      "its node is gone",
      "The node was removed from the cluster, and the pod with it.",
      "Expect this of nodes that come and go; let executors move their blocks away.",
      ["spark.decommission.enabled"],
    ),
  ),
  rejected("D29", ["Terminated", "Shutdown"], () =>
    words(
      "its node was shutting down",
      "The node shut down in order. The pod counts as failed, and so as a failure of the application.",
      "Let executors move their blocks away, and count failures over a time.",
      ["spark.decommission.enabled", "spark.executor.failuresValidityInterval"],
    ),
  ),
  rejected("D30", ["NodeShutdown"], () =>
    words(
      "its node was going down when it came",
      "The pod came to a node that was already shutting down.",
      "Nothing: Spark asks for another.",
    ),
  ),
  { id: "D31", needs: "the pod", find: nodeLost },
  rejected("D33", ["Preempting"], () =>
    words(
      "made room for a critical pod",
      "The node ended it to make room for a critical pod of the system.",
      "Reserve resources for the system on the nodes.",
    ),
  ),
  { id: "D34", needs: "the pod", find: outOf },
  rejected("D35", ["UnexpectedAdmissionError"], () =>
    words(
      "refused by its node: no device for it",
      "The node could not allot a device, as a GPU, or matching cores.",
      "Look at the device plugin of the node.",
      ["spark.executor.resource.gpu.amount"],
    ),
  ),
  rejected("D36", ["NodeAffinity"], () =>
    words(
      "refused by its node: its labels do not match",
      "The labels of the node changed after the pod was placed, or a scheduler of your own overlooked them.",
      "Compare the node selector with the node's labels.",
      ["spark.kubernetes.node.selector.*"],
    ),
  ),
  rejected("D37", ["DeadlineExceeded"], () =>
    words(
      "time limit of its pod reached",
      "The pod template sets activeDeadlineSeconds, and the time was over.",
      "Take it out of the template.",
      ["spark.kubernetes.driver.podTemplateFile", "spark.kubernetes.executor.podTemplateFile"],
    ),
  ),
  disrupted("D28", ["TerminationByKubelet"], () =>
    words(
      "ended by its node",
      "The node ended the pod: for lack of a resource, a critical pod, or a shutdown.",
      "Look at the events of the node.",
    ),
  ),
];

function evicted(id: string, fragments: readonly string[], say: () => Words): Rule {
  const find = ({ pod }: Patient): Words | undefined =>
    pod.reason === "Evicted" && says(pod.message, ...fragments)
      ? { ...say(), told: pod.message }
      : undefined;
  return { id, needs: "the pod", find };
}

function rejected(id: string, reasons: readonly string[], say: () => Words): Rule {
  const find = ({ pod }: Patient): Words | undefined =>
    reasons.includes(pod.reason ?? "") ? { ...say(), told: pod.message } : undefined;
  return { id, needs: "the pod", find };
}

function disrupted(id: string, reasons: readonly string[], say: () => Words): Rule {
  const find = ({ pod }: Patient): Words | undefined => {
    const condition = pod.conditions.find(isDisruption);
    if (condition === undefined || !reasons.includes(condition.reason ?? "")) return undefined;
    return { ...say(), told: condition.message };
  };
  return { id, needs: "the pod", find };
}

const isDisruption = ({ type, status }: PodCondition): boolean =>
  type === "DisruptionTarget" && status === "True";

function nodeLost({ pod, state }: Patient): Words | undefined {
  if (pod.reason !== "NodeLost" && state.kind !== "unknown") return undefined;
  const node = pod.nodeName === undefined ? "its node" : `node ${pod.nodeName}`;
  return words(
    `${node} does not answer`,
    "The node does not answer, so nobody knows whether the pod still runs.",
    "Wait for the node; delete the pod by force only when you know that the node is down.",
    [],
    pod.message,
  );
}

function outOf({ pod }: Patient): Words | undefined {
  const resource = pod.reason && /^OutOf(.+)$/.exec(pod.reason)?.[1];
  if (!resource) return undefined;
  return words(
    `refused by its node: out of ${resource}`,
    `The node had no ${resource} left when the pod came: two schedulers, or the scheduler and the node, counted differently.`,
    "Nothing if it happens once: Spark asks for another. If it happens often, look for pods that no scheduler places.",
    [],
    pod.message,
  );
}
