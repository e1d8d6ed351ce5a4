import { msg, verbatim, type Message } from "../../base/message.ts";
import type { DisplayState } from "../pods/displayState.ts";
import { describeBytes } from "../binarySize.ts";
import { describeCores, requestOf } from "./amounts.ts";
import type { DiagnosedPod, DiagnosisRule, NodeTaint, DiagnosisText } from "./diagnosis.ts";
import { eventWith, includesAny, shortened, words } from "./rule.ts";

/** Rules for unscheduled pods, based on the scheduler's message. */
export const schedulingRules: readonly DiagnosisRule[] = [
  { id: "D53", needs: "the pod", find: heldByQueue },
  { id: "D109", needs: "the pod", find: preempting },
  { id: "D74", needs: "its events", find: notProvisioned },
  refused("D46", "unbound immediate persistentvolumeclaims", ({ role }) =>
    words(
      msg("a volume claim is not bound"),
      msg("A volume claim of the pod is not bound to a volume yet."),
      msg("Check the events of the claim, its storage class, quota and zone."),
      [claimOption(role, "storageClass")],
    ),
  ),
  { id: "D47", needs: "the pod", find: claimMissing },
  refused("D48", "volume node affinity conflict", () =>
    words(
      msg("its volume is in another zone"),
      msg("A volume of the pod is in a zone without a suitable node."),
      msg(
        "Keep the nodes in one zone, use a storage class with WaitForFirstConsumer, or disable the reuse of volume claims.",
      ),
      ["spark.kubernetes.driver.reusePersistentVolumeClaim"],
    ),
  ),
  refused("D48", "no available volume zone", () =>
    words(
      msg("its volume is in another zone"),
      msg("A volume of the pod is in a zone without a suitable node."),
      msg("Keep the nodes in one zone, or use a storage class with WaitForFirstConsumer."),
      ["spark.kubernetes.driver.reusePersistentVolumeClaim"],
    ),
  ),
  refused("D49", "readwriteoncepod access mode already in-use", ({ role }) =>
    words(
      msg("its volume is used by another pod"),
      msg(
        "Another pod uses the volume claim. In Spark 4.0 and later, the access mode allows only one pod at a time.",
      ),
      msg("Use one claim for each executor (OnDemand), or enable the legacy access mode."),
      [claimOption(role, "claimName"), "spark.kubernetes.legacy.useReadWriteOnceAccessMode"],
    ),
  ),
  refused("D50", "exceed max volume count", ({ role }) =>
    words(
      msg("its nodes have too many volumes"),
      msg("The nodes have reached their maximum number of volumes."),
      msg("Use fewer volumes for each executor, or more nodes."),
      [claimOption(role, "claimName")],
    ),
  ),
  { id: "D39", needs: "the pod", find: (diagnosed) => insufficient(diagnosed, "memory") },
  { id: "D38", needs: "the pod", find: (diagnosed) => insufficient(diagnosed, "cpu") },
  { id: "D40", needs: "the pod", find: insufficientDevice },
  { id: "D41", needs: "the pod", find: diskOrSlots },
  refused("D42", "untolerated taint", tainted),
  refused("D42", "that the pod didn't tolerate", tainted),
  refused("D43", "node affinity/selector", noNodeSelected),
  refused("D43", "node selector", noNodeSelected),
  refused("D44", "anti-affinity", () => placement(msg("anti-affinity excludes all nodes"))),
  refused("D44", "topology spread", () =>
    placement(msg("topology spread constraints exclude all nodes")),
  ),
  refused("D45", "were unschedulable", () =>
    words(
      msg("its nodes are cordoned"),
      msg("The suitable nodes do not accept new pods."),
      msg("Uncordon the nodes, or add nodes."),
    ),
  ),
  { id: "D52", needs: "the pod", find: schedulerAway },
  { id: "D108", needs: "the pod", find: otherRefusal },
  { id: "D75", needs: "its events", find: waitsForItsPod },
];

/** Rules for decisions of the cluster autoscaler about a pod without a node. */
export const autoscalerRules: readonly DiagnosisRule[] = [
  { id: "D91", needs: "its events", find: noScaleUp },
  { id: "D90", needs: "its events", find: scaleUp },
];

/** True if the scheduler rejected the pod because of insufficient CPU or memory, or because of a taint. */
export const areNodesNeeded = (state: DisplayState): boolean =>
  state.kind === "unscheduled" &&
  includesAny(state.message, "insufficient cpu", "insufficient memory", "untolerated taint");

/**
 * Returns the scheduler's message without the parts about preemption and resource claims. Empty if there is no message.
 */
function refusalOf({ state }: DiagnosedPod): string {
  if (state.kind !== "unscheduled" || !state.message) return "";
  const [refusal = ""] = state.message.split(
    /\.?(?: no new claims to deallocate,| not found,?)? preemption:/i,
    1,
  );
  return refusal;
}

function refused(
  id: string,
  fragment: string,
  say: (diagnosed: DiagnosedPod, message: string) => DiagnosisText,
): DiagnosisRule {
  const find = (diagnosed: DiagnosedPod): DiagnosisText | undefined => {
    const message = refusalOf(diagnosed);
    return includesAny(message, fragment)
      ? { ...say(diagnosed, message), told: message }
      : undefined;
  };
  return { id, needs: "the pod", find };
}

const claimOption = (role: DiagnosedPod["role"], option: string): string =>
  `spark.kubernetes.${role}.volumes.persistentVolumeClaim.*.options.${option}`;

/** Diagnoses an unbound volume claim by the claim's events, because the scheduler does not know the reason. */
function notProvisioned(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  if (diagnosed.state.kind !== "unscheduled") return undefined;
  const told = eventWith(diagnosed, "ProvisioningFailed");
  const provisioner = eventWith(diagnosed, "ExternalProvisioning");
  const keys = [
    claimOption(diagnosed.role, "storageClass"),
    claimOption(diagnosed.role, "sizeLimit"),
    ...(includesAny(told?.message, "access mode", "accessmode")
      ? ["spark.kubernetes.legacy.useReadWriteOnceAccessMode"]
      : []),
  ];
  if (told === undefined) {
    return (
      provisioner &&
      words(
        msg("its volume has not been created yet"),
        msg("The volume claim is waiting for the provisioner of its storage class."),
        msg("Wait. If the state persists, check that the provisioner is running."),
        keys,
        provisioner.message,
      )
    );
  }
  const storageClass = /storageclass[\w.]{0,40} "([^"]{1,253})" not found/i.exec(told.message)?.[1];
  return words(
    storageClass === undefined
      ? msg`volume not created: ${shortened(reasonIn(told.message))}`
      : msg`no storage class "${storageClass}"`,
    msg("The storage class of the volume claim cannot provision a volume."),
    msg("Correct the storage class, the size or the access mode. The message names the reason."),
    keys,
    told.message,
  );
}

/**
 * Returns the reason in `failed to provision volume with StorageClass "x": rpc error: code = … desc = …`. Returns other
 * messages unchanged.
 */
const reasonIn = (message: string): string =>
  / desc = (.+)/.exec(message)?.[1] ?? /StorageClass "[^"]*": (.+)/.exec(message)?.[1] ?? message;

function waitsForItsPod(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  if (diagnosed.state.kind !== "unscheduled") return undefined;
  const told = eventWith(diagnosed, "WaitForFirstConsumer", "WaitForPodScheduled");
  return (
    told &&
    words(
      msg("its volume is created after the pod is scheduled"),
      msg("The storage class creates the volume only after the scheduler has chosen a node."),
      msg("No action needed for the volume. Check why the pod has no node."),
      [],
      told.message,
    )
  );
}

function preempting({ pod, state }: DiagnosedPod): DiagnosisText | undefined {
  // Kubernetes clears the field with an empty string.
  if (state.kind !== "unscheduled" || !pod.nominatedNodeName) return undefined;
  return words(
    msg`preempting pods on node ${pod.nominatedNodeName}`,
    msg(
      "No node has room for the pod. The scheduler preempts pods of lower priority on this node.",
    ),
    msg("No action needed. Wait until these pods have ended."),
  );
}

function heldByQueue({ state, pod }: DiagnosedPod): DiagnosisText | undefined {
  if (state.kind !== "unscheduled" || !state.held) return undefined;
  const queue = pod.labels["kueue.x-k8s.io/queue-name"];
  return words(
    queue === undefined ? msg("held by a queue") : msg`held by queue "${queue}"`,
    msg("A queue holds the pod until its quota has room."),
    msg("Check the quota and the workloads of the queue."),
    [],
    state.message,
  );
}

function claimMissing(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const message = refusalOf(diagnosed);
  const claim = /persistentvolumeclaim "([^"]+)" not found/i.exec(message)?.[1];
  if (claim === undefined) return undefined;
  return words(
    msg`volume claim "${claim}" does not exist`,
    msg("The pod refers to a volume claim that does not exist."),
    msg(
      "Correct the claim name. For one claim per executor, set claimName=OnDemand with storageClass and sizeLimit.",
    ),
    [claimOption(diagnosed.role, "claimName"), claimOption(diagnosed.role, "storageClass")],
    message,
  );
}

function insufficient(
  diagnosed: DiagnosedPod,
  resource: "cpu" | "memory",
): DiagnosisText | undefined {
  const message = refusalOf(diagnosed);
  if (!includesAny(message, `insufficient ${resource}`)) return undefined;
  const { pod, role } = diagnosed;
  const cpu = describeCores(requestOf(pod, "cpu"));
  const memory = verbatim(describeBytes(requestOf(pod, "memory")));
  const lacksBoth =
    includesAny(message, "insufficient cpu") && includesAny(message, "insufficient memory");
  const amount = lacksBoth ? msg`${cpu} and ${memory}` : resource === "cpu" ? cpu : memory;
  const keys = [
    ...(resource === "memory" || lacksBoth ? memoryKeys(diagnosed) : []),
    ...(resource === "cpu" || lacksBoth ? cpuKeys(role) : []),
  ];
  const never = largestLacking(diagnosed, resource);
  if (never !== undefined) {
    return words(
      msg`larger than the largest node (${never})`,
      role === "driver"
        ? msg`The driver requests ${cpu} and ${memory}, but the largest node has ${never}.`
        : msg`The executor requests ${cpu} and ${memory}, but the largest node has ${never}.`,
      msg("Request less, or add larger nodes."),
      keys,
      message,
    );
  }
  const request =
    role === "driver"
      ? msg`The driver requests ${cpu} and ${memory}`
      : msg`The executor requests ${cpu} and ${memory}`;
  if (fitsNoEmptyNode(diagnosed, resource)) {
    return words(
      msg`no node is large enough for ${amount}`,
      msg`${request}, which is more than any node has in total.`,
      msg("Request less, or add larger nodes."),
      keys,
      message,
    );
  }
  return words(
    msg`no node has ${amount} free`,
    lacksBoth
      ? msg`${request}, and no suitable node has both amounts free.`
      : msg`${request}, and no suitable node has ${amount} free.`,
    msg("Request less, add nodes, or wait until other pods have ended."),
    keys,
    message,
  );
}

/**
 * True if all nodes lack the resource, and preemption would not help on any node. The scheduler reports this if the
 * request exceeds the node's total amount.
 */
function fitsNoEmptyNode({ state }: DiagnosedPod, resource: "cpu" | "memory"): boolean {
  if (state.kind !== "unscheduled") return false;
  const { message } = state;
  const [, nodes, unhelped] =
    /preemption: 0\/(\d{1,7}) nodes are available: (\d{1,7}) Preemption is not helpful\b/.exec(
      message ?? "",
    ) ?? [];
  if (nodes === undefined || nodes !== unhelped) return false;
  return includesAny(
    message,
    `: ${nodes} insufficient ${resource}`,
    `, ${nodes} insufficient ${resource}`,
  );
}

/**
 * Returns the largest node's amount of the resource, if the pod does not fit even on an empty node. Undefined
 * otherwise.
 */
function largestLacking(
  { pod, largestNode }: DiagnosedPod,
  resource: "cpu" | "memory",
): Message | undefined {
  if (largestNode === undefined) return undefined;
  const { cores, memoryBytes } = largestNode;
  const isMemory = requestOf(pod, "memory") > memoryBytes;
  const isCpu = requestOf(pod, "cpu") > cores;
  if (isMemory && (resource === "memory" || !isCpu)) return verbatim(describeBytes(memoryBytes));
  return isCpu ? describeCores(cores) : undefined;
}

/** Returns the keys whose values make up the memory request. */
const memoryKeys = ({ role, isPython }: DiagnosedPod): readonly string[] => [
  `spark.${role}.memory`,
  `spark.${role}.memoryOverhead`,
  `spark.${role}.memoryOverheadFactor`,
  ...(role === "executor" ? ["spark.memory.offHeap.size"] : []),
  ...(role === "executor" && isPython === true ? ["spark.executor.pyspark.memory"] : []),
];

const cpuKeys = (role: DiagnosedPod["role"]): readonly string[] => [
  `spark.kubernetes.${role}.request.cores`,
  `spark.${role}.cores`,
];

function insufficientDevice(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const message = refusalOf(diagnosed);
  const resource = /insufficient ([\w.-]+\/\w[\w.-]*\w)/i.exec(message)?.[1];
  if (resource === undefined) return undefined;
  const amount = requestOf(diagnosed.pod, resource);
  return words(
    msg`no node has ${amount} ${resource} free`,
    msg`All ${resource} of the nodes are in use, or their device plugin is not ready.`,
    msg("Wait until other pods have ended, request less, or check the device plugin."),
    [`spark.${diagnosed.role}.resource.gpu.amount`],
    message,
  );
}

function diskOrSlots(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const message = refusalOf(diagnosed);
  if (includesAny(message, "insufficient ephemeral-storage")) {
    const amount = describeBytes(requestOf(diagnosed.pod, "ephemeral-storage"));
    return words(
      msg`no node has ${amount} of disk space free`,
      msg("The pod template requests more ephemeral storage than any node has free."),
      msg("Request less in the pod template, use volumes, or add nodes with larger disks."),
      [`spark.kubernetes.${diagnosed.role}.podTemplateFile`],
      message,
    );
  }
  if (!includesAny(message, "too many pods")) return undefined;
  return words(
    msg("the nodes have too many pods"),
    msg("The nodes have reached their maximum number of pods."),
    msg("Use fewer and larger executors, or add nodes."),
    ["spark.executor.cores", "spark.executor.memory"],
    message,
  );
}

function tainted({ largestNode, role }: DiagnosedPod, message: string): DiagnosisText {
  const named = /taint \{([^{}]+)\}/i.exec(message)?.[1]?.trim().replace(/:\s*$/, "");
  // Kubernetes 1.36 does not name the taint. The taints of all nodes are the fallback.
  const all = named === undefined ? (largestNode?.taints ?? []) : [];
  const conditions = all.filter(({ key }) => key.startsWith(conditionTaint));
  if (conditions.length > 0 && conditions.length === all.length) {
    const problems = conditions.map(({ key }) => key.slice(conditionTaint.length));
    return words(
      msg`its nodes are not usable: ${[...new Set(problems)].join(", ")}`,
      msg(
        "Kubernetes taints nodes that are not ready, cordoned, or short of memory, disk space or process ids.",
      ),
      msg("Check the nodes. A toleration would let the pod run on a node with this problem."),
    );
  }
  const texts = named === undefined ? all.map(taintText) : [named];
  const [first] = texts;
  return words(
    first === undefined
      ? msg("its nodes have untolerated taints")
      : texts.length === 1
        ? msg`its nodes have the taint "${first}"`
        : msg`its nodes have taints: ${shortened(texts.join(", "), 45)}`,
    msg("The pod does not tolerate a taint of the nodes."),
    msg("Add a toleration to the pod template. Spark has no property for tolerations."),
    [`spark.kubernetes.${role}.podTemplateFile`],
  );
}

/** The prefix of taints that Kubernetes derives from a node's conditions. */
const conditionTaint = "node.kubernetes.io/";

const taintText = ({ key, value, effect }: NodeTaint): string =>
  value === "" ? `${key}:${effect}` : `${key}=${value}:${effect}`;

function noNodeSelected({ role, pod }: DiagnosedPod): DiagnosisText {
  const labels = Object.entries(pod.nodeSelector ?? {}).map(([key, value]) => `${key}=${value}`);
  return words(
    labels.length === 0
      ? msg("no node matches its node selector")
      : labels.length === 1
        ? msg`no usable node has the label ${shortened(labels.join(), 45)}`
        : msg`no usable node has the labels ${shortened(labels.join(", "), 45)}`,
    msg("No node matches the pod's node selector or affinity."),
    msg("Correct the selector, or label the nodes."),
    ["spark.kubernetes.node.selector.*", `spark.kubernetes.${role}.node.selector.*`],
  );
}

const placement = (why: Message): DiagnosisText =>
  words(
    why,
    msg`Because of placement rules in the pod template, no node is suitable: ${why}.`,
    msg("Relax the rules in the pod template, or add nodes."),
    ["spark.kubernetes.driver.podTemplateFile", "spark.kubernetes.executor.podTemplateFile"],
  );

// The default scheduler reacts within seconds. A custom scheduler may not run at all.
const maxSilenceMs = 30_000;

function schedulerAway({ pod, state, events, now }: DiagnosedPod): DiagnosisText | undefined {
  const { schedulerName, conditions } = pod;
  if (state.kind !== "unscheduled" || schedulerName === undefined || events.length > 0) {
    return undefined;
  }
  if (conditions.some(({ type }) => type === "PodScheduled")) return undefined;
  if (now - Date.parse(pod.creationTimestamp) < maxSilenceMs) return undefined;
  return words(
    msg`scheduler "${schedulerName}" is not responding`,
    msg`The scheduler "${schedulerName}" has not processed the pod. It is not running, or it has not admitted the pod group.`,
    msg("Check that this scheduler is running, and check its queue."),
    ["spark.kubernetes.scheduler.name"],
  );
}

function otherRefusal(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const message = refusalOf(diagnosed);
  if (message === "") return undefined;
  return words(
    shortened(message),
    msg("The scheduler found no node for the pod."),
    msg("See the scheduler's message for the reason."),
    [],
    message,
  );
}

function noScaleUp(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const told = diagnosed.state.kind === "unscheduled" && eventWith(diagnosed, "NotTriggerScaleUp");
  if (!told) return undefined;
  return words(
    msg("the autoscaler does not add a node"),
    msg(
      "The autoscaler does not add a node for this pod because no node pool fits or all node pools have reached their maximum size.",
    ),
    msg("Raise the limit of a node pool, or change the requests of the pod."),
    [],
    told.message,
  );
}

function scaleUp(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const told = diagnosed.state.kind === "unscheduled" && eventWith(diagnosed, "TriggeredScaleUp");
  if (!told) return undefined;
  return words(
    msg("a node is being added"),
    msg("The autoscaler has requested a node for this pod."),
    msg("No action needed. Wait for the node."),
    [],
    told.message,
  );
}
