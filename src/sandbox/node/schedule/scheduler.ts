// Binds pending pods to the node in order of priority, if they fit.
import type { Disposable } from "../../../base/disposable.ts";
import { fieldsOf, textOf } from "../../../base/json.ts";
import type { Change, ObjectKey, Objects } from "../../api/objects.ts";
import { timestamp, type SandboxClock } from "../../clock.ts";
import type { KubeObject } from "../../kubeObject.ts";
import { bindClaim } from "../claims.ts";
import { statusOf, withConditions } from "../conditions.ts";
import { recordScheduling } from "../events.ts";
import { decodePodSpec, type SandboxPodSpec } from "../spec/podSpec.ts";
import { Account, keyOf, neighborOf, type Placed, type Pool } from "./account.ts";
import { fitsOn, refusalMessage } from "./fits.ts";

interface SchedulerOptions {
  readonly objects: Objects;
  readonly clock: SandboxClock;
  readonly nodeName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly poolFor: (spec: SandboxPodSpec) => Pool;
  readonly onError: (error: unknown) => void;
}

interface Waiting {
  readonly pod: KubeObject;
  readonly spec: SandboxPodSpec;
}

const batchSize = 20;

type Verdict =
  | { readonly kind: "placed" }
  | { readonly kind: "refused"; readonly message: string; readonly preemptionHelps: boolean };

export class Scheduler implements Disposable {
  readonly #options: SchedulerOptions;
  readonly #account: Account;
  readonly #waiting = new Map<string, KubeObject>();
  readonly #subscription: Disposable;
  #isBusy = false;
  #isRequested = false;
  #isOver = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#account = new Account(options.poolFor);
    this.#subscription = options.objects.onDidChange((change) => {
      this.#onChange(change);
    });
    for (const pod of options.objects.list("pods")) this.#take(pod);
    this.#requestCycle();
  }

  dispose(): void {
    this.#isOver = true;
    this.#subscription.dispose();
  }

  #onChange({ resource, kind, object }: Change): void {
    if (resource === "persistentvolumeclaims" || resource === "nodes") this.#requestCycle();
    if (resource !== "pods") return;
    if (kind === "deleted") this.#forget(object);
    else this.#take(object);
    this.#requestCycle();
  }

  #take(pod: KubeObject): void {
    const { uid = "", deletionTimestamp } = pod.metadata;
    const isPlaced = fieldsOf(pod["spec"])["nodeName"] !== undefined;
    if (isPlaced) this.#account.take(pod);
    if (isPlaced || deletionTimestamp !== undefined) this.#waiting.delete(uid);
    else this.#waiting.set(uid, pod);
  }

  #forget({ metadata: { uid = "" } }: KubeObject): void {
    this.#waiting.delete(uid);
    this.#account.forget(uid);
  }

  /**
   * Requests a scheduling cycle. Changes in one turn of the event loop share a cycle; a change during a cycle starts
   * the next one.
   */
  #requestCycle(): void {
    this.#isRequested = true;
    if (this.#isBusy || this.#waiting.size === 0) return;
    this.#isBusy = true;
    setImmediate(() => {
      this.#isRequested = false;
      this.#runCycle(this.#queue());
    });
  }

  #queue(): readonly Waiting[] {
    const queue = [...this.#waiting.values()].map((pod) => ({ pod, spec: decodePodSpec(pod) }));
    return queue.sort(
      (a, b) =>
        b.spec.priority - a.spec.priority ||
        Number(a.pod.metadata.resourceVersion) - Number(b.pod.metadata.resourceVersion),
    );
  }

  /** Schedules pods in batches. Yields to the event loop between batches, so that the server can respond meanwhile. */
  #runCycle(queue: readonly Waiting[]): void {
    if (this.#isOver) return;
    try {
      for (const one of queue.slice(0, batchSize)) this.#decide(one);
    } catch (error) {
      this.#options.onError(error);
    }
    const rest = queue.slice(batchSize);
    if (rest.length > 0) {
      setImmediate(() => {
        this.#runCycle(rest);
      });
      return;
    }
    this.#isBusy = false;
    if (this.#isRequested) this.#requestCycle();
  }

  #decide({ pod, spec }: Waiting): void {
    // Skip a pod that was deleted or bound meanwhile, or that belongs to another scheduler.
    if (!this.#waiting.has(pod.metadata.uid ?? "")) return;
    if (spec.schedulerName !== "default-scheduler") return;
    if (spec.isGated) this.#gate(pod);
    else this.#place(pod, spec);
  }

  #place(pod: KubeObject, spec: SandboxPodSpec): void {
    const verdict = this.#judge(pod, spec);
    if (verdict.kind === "placed") {
      for (const key of this.#claims(pod, spec)) {
        const claim = this.#options.objects.get(key);
        if (claim !== undefined) bindClaim(this.#options.objects, claim);
      }
      this.#bind(pod);
      return;
    }
    this.#refuse(pod, verdict.message);
    if (!verdict.preemptionHelps || !spec.mayPreempt) return;
    for (const victim of this.#account.victimsFor(spec)) this.#preempt(victim, pod);
  }

  #judge(pod: KubeObject, spec: SandboxPodSpec): Verdict {
    const absent = this.#absentClaim(pod, spec);
    if (absent !== undefined) {
      const message = `0/1 nodes are available: ${absent}. not found`;
      return { kind: "refused", message, preemptionHelps: false };
    }
    const pool = this.#options.poolFor(spec);
    const fit = fitsOn(spec, neighborOf(pod), {
      name: this.#options.nodeName,
      labels: this.#options.labels,
      free: this.#account.free(pool),
      allocatable: pool.amounts,
      neighbors: hasNeighborRules(spec) ? this.#account.placed.map(({ neighbor }) => neighbor) : [],
    });
    if (fit.kind === "fits") return { kind: "placed" };
    const { reasons, preemptionHelps } = fit;
    return { kind: "refused", message: refusalMessage(reasons, preemptionHelps), preemptionHelps };
  }

  #claims(
    { metadata: { namespace = "" } }: KubeObject,
    { volumes }: SandboxPodSpec,
  ): readonly ObjectKey[] {
    return volumes.flatMap(({ source }) => {
      const name = textOf(fieldsOf(source["persistentVolumeClaim"])["claimName"]);
      return name === undefined ? [] : [{ resource: "persistentvolumeclaims", namespace, name }];
    });
  }

  #absentClaim(pod: KubeObject, spec: SandboxPodSpec): string | undefined {
    for (const key of this.#claims(pod, spec)) {
      const claim = this.#options.objects.get(key);
      const what = `persistentvolumeclaim ${JSON.stringify(key.name)}`;
      if (claim === undefined) return `${what} not found`;
      if (claim.metadata.deletionTimestamp !== undefined) return `${what} is being deleted`;
    }
    return undefined;
  }

  #bind(pod: KubeObject): void {
    const { objects, clock, nodeName } = this.#options;
    const now = clock.now();
    objects.update(keyOf(pod), (present) => ({
      ...present,
      spec: { ...(fieldsOf(present["spec"]) as KubeObject), nodeName },
      status: {
        ...statusOf(present),
        conditions: withConditions(present, [{ type: "PodScheduled", isTrue: true }], now),
      },
    }));
    const { namespace = "", name } = pod.metadata;
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
    recordScheduling(
      objects,
      clock,
      pod,
      { type: "Normal", reason: "Scheduled", message },
      "Binding",
    );
  }

  #refuse(pod: KubeObject, message: string): void {
    const isNew = this.#setUnscheduled(pod, "Unschedulable", message);
    if (!isNew) return;
    const { objects, clock } = this.#options;
    const notice = { type: "Warning", reason: "FailedScheduling", message } as const;
    recordScheduling(objects, clock, pod, notice, "Scheduling");
  }

  #gate(pod: KubeObject): void {
    const message = "Scheduling is blocked due to non-empty scheduling gates";
    this.#setUnscheduled(pod, "SchedulingGated", message);
  }

  #setUnscheduled(pod: KubeObject, reason: string, message: string): boolean {
    const { objects, clock } = this.#options;
    let isNew = false;
    objects.update(keyOf(pod), (present) => {
      const conditions = statusOf(present)["conditions"];
      const previous = (Array.isArray(conditions) ? conditions : [])
        .map(fieldsOf)
        .find(({ type }) => type === "PodScheduled");
      isNew = previous?.["reason"] !== reason || previous["message"] !== message;
      if (!isNew) return present;
      const condition = { type: "PodScheduled", isTrue: false, reason, message };
      return {
        ...present,
        status: {
          ...statusOf(present),
          conditions: withConditions(present, [condition], clock.now()),
        },
      };
    });
    return isNew;
  }

  /** Preempts a pod in favor of one with a higher priority. */
  #preempt({ key }: Placed, pod: KubeObject): void {
    const { objects, clock } = this.#options;
    const present = objects.get(key);
    if (present === undefined || present.metadata.deletionTimestamp !== undefined) return;
    const { namespace = "", uid = "" } = pod.metadata;
    const message = `Preempted by pod ${uid} on node ${this.#options.nodeName}`;
    recordScheduling(
      objects,
      clock,
      present,
      { type: "Normal", reason: "Preempted", message },
      "Preempting",
    );
    const condition = {
      type: "DisruptionTarget",
      isTrue: true,
      reason: "PreemptionByScheduler",
      message: `default-scheduler: preempting to accommodate a higher priority pod in ${namespace}`,
    };
    const grace = decodePodSpec(present).graceSeconds;
    objects.update(key, (victim) => ({
      ...victim,
      metadata: {
        ...victim.metadata,
        deletionTimestamp: timestamp(clock.now() + grace * 1000),
        deletionGracePeriodSeconds: grace,
      },
      status: { ...statusOf(victim), conditions: withConditions(victim, [condition], clock.now()) },
    }));
  }
}

const hasNeighborRules = ({ affinity }: SandboxPodSpec): boolean =>
  affinity["podAffinity"] !== undefined || affinity["podAntiAffinity"] !== undefined;
