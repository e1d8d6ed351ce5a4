import { verbatim, type Message } from "../../base/message.ts";
import type { ContainerRecord, ContainerState } from "../pods/podRecord.ts";
import { failedSidecarOf } from "../pods/displayState.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";
import { defaultSecretRule } from "../redact.ts";
import { redactLine } from "../redactLine.ts";
import type { DiagnosedPod, DiagnosisText } from "./diagnosis.ts";

/** Builds the text of a diagnosis. An empty `told` becomes undefined. */
export const words = (
  fact: Message,
  what: Message,
  change: Message,
  keys: readonly string[] = [],
  told?: string,
): DiagnosisText => ({ fact, what, change, keys, told: told === "" ? undefined : told });

export type TerminatedContainer = Extract<ContainerState, { kind: "terminated" }>;

/** Returns the terminated state of Spark's container. Undefined if the pod has not failed. */
export function sparkEnd({ pod, state }: DiagnosedPod): TerminatedContainer | undefined {
  if (state.kind !== "failed") return undefined;
  const spark = sparkContainerOf(pod)?.state;
  return spark?.kind === "terminated" ? spark : undefined;
}

/** Returns the failed sidecar container and its terminated state. Undefined if none failed. */
export function sidecarFailure({
  pod,
}: DiagnosedPod):
  { readonly container: ContainerRecord; readonly end: TerminatedContainer } | undefined {
  const container = failedSidecarOf(pod, sparkContainerOf(pod));
  return container?.state?.kind === "terminated" ? { container, end: container.state } : undefined;
}

/** Returns the container that cannot start, and the kubelet's reason. Undefined if no container is blocked. */
export function problemOf({ state }: DiagnosedPod):
  | {
      readonly container: string;
      readonly image: string;
      readonly reason: string;
      readonly message: string;
    }
  | undefined {
  if (state.kind !== "blocked") return undefined;
  return { ...state.problem, message: state.problem.message ?? "" };
}

export function includesAny(text: string | undefined, ...fragments: readonly string[]): boolean {
  // Fast path: most pods have no message.
  if (!text) return false;
  const small = text.toLowerCase();
  return fragments.some((fragment) => small.includes(fragment));
}

export const eventWith = (diagnosed: DiagnosedPod, ...reasons: readonly string[]) =>
  diagnosed.events.find(({ reason }) => reasons.includes(reason));

/**
 * Exit codes of a container that was killed after failed liveness probes. 143: it ended on SIGTERM. 137: it was killed
 * after the grace period.
 */
export const probeCodes: readonly number[] = [143, 137];

/** Returns the event of a failed liveness probe. Undefined if there is none. */
export const probeEvent = ({ events }: DiagnosedPod) =>
  events.find(
    ({ reason, message }) => reason === "Unhealthy" && /^Liveness probe failed/.test(message),
  );

/**
 * Returns the beginning of a text from a server or a log, to fit into a row. Redacts it, because it may repeat a
 * container's output.
 */
export function shortened(text: string, length = 60): Message {
  const clean = redactLine(text, defaultSecretRule);
  return verbatim(clean.length <= length ? clean : `${clean.slice(0, length - 1).trimEnd()}…`);
}
