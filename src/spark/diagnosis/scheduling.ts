import { describeBytes, describeCores, requestOf } from "./amounts.ts";
import type { DisplayState } from "../pods/displayState.ts";
import type { Patient, Rule, Words } from "./diagnosis.ts";
import { notice, says, shortened, words } from "./rule.ts";

/** Why a pod gets no node: the scheduler's words, most of all. */
export const schedulingRules: readonly Rule[] = [
  { id: "D53", needs: "the pod", find: heldByQueue },
  { id: "D109", needs: "the pod", find: preempting },
  refused("D46", "unbound immediate persistentvolumeclaims", () =>
    words(
      "a volume claim is not bound",
      "The pod waits for a volume: one of its claims has none yet.",
      "Look at the claim's events: its storage class, quota or zone.",
      ["spark.kubernetes.executor.volumes.persistentVolumeClaim.*.options.storageClass"],
    ),
  ),
  { id: "D47", needs: "the pod", find: claimMissing },
  refused("D48", "volume node affinity conflict", () =>
    words(
      "its volume is in another zone",
      "A volume that the pod must have lies where no fitting node is.",
      "Keep the nodes in one zone, let volumes wait for their first pod, or do not use volumes again.",
      ["spark.kubernetes.driver.reusePersistentVolumeClaim"],
    ),
  ),
  refused("D48", "no available volume zone", () =>
    words(
      "its volume is in another zone",
      "A volume that the pod must have lies where no fitting node is.",
      "Keep the nodes in one zone, or let volumes wait for their first pod.",
      ["spark.kubernetes.driver.reusePersistentVolumeClaim"],
    ),
  ),
  refused("D49", "readwriteoncepod access mode already in-use", () =>
    words(
      "its volume is held by another pod",
      "Another pod holds the volume claim, and from Spark 4.0 on claims serve one pod at a time.",
      "Give each executor a claim of its own (OnDemand), or go back to the older access mode.",
      [
        "spark.kubernetes.executor.volumes.persistentVolumeClaim.*.options.claimName",
        "spark.kubernetes.legacy.useReadWriteOnceAccessMode",
      ],
    ),
  ),
  refused("D50", "exceed max volume count", () =>
    words(
      "too many volumes for its nodes",
      "The nodes carry no more volumes.",
      "Use fewer volumes for each executor, or more nodes.",
      ["spark.kubernetes.executor.volumes.persistentVolumeClaim.*.options.claimName"],
    ),
  ),
  { id: "D39", needs: "the pod", find: (patient) => insufficient(patient, "memory") },
  { id: "D38", needs: "the pod", find: (patient) => insufficient(patient, "cpu") },
  { id: "D40", needs: "the pod", find: insufficientDevice },
  { id: "D41", needs: "the pod", find: diskOrSlots },
  refused("D42", "untolerated taint", tainted),
  refused("D42", "that the pod didn't tolerate", tainted),
  refused("D43", "node affinity/selector", noNodeSelected),
  refused("D43", "node selector", noNodeSelected),
  refused("D44", "anti-affinity", () => placement("may not run beside what is on the nodes")),
  refused("D44", "topology spread", () => placement("would not be spread evenly")),
  refused("D45", "were unschedulable", () =>
    words(
      "its nodes are closed to new pods",
      "The nodes that would fit are cordoned.",
      "Open them again, or add nodes.",
    ),
  ),
  { id: "D52", needs: "the pod", find: schedulerAway },
  { id: "D108", needs: "the pod", find: otherRefusal },
];

/** What comes with the wait for a node, and says whether it will end. */
export const autoscalerRules: readonly Rule[] = [
  { id: "D91", needs: "its events", find: noScaleUp },
  { id: "D90", needs: "its events", find: scaleUp },
];

/** The scheduler's sentence, without what it says of preemption; empty where it has said nothing. */
function refusalOf({ state }: Patient): string {
  if (state.kind !== "unscheduled" || !state.message) return "";
  const known = refusals.get(state);
  if (known !== undefined) return known;
  const [refusal = ""] = state.message.split(/\.? preemption:/i, 1);
  refusals.set(state, refusal);
  return refusal;
}

// Each rule asks for it, of each waiting pod that is shown, whenever one of them changes.
const refusals = new WeakMap<DisplayState, string>();

function refused(
  id: string,
  fragment: string,
  say: (patient: Patient, message: string) => Words,
): Rule {
  const find = (patient: Patient): Words | undefined => {
    const message = refusalOf(patient);
    return says(message, fragment) ? { ...say(patient, message), told: message } : undefined;
  };
  return { id, needs: "the pod", find };
}

function preempting({ pod, state }: Patient): Words | undefined {
  // Kubernetes clears the field by writing an empty string.
  if (state.kind !== "unscheduled" || !pod.nominatedNodeName) return undefined;
  return words(
    `preempting others on node ${pod.nominatedNodeName}`,
    "No node has room for the pod. Its priority is higher than that of pods on this node: the scheduler ends these and waits until they are gone.",
    "Nothing: wait until they have ended.",
  );
}

function heldByQueue({ state, pod }: Patient): Words | undefined {
  if (state.kind !== "unscheduled" || !state.held) return undefined;
  const queue = pod.labels["kueue.x-k8s.io/queue-name"];
  return words(
    queue === undefined ? "held by a queue" : `held by queue "${queue}"`,
    "A queue keeps the pod from the scheduler until there is room in its quota.",
    "Look at the queue and what runs in it.",
    [],
    state.message,
  );
}

function claimMissing(patient: Patient): Words | undefined {
  const message = refusalOf(patient);
  const claim = /persistentvolumeclaim "([^"]+)" not found/i.exec(message)?.[1];
  if (claim === undefined) return undefined;
  return words(
    `volume claim "${claim}" does not exist`,
    "The pod names a volume claim that is not there.",
    "Correct the claim's name; for a claim made for each executor give claimName=OnDemand together with storageClass and sizeLimit.",
    [
      `spark.kubernetes.${patient.role}.volumes.persistentVolumeClaim.*.options.claimName`,
      `spark.kubernetes.${patient.role}.volumes.persistentVolumeClaim.*.options.storageClass`,
    ],
    message,
  );
}

function insufficient(patient: Patient, resource: "cpu" | "memory"): Words | undefined {
  const message = refusalOf(patient);
  if (!says(message, `insufficient ${resource}`)) return undefined;
  const { pod, role } = patient;
  const cpu = describeCores(requestOf(pod, "cpu"));
  const memory = describeBytes(requestOf(pod, "memory"));
  const lacksBoth = says(message, "insufficient cpu") && says(message, "insufficient memory");
  const amount = lacksBoth ? `${cpu} and ${memory}` : resource === "cpu" ? cpu : memory;
  const what = `The ${role} asks for ${cpu} and ${memory}, and no node that it may use has ${lacksBoth ? "both" : amount} free.`;
  const keys =
    resource === "cpu"
      ? [`spark.kubernetes.${role}.request.cores`, `spark.${role}.cores`]
      : [`spark.${role}.memory`, `spark.${role}.memoryOverhead`];
  return words(
    `no node has ${amount} free`,
    what,
    `Ask for less, add nodes, or wait until others have ended.`,
    keys,
    message,
  );
}

function insufficientDevice(patient: Patient): Words | undefined {
  const message = refusalOf(patient);
  const resource = /insufficient ([\w.-]+\/[\w.-]+)/i.exec(message)?.[1];
  if (resource === undefined) return undefined;
  const amount = requestOf(patient.pod, resource);
  return words(
    `no node has ${amount} ${resource} free`,
    `The nodes that have ${resource} have given all of it away, or their driver is not ready.`,
    "Wait until others have ended, ask for less, or look at the device plugin.",
    [`spark.${patient.role}.resource.gpu.amount`],
    message,
  );
}

function diskOrSlots(patient: Patient): Words | undefined {
  const message = refusalOf(patient);
  if (says(message, "insufficient ephemeral-storage")) {
    const amount = describeBytes(requestOf(patient.pod, "ephemeral-storage"));
    return words(
      `no node has ${amount} of disk free`,
      "The pod template asks for more local disk than a node has free.",
      "Ask for less in the template, use volumes, or nodes with larger disks.",
      [`spark.kubernetes.${patient.role}.podTemplateFile`],
      message,
    );
  }
  if (!says(message, "too many pods")) return undefined;
  return words(
    "no node takes another pod",
    "The nodes have as many pods as they may have.",
    "Use fewer and larger executors, or add nodes.",
    ["spark.executor.cores", "spark.executor.memory"],
    message,
  );
}

function tainted(_: Patient, message: string): Words {
  const taint = /taint \{([^}]+)\}/i.exec(message)?.[1]?.trim().replace(/:\s*$/, "");
  return words(
    taint === undefined
      ? "its nodes have taints that it does not tolerate"
      : `its nodes have the taint "${taint}"`,
    "The nodes are kept for other pods by a taint that this one does not tolerate.",
    "Tolerate the taint in the pod template; the conf has no key for it.",
    ["spark.kubernetes.driver.podTemplateFile", "spark.kubernetes.executor.podTemplateFile"],
  );
}

function noNodeSelected({ role }: Patient): Words {
  return words(
    "no node has the labels that it selects",
    "No node matches the pod's node selector or affinity.",
    "Correct the selector, or label nodes.",
    ["spark.kubernetes.node.selector.*", `spark.kubernetes.${role}.node.selector.*`],
  );
}

const placement = (why: string): Words =>
  words(
    `it ${why}`,
    `The pod template has a rule of placement, and by it the pod ${why}.`,
    "Loosen the rule in the template, or add nodes.",
    ["spark.kubernetes.driver.podTemplateFile", "spark.kubernetes.executor.podTemplateFile"],
  );

// The scheduler of the cluster speaks within seconds; another one that is away never does.
const silentMs = 30_000;

function schedulerAway({ pod, state, notices, now }: Patient): Words | undefined {
  const { schedulerName, conditions } = pod;
  if (state.kind !== "unscheduled" || schedulerName === undefined || notices.length > 0) {
    return undefined;
  }
  if (conditions.some(({ type }) => type === "PodScheduled")) return undefined;
  if (now - Date.parse(pod.creationTimestamp) < silentMs) return undefined;
  return words(
    `scheduler "${schedulerName}" says nothing`,
    `The pod waits for the scheduler "${schedulerName}", which has not looked at it: it is not running, or has not let the pod's group in.`,
    "Check that this scheduler runs, and its queue.",
    ["spark.kubernetes.scheduler.name"],
  );
}

function otherRefusal(patient: Patient): Words | undefined {
  const message = refusalOf(patient);
  if (message === "") return undefined;
  return words(
    shortened(message),
    "The scheduler finds no node for the pod.",
    "Its sentence says what is missing.",
    [],
    message,
  );
}

function noScaleUp(patient: Patient): Words | undefined {
  const told = patient.state.kind === "unscheduled" && notice(patient, "NotTriggerScaleUp");
  if (!told) return undefined;
  return words(
    "the autoscaler cannot help",
    "The autoscaler adds no node for this pod: no pool fits it, or all have reached their size.",
    "Raise a pool's limit, or change what the pod asks for.",
    [],
    told.message,
  );
}

function scaleUp(patient: Patient): Words | undefined {
  const told = patient.state.kind === "unscheduled" && notice(patient, "TriggeredScaleUp");
  if (!told) return undefined;
  return words(
    "a node is on its way",
    "The autoscaler has asked for a node for this pod.",
    "Nothing: wait for the node.",
    [],
    told.message,
  );
}
