// Creates the Node object of the cluster's only node.
import { arch, cpus, release, totalmem } from "node:os";
import type { Objects } from "../api/objects.ts";
import { timestamp } from "../clock.ts";
import type { JsonMembers, KubeObject } from "../kubeObject.ts";
import type { ResourceAmounts } from "./spec/requests.ts";

export const nodeName = "sandbox";

const architecture = (): string => ({ x64: "amd64" })[arch()] ?? arch();

const system = (platform: NodeJS.Platform): string => (platform === "win32" ? "windows" : platform);

export const nodeLabels = (platform: NodeJS.Platform): Readonly<Record<string, string>> => ({
  "beta.kubernetes.io/arch": architecture(),
  "beta.kubernetes.io/os": system(platform),
  "kubernetes.io/arch": architecture(),
  "kubernetes.io/hostname": nodeName,
  "kubernetes.io/os": system(platform),
});

/** Default `maxPods` of a kubelet. */
const maxPods = 110;

export function machineAmounts(
  cores: number | undefined,
  memoryBytes: number | undefined,
): ResourceAmounts {
  return { cpu: cores ?? cpus().length, memory: memoryBytes ?? totalmem(), pods: maxPods };
}

/** Capacity for simulated pods, which use no resources of the machine. Finite, so that requests can exceed it. */
export const simulatedAmounts: ResourceAmounts = { cpu: 100_000, memory: 2 ** 50, pods: 20_000 };

export function writeNode(
  objects: Objects,
  amounts: ResourceAmounts,
  hostAddress: string,
  platform: NodeJS.Platform,
  now: number,
): void {
  const time = timestamp(now);
  const resources = {
    cpu: String(amounts["cpu"] ?? 0),
    memory: `${Math.floor((amounts["memory"] ?? 0) / 1024)}Ki`,
    pods: String(amounts["pods"] ?? 0),
  };
  const node: KubeObject = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: nodeName, labels: nodeLabels(platform) },
    spec: {},
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: conditions.map(([type, status, reason, message]) => ({
        type,
        status,
        lastHeartbeatTime: time,
        lastTransitionTime: time,
        reason,
        message,
      })),
      addresses: [
        { type: "InternalIP", address: hostAddress },
        { type: "Hostname", address: nodeName },
      ],
      nodeInfo: nodeFacts(platform),
    },
  };
  if (objects.create("nodes", node) === undefined) {
    objects.update({ resource: "nodes", namespace: "", name: nodeName }, (before) => ({
      ...before,
      ...node,
      metadata: before.metadata,
    }));
  }
}

const conditions = [
  [
    "MemoryPressure",
    "False",
    "KubeletHasSufficientMemory",
    "kubelet has sufficient memory available",
  ],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
] as const;

const nodeFacts = (platform: NodeJS.Platform): JsonMembers => ({
  machineID: "",
  systemUUID: "",
  bootID: "",
  kernelVersion: release(),
  osImage: "this machine",
  containerRuntimeVersion: "sandbox://1.0.0",
  kubeletVersion: "v1.36.3",
  kubeProxyVersion: "",
  operatingSystem: system(platform),
  architecture: architecture(),
});
