// Which pods are on the node and what they take of it.
import { fieldsOf } from "../../../spark/pods/fields.ts";
import type { KubeObject } from "../../kubeObject.ts";
import { statusOf } from "../conditions.ts";
import { decodePodSpec, type PodSpec } from "../spec/podSpec.ts";
import { add, podRequests, subtract, type Amounts } from "../spec/requests.ts";
import type { Neighbor } from "./fits.ts";

/** What there is for a pod to take of; what is only acted takes of another pool than what runs. */
export interface Pool {
  readonly name: string;
  readonly amounts: Amounts;
}

export interface Placed {
  readonly key: PodKey;
  readonly pool: string;
  readonly requests: Amounts;
  readonly priority: number;
  readonly neighbor: Neighbor;
}

export interface PodKey {
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
  readonly #poolFor: (spec: PodSpec) => Pool;
  readonly #placed = new Map<string, Placed>();
  readonly #taken = new Map<string, Amounts>();

  constructor(poolFor: (spec: PodSpec) => Pool) {
    this.#poolFor = poolFor;
  }

  get placed(): readonly Placed[] {
    return [...this.#placed.values()];
  }

  /** What is left for such a pod. */
  free({ name, amounts }: Pool): Amounts {
    return subtract(amounts, this.#taken.get(name) ?? {});
  }

  /** A pod is on the node; one that has ended takes nothing any more. */
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
   * Those that would have to go so that a pod has room, the least important first. None when even all that matter
   * less would not do: nobody goes in vain.
   */
  victimsFor(spec: PodSpec): readonly Placed[] {
    const pool = this.#poolFor(spec);
    const lesser = this.placed
      .filter((one) => one.pool === pool.name && one.priority < spec.priority)
      .sort((a, b) => a.priority - b.priority);
    const wanted = Object.entries(wantedBy(spec));
    const victims: Placed[] = [];
    let free = this.free(pool);
    const isShort = (): boolean => wanted.some(([name, amount]) => amount > (free[name] ?? 0));
    for (const one of lesser) {
      if (!isShort()) break;
      free = add(free, one.requests);
      victims.push(one);
    }
    return isShort() ? [] : victims;
  }
}

const wantedBy = (spec: PodSpec): Amounts => ({ ...podRequests(spec), pods: 1 });

export const neighborOf = ({ metadata: { namespace = "", labels } }: KubeObject): Neighbor => ({
  namespace,
  labels: fieldsOf(labels),
});
