import { parseQuantity } from "../../../spark/quantity.ts";
import type { ContainerSpec, SandboxPodSpec } from "./podSpec.ts";

/** Amounts by resource: `cpu` in cores, `memory` in bytes. */
export type ResourceAmounts = Readonly<Record<string, number>>;

/**
 * Returns the requests of a pod as the scheduler counts them: the sum of containers and sidecars, or the largest init
 * container with the sidecars started before it, whichever is more, plus the overhead.
 */
export function podRequests(spec: SandboxPodSpec): ResourceAmounts {
  let sidecars: ResourceAmounts = {};
  let steps: ResourceAmounts = {};
  for (const container of spec.initContainers) {
    const own = amountsOf(container.requests);
    if (container.isSidecar) sidecars = add(sidecars, own);
    steps = maxOf(steps, container.isSidecar ? sidecars : add(sidecars, own));
  }
  const running = spec.containers.map(({ requests }) => amountsOf(requests)).reduce(add, sidecars);
  return add(maxOf(running, steps), amountsOf(spec.overhead));
}

export const amountsOf = (quantities: Readonly<Record<string, string>>): ResourceAmounts =>
  Object.fromEntries(
    Object.entries(quantities).map(([name, text]) => [name, parseQuantity(text) ?? 0]),
  );

export const add = (a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts =>
  combine(a, b, (x, y) => x + y);

export const subtract = (a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts =>
  combine(a, b, (x, y) => x - y);

const maxOf = (a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts => combine(a, b, Math.max);

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
