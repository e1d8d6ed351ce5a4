import { msg, type Message } from "../../base/message.ts";
import { crashedSidecar, isDeletion } from "../pods/displayState.ts";
import { requestedEndOf } from "../pods/endMark.ts";
import { executorIdOf } from "../pods/executorId.ts";
import { executorSetOf } from "../pods/executorSets.ts";
import { hasFailed } from "../pods/podExit.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";
import type { DiagnosedPod, DiagnosisRule, DiagnosisText } from "./diagnosis.ts";
import { eventWith, problemOf, includesAny, shortened, words } from "./rule.ts";

/** The rule for a running pod that was deleted. For executors only if neither Spark nor this extension deleted it. */
export const deletionRule = "D114";

/** Rules for containers that cannot be created or do not start. */
export const containerRules: readonly DiagnosisRule[] = [
  { id: "D62", needs: "the pod", find: (diagnosed) => missing(diagnosed, "secret") },
  { id: "D63", needs: "the pod", find: (diagnosed) => missing(diagnosed, "configmap") },
  { id: "D64", needs: "the pod", find: runsAsRoot },
  { id: "D65", needs: "the pod", find: cannotBeMade },
  { id: "D66", needs: "the pod", find: hookFailed },
  { id: "D68", needs: "the pod", find: sidecarLoops },
  { id: "D67", needs: "the pod", find: loops },
  { id: "D69", needs: "the pod", find: initFailed },
];

/** Rules for events of volumes, networks and nodes while a pod starts. */
export const startRules: readonly DiagnosisRule[] = [
  { id: "D71", needs: "its events", find: attachedElsewhere },
  { id: "D70", needs: "its events", find: mountSourceMissing },
  { id: "D72", needs: "its events", find: mountFailed },
  { id: "D73", needs: "its events", find: noNetwork },
  { id: "D89", needs: "its events", find: nodeNotReady },
];

/** Rules for a running or terminating pod. */
export const lifeRules: readonly DiagnosisRule[] = [
  { id: "D86", needs: "its events", find: probeFails },
  { id: "D87", needs: "its events", find: hookBeforeEndFailed },
  { id: "D88", needs: "the pod", find: leaving },
  { id: deletionRule, needs: "the pod", find: deletedWhileRunning },
];

function missing(diagnosed: DiagnosedPod, kind: "secret" | "configmap"): DiagnosisText | undefined {
  const problem = problemOf(diagnosed);
  if (problem?.reason !== "CreateContainerConfigError") return undefined;
  return sourceWords(diagnosed.role, problem.message, kind);
}

const sourcePatterns = {
  secret: {
    missing: /secret "([^"]+)" not found/i,
    withoutKey: /couldn't find key (\S+) in secret (\S+)/i,
  },
  configmap: {
    missing: /configmap "([^"]+)" not found/i,
    withoutKey: /couldn't find key (\S+) in configmap (\S+)/i,
  },
} as const;

function sourceWords(
  role: DiagnosedPod["role"],
  message: string,
  kind: "secret" | "configmap",
): DiagnosisText | undefined {
  const { missing, withoutKey } = sourcePatterns[kind];
  const name = missing.exec(message)?.[1];
  const key = withoutKey.exec(message);
  if (name === undefined && key === null) return undefined;
  const source = name ?? key?.[2]?.split("/").at(-1) ?? "";
  const which = kind === "secret" ? msg`Secret "${source}"` : msg`ConfigMap "${source}"`;
  return words(
    key === null ? msg`${which} does not exist` : msg`${which} has no key "${key[1] ?? ""}"`,
    key === null
      ? msg`The pod refers to ${which}, which does not exist in its namespace.`
      : msg`The pod refers to a key of ${which} that does not exist.`,
    kind === "secret"
      ? msg(
          "Create the Secret in the pod's namespace, or correct its name. A reference to a key has the form name:key.",
        )
      : msg(
          "Create the ConfigMap in the pod's namespace, or correct its name. Do not delete Spark's own ConfigMaps (spark-drv-…, spark-exec-…) while the application runs.",
        ),
    kind === "secret"
      ? [`spark.kubernetes.${role}.secrets.*`, `spark.kubernetes.${role}.secretKeyRef.*`]
      : ["spark.kubernetes.hadoop.configMapName", "spark.kubernetes.kerberos.krb5.configMapName"],
    message,
  );
}

function runsAsRoot(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const problem = problemOf(diagnosed);
  if (!includesAny(problem?.message, "runasnonroot", "non-root policy", "non-numeric user")) {
    return undefined;
  }
  return words(
    msg("the image runs as root, which is forbidden"),
    msg(
      "The pod must not run as root, but the image runs as root or specifies a user name instead of a numeric user id.",
    ),
    msg("Set a numeric user id in the image or in the pod template. Spark's images use 185."),
    [`spark.kubernetes.${diagnosed.role}.podTemplateFile`],
    problem?.message,
  );
}

function cannotBeMade(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const problem = problemOf(diagnosed);
  if (
    problem?.reason !== "CreateContainerError" &&
    problem?.reason !== "CreateContainerConfigError"
  ) {
    return undefined;
  }
  return words(
    msg`container "${problem.container}" cannot be created: ${shortened(problem.message)}`,
    msg("The node cannot create the container from its spec."),
    msg("Check the mount paths, environment and command of the container."),
    [`spark.kubernetes.${diagnosed.role}.podTemplateFile`],
    problem.message,
  );
}

function hookFailed(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const problem = problemOf(diagnosed);
  if (problem?.reason !== "RunContainerError" && problem?.reason !== "PostStartHookError") {
    return undefined;
  }
  return words(
    msg`container "${problem.container}" does not start`,
    msg("The container could not start, or its postStart hook failed."),
    msg("Check the lifecycle hooks in the pod template and the command of the image."),
    [`spark.kubernetes.${diagnosed.role}.podTemplateFile`],
    problem.message,
  );
}

function sidecarLoops(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const { pod, state } = diagnosed;
  const crashed = state.kind === "running" ? crashedSidecar(pod) : undefined;
  const problem = problemOf(diagnosed);
  const isLooping = problem?.reason === "CrashLoopBackOff" && pod.restartPolicy === "Never";
  const container = crashed?.name ?? (isLooping ? problem.container : undefined);
  if (container === undefined) return undefined;
  return words(
    msg`container "${container}" keeps crashing`,
    msg(
      "The sidecar container restarts after each crash. Other containers of this pod are never restarted.",
    ),
    msg("Check the container's log, and fix the container in the pod template."),
    [`spark.kubernetes.${diagnosed.role}.podTemplateFile`],
    problem?.message ?? (crashed?.state?.kind === "waiting" ? crashed.state.message : undefined),
  );
}

function loops(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const problem = problemOf(diagnosed);
  if (problem?.reason !== "CrashLoopBackOff") return undefined;
  const crashed = diagnosed.pod.containers.find(({ name }) => name === problem.container);
  const last = crashed?.lastState?.kind === "terminated" ? crashed.lastState.exitCode : undefined;
  return words(
    last === undefined ? msg("keeps crashing") : msg`keeps crashing, exit code ${last}`,
    msg("The container exits repeatedly, and Kubernetes restarts it with increasing delays."),
    msg(
      "Check the log of the previous container instance. Spark's direct pod allocator does not restart containers.",
    ),
    ["spark.kubernetes.allocation.pods.allocator"],
    problem.message,
  );
}

function initFailed({ pod, state, role }: DiagnosedPod): DiagnosisText | undefined {
  if (state.kind !== "failed" && state.kind !== "blocked") return undefined;
  const failed = pod.initContainers.find(hasFailed);
  const end = failed?.state?.kind === "terminated" ? failed.state : undefined;
  if (failed === undefined || end === undefined) return undefined;
  return words(
    end.exitCode === undefined
      ? msg`init container "${failed.name}" failed, exit code unknown`
      : msg`init container "${failed.name}" failed, exit code ${end.exitCode}`,
    msg("An init container must succeed before Spark starts."),
    msg("Check the container's log, and fix the container in the pod template."),
    [`spark.kubernetes.${role}.podTemplateFile`],
    end.message,
  );
}

const isStarting = ({ state }: DiagnosedPod): boolean =>
  ["scheduled", "starting", "pulling", "initializing"].includes(state.kind);

// The kubelet creates a container only after the volumes are mounted and the sandbox has its network.
const afterSandbox = ["Pulling", "Pulled", "Created", "Started"] as const;

/**
 * True until the volumes and the network of the pod are ready. After that, events about them belong to earlier failed
 * attempts.
 */
const isPreparing = (diagnosed: DiagnosedPod): boolean =>
  (diagnosed.state.kind === "scheduled" || diagnosed.state.kind === "starting") &&
  eventWith(diagnosed, ...afterSandbox) === undefined;

function attachedElsewhere(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const told = isPreparing(diagnosed) && eventWith(diagnosed, "FailedAttachVolume");
  if (!told) return undefined;
  return words(
    msg("its volume cannot be attached to its node"),
    msg(
      "A volume of the pod cannot be attached to its node, usually because another node still uses it.",
    ),
    msg("Wait until the other node detaches it, or use one volume claim for each executor."),
    ["spark.kubernetes.executor.volumes.persistentVolumeClaim.*.options.claimName"],
    told.message,
  );
}

// Spark creates the pod before its ConfigMap, and the kubelet retries after 0.5, 1, 2 and 4 s.
const ownConfigMap = /configmap "spark-(?:drv|exec)-[^"]+" not found/i;
const ownConfigMapMs = 10_000;

function failedMount(diagnosed: DiagnosedPod, ...reasons: readonly string[]) {
  const { pod, now } = diagnosed;
  const told = isPreparing(diagnosed) ? eventWith(diagnosed, "FailedMount", ...reasons) : undefined;
  const age = now - Date.parse(pod.startTime ?? pod.creationTimestamp);
  const isOrdinary = told !== undefined && ownConfigMap.test(told.message) && age < ownConfigMapMs;
  return isOrdinary ? undefined : told;
}

function mountSourceMissing(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const told = failedMount(diagnosed);
  if (told === undefined) return undefined;
  const { role } = diagnosed;
  const { message } = told;
  return sourceWords(role, message, "secret") ?? sourceWords(role, message, "configmap");
}

function mountFailed(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const told = failedMount(diagnosed, "FailedMapVolume");
  if (told === undefined) return undefined;
  const { message } = told;
  const volume = /volume "([^"]+)"/.exec(message)?.[1];
  const keyOf = (kind: string, option: string): string =>
    `spark.kubernetes.${diagnosed.role}.volumes.${kind}.${volume ?? "*"}.options.${option}`;
  const hostPath = /hostPath type check failed: (\S+) is not /.exec(message)?.[1];
  if (hostPath !== undefined) {
    return words(
      msg`not on the node: ${shortened(hostPath, 45)}`,
      msg(
        "The node has no file or directory of the required type at the path of a hostPath volume.",
      ),
      msg("Correct the path. The type DirectoryOrCreate creates a missing directory."),
      [keyOf("hostPath", "path"), keyOf("hostPath", "type")],
      message,
    );
  }
  if (/-t nfs|mount\.nfs/.test(message)) {
    return words(
      volume === undefined
        ? msg("an NFS volume cannot be mounted")
        : msg`NFS volume "${volume}" cannot be mounted`,
      msg("The node cannot mount the export of the NFS server."),
      msg(
        "Check the server and the path. The node must be able to reach the server and have an NFS client.",
      ),
      [keyOf("nfs", "server"), keyOf("nfs", "path")],
      message,
    );
  }
  return words(
    volume === undefined
      ? msg("a volume cannot be mounted")
      : msg`volume "${volume}" cannot be mounted`,
    msg("The node cannot mount a volume of the pod."),
    msg("Check the storage of the volume, and fsGroup in the pod template."),
    [`spark.kubernetes.${diagnosed.role}.podTemplateFile`],
    message,
  );
}

function noNetwork(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const told = isPreparing(diagnosed) && eventWith(diagnosed, "FailedCreatePodSandBox");
  if (!told) return undefined;
  const full = includesAny(told.message, "failed to assign an ip", "no more ip", "no available ip");
  return words(
    full
      ? msg("no free IP address in the pod network")
      : msg("its node cannot create the pod sandbox"),
    msg("The node cannot create the pod sandbox, usually because its network plugin fails."),
    full
      ? msg("Extend the address range of the pod network.")
      : msg("Check the network plugin of the node."),
    [],
    told.message,
  );
}

function nodeNotReady(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const isHere = isStarting(diagnosed) || diagnosed.state.kind === "running";
  const told = isHere && eventWith(diagnosed, "NodeNotReady", "NetworkNotReady");
  if (!told) return undefined;
  return words(
    msg("its node is not ready"),
    msg("The node or its network is not ready."),
    msg("Check the node, and cordon or replace it."),
    [],
    told.message,
  );
}

function probeFails(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const told = diagnosed.state.kind === "running" && eventWith(diagnosed, "Unhealthy");
  if (!told) return undefined;
  return words(
    msg("probe fails"),
    msg(
      "A probe from the pod template fails. If a liveness probe fails, the kubelet restarts or terminates the container.",
    ),
    msg("Remove probes from the pod template."),
    [`spark.kubernetes.${diagnosed.role}.podTemplateFile`],
    told.message,
  );
}

function hookBeforeEndFailed(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const told = eventWith(diagnosed, "FailedPreStopHook");
  if (told === undefined || diagnosed.state.kind === "running") return undefined;
  return words(
    msg("decommissioning script failed"),
    msg("The preStop script failed, so the executor stopped without migrating its data."),
    msg("Use an image that contains the script, bash, ps and tail."),
    ["spark.kubernetes.decommission.script"],
    told.message,
  );
}

function leaving(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const { state, pod, now } = diagnosed;
  if (state.kind !== "terminating") return undefined;
  const seconds = Math.round((Date.parse(pod.deletionTimestamp ?? "") - now) / 1000);
  if (Number.isNaN(seconds)) return undefined;
  const [fact, what] = deletionOfRunning(diagnosed, seconds);
  return words(
    fact,
    what,
    seconds > -60
      ? msg("No action needed. Wait.")
      : msg("The node seems to be unreachable. Check the node before you force-delete the pod."),
  );
}

function deletionOfRunning(
  { role, isStoppedHere, pod }: DiagnosedPod,
  secondsLeft: number,
): readonly [fact: Message, what: Message] {
  const rest = endWords(secondsLeft);
  const stopping = isEnding(secondsLeft) ? msg("stopping") : msg`stopping, ${rest}`;
  if (isStoppedHere) {
    return [
      stopping,
      msg("The application was stopped from this window. Its driver received SIGTERM."),
    ];
  }
  // Names the deletion, because users often see no later text: Kubernetes removes the pod as soon as its containers
  // have ended.
  if (role === "driver") return [msg`its pod was deleted, ${rest}`, deletionWords];
  const end = requestedEndOf(pod.labels);
  return end === "killed" || end === "stopped"
    ? [stopping, msg("A user killed or stopped this executor.")]
    : [
        rest,
        msg(
          "The pod was deleted. With decommissioning enabled, it migrates its data during the grace period.",
        ),
      ];
}

const deletionWords = msg(
  "The running pod was deleted by a user, a controller, or a node drain. Its container received SIGTERM.",
);

/** Matches the driver's removal reason for an executor whose pod the driver itself did not delete. */
const deletedByOthers = /was deleted by a user or the framework/;

function deletedWhileRunning({
  state,
  role,
  pod,
  report,
  isStoppedHere,
}: DiagnosedPod): DiagnosisText | undefined {
  if (!isDeletion(state) || isStoppedHere) return undefined;
  const reason = report?.removed.get(String(executorIdOf(pod)));
  if (role === "executor") {
    // Spark itself deletes pods of executors. Scaling a StatefulSet or Deployment deletes the pods of its executors.
    if (!deletedByOthers.test(reason ?? "") || executorSetOf(pod) !== undefined) return undefined;
  }
  if (role === "driver" && state.kind !== "stopped") return undefined;
  const spark = sparkContainerOf(pod)?.state;
  const code = spark?.kind === "terminated" ? spark.exitCode : undefined;
  const isExecutor = role === "executor";
  // Commands of this extension label executors before they delete them, so only an executor's deletion is known to come
  // from outside.
  const fact = isExecutor ? msg("deleted by a user or controller") : msg("its pod was deleted");
  return words(
    code === undefined ? fact : msg`${fact}, exit code ${code}`,
    deletionWords,
    isExecutor
      ? msg(
          "Check the audit log for the user or controller that deleted the pod. With decommissioning enabled, executors migrate their data first.",
        )
      : msg("Check the audit log for the user or controller that deleted the pod."),
    isExecutor ? ["spark.decommission.enabled", "spark.storage.decommission.enabled"] : [],
    reason,
  );
}

/**
 * Describes the remaining grace period; negative seconds are past the deadline. A pod is overdue only 10 s after its
 * deadline, because the kubelet needs some seconds to remove it, even with a grace period of zero.
 */
function endWords(secondsLeft: number): Message {
  if (secondsLeft > 0) return msg`ends within ${secondsLeft} s`;
  return isEnding(secondsLeft) ? msg("ending") : msg`overdue by ${-secondsLeft} s`;
}

/** True for the first 10 s after the deadline, which the kubelet may need to remove the pod. */
const isEnding = (secondsLeft: number): boolean => secondsLeft <= 0 && secondsLeft > -10;
