// One container from its image to its last end: pulled, created, started, started again, stopped.
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
import { act } from "./actions.ts";
import { Backoff, durationText, pullDelay } from "./backoff.ts";
import type { Composed } from "./compose.ts";
import { endMessage } from "./endMessage.ts";
import type { ContainerRecord, ContainerState, TerminatedState } from "./podStatus.ts";
import { prepareContainer, type Prepared } from "./prepareContainer.ts";
import type { PodPlace, PodWorld } from "./world.ts";

/** How a container that has ended goes on. */
export type RestartRule = "always" | "onFailure" | "never";

/** How long a kubelet waits before it looks at a container again that cannot be created yet. */
const lookAgainMs = 10_000;

export interface ContainerHooks {
  /** Its record has changed. */
  readonly whenChanged: () => void;
  /** It runs (again). */
  /** Gives what is to be let go of when it has ended. */
  readonly whenBegun: () => Disposable;
}

export class ContainerLife {
  readonly spec: ContainerSpec;
  readonly #world: PodWorld;
  readonly #place: PodPlace;
  readonly #events: PodEvents;
  readonly #field: string;
  readonly #hooks: ContainerHooks;
  readonly #backoff = new Backoff();
  #record: ContainerRecord;
  #run: ContainerRun | undefined;
  #inside: Composed["inside"] | undefined;
  #log: LogWriter | undefined;

  constructor(
    spec: ContainerSpec,
    list: "containers" | "initContainers",
    waitsFor: "PodInitializing" | "ContainerCreating",
    world: PodWorld,
    place: PodPlace,
    events: PodEvents,
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

  get record(): ContainerRecord {
    return this.#record;
  }

  /** What runs now. */
  get run(): ContainerRun | undefined {
    return this.#run;
  }

  get log(): LogWriter | undefined {
    return this.#log;
  }

  /** Undefined: nothing runs that a command could run beside. */
  inside(command: readonly string[]): { run: LocalRun; start: ProgramStart } | undefined {
    if (!(this.#run instanceof LocalRun) || this.#inside === undefined) return undefined;
    const start = this.#inside(command);
    const env = new Map(start.env).set(firstPidVariable, String(this.#run.pid));
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

  /** Runs it until it need not run any more. Rejects with an AbortError when `signal` aborts first. */
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

  /** The image on this machine, however often it must be asked for. */
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
        await this.#world.clock.sleep(lookAgainMs, signal);
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
    // For a moment the first word stands, as on a real node.
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
      run.pid === undefined || limit === undefined
        ? undefined
        : this.#world.memory.watch(run, run.pid, limit);
    const end = await run.done;
    probes.dispose();
    watched?.dispose();
    this.#run = undefined;
    const logFolder = this.logFolder(this.#record.restartCount);
    const message = await endMessage(this.spec, terminationMessage, logFolder, end.exitCode);
    return this.#end(end, startedAt, containerId, message);
  }

  /** What runs; or how it ended before it ran. */
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
    // Whoever stopped it in the meantime found nothing that ran: it must not begin.
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

  /** Waits until everything that it refers to is there. */
  async #prepare(image: LocalImage, signal: AbortSignal): Promise<Prepared> {
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
      await this.#world.clock.sleep(lookAgainMs, signal);
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
   * Asks a running container to end, first by its hook, and ends it when its time is up. Settles when it has.
   * `due` resolves when the time is up, and may do so earlier than was said at first.
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
    const refusal = await act(preStop, this, this.#place.address, stop.signal);
    if (refusal === undefined || stop.signal.aborted) return;
    this.note("Warning", "FailedPreStopHook", "PreStopHook failed");
  }

  /** Kills it for a probe that failed. */
  killUnwell(message: string): void {
    this.note("Normal", "Killing", message);
    this.#run?.terminate();
  }

  note(type: "Normal" | "Warning", reason: string, message: string): void {
    this.#events.record({ type, reason, message }, this.#field);
  }

  #wait(reason: string, message: string): void {
    const state: ContainerState = { kind: "waiting", reason, message };
    const { last, state: before } = this.#record;
    this.#set({ state, last: before.kind === "terminated" ? before : last });
  }

  #set(change: Partial<ContainerRecord>): void {
    this.#record = { ...this.#record, ...change };
    this.#hooks.whenChanged();
  }
}

interface Started {
  readonly run: ContainerRun;
  readonly startedAt: string;
  /** The file in which it may say why it ended. */
  readonly terminationMessage: string | undefined;
}

/** What runs; or why the system would not have it, such as an environment that is too large. */
function begin(
  prepared: Prepared & { kind: "ready" },
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
