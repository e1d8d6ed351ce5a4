import type { ContainerRecord, ContainerState } from "../pods/podRecord.ts";
import { failedBeside } from "../pods/displayState.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";
import type { Patient, Words } from "./diagnosis.ts";

/** Words with what is often left out. */
export const words = (
  fact: string,
  what: string,
  change: string,
  keys: readonly string[] = [],
  told?: string,
): Words => ({ fact, what, change, keys, told: told === "" ? undefined : told });

export type Ended = Extract<ContainerState, { kind: "terminated" }>;

/** How Spark's own container ended, in a pod that has failed. */
export function sparkEnd({ pod, state }: Patient): Ended | undefined {
  if (state.kind !== "failed") return undefined;
  const spark = sparkContainerOf(pod)?.state;
  return spark?.kind === "terminated" ? spark : undefined;
}

/** The container beside Spark's that has failed, with its end. */
export function endBeside({
  pod,
}: Patient): { readonly container: ContainerRecord; readonly end: Ended } | undefined {
  const container = failedBeside(pod, sparkContainerOf(pod));
  return container?.state?.kind === "terminated" ? { container, end: container.state } : undefined;
}

/** The container that cannot start, and why, as its node says. */
export function problemOf({ state }: Patient):
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
  // Of most pods nothing is said, and each rule asks.
  if (!text) return false;
  const small = text.toLowerCase();
  return fragments.some((fragment) => small.includes(fragment));
}

export const notice = (patient: Patient, ...reasons: readonly string[]) =>
  patient.notices.find(({ reason }) => reasons.includes(reason));

/** The first letters of a sentence of the cluster's, for a row. */
export const shortened = (text: string, length = 60): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
