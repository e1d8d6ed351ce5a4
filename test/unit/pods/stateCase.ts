import { executorContainerName, executorIdLabel } from "../../../src/spark/labels.ts";
import { decodePod } from "../../../src/spark/pods/decodePod.ts";
import { executorIdOf } from "../../../src/spark/pods/executorId.ts";
import { sparkExitCode, sparkState } from "../../../src/spark/pods/executorState.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";

/** A pod, or a list of pods, and what Spark's own classes made of it. */
export interface StateCase {
  readonly id: string;
  readonly pod?: unknown;
  readonly pods?: readonly unknown[];
  readonly options?: {
    readonly checkAllContainers?: boolean;
    readonly containerName?: string;
  };
  readonly expect: {
    readonly state?: string;
    readonly exitCode?: number;
    /** Spark throws, and loses the update. */
    readonly error?: string;
    /** Executor id -> state, pod name and resource version, or the exception that loses the list. */
    readonly snapshot?: string | Readonly<Record<string, unknown>>;
  };
}

/** Where we differ from Spark; empty if nowhere. Where Spark throws, we must have an answer. */
export function checkStateCase(recorded: StateCase, checkAllByDefault: boolean): string[] {
  const rules = {
    checkAllContainers: recorded.options?.checkAllContainers ?? checkAllByDefault,
    containerName: recorded.options?.containerName ?? executorContainerName,
  };
  const stateOf = (pod: PodRecord): string => {
    const state = sparkState(pod, rules);
    return `Pod${state.charAt(0).toUpperCase()}${state.slice(1)}`;
  };
  const { expect } = recorded;
  if (recorded.pods !== undefined) {
    if (typeof expect.snapshot !== "object") return [];
    const ours = new Map<string, unknown>();
    for (const pod of recorded.pods.map(decodePod)) {
      const id = pod && executorIdOf(pod);
      if (pod && id !== undefined) {
        ours.set(String(id), [stateOf(pod), pod.name, pod.resourceVersion]);
      }
    }
    const theirs = Object.entries(expect.snapshot).map(([id, entry]) => [
      String(Number(id)),
      entry,
    ]);
    return compare("snapshot", sorted([...ours]), sorted(theirs));
  }
  const pod = decodePod(recorded.pod);
  if (pod === undefined) return expect.error === undefined ? ["the pod was not decoded"] : [];
  const state = stateOf(pod);
  if (expect.error !== undefined) return [];
  return [
    ...compare("state", state, expect.state),
    // Spark gives none where it fails to word its reason.
    ...(expect.exitCode === undefined
      ? []
      : compare("exit code", sparkExitCode(pod, rules.containerName), expect.exitCode)),
  ];
}

/**
 * Shapes that no API server lets through and that we read otherwise than Spark, on purpose: containers
 * without a name, and executor ids in digits that a label value cannot hold.
 */
export function isBeyondTheApi(recorded: StateCase): boolean {
  return (recorded.pods ?? [recorded.pod]).some((json) => {
    const pod = decodePod(json);
    if (pod === undefined) return false;
    const label = pod.labels[executorIdLabel] ?? "";
    return pod.containers.some(({ name }) => name === "") || /[^\x20-\x7e]/.test(label);
  });
}

const sorted = (entries: readonly (readonly unknown[])[]): string[] =>
  entries.map((entry) => JSON.stringify(entry)).sort();

function compare(what: string, ours: unknown, theirs: unknown): string[] {
  const [left, right] = [JSON.stringify(ours), JSON.stringify(theirs)];
  return left === right ? [] : [`${what}: ours ${left}, Spark's ${right}`];
}
