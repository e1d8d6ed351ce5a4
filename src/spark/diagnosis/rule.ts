import { verbatim, type Message } from "../../base/message.ts";
import type { ContainerRecord, ContainerState } from "../pods/podRecord.ts";
import { failedBeside } from "../pods/displayState.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";
import { defaultSecretRule } from "../redact.ts";
import { redactLine } from "../redactLine.ts";
import type { DiagnosedPod, Words } from "./diagnosis.ts";

/** `keys` and `told` are optional here. */
export const words = (
  fact: Message,
  what: Message,
  change: Message,
  keys: readonly string[] = [],
  told?: string,
): Words => ({ fact, what, change, keys, told: told === "" ? undefined : told });

export type Ended = Extract<ContainerState, { kind: "terminated" }>;

/** How Spark's container ended; undefined if the pod has not failed. */
export function sparkEnd({ pod, state }: DiagnosedPod): Ended | undefined {
  if (state.kind !== "failed") return undefined;
  const spark = sparkContainerOf(pod)?.state;
  return spark?.kind === "terminated" ? spark : undefined;
}

/** The failed sidecar container, with its end. */
export function endBeside({
  pod,
}: DiagnosedPod): { readonly container: ContainerRecord; readonly end: Ended } | undefined {
  const container = failedBeside(pod, sparkContainerOf(pod));
  return container?.state?.kind === "terminated" ? { container, end: container.state } : undefined;
}

/** The container that cannot start, with the reason of the kubelet. */
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

export function says(text: string | undefined, ...fragments: readonly string[]): boolean {
  // Fast path: most pods have no message.
  if (!text) return false;
  const small = text.toLowerCase();
  return fragments.some((fragment) => small.includes(fragment));
}

export const notice = (diagnosed: DiagnosedPod, ...reasons: readonly string[]) =>
  diagnosed.notices.find(({ reason }) => reasons.includes(reason));

/** The exit codes of a container that its liveness probe ended: it ended on SIGTERM, or its grace period ran out. */
export const probeCodes: readonly number[] = [143, 137];

/** The event of a failed liveness probe. */
export const probeNotice = ({ notices }: DiagnosedPod) =>
  notices.find(
    ({ reason, message }) => reason === "Unhealthy" && /^Liveness probe failed/.test(message),
  );

/** The beginning of a server's or a log's text, for a row; redacted, as it may repeat the output of a container. */
export function shortened(text: string, length = 60): Message {
  const clean = redactLine(text, defaultSecretRule);
  return verbatim(clean.length <= length ? clean : `${clean.slice(0, length - 1).trimEnd()}…`);
}
