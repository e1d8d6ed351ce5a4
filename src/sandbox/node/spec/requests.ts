import { parseQuantity } from "../../../spark/quantity.ts";
import type { ContainerSpec, PodSpec } from "./podSpec.ts";

/** Amounts by resource: `cpu` in cores, `memory` in bytes. */
export type Amounts = Readonly<Record<string, number>>;

/**
 * What a pod asks of a node, as the scheduler counts: the containers together with the sidecars, or the
 * greediest step of the initialization (with the sidecars before it), whichever is more, and the overhead.
 */
export function podRequests(spec: PodSpec): Amounts {
  let sidecars: Amounts = {};
  let steps: Amounts = {};
  for (const container of spec.initContainers) {
    const own = amountsOf(container.requests);
    if (container.isSidecar) sidecars = add(sidecars, own);
    steps = most(steps, container.isSidecar ? sidecars : add(sidecars, own));
  }
  const running = spec.containers.map(({ requests }) => amountsOf(requests)).reduce(add, sidecars);
  return add(most(running, steps), amountsOf(spec.overhead));
}

export const amountsOf = (quantities: Readonly<Record<string, string>>): Amounts =>
  Object.fromEntries(
    Object.entries(quantities).map(([name, text]) => [name, parseQuantity(text) ?? 0]),
  );

export const add = (a: Amounts, b: Amounts): Amounts => combine(a, b, (x, y) => x + y);

export const subtract = (a: Amounts, b: Amounts): Amounts => combine(a, b, (x, y) => x - y);

const most = (a: Amounts, b: Amounts): Amounts => combine(a, b, Math.max);

const combine = (a: Amounts, b: Amounts, how: (x: number, y: number) => number): Amounts =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => [
      name,
      how(a[name] ?? 0, b[name] ?? 0),
    ]),
  );

/** The quality of service that Kubernetes derives from requests and limits. */
export function qosClass({ containers, initContainers }: PodSpec): string {
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
