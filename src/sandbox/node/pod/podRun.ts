// One pod on the node, from its binding until its deletion.
import { mkdir } from "node:fs/promises";
import { timestamp } from "../../clock.ts";
import type { KubeObject } from "../../kubeObject.ts";
import { isAbort } from "../../../base/isAbort.ts";
import { PodEvents } from "../events.ts";
import { ContainerLife, type ContainerHooks, type RestartRule } from "./containerLife.ts";
import { missingVolume } from "./containerFolder.ts";
import { phaseOf, podStatus, type ContainerHistory, type PodProgress } from "./podStatus.ts";
import { startProbes } from "./probes.ts";
import type { PodPlace, PodWorld } from "./world.ts";

/** A kubelet's back-off for volumes: 500 ms, doubled each time, at most 122 s. */
const mountBackoff = { firstMs: 500, maxMs: 122_000 };
/** A kubelet's minimum time between SIGTERM and SIGKILL, unless the grace period is 0. */
const minGraceMs = 2000;

interface PodEnd {
  readonly reason: string;
  readonly message: string;
}

export class PodRun {
  /** Settles when no container is running, and the run has written the final status of a pod that still exists. */
  readonly done: Promise<void>;
  readonly #world: PodWorld;
  readonly #place: PodPlace;
  readonly #events: PodEvents;
  readonly #steps: readonly ContainerLife[];
  readonly #containers: readonly ContainerLife[];
  /** Aborts when the pod is stopped, so that no further container starts. */
  readonly #stop = new AbortController();
  /** Aborts when the grace period is over. */
  readonly #due = new AbortController();
  readonly #startTime: string;
  #end: PodEnd | undefined;
  #hasVolumes = false;
  #isOver = false;
  #dueAt = Infinity;
  #isGone = false;

  constructor(world: PodWorld, place: PodPlace) {
    this.#world = world;
    this.#place = place;
    this.#events = new PodEvents(world.objects, world.clock, world.nodeName, place.pod);
    this.#startTime = timestamp(world.clock.now());
    const { initContainers, containers } = place.spec;
    const hooks = (of: () => ContainerLife): ContainerHooks => ({
      whenChanged: () => {
        this.#report();
      },
      whenBegun: () =>
        startProbes(of(), place.address, world.clock, (error) => {
          world.log(`a probe failed: ${String(error)}`);
        }),
    });
    const live = (list: "containers" | "initContainers"): readonly ContainerLife[] =>
      place.spec[list].map((spec) => {
        const waitsFor = initContainers.length > 0 ? "PodInitializing" : "ContainerCreating";
        const life: ContainerLife = new ContainerLife(
          spec,
          { list, waitsFor },
          { world, place, events: this.#events },
          hooks(() => life),
        );
        return life;
      });
    this.#steps = live("initContainers");
    this.#containers = live("containers");
    if (containers.length === 0) this.#isOver = true;
    this.done = this.#live();
  }

  get address(): string {
    return this.#place.address;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The regular containers, without the init containers. */
  get running(): readonly ContainerLife[] {
    return this.#containers;
  }

  container(name: string): ContainerLife | undefined {
    return [...this.#steps, ...this.#containers].find(({ spec }) => spec.name === name);
  }

  /** Stops the containers of a pod that is being deleted, within its grace period. */
  leave(pod: KubeObject): void {
    this.#stopWithin(
      (pod.metadata.deletionGracePeriodSeconds ?? this.#place.spec.graceSeconds) * 1000,
    );
  }

  /** Stops the pod on the node's own decision. The first `end` becomes the reason and message of the pod's status. */
  evict(end: PodEnd, graceMs: number): void {
    this.#end ??= end;
    this.#stopWithin(graceMs);
  }

  /** Kills the containers of a deleted pod without reporting a status. */
  vanish(): void {
    this.#isGone = true;
    this.#stopWithin(0);
  }

  #stopWithin(graceMs: number): void {
    const at = this.#world.clock.now() + (graceMs === 0 ? 0 : Math.max(graceMs, minGraceMs));
    this.#stop.abort();
    if (at >= this.#dueAt) return;
    this.#dueAt = at;
    const wait = at - this.#world.clock.now();
    if (wait <= 0) {
      this.#due.abort();
      return;
    }
    this.#world.clock.sleep(wait, this.#due.signal).then(
      () => {
        this.#due.abort();
      },
      () => undefined,
    );
  }

  async #live(): Promise<void> {
    await mkdir(this.#place.folder, { recursive: true, mode: 0o700 });
    this.#report();
    const sidecars: Promise<unknown>[] = [];
    try {
      await this.#mount();
      this.#hasVolumes = true;
      this.#watchDeadline();
      if (await this.#initialize(sidecars)) await this.#runContainers();
    } catch (error) {
      if (!isAbort(error)) {
        const message = error instanceof Error ? error.message : String(error);
        this.#world.log(`pod ${this.#place.pod.metadata.name}: ${message}`);
        this.#end ??= { reason: "SandboxError", message };
      }
    }
    this.#stop.abort();
    // Stop sidecars in reverse order of their start.
    for (const life of [...this.#steps].reverse()) await this.#stopOne(life);
    await Promise.allSettled(sidecars);
    this.#isOver = true;
    this.#report();
    this.#leaveObjects();
  }

  async #mount(): Promise<void> {
    const { clock } = this.#world;
    let wait = mountBackoff.firstMs;
    for (;;) {
      const missing = await missingVolume(this.#world, this.#place);
      this.#stop.signal.throwIfAborted();
      if (missing === undefined) return;
      this.#events.record({ type: "Warning", reason: "FailedMount", message: missing });
      await clock.sleep(wait, this.#stop.signal);
      wait = Math.min(wait * 2, mountBackoff.maxMs);
    }
  }

  /** Runs the init containers in order. Returns false if one of them failed for good. */
  async #initialize(sidecars: Promise<unknown>[]): Promise<boolean> {
    const rule: RestartRule = this.#place.spec.restartPolicy === "Never" ? "never" : "onFailure";
    for (const life of this.#steps) {
      if (life.spec.isSidecar) {
        sidecars.push(this.#keep(life, "always"));
        await this.#started(life);
        continue;
      }
      const end = await this.#keep(life, rule);
      this.#stop.signal.throwIfAborted();
      if (end !== 0) return false;
    }
    return true;
  }

  async #runContainers(): Promise<void> {
    const { restartPolicy } = this.#place.spec;
    const rule = ({ Always: "always", OnFailure: "onFailure", Never: "never" } as const)[
      restartPolicy
    ];
    const ends = await Promise.allSettled(this.#containers.map((life) => this.#keep(life, rule)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  /** Runs a container, with restarts, until it ends for good. Returns the last exit code. */
  async #keep(life: ContainerLife, rule: RestartRule): Promise<number> {
    const stop = (): void => void this.#stopOne(life);
    // Sidecars stop after all other containers.
    if (!life.spec.isSidecar) this.#stop.signal.addEventListener("abort", stop, { once: true });
    const { exitCode } = await life.live(rule, this.#stop.signal);
    this.#stop.signal.removeEventListener("abort", stop);
    return exitCode;
  }

  async #stopOne(life: ContainerLife): Promise<void> {
    const due = new Promise<void>((resolve) => {
      const { signal } = this.#due;
      if (signal.aborted) resolve();
      else
        signal.addEventListener(
          "abort",
          () => {
            resolve();
          },
          { once: true },
        );
    });
    // If the pod ended without a stop request, sidecars get its whole grace period.
    if (this.#dueAt === Infinity) this.#stopWithin(this.#place.spec.graceSeconds * 1000);
    await life.stop(due, () => !this.#due.signal.aborted);
  }

  async #started(life: ContainerLife): Promise<void> {
    while (!life.record.started) await this.#world.clock.sleep(50, this.#stop.signal);
  }

  #watchDeadline(): void {
    const { deadlineSeconds } = this.#place.spec;
    if (deadlineSeconds === undefined) return;
    this.#world.clock.sleep(deadlineSeconds * 1000, this.#stop.signal).then(
      () => {
        const message = "Pod was active on the node longer than the specified deadline";
        const reason = "DeadlineExceeded";
        this.#events.record({ type: "Normal", reason, message });
        this.evict({ reason, message }, this.#place.spec.graceSeconds * 1000);
      },
      () => undefined,
    );
  }

  #progress(): PodProgress {
    const records = (lives: readonly ContainerLife[]): readonly ContainerHistory[] =>
      lives.map(({ record }) => record);
    return {
      spec: this.#place.spec,
      initContainers: records(this.#steps),
      containers: records(this.#containers),
      startTime: this.#startTime,
      hostAddress: this.#world.hostAddress,
      podAddress: this.#hasVolumes ? this.#place.address : undefined,
      end: this.#end,
      isOver: this.#isOver,
    };
  }

  #report(): void {
    if (this.#isGone) return;
    const { objects, clock } = this.#world;
    const progress = this.#progress();
    objects.update(this.#key(), (pod) =>
      pod.metadata.uid === this.#place.pod.metadata.uid
        ? { ...pod, status: podStatus(pod, progress, clock.now()) }
        : pod,
    );
  }

  /** Removes a pod that is being deleted, after its last status was written. */
  #leaveObjects(): void {
    const { objects } = this.#world;
    const pod = objects.get(this.#key());
    if (pod === undefined || pod.metadata.uid !== this.#place.pod.metadata.uid) return;
    if (pod.metadata.deletionTimestamp !== undefined) objects.remove(this.#key());
  }

  #key() {
    const { namespace = "", name } = this.#place.pod.metadata;
    return { resource: "pods", namespace, name };
  }

  get phase(): string {
    return phaseOf(this.#progress());
  }
}
