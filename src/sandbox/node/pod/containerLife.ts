// The lifecycle of one container: pull, create, start, restart, stop.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Disposable } from "../../../base/disposable.ts";
import { timestamp } from "../../clock.ts";
import type { PodEvents } from "../events.ts";
import { firstPidVariable } from "../image/decommissionScript.ts";
import { invalidName } from "../image/imageName.ts";
import type { LocalImage } from "../image/images.ts";
import { LogWriter } from "../logs/logFiles.ts";
import type { ContainerEnd, ContainerRun } from "../run/containerRun.ts";
import { LocalRun, type ProgramStart } from "../run/localRun.ts";
import { amountsOf } from "../spec/requests.ts";
import type { ContainerSpec } from "../spec/podSpec.ts";
import { runAction } from "./actions.ts";
import { RestartBackoff, durationText, pullDelay } from "./backoff.ts";
import type { Composed } from "./compose.ts";
import { endMessage } from "./endMessage.ts";
import type { ContainerHistory, ContainerStatusState, TerminatedState } from "./podStatus.ts";
import { prepareContainer, type PreparedContainer } from "./prepareContainer.ts";
import type { PodPlace, PodWorld } from "./world.ts";

/** When to restart an ended container; `onFailure`: if its exit code is not 0. */
export type RestartRule = "always" | "onFailure" | "never";

/** A kubelet's interval between attempts to create a container. */
const retryMs = 10_000;

export interface ContainerHooks {
  /** Called after each change of `record`. */
  readonly whenChanged: () => void;
  /** Called after each start; the result is disposed when the container ends. */
  readonly whenBegun: () => Disposable;
}

interface ContainerRole {
  readonly list: "containers" | "initContainers";
  readonly waitsFor: "PodInitializing" | "ContainerCreating";
}

interface ContainerPod {
  readonly world: PodWorld;
  readonly place: PodPlace;
  readonly events: PodEvents;
}

export class ContainerLife {
  readonly spec: ContainerSpec;
  readonly #world: PodWorld;
  readonly #place: PodPlace;
  readonly #events: PodEvents;
  readonly #field: string;
  readonly #hooks: ContainerHooks;
  readonly #backoff = new RestartBackoff();
  #record: ContainerHistory;
  #run: ContainerRun | undefined;
  #inside: Composed["inside"] | undefined;
  #log: LogWriter | undefined;

  constructor(
    spec: ContainerSpec,
    { list, waitsFor }: ContainerRole,
    { world, place, events }: ContainerPod,
    hooks: ContainerHooks,
  ) {
    this.spec = spec;
    this.#world = world;
    this.#place = place;
    this.#events = events;
    this.#field = `spec.${list}{${spec.name}}`;
    this.#hooks = hooks;
    this.#record = {
      spec,
      state: { kind: "waiting", reason: waitsFor },
      last: undefined,
      restartCount: 0,
      ready: false,
      started: false,
      imageId: "",
      containerId: "",
    };
  }

  get record(): ContainerHistory {
    return this.#record;
  }

  /** Returns the current run; undefined if none. */
  get run(): ContainerRun | undefined {
    return this.#run;
  }

  get log(): LogWriter | undefined {
    return this.#log;
  }

  /** Prepares a command in the container; undefined if the container is not running or is simulated. */
  inside(command: readonly string[]): { run: LocalRun; start: ProgramStart } | undefined {
    if (!(this.#run instanceof LocalRun) || this.#inside === undefined) return undefined;
    const start = this.#inside(command);
    const env = new Map(start.env).set(firstPidVariable, String(this.#run.first?.pid));
    return { run: this.#run, start: { ...start, env } };
  }

  logFolder(restartCount: number): string {
    return join(this.#place.folder, "logs", this.spec.name, String(restartCount));
  }

  setReady(ready: boolean): void {
    if (this.#record.ready !== ready && this.#record.state.kind === "running") this.#set({ ready });
  }

  setStarted(): void {
    const { readiness } = this.spec.probes;
    this.#set({ started: true, ready: readiness === undefined });
  }

  /**
   * Runs the container, with restarts, until it ends for good. Rejects with an AbortError if `signal` aborts while no
   * process runs.
   */
  async live(rule: RestartRule, signal: AbortSignal): Promise<TerminatedState> {
    for (;;) {
      const image = await this.#image(signal);
      const begun = this.#world.clock.now();
      const ended = await this.#runOnce(image, signal);
      if (signal.aborted || rule === "never" || (rule === "onFailure" && ended.exitCode === 0))
        return ended;
      await this.#waitForRestart(ended, this.#world.clock.now() - begun, signal);
    }
  }

  /** Finds or pulls the image; retries until it succeeds. */
  async #image(signal: AbortSignal): Promise<LocalImage> {
    const { image, pullPolicy } = this.spec;
    const quoted = JSON.stringify(image);
    for (let failures = 1; ; failures += 1) {
      const found = await this.#world.images.find(image);
      if (found !== undefined) {
        const what = `Container image ${quoted} already present on machine and can be accessed by the pod`;
        this.note("Normal", "Pulled", what);
        return found;
      }
      const refused = this.#refusedAtOnce(pullPolicy, quoted);
      if (refused !== undefined) {
        const [reason, event, message] = refused;
        this.note("Warning", event, message);
        this.note("Warning", "Failed", `Error: ${reason}`);
        this.#wait(reason, message);
        await this.#world.clock.sleep(retryMs, signal);
        continue;
      }
      this.note("Normal", "Pulling", `Pulling image ${quoted}`);
      const pulled = await this.#world.images.pull(image, signal);
      if (pulled.ok) {
        this.note("Normal", "Pulled", `Successfully pulled image ${quoted}`);
        return pulled.value;
      }
      this.note("Warning", "Failed", `Failed to pull image ${quoted}: ${pulled.error}`);
      this.note("Warning", "Failed", "Error: ErrImagePull");
      this.#wait("ErrImagePull", pulled.error);
      await this.#backOffPulling(failures, pulled.error, signal);
    }
  }

  #refusedAtOnce(
    pullPolicy: ContainerSpec["pullPolicy"],
    quoted: string,
  ): readonly [string, string, string] | undefined {
    const invalid = invalidName(this.spec.image);
    if (invalid !== undefined) return ["InvalidImageName", "InspectFailed", invalid];
    if (pullPolicy !== "Never") return undefined;
    const message = `Container image ${quoted} is not present with pull policy of Never`;
    return ["ErrImageNeverPull", "ErrImageNeverPull", message];
  }

  async #backOffPulling(failures: number, refusal: string, signal: AbortSignal): Promise<void> {
    // A real node shows ErrImagePull for a moment before ImagePullBackOff.
    await this.#world.clock.sleep(1000, signal);
    const message = `Back-off pulling image ${JSON.stringify(this.spec.image)}`;
    this.note("Normal", "BackOff", message);
    this.note("Warning", "Failed", "Error: ImagePullBackOff");
    this.#wait("ImagePullBackOff", `${message}: ErrImagePull: ${refusal}`);
    await this.#world.clock.sleep(pullDelay(failures) * 1000, signal);
  }

  async #runOnce(image: LocalImage, signal: AbortSignal): Promise<TerminatedState> {
    const containerId = `sandbox://${randomBytes(32).toString("hex")}`;
    const started = await this.#start(image, containerId, signal);
    if ("exitCode" in started) return started;
    const { run, startedAt, terminationMessage } = started;
    const probes = this.#hooks.whenBegun();
    const limit = amountsOf(this.spec.limits)["memory"];
    const watched =
      run.first === undefined || limit === undefined
        ? undefined
        : this.#world.memory.watch(run, run.first, limit);
    const end = await run.done;
    probes.dispose();
    watched?.dispose();
    this.#run = undefined;
    const logFolder = this.logFolder(this.#record.restartCount);
    const message = await endMessage(this.spec, terminationMessage, logFolder, end.exitCode);
    return this.#end(end, startedAt, containerId, message);
  }

  /** Starts the container; returns the run, or the terminated state if the start failed. */
  async #start(
    image: LocalImage,
    containerId: string,
    signal: AbortSignal,
  ): Promise<Started | TerminatedState> {
    const prepared = await this.#prepare(image, signal);
    signal.throwIfAborted();
    const imageId = image.kind === "spark" ? `spark:${image.distribution.version}` : image.kind;
    this.note("Normal", "Created", "Container created");
    if (prepared.kind === "absent")
      return this.#startFailed(prepared.message, containerId, imageId);
    const log = await LogWriter.open(
      this.logFolder(this.#record.restartCount),
      this.#world.nanoseconds,
    );
    this.#log = log;
    if (signal.aborted) log.dispose();
    // A stop during the preparation found no run, so check again before starting.
    signal.throwIfAborted();
    const run = begin(prepared, log, containerId.slice(-16));
    if (typeof run === "string") return this.#startFailed(run, containerId, imageId);
    this.#inside = prepared.inside;
    this.#run = run;
    const startedAt = timestamp(this.#world.clock.now());
    const isProbed = this.spec.probes.startup !== undefined;
    this.#set({
      state: { kind: "running", startedAt },
      imageId,
      containerId,
      started: !isProbed,
      ready: !isProbed && this.spec.probes.readiness === undefined,
    });
    this.note("Normal", "Started", "Container started");
    return { run, startedAt, terminationMessage: prepared.terminationMessage };
  }

  /** Prepares the start. Retries until all referenced objects and volumes exist. */
  async #prepare(image: LocalImage, signal: AbortSignal): Promise<PreparedContainer> {
    for (;;) {
      const { restartCount } = this.#record;
      const prepared = await prepareContainer(
        this.spec,
        restartCount,
        image,
        this.#world,
        this.#place,
      );
      if (prepared.kind !== "refused") return prepared;
      this.note("Warning", "Failed", `Error: ${prepared.message}`);
      this.#wait("CreateContainerConfigError", prepared.message);
      await this.#world.clock.sleep(retryMs, signal);
    }
  }

  #startFailed(message: string, containerId: string, imageId: string): TerminatedState {
    this.note("Warning", "Failed", `Error: ${message}`);
    const state: TerminatedState = {
      kind: "terminated",
      exitCode: 128,
      reason: "StartError",
      message,
      startedAt: timestamp(0),
      finishedAt: timestamp(this.#world.clock.now()),
      containerId,
    };
    this.#set({ state, containerId, imageId, ready: false, started: false });
    return state;
  }

  #end(
    { exitCode, reason }: ContainerEnd,
    startedAt: string,
    containerId: string,
    message: string | undefined,
  ): TerminatedState {
    const state: TerminatedState = {
      kind: "terminated",
      exitCode,
      reason: reason ?? (exitCode === 0 ? "Completed" : "Error"),
      ...(message === undefined ? {} : { message }),
      startedAt,
      finishedAt: timestamp(this.#world.clock.now()),
      containerId,
    };
    this.#set({ state, ready: false, started: false });
    return state;
  }

  async #waitForRestart(ended: TerminatedState, ranMs: number, signal: AbortSignal): Promise<void> {
    const seconds = this.#backoff.next(ranMs);
    if (seconds > 0) {
      const { name, namespace = "", uid = "" } = this.#place.pod.metadata;
      const pod = `${name}_${namespace}(${uid})`;
      this.note(
        "Warning",
        "BackOff",
        `Back-off restarting failed container ${this.spec.name} in pod ${pod}`,
      );
      const message = `back-off ${durationText(seconds)} restarting failed container=${this.spec.name} pod=${pod}`;
      this.#set({ state: { kind: "waiting", reason: "CrashLoopBackOff", message }, last: ended });
      await this.#world.clock.sleep(seconds * 1000, signal);
    }
    this.#set({ last: ended, restartCount: this.#record.restartCount + 1 });
  }

  /**
   * Stops a running container: runs the preStop hook if `graceIsLeft`, sends SIGTERM, and sends SIGKILL when `due`
   * resolves. Settles when the container has ended. Does nothing if it is not running.
   */
  async stop(due: Promise<void>, graceIsLeft: () => boolean): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    this.note("Normal", "Killing", `Stopping container ${this.spec.name}`);
    const kill = due.then(() => {
      run.kill();
    });
    if (graceIsLeft()) await Promise.race([this.#preStop(run), kill]);
    run.terminate();
    await Promise.race([run.done, kill]);
    await run.done;
  }

  async #preStop(run: ContainerRun): Promise<void> {
    const { preStop } = this.spec;
    if (preStop === undefined) return;
    const stop = new AbortController();
    void run.done.then(() => {
      stop.abort();
    });
    const refusal = await runAction(preStop, this, this.#place.address, stop.signal);
    if (refusal === undefined || stop.signal.aborted) return;
    this.note("Warning", "FailedPreStopHook", "PreStopHook failed");
  }

  /** Sends SIGTERM to the container after a failed probe. Unlike a kubelet, sends no SIGKILL later. */
  killUnhealthy(message: string): void {
    this.note("Normal", "Killing", message);
    this.#run?.terminate();
  }

  note(type: "Normal" | "Warning", reason: string, message: string): void {
    this.#events.record({ type, reason, message }, this.#field);
  }

  #wait(reason: string, message: string): void {
    const state: ContainerStatusState = { kind: "waiting", reason, message };
    const { last, state: before } = this.#record;
    this.#set({ state, last: before.kind === "terminated" ? before : last });
  }

  #set(change: Partial<ContainerHistory>): void {
    this.#record = { ...this.#record, ...change };
    this.#hooks.whenChanged();
  }
}

interface Started {
  readonly run: ContainerRun;
  readonly startedAt: string;
  /** Path of the termination message file. */
  readonly terminationMessage: string | undefined;
}

/** Starts the container. Returns its run; if the system refuses the start, closes the log and returns a message. */
function begin(
  prepared: PreparedContainer & { kind: "ready" },
  log: LogWriter,
  id: string,
): ContainerRun | string {
  try {
    return prepared.begin(log, id);
  } catch (error) {
    log.dispose();
    if (!(error instanceof Error && "syscall" in error)) throw error;
    return `unable to start container process: ${error.message}`;
  }
}
