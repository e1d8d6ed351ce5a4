// The executors of one rehearsed application, as its driver sees them: ordered, come, told what to do, let go.
import { textOf } from "../../../spark/pods/fields.ts";
import type { Objects } from "../../api/objects.ts";
import { timestamp, type Clock } from "../../clock.ts";
import type { KubeObject } from "../../kubeObject.ts";
import { statusOf } from "../conditions.ts";
import type { ActedRun, Actor } from "./actor.ts";
import type { Cue } from "./executorPart.ts";
import { executorPod, type ExecutorOrder } from "./executorPod.ts";

/** Whoever is on the stage now, by the uid of the pod. */
export interface Player {
  readonly run: ActedRun;
  readonly tell: (cue: Cue) => void;
}

export type Order = Omit<ExecutorOrder, "id">;

/** How often the driver looks, as Spark's own polls. */
const lookMs = 250;

/** By what its pod is found. */
interface Ordered {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export class Cast {
  readonly #objects: Objects;
  readonly #clock: Clock;
  readonly #players: ReadonlyMap<string, Player>;
  readonly #pods = new Map<number, Ordered>();
  readonly #entered = new Set<number>();
  #last = 0;

  constructor(objects: Objects, clock: Clock, players: ReadonlyMap<string, Player>) {
    this.#objects = objects;
    this.#clock = clock;
    this.#players = players;
  }

  get ids(): readonly number[] {
    return [...this.#pods.keys()];
  }

  /** Asks for another executor; undefined when the application is being taken away already. */
  order(order: Order): number | undefined {
    const { name, namespace = "" } = order.driver.metadata;
    if (this.#objects.get({ resource: "pods", namespace, name }) === undefined) return undefined;
    const id = ++this.#last;
    const created = this.#objects.create("pods", executorPod({ ...order, id }));
    if (created === undefined) return undefined;
    const { metadata } = created;
    this.#pods.set(id, { namespace, name: metadata.name, uid: metadata.uid ?? "" });
    return id;
  }

  /** As it is now; undefined when it has gone. */
  pod(id: number): KubeObject | undefined {
    const ordered = this.#pods.get(id);
    if (ordered === undefined) return undefined;
    const { name, namespace, uid } = ordered;
    const present = this.#objects.get({ resource: "pods", namespace, name });
    return present?.metadata.uid === uid ? present : undefined;
  }

  address(id: number): string {
    const pod = this.pod(id);
    return pod === undefined ? "" : (textOf(statusOf(pod)["podIP"]) ?? "");
  }

  player(id: number): Player | undefined {
    return this.#players.get(this.#pods.get(id)?.uid ?? "");
  }

  /** Waits until so many play. `onLost`: one that somebody ended or took away; it is told of once. */
  async untilPlaying(
    count: number,
    actor: Actor,
    onEnter: (id: number) => void,
    onLost: (id: number) => void,
  ): Promise<void> {
    for (;;) {
      for (const id of this.#takeLost()) onLost(id);
      const playing = this.ids.filter((id) => this.player(id) !== undefined);
      for (const id of playing) {
        if (this.#entered.has(id)) continue;
        this.#entered.add(id);
        onEnter(id);
      }
      if (playing.length >= count) return;
      await actor.sleep(lookMs);
    }
  }

  async untilGone(id: number, actor: Actor): Promise<void> {
    while (this.player(id) !== undefined) await actor.sleep(lookMs);
  }

  /** Deletes the pod, as Spark does with one that it needs no longer. */
  dismiss(id: number): void {
    const pod = this.pod(id);
    this.#pods.delete(id);
    if (pod === undefined) return;
    const { name, namespace = "" } = pod.metadata;
    const key = { resource: "pods", namespace, name };
    if (statusOf(pod)["startTime"] === undefined) {
      this.#objects.remove(key);
      return;
    }
    this.#objects.update(key, (present) => ({
      ...present,
      metadata: {
        ...present.metadata,
        deletionTimestamp: timestamp(this.#clock.now() + graceSeconds * 1000),
        deletionGracePeriodSeconds: graceSeconds,
      },
    }));
  }

  #takeLost(): readonly number[] {
    const lost = this.ids.filter((id) =>
      this.#entered.has(id) ? this.player(id) === undefined : this.pod(id) === undefined,
    );
    for (const id of lost) this.forget(id);
    return lost;
  }

  /** Forgets one whose pod stays to be looked at. */
  forget(id: number): void {
    this.#pods.delete(id);
  }
}

const graceSeconds = 30;
