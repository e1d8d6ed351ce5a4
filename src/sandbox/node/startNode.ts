// Implements the node, which schedules pods and runs them as local processes.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DisposableStore } from "../../base/disposable.ts";
import type { Change } from "../api/objects.ts";
import type { KubeObject } from "../kubeObject.ts";
import { Addresses } from "./addresses.ts";
import { dropClaims } from "./claims.ts";
import { looksLikeSpark } from "./image/imageName.ts";
import { Images, isSimulationImage, type ImageOptions } from "./image/images.ts";
import { findPrograms, type MachinePrograms, type ProgramChoice } from "./image/machine.ts";
import { nanosecondsOf } from "./logs/logFiles.ts";
import { readLog } from "./logs/readLog.ts";
import type {
  ExecCommand,
  ExecEnd,
  ExecStreams,
  LogQuery,
  NodeOptions,
  PodNode,
  StartNode,
} from "./node.ts";
import { simulatedAmounts, machineAmounts, nodeLabels, nodeName, writeNode } from "./nodeObject.ts";
import { PodRun } from "./pod/podRun.ts";
import type { PodWorld } from "./pod/world.ts";
import { Simulation } from "./simulation/simulation.ts";
import { attachInside, execInside } from "./run/execInside.ts";
import { MemoryWatch } from "./run/memoryWatch.ts";
import { Watchdog } from "./run/watchdog.ts";
import { Scheduler } from "./schedule/scheduler.ts";
import { decodePodSpec, type SandboxPodSpec } from "./spec/podSpec.ts";

/** IP of the node; `status.hostIP` of all pods. */
const hostAddress = "127.0.0.1";

/** The user's settings for the node. */
export interface NodeSettings extends ImageOptions, ProgramChoice {
  /** Allocatable CPU cores and, in `memoryBytes`, memory; undefined to offer all of the machine. */
  readonly cores: number | undefined;
  readonly memoryBytes: number | undefined;
}

export const nodeWith =
  (settings: NodeSettings): StartNode =>
  async (options) => {
    if (process.platform === "win32") {
      throw new Error(
        "The sandbox runs pods as local processes, which is not supported on Windows. Open the folder in WSL and start the sandbox there.",
      );
    }
    for (const name of ["pods", "claims"]) {
      // Delete the leftovers of a crashed sandbox.
      await rm(join(options.folder, name), { recursive: true, force: true });
      await mkdir(join(options.folder, name), { recursive: true, mode: 0o700 });
    }
    return new LocalNode(options, settings, process.platform);
  };

class LocalNode implements PodNode {
  readonly #options: NodeOptions;
  readonly #world: PodWorld;
  readonly #runs = new Map<string, PodRun>();
  readonly #owned = new DisposableStore();
  readonly #addresses: Addresses;
  /** Unfinished clean-ups of deleted pods. */
  readonly #cleanUps = new Set<Promise<void>>();
  #watchdog: Watchdog | undefined;

  constructor(options: NodeOptions, settings: NodeSettings, platform: NodeJS.Platform) {
    const { objects, clock, folder, log } = options;
    this.#options = options;
    this.#addresses = new Addresses(platform, process.pid);
    const allocatable = machineAmounts(settings.cores, settings.memoryBytes);
    let programs: Promise<MachinePrograms> | undefined;
    this.#world = {
      objects,
      clock,
      nanoseconds: nanosecondsOf(() => clock.now()),
      api: options.api,
      nodeName,
      hostAddress,
      allocatable,
      folder,
      images: new Images(settings),
      // Lazy, because the search for Java runs `java`, which would delay the start of the sandbox.
      programs: () => (programs ??= findPrograms(settings, process.env)),
      platform,
      watchdog: () => (this.#watchdog ??= new Watchdog()),
      memory: this.#owned.add(new MemoryWatch(clock, platform, log)),
      simulation: new Simulation(objects, clock, nodeName),
      addressOf: ({ metadata: { uid = "" } }) => this.#runs.get(uid)?.address,
      log,
    };
    writeNode(objects, allocatable, hostAddress, platform, clock.now());
    this.#owned.add(dropClaims(objects, folder));
    this.#owned.add(
      objects.onDidChange((change) => {
        if (change.resource === "pods") this.#onChange(change);
      }),
    );
    const isSimulated = ({ containers }: SandboxPodSpec): boolean =>
      containers.every(
        ({ image }) => isSimulationImage(image) || (settings.simulate && looksLikeSpark(image)),
      );
    this.#owned.add(
      new Scheduler({
        objects,
        clock,
        nodeName,
        labels: nodeLabels(platform),
        poolFor: (spec) =>
          isSimulated(spec)
            ? { name: "simulated", amounts: simulatedAmounts }
            : { name: "machine", amounts: allocatable },
        onError: (error) => {
          log(`the scheduler failed: ${String(error)}`);
        },
      }),
    );
  }

  async *logs(pod: KubeObject, query: LogQuery, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const life = this.#runs.get(pod.metadata.uid ?? "")?.container(query.container);
    if (life === undefined) return;
    const { restartCount } = life.record;
    const folder = life.logFolder(query.previous ? restartCount - 1 : restartCount);
    yield* readLog(folder, query, query.previous ? undefined : life.log, signal);
  }

  async exec(
    pod: KubeObject,
    command: ExecCommand,
    streams: ExecStreams,
    signal: AbortSignal,
  ): Promise<ExecEnd> {
    const life = this.#runs.get(pod.metadata.uid ?? "")?.container(command.container);
    const inside = life?.inside(command.command ?? []);
    if (life === undefined || inside === undefined) {
      const message =
        life?.run === undefined
          ? "the container is not running"
          : "the pod is simulated and has no processes, so it cannot run commands";
      return { kind: "failed", message };
    }
    const { platform } = this.#world;
    const how = { ...command, platform };
    return command.command === undefined
      ? attachInside(inside.run, how, streams, signal)
      : execInside(inside.run, inside.start, how, streams, signal);
  }

  async isServedOnLoopback(pod: KubeObject, port: number): Promise<boolean> {
    const lives = this.#runs.get(pod.metadata.uid ?? "")?.running ?? [];
    const served = await Promise.all(
      lives.map(async (life) => (await life.inside([])?.run.isServedOnLoopback(port)) === true),
    );
    return served.includes(true);
  }

  async stop(): Promise<void> {
    this.#owned.dispose();
    for (const run of this.#runs.values()) run.vanish();
    await Promise.all([...this.#runs.values()].map(({ done }) => done));
    await Promise.all(this.#cleanUps);
    this.#watchdog?.dispose();
    await rm(join(this.#options.folder, "pods"), { recursive: true, force: true });
  }

  #onChange({ kind, object }: Change): void {
    const { uid = "", deletionTimestamp } = object.metadata;
    const run = this.#runs.get(uid);
    if (kind === "deleted") {
      if (run !== undefined) this.#forget(uid, run);
      return;
    }
    if (run === undefined) {
      this.#begin(uid, object);
      return;
    }
    if (deletionTimestamp === undefined) return;
    if (run.isOver) this.#remove(object);
    else run.leave(object);
  }

  #begin(uid: string, pod: KubeObject): void {
    const spec = decodePodSpec(pod);
    if (spec.nodeName !== nodeName) return;
    if (pod.metadata.deletionTimestamp !== undefined) {
      this.#remove(pod);
      return;
    }
    const folder = join(this.#options.folder, "pods", uid);
    const address = this.#addresses.take();
    this.#runs.set(uid, new PodRun(this.#world, { pod, spec, folder, address }));
  }

  /** Removes a pod whose containers have ended. */
  #remove({ metadata }: KubeObject): void {
    const { namespace = "", name, deletionGracePeriodSeconds } = metadata;
    // With a grace period of 0, the pod was removed before and only waits for its finalizers.
    if (deletionGracePeriodSeconds === 0) return;
    this.#options.objects.remove({ resource: "pods", namespace, name });
  }

  #forget(uid: string, run: PodRun): void {
    run.vanish();
    const cleanUp = run.done
      .then(() => rm(join(this.#options.folder, "pods", uid), { recursive: true, force: true }))
      .catch((error: unknown) => {
        this.#options.log(`cannot delete the folder of a pod: ${String(error)}`);
      })
      .finally(() => {
        this.#runs.delete(uid);
        this.#addresses.free(run.address);
        this.#cleanUps.delete(cleanUp);
      });
    this.#cleanUps.add(cleanUp);
  }
}
