// Tracks the pods on the node and the resources that they request.
import { fieldsOf } from "../../../base/json.ts";
import type { KubeObject } from "../../kubeObject.ts";
import { statusOf } from "../conditions.ts";
import { decodePodSpec, type SandboxPodSpec } from "../spec/podSpec.ts";
import { add, podRequests, subtract, type ResourceAmounts } from "../spec/requests.ts";
import type { Neighbor } from "./fits.ts";

/** A share of the node's capacity. Simulated and real pods use separate pools. */
export interface Pool {
  readonly name: string;
  readonly amounts: ResourceAmounts;
}

export interface Placed {
  readonly key: PodKey;
  readonly pool: string;
  readonly requests: ResourceAmounts;
  readonly priority: number;
  readonly neighbor: Neighbor;
}

interface PodKey {
  readonly resource: "pods";
  readonly namespace: string;
  readonly name: string;
}

export const keyOf = ({ metadata: { namespace = "", name } }: KubeObject): PodKey => ({
  resource: "pods",
  namespace,
  name,
});

export class Account {
  readonly #poolFor: (spec: SandboxPodSpec) => Pool;
  readonly #placed = new Map<string, Placed>();
  readonly #taken = new Map<string, ResourceAmounts>();

  constructor(poolFor: (spec: SandboxPodSpec) => Pool) {
    this.#poolFor = poolFor;
  }

  get placed(): readonly Placed[] {
    return [...this.#placed.values()];
  }

  /** Returns the free capacity of a pool. */
  free({ name, amounts }: Pool): ResourceAmounts {
    return subtract(amounts, this.#taken.get(name) ?? {});
  }

  /** Counts the requests of a pod on the node, or releases them if the pod has ended. */
  take(pod: KubeObject): void {
    const { uid = "" } = pod.metadata;
    const { phase } = statusOf(pod);
    if (phase === "Succeeded" || phase === "Failed") this.forget(uid);
    else if (!this.#placed.has(uid)) {
      const spec = decodePodSpec(pod);
      const { name: pool } = this.#poolFor(spec);
      const requests = wantedBy(spec);
      const { priority } = spec;
      this.#placed.set(uid, {
        key: keyOf(pod),
        pool,
        requests,
        priority,
        neighbor: neighborOf(pod),
      });
      this.#taken.set(pool, add(this.#taken.get(pool) ?? {}, requests));
    }
  }

  forget(uid: string): void {
    const placed = this.#placed.get(uid);
    if (placed === undefined) return;
    this.#placed.delete(uid);
    this.#taken.set(placed.pool, subtract(this.#taken.get(placed.pool) ?? {}, placed.requests));
  }

  /**
   * Returns the pods to preempt for another pod, lowest priority first. Empty if the pod fits without preemption, or
   * if it does not fit even after all pods of lower priority were preempted.
   */
  victimsFor(spec: SandboxPodSpec): readonly Placed[] {
    const pool = this.#poolFor(spec);
    const lower = this.placed
      .filter((one) => one.pool === pool.name && one.priority < spec.priority)
      .sort((a, b) => a.priority - b.priority);
    const wanted = Object.entries(wantedBy(spec));
    const victims: Placed[] = [];
    let free = this.free(pool);
    const isShort = (): boolean => wanted.some(([name, amount]) => amount > (free[name] ?? 0));
    for (const one of lower) {
      if (!isShort()) break;
      free = add(free, one.requests);
      victims.push(one);
    }
    return isShort() ? [] : victims;
  }
}

const wantedBy = (spec: SandboxPodSpec): ResourceAmounts => ({ ...podRequests(spec), pods: 1 });

export const neighborOf = ({ metadata: { namespace = "", labels } }: KubeObject): Neighbor => ({
  namespace,
  labels: fieldsOf(labels),
});
