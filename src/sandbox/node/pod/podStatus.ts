// Computes the pod status from the states of its containers, like a kubelet of Kubernetes 1.36.
import { withConditions, statusOf, type Condition } from "../conditions.ts";
import type { JsonMembers, KubeObject } from "../../kubeObject.ts";
import { qosClass } from "../spec/requests.ts";
import type { ContainerSpec, SandboxPodSpec } from "../spec/podSpec.ts";

export type ContainerStatusState =
  | { readonly kind: "waiting"; readonly reason: string; readonly message?: string }
  | { readonly kind: "running"; readonly startedAt: string }
  | TerminatedState;

export interface TerminatedState {
  readonly kind: "terminated";
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly containerId: string;
}

export interface ContainerHistory {
  readonly spec: ContainerSpec;
  readonly state: ContainerStatusState;
  readonly last: TerminatedState | undefined;
  readonly restartCount: number;
  readonly ready: boolean;
  readonly started: boolean;
  /** Id of the local image; empty before the start. */
  readonly imageId: string;
  readonly containerId: string;
}

export interface PodProgress {
  readonly spec: SandboxPodSpec;
  readonly initContainers: readonly ContainerHistory[];
  readonly containers: readonly ContainerHistory[];
  readonly startTime: string;
  readonly hostAddress: string;
  /** Undefined until the volumes are mounted. */
  readonly podAddress: string | undefined;
  /** Set if the node stopped the pod, with the reason `DeadlineExceeded` or `SandboxError`. */
  readonly end: { readonly reason: string; readonly message: string } | undefined;
  /** True if no container is running or will be restarted. */
  readonly isOver: boolean;
}

type Phase = "Pending" | "Running" | "Succeeded" | "Failed";

export function podStatus(pod: KubeObject, progress: PodProgress, now: number): JsonMembers {
  const { spec, initContainers, containers, hostAddress, podAddress, end } = progress;
  const phase = phaseOf(progress);
  const status = (records: readonly ContainerHistory[]): readonly JsonMembers[] =>
    records.map((record) => containerStatus(record, spec));
  return {
    ...withoutEnd(statusOf(pod)),
    ...(pod.metadata.generation === undefined
      ? {}
      : { observedGeneration: pod.metadata.generation }),
    phase,
    conditions: withConditions(pod, podConditions(progress, phase), now),
    ...(end === undefined ? {} : { reason: end.reason, message: end.message }),
    hostIP: hostAddress,
    hostIPs: [{ ip: hostAddress }],
    ...(podAddress === undefined ? {} : { podIP: podAddress, podIPs: [{ ip: podAddress }] }),
    startTime: progress.startTime,
    ...(initContainers.length === 0 ? {} : { initContainerStatuses: status(initContainers) }),
    containerStatuses: status(containers),
    qosClass: qosClass(spec),
  };
}

/** Removes `reason` and `message`, which the caller recomputes. */
const withoutEnd = (status: JsonMembers): JsonMembers =>
  Object.fromEntries(
    Object.entries(status).filter(([name]) => name !== "reason" && name !== "message"),
  );

export function phaseOf({ spec, initContainers, containers, end, isOver }: PodProgress): Phase {
  if (end !== undefined && isOver) return "Failed";
  const steps = initContainers.filter((one) => !one.spec.isSidecar);
  const failedStep = steps.some(({ state }) => state.kind === "terminated" && state.exitCode !== 0);
  if (failedStep && isOver) return "Failed";
  const isInitialized = initContainers.every(isPassed);
  if (!isInitialized && !containers.some(hasBegun)) return "Pending";
  const ends = containers.flatMap(({ state }) => (state.kind === "terminated" ? [state] : []));
  if (ends.length === containers.length && (isOver || spec.restartPolicy !== "Always")) {
    const allWell = ends.every(({ exitCode }) => exitCode === 0);
    if (isOver) return allWell ? "Succeeded" : "Failed";
  }
  if (isOver && containers.some(({ state }) => state.kind === "waiting")) return "Failed";
  return containers.some(hasBegun) && containers.every((one) => hasBegun(one))
    ? "Running"
    : "Pending";
}

const hasBegun = ({ state, last }: ContainerHistory): boolean =>
  state.kind !== "waiting" || last !== undefined;

/** True for a succeeded init container, or a sidecar that has started or ended. */
const isPassed = ({ spec, state, started }: ContainerHistory): boolean =>
  spec.isSidecar
    ? started || state.kind === "terminated"
    : state.kind === "terminated" && state.exitCode === 0;

function podConditions(progress: PodProgress, phase: Phase): readonly Condition[] {
  const { initContainers, containers, podAddress, isOver } = progress;
  const ending =
    phase === "Succeeded" ? "PodCompleted" : phase === "Failed" ? "PodFailed" : undefined;
  const unready = containers.filter(({ ready }) => !ready).map(({ spec }) => spec.name);
  const incomplete = initContainers.filter((one) => !isPassed(one)).map(({ spec }) => spec.name);
  const readiness =
    ending !== undefined
      ? { isTrue: false, reason: ending }
      : unready.length === 0
        ? { isTrue: true }
        : {
            isTrue: false,
            reason: "ContainersNotReady",
            message: `containers with unready status: [${unready.join(" ")}]`,
          };
  const initialized =
    incomplete.length === 0
      ? { isTrue: true, ...(phase === "Succeeded" ? { reason: "PodCompleted" } : {}) }
      : {
          isTrue: false,
          reason: "ContainersNotInitialized",
          message: `containers with incomplete status: [${incomplete.join(" ")}]`,
        };
  return [
    { type: "PodReadyToStartContainers", isTrue: podAddress !== undefined && !isOver },
    { type: "Initialized", ...initialized },
    { type: "Ready", ...readiness },
    { type: "ContainersReady", ...readiness },
    { type: "PodScheduled", isTrue: true },
  ];
}

function containerStatus(record: ContainerHistory, { volumes }: SandboxPodSpec): JsonMembers {
  const { spec, state, last, restartCount, ready, started, imageId, containerId } = record;
  const mounts = spec.mounts.filter(({ volume }) => volumes.some(({ name }) => name === volume));
  return {
    name: spec.name,
    state: stateJson(state),
    lastState: last === undefined ? {} : stateJson(last),
    ready,
    restartCount,
    image: spec.image,
    imageID: imageId,
    ...(containerId === "" ? {} : { containerID: containerId }),
    started,
    ...(containerId === "" ? {} : { resources: resourcesOf(spec) }),
    ...(mounts.length === 0
      ? {}
      : {
          volumeMounts: mounts.map(({ volume, path, readOnly }) => ({
            name: volume,
            mountPath: path,
            ...(readOnly ? { readOnly, recursiveReadOnly: "Disabled" } : {}),
          })),
        }),
  };
}

function resourcesOf({ limits, requests }: ContainerSpec): JsonMembers {
  return {
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(Object.keys(requests).length === 0 ? {} : { requests }),
  };
}

function stateJson(state: ContainerStatusState): JsonMembers {
  switch (state.kind) {
    case "waiting": {
      const { reason, message } = state;
      return { waiting: { reason, ...(message === undefined ? {} : { message }) } };
    }
    case "running":
      return { running: { startedAt: state.startedAt } };
    case "terminated": {
      const { exitCode, reason, message, startedAt, finishedAt, containerId } = state;
      const told = message === undefined ? {} : { message };
      return {
        terminated: { exitCode, reason, ...told, startedAt, finishedAt, containerID: containerId },
      };
    }
  }
}
