import { podAmount } from "../../../spark/podAmount.ts";
import { parseQuantity } from "../../../spark/quantity.ts";
import type { ContainerSpec, SandboxPodSpec } from "./podSpec.ts";

/** Amounts by resource: `cpu` in cores, `memory` in bytes. */
export type ResourceAmounts = Readonly<Record<string, number>>;

/** Returns the requests of a pod as the scheduler counts them, with the pod's overhead. */
export function podRequests(spec: SandboxPodSpec): ResourceAmounts {
  const containers = spec.containers.map(({ requests }) => amountsOf(requests));
  const initContainers = spec.initContainers.map(({ requests, isSidecar }) => ({
    ...{ amounts: amountsOf(requests), isSidecar },
  }));
  const all = [...containers, ...initContainers.map(({ amounts }) => amounts)];
  const names = new Set(all.flatMap((amounts) => Object.keys(amounts)));
  const requests = Array.from(names, (name) => [
    name,
    podAmount(
      containers.map((amounts) => amounts[name] ?? 0),
      initContainers.map(({ amounts, isSidecar }) => ({ amount: amounts[name] ?? 0, isSidecar })),
    ),
  ]);
  return add(Object.fromEntries(requests) as ResourceAmounts, amountsOf(spec.overhead));
}

export const amountsOf = (quantities: Readonly<Record<string, string>>): ResourceAmounts =>
  Object.fromEntries(
    Object.entries(quantities).map(([name, text]) => [name, parseQuantity(text) ?? 0]),
  );

export const add = (a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts =>
  combine(a, b, (x, y) => x + y);

export const subtract = (a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts =>
  combine(a, b, (x, y) => x - y);

const combine = (
  a: ResourceAmounts,
  b: ResourceAmounts,
  how: (x: number, y: number) => number,
): ResourceAmounts =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => [
      name,
      how(a[name] ?? 0, b[name] ?? 0),
    ]),
  );

/** Returns the QoS class that Kubernetes derives from requests and limits. */
export function qosClass({ containers, initContainers }: SandboxPodSpec): string {
  const all = [...containers, ...initContainers];
  const asks = (one: ContainerSpec): boolean =>
    ["cpu", "memory"].some((name) => isSome(one.requests[name]) || isSome(one.limits[name]));
  if (!all.some(asks)) return "BestEffort";
  const isGuaranteed = (one: ContainerSpec): boolean =>
    ["cpu", "memory"].every((name) => {
      const limit = one.limits[name];
      return (
        isSome(limit) && parseQuantity(limit ?? "") === parseQuantity(one.requests[name] ?? "")
      );
    });
  return all.every(isGuaranteed) ? "Guaranteed" : "Burstable";
}

const isSome = (quantity: string | undefined): boolean =>
  quantity !== undefined && (parseQuantity(quantity) ?? 0) > 0;
