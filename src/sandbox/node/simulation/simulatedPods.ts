// Manages the executors of a simulated application for its driver: request, registration, commands, removal.
import { textOf } from "../../../base/json.ts";
import type { Objects } from "../../api/objects.ts";
import { timestamp, type SandboxClock } from "../../clock.ts";
import type { KubeObject } from "../../kubeObject.ts";
import { statusOf } from "../conditions.ts";
import type { SimulatedRun, SimulatedProgram } from "./simulatedContainer.ts";
import type { ExecutorCommand } from "./simulatedExecutor.ts";
import { executorPod, type ExecutorOrder } from "./executorPod.ts";

/** A running simulated executor. `Simulation` finds it by the uid of its pod. */
export interface SimulatedExecutor {
  readonly run: SimulatedRun;
  readonly send: (command: ExecutorCommand) => void;
}

export type Order = Omit<ExecutorOrder, "id">;

/** Interval at which the driver polls executors. */
const pollMs = 250;

/** Identifies the pod of a requested executor. */
interface RequestedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export class SimulatedPods {
  readonly #objects: Objects;
  readonly #clock: SandboxClock;
  readonly #executors: ReadonlyMap<string, SimulatedExecutor>;
  readonly #pods = new Map<number, RequestedPod>();
  readonly #registered = new Set<number>();
  #lastId = 0;

  constructor(
    objects: Objects,
    clock: SandboxClock,
    executors: ReadonlyMap<string, SimulatedExecutor>,
  ) {
    this.#objects = objects;
    this.#clock = clock;
    this.#executors = executors;
  }

  get ids(): readonly number[] {
    return [...this.#pods.keys()];
  }

  /**
   * Requests another executor and returns its id; undefined if the driver pod was deleted, or if the name of the
   * executor pod is taken.
   */
  request(order: Order): number | undefined {
    const { name, namespace = "" } = order.driver.metadata;
    if (this.#objects.get({ resource: "pods", namespace, name }) === undefined) return undefined;
    const id = ++this.#lastId;
    const created = this.#objects.create("pods", executorPod({ ...order, id }));
    if (created === undefined) return undefined;
    const { metadata } = created;
    this.#pods.set(id, { namespace, name: metadata.name, uid: metadata.uid ?? "" });
    return id;
  }

  /** Returns the current pod; undefined if it was deleted or replaced. */
  pod(id: number): KubeObject | undefined {
    const requested = this.#pods.get(id);
    if (requested === undefined) return undefined;
    const { name, namespace, uid } = requested;
    const present = this.#objects.get({ resource: "pods", namespace, name });
    return present?.metadata.uid === uid ? present : undefined;
  }

  address(id: number): string {
    const pod = this.pod(id);
    return pod === undefined ? "" : (textOf(statusOf(pod)["podIP"]) ?? "");
  }

  executor(id: number): SimulatedExecutor | undefined {
    return this.#executors.get(this.#pods.get(id)?.uid ?? "");
  }

  /**
   * Waits until `count` executors run. Calls `onRegister` once for each executor that started. Calls `onLost` once for
   * each registered executor that ended, and for each other one whose pod was deleted.
   */
  async untilRegistered(
    count: number,
    program: SimulatedProgram,
    onRegister: (id: number) => void,
    onLost: (id: number) => void,
  ): Promise<void> {
    for (;;) {
      for (const id of this.#takeLost()) onLost(id);
      const running = this.ids.filter((id) => this.executor(id) !== undefined);
      for (const id of running) {
        if (this.#registered.has(id)) continue;
        this.#registered.add(id);
        onRegister(id);
      }
      if (running.length >= count) return;
      await program.sleep(pollMs);
    }
  }

  async untilEnded(id: number, program: SimulatedProgram): Promise<void> {
    while (this.executor(id) !== undefined) await program.sleep(pollMs);
  }

  /** Deletes the executor's pod. A pod that never started is removed at once, without a grace period. */
  delete(id: number): void {
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
      this.#registered.has(id) ? this.executor(id) === undefined : this.pod(id) === undefined,
    );
    for (const id of lost) this.forget(id);
    return lost;
  }

  /** Removes the executor from this list without deleting its pod. */
  forget(id: number): void {
    this.#pods.delete(id);
  }
}

const graceSeconds = 30;
