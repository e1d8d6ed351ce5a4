// Waits for the init container that receives code, or for Spark's container, by polling their pod.
import { inEnglish, listed, msg, verbatim, type Message } from "../../base/message.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { displayState, type DisplayState } from "../../spark/pods/displayState.ts";
import { disruptionOf } from "../../spark/pods/podExit.ts";
import type { ContainerState, PodRecord } from "../../spark/pods/podRecord.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import { codeContainerName, receiveCode } from "../../spark/submit/code/streamContainer.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connection } from "../ports/connection.ts";
import type { PodName } from "../ports/reports.ts";
import { isTransient } from "../watch/retryPolicy.ts";

/** The reason why sending the code failed. `detail` often repeats a message of the cluster or the pod. */
export type SendFailure =
  | { readonly kind: "cluster"; readonly error: ClusterError }
  /** The image lacks bash, or has neither tar nor python3. */
  | { readonly kind: "lacksProgram"; readonly program: "bash" | "tar"; readonly detail: Message }
  | { readonly kind: "volumeFull"; readonly detail: Message }
  /** A file changed since it was collected. */
  | { readonly kind: "fileChanged"; readonly detail: Message }
  /** tar failed for another reason. */
  | { readonly kind: "notUnpacked"; readonly detail: Message }
  /** The received files differ from the sent ones. */
  | { readonly kind: "notVerified"; readonly detail: Message }
  /** The pod cannot start, has ended, or was deleted or replaced. */
  | { readonly kind: "podEnded"; readonly detail: Message };

/** `waiting`: the container runs. `released`: it succeeded, so verified files are in place. */
export type CodeStage = "pending" | "waiting" | "released";

export interface PodWaitPorts {
  readonly objects: Pick<Connection["objects"], "read">;
  readonly clock: Clock;
}

const firstDelayMs = 50;
const maxDelayMs = 1_000;
/** Time for which an outage is tolerated. It is longer than the restart of an API server. */
const outageMs = 120_000;

export class PodWait {
  readonly #pod: PodName;
  readonly #ports: PodWaitPorts;
  readonly #waiting: (reason: Message) => void;
  readonly #stageOf: StageOf;
  #reason: string | undefined;
  #answeredAt: number;

  constructor(
    pod: PodName,
    ports: PodWaitPorts,
    waiting: (reason: Message) => void,
    stageOf: StageOf = stageOfCode,
  ) {
    this.#pod = pod;
    this.#stageOf = stageOf;
    this.#ports = ports;
    this.#waiting = waiting;
    this.#answeredAt = ports.clock.now();
  }

  /** Waits until the container runs or has succeeded. */
  untilWaiting(signal: AbortSignal): Promise<Result<CodeStage, SendFailure>> {
    return this.#until((stage) => stage !== "pending", Infinity, signal);
  }

  /** Waits until the container has succeeded, for at most `limitMs`; then the stage may be `waiting`. */
  untilEnded(limitMs: number, signal: AbortSignal): Promise<Result<CodeStage, SendFailure>> {
    return this.#until((stage) => stage === "released", limitMs, signal);
  }

  async #until(
    isReached: (stage: CodeStage) => boolean,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Result<CodeStage, SendFailure>> {
    const { clock } = this.#ports;
    const startedAt = clock.now();
    this.#answeredAt = startedAt;
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(maxDelayMs, delayMs * 1.5)) {
      const stage = await this.#look(signal);
      if (!stage.ok) return stage;
      // The limit applies to the time of the last response, so an outage of the server alone does not exceed it.
      const isLate = this.#answeredAt - startedAt >= limitMs;
      if (stage.value !== undefined && (isReached(stage.value) || isLate)) return ok(stage.value);
      await clock.sleep(delayMs, signal);
    }
  }

  /** Reads the pod once. The stage is undefined while the server does not respond. */
  async #look(signal: AbortSignal): Promise<Result<CodeStage | undefined, SendFailure>> {
    const { objects, clock } = this.#ports;
    const { namespace, name, uid } = this.#pod;
    const reference = { apiVersion: "v1", kind: "Pod", namespace, name };
    const read = await objects.read(reference, signal);
    if (!read.ok) {
      if (read.error.kind === "notFound") return err(ended(msg("the pod was deleted")));
      const isPassing = isTransient(read.error) && clock.now() - this.#answeredAt < outageMs;
      return isPassing ? ok(undefined) : err({ kind: "cluster", error: read.error });
    }
    this.#answeredAt = clock.now();
    const pod = decodePod(read.value.body);
    if (pod?.uid !== uid)
      return err(ended(msg("the pod was deleted and replaced by another pod with the same name")));
    const stage = this.#stageOf(pod);
    if (stage.ok && stage.value === "pending") this.#tell(pod);
    return stage;
  }

  #tell(pod: PodRecord): void {
    const state = displayState(pod);
    const reason = withDetail(describeState(state), messageOf(state));
    if (inEnglish(reason) === this.#reason) return;
    this.#reason = inEnglish(reason);
    this.#waiting(reason);
  }
}

/** Returns the stage of a container, or the reason why it cannot start or succeed. */
type StageOf = (pod: PodRecord) => Result<CodeStage, SendFailure>;

/** Returns the stage of Spark's container. */
export const stageOfSpark: StageOf = (pod) => stageOfRun(pod, sparkContainerOf(pod)?.state);

/** Returns the stage of the code's init container. */
function stageOfCode(pod: PodRecord): Result<CodeStage, SendFailure> {
  const container = pod.initContainers.find(({ name }) => name === codeContainerName);
  if (container === undefined)
    return err(ended(msg`the pod has no container "${codeContainerName}"`));
  const { state } = container;
  if (state?.kind === "terminated") {
    if (state.exitCode === 0) return ok("released");
    // A deletion or an eviction ends the container with SIGTERM; the pod has the reason.
    const isCut =
      pod.deletionTimestamp !== undefined || (pod.phase === "Failed" && pod.reason !== undefined);
    return isCut ? stageOfRun(pod, state) : err(failureOf(state));
  }
  return stageOfRun(pod, state);
}

function stageOfRun(
  pod: PodRecord,
  state: ContainerState | undefined,
): Result<CodeStage, SendFailure> {
  if (pod.deletionTimestamp !== undefined) return err(ended(deletionWords(pod)));
  const shown = displayState(pod);
  if (pod.phase === "Failed" || pod.phase === "Succeeded") {
    return err(ended(withDetail(describeState(shown), pod.message)));
  }
  if (shown.kind === "blocked" && isFinalProblem(shown)) {
    return err(ended(withDetail(describeState(shown), shown.problem.message)));
  }
  return ok(state?.kind === "running" ? "waiting" : "pending");
}

function deletionWords(pod: PodRecord): Message {
  const disruption = disruptionOf(pod);
  return disruption === undefined
    ? msg("the pod is being deleted")
    : withDetail(msg("the pod is being evicted"), disruption.message);
}

/**
 * True if a retry of the kubelet cannot help. The kubelet retries all problems, but these two problems depend only on
 * the pod itself.
 */
const isFinalProblem = ({ problem }: Extract<DisplayState, { kind: "blocked" }>): boolean =>
  problem.reason === "InvalidImageName" ||
  (problem.reason === "CreateContainerConfigError" &&
    /runAsNonRoot|non-numeric user/.test(problem.message ?? ""));

function failureOf(state: Extract<ContainerState, { kind: "terminated" }>): SendFailure {
  const { exitCode, reason = "", message = "" } = state;
  const told = message.trim();
  const ending = [
    reason === "" ? undefined : verbatim(reason),
    exitCode === undefined ? msg("exit code unknown") : msg`exit code ${exitCode}`,
  ];
  const detail = told === "" ? (listed(ending) ?? verbatim(reason)) : verbatim(told);
  if (/exec: "bash"|bash: (?:executable file not found|no such file)/i.test(message)) {
    return { kind: "lacksProgram", program: "bash", detail };
  }
  if (exitCode === receiveCode.noTar) return { kind: "lacksProgram", program: "tar", detail };
  if (exitCode === receiveCode.notVerified) return { kind: "notVerified", detail };
  return ended(msg`container "${codeContainerName}" failed: ${detail}`);
}

const withDetail = (state: Message, detail: string | undefined): Message =>
  detail ? msg`${state}: ${detail}` : state;

const ended = (detail: Message): SendFailure => ({ kind: "podEnded", detail });

function messageOf(state: DisplayState): string | undefined {
  if (state.kind === "unscheduled") return state.message;
  return state.kind === "blocked" ? state.problem.message : undefined;
}
