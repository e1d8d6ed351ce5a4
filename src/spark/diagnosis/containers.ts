import { crashedSidecar } from "../pods/displayState.ts";
import { hasFailed } from "../pods/podExit.ts";
import type { Patient, Rule, Words } from "./diagnosis.ts";
import { notice, problemOf, says, shortened, words } from "./rule.ts";

/** Containers that cannot be made or do not come up, and volumes that do not. */
export const containerRules: readonly Rule[] = [
  { id: "D62", needs: "the pod", find: (patient) => missing(patient, "secret") },
  { id: "D63", needs: "the pod", find: (patient) => missing(patient, "configmap") },
  { id: "D64", needs: "the pod", find: runsAsRoot },
  { id: "D65", needs: "the pod", find: cannotBeMade },
  { id: "D66", needs: "the pod", find: hookFailed },
  { id: "D68", needs: "the pod", find: sidecarLoops },
  { id: "D67", needs: "the pod", find: loops },
  { id: "D69", needs: "the pod", find: initFailed },
];

/** What the node, or who brings volumes and networks to it, has noted while a pod starts. */
export const startRules: readonly Rule[] = [
  { id: "D71", needs: "its events", find: attachedElsewhere },
  { id: "D70", needs: "its events", find: mountSourceMissing },
  { id: "D72", needs: "its events", find: mountFailed },
  { id: "D73", needs: "its events", find: noNetwork },
  { id: "D89", needs: "its events", find: nodeNotReady },
];

/** What the cluster has noted of a pod that runs or ends. */
export const lifeRules: readonly Rule[] = [
  { id: "D86", needs: "its events", find: probeFails },
  { id: "D87", needs: "its events", find: hookBeforeEndFailed },
  { id: "D88", needs: "the pod", find: leaving },
];

function missing(patient: Patient, kind: "secret" | "configmap"): Words | undefined {
  const problem = problemOf(patient);
  if (problem?.reason !== "CreateContainerConfigError") return undefined;
  return sourceWords(problem.message, kind);
}

function sourceWords(message: string, kind: "secret" | "configmap"): Words | undefined {
  const name = new RegExp(`${kind} "([^"]+)" not found`, "i").exec(message)?.[1];
  const key = new RegExp(`couldn't find key (\\S+) in ${kind} (\\S+)`, "i").exec(message);
  if (name === undefined && key === null) return undefined;
  const thing = kind === "secret" ? "Secret" : "ConfigMap";
  const which = `${thing} "${name ?? key?.[2]?.split("/").at(-1) ?? ""}"`;
  return words(
    key === null ? `${which} does not exist` : `${which} has no key "${key[1] ?? ""}"`,
    `The pod needs ${which}, which is not in its namespace${key === null ? "" : " as it is named"}.`,
    kind === "secret"
      ? "Make the Secret in the pod's namespace, or correct its name; a single key is named name:key."
      : "Make the ConfigMap in the pod's namespace, or correct its name. One that Spark made itself (spark-drv-… or spark-exec-…) must not be deleted while the application runs.",
    kind === "secret"
      ? [
          "spark.kubernetes.driver.secrets.*",
          "spark.kubernetes.executor.secrets.*",
          "spark.kubernetes.executor.secretKeyRef.*",
        ]
      : ["spark.kubernetes.hadoop.configMapName", "spark.kubernetes.kerberos.krb5.configMapName"],
    message,
  );
}

function runsAsRoot(patient: Patient): Words | undefined {
  const problem = problemOf(patient);
  if (!says(problem?.message, "runasnonroot", "non-numeric user")) return undefined;
  return words(
    "the image runs as root, which is not allowed",
    "The pod may not run as root, and the image does, or names its user by a word.",
    "Set a numeric user in the image or in the pod template (Spark's own images use 185).",
    [`spark.kubernetes.${patient.role}.podTemplateFile`],
    problem?.message,
  );
}

function cannotBeMade(patient: Patient): Words | undefined {
  const problem = problemOf(patient);
  if (
    problem?.reason !== "CreateContainerError" &&
    problem?.reason !== "CreateContainerConfigError"
  ) {
    return undefined;
  }
  return words(
    `container "${problem.container}" cannot be made: ${shortened(problem.message)}`,
    "The node cannot make the container from what the pod says.",
    "Check mount paths, environment and command.",
    [`spark.kubernetes.${patient.role}.podTemplateFile`],
    problem.message,
  );
}

function hookFailed(patient: Patient): Words | undefined {
  const problem = problemOf(patient);
  if (problem?.reason !== "RunContainerError" && problem?.reason !== "PostStartHookError") {
    return undefined;
  }
  return words(
    `container "${problem.container}" does not start`,
    "The container or its hook after the start failed.",
    "Look at the pod template's lifecycle and at the image's command.",
    [`spark.kubernetes.${patient.role}.podTemplateFile`],
    problem.message,
  );
}

function sidecarLoops(patient: Patient): Words | undefined {
  const { pod, state } = patient;
  const crashed = state.kind === "running" ? crashedSidecar(pod) : undefined;
  const problem = problemOf(patient);
  const isLooping = problem?.reason === "CrashLoopBackOff" && pod.restartPolicy === "Never";
  const container = crashed?.name ?? (isLooping ? problem.container : undefined);
  if (container === undefined) return undefined;
  return words(
    `container "${container}" crashes again and again`,
    "Of a pod that is never restarted only a container for the pod's whole life, among its init containers, can crash again and again.",
    "Look at that container's log, and mend it in the pod template.",
    [`spark.kubernetes.${patient.role}.podTemplateFile`],
    problem?.message ?? (crashed?.state?.kind === "waiting" ? crashed.state.message : undefined),
  );
}

function loops(patient: Patient): Words | undefined {
  const problem = problemOf(patient);
  if (problem?.reason !== "CrashLoopBackOff") return undefined;
  const crashed = patient.pod.containers.find(({ name }) => name === problem.container);
  const last = crashed?.lastState?.kind === "terminated" ? crashed.lastState.exitCode : undefined;
  return words(
    `crashes again and again${last === undefined ? "" : `, exit code ${last}`}`,
    "The container ends, and Kubernetes starts it again, ever more slowly.",
    "Look at the log of its run before. Pods that Spark makes itself are not restarted.",
    ["spark.kubernetes.allocation.pods.allocator"],
    problem.message,
  );
}

function initFailed({ pod, state, role }: Patient): Words | undefined {
  if (state.kind !== "failed" && state.kind !== "blocked") return undefined;
  const failed = pod.initContainers.find(hasFailed);
  const end = failed?.state?.kind === "terminated" ? failed.state : undefined;
  if (failed === undefined || end === undefined) return undefined;
  return words(
    `init container "${failed.name}" has failed, exit code ${end.exitCode ?? "unknown"}`,
    "A container that must succeed before Spark starts has failed.",
    "Look at that container's log, and mend it in the pod template.",
    [`spark.kubernetes.${role}.podTemplateFile`],
    end.message,
  );
}

const isStarting = ({ state }: Patient): boolean =>
  ["scheduled", "starting", "pulling", "initializing"].includes(state.kind);

function attachedElsewhere(patient: Patient): Words | undefined {
  const told = isStarting(patient) && notice(patient, "FailedAttachVolume");
  if (!told) return undefined;
  return words(
    "its volume is still attached elsewhere",
    "A volume that the pod needs cannot be attached to its node.",
    "Wait until the other node lets go of it, or give each executor a claim of its own.",
    ["spark.kubernetes.executor.volumes.persistentVolumeClaim.*.options.claimName"],
    told.message,
  );
}

function mountSourceMissing(patient: Patient): Words | undefined {
  const told = isStarting(patient) && notice(patient, "FailedMount");
  if (!told) return undefined;
  return sourceWords(told.message, "secret") ?? sourceWords(told.message, "configmap");
}

function mountFailed(patient: Patient): Words | undefined {
  const told = isStarting(patient) && notice(patient, "FailedMount", "FailedMapVolume");
  if (!told) return undefined;
  const volume = /volume "([^"]+)"/.exec(told.message)?.[1];
  return words(
    volume === undefined ? "a volume cannot be mounted" : `volume "${volume}" cannot be mounted`,
    "The node cannot mount a volume of the pod.",
    "Look at the storage behind it, and at the group that may use it (fsGroup in the pod template).",
    [`spark.kubernetes.${patient.role}.podTemplateFile`],
    told.message,
  );
}

function noNetwork(patient: Patient): Words | undefined {
  const told = isStarting(patient) && notice(patient, "FailedCreatePodSandBox");
  if (!told) return undefined;
  const full = says(told.message, "failed to assign an ip", "no more ip", "no available ip");
  return words(
    full ? "no address left for it in the pod network" : "its node cannot set up the pod's network",
    "The node cannot prepare the pod: its network plug-in fails.",
    full ? "Give the pod network more addresses." : "Look at the network plug-in of the node.",
    [],
    told.message,
  );
}

function nodeNotReady(patient: Patient): Words | undefined {
  const isHere = isStarting(patient) || patient.state.kind === "running";
  const told = isHere && notice(patient, "NodeNotReady", "NetworkNotReady");
  if (!told) return undefined;
  return words(
    "its node is not ready",
    "The node, or its network, is not ready.",
    "Look at the node; close or replace it.",
    [],
    told.message,
  );
}

function probeFails(patient: Patient): Words | undefined {
  const told = patient.state.kind === "running" && notice(patient, "Unhealthy");
  if (!told) return undefined;
  return words(
    "its probe fails",
    "A probe from the pod template fails; a liveness probe ends the container for that.",
    "Take probes out of the template of executors.",
    [`spark.kubernetes.${patient.role}.podTemplateFile`],
    told.message,
  );
}

function hookBeforeEndFailed(patient: Patient): Words | undefined {
  const told = notice(patient, "FailedPreStopHook");
  if (told === undefined || patient.state.kind === "running") return undefined;
  return words(
    "could not be decommissioned: its script failed",
    "The script that lets an executor move its blocks away failed, so it was stopped at once.",
    "The image needs the script, bash, ps and tail.",
    ["spark.kubernetes.decommission.script"],
    told.message,
  );
}

function leaving({ state, pod, now }: Patient): Words | undefined {
  if (state.kind !== "terminating") return undefined;
  const seconds = Math.round((Date.parse(pod.deletionTimestamp ?? "") - now) / 1000);
  if (Number.isNaN(seconds)) return undefined;
  return words(
    seconds > 0 ? `has ${seconds} s to end` : `should have ended ${-seconds} s ago`,
    "The pod was deleted. It may move its blocks away, where decommissioning is on, until its time is over.",
    seconds > -60
      ? "Nothing: wait."
      : "Its node does not answer: look at it before you delete the pod by force.",
  );
}
