import { executorContainerName, executorIdLabel } from "../../../src/spark/labels.ts";
import { decodePod } from "../../../src/spark/pods/decodePod.ts";
import { readExecutorId } from "../../../src/spark/pods/executorId.ts";
import { sparkExitCode, type SparkStateRules } from "../../../src/spark/pods/executorState.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { sparkStateWord, type Verdict } from "./storeCase.ts";

/** A pod or a list of pods, with the result of Spark's own classes. */
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
    readonly final?: boolean;
    readonly exitCode?: number;
    /** The exception that Spark throws for the pod, which loses the update. */
    readonly error?: string;
    /** The exception that Spark throws while it formats the exit reason. Spark then drops the whole batch. */
    readonly reasonError?: string;
    /** Executor id -> state, pod name and resource version, or the exception that loses the list. */
    readonly snapshot?: string | Readonly<Record<string, unknown>>;
  };
}

/** Version-dependent defaults for fields that a case does not have. */
export interface SparkVersion {
  readonly checksAllContainers: boolean;
  /** Up to 3.3, Spark takes the exit code of the first terminated container of any kind. */
  readonly anyExitCode: boolean;
}

export const rulesFor = (
  options: StateCase["options"],
  version: SparkVersion,
): SparkStateRules => ({
  checkAllContainers: options?.checkAllContainers ?? version.checksAllContainers,
  containerName: options?.containerName ?? executorContainerName,
});

/** Returns differences from Spark and deliberate ones. If Spark throws, our code must still return a state. */
export function checkStateCase(recorded: StateCase, version: SparkVersion): Verdict {
  const rules = rulesFor(recorded.options, version);
  return recorded.pods === undefined
    ? checkPod(recorded, rules, version.anyExitCode)
    : checkList(recorded.pods, recorded, rules);
}

function checkPod(
  { pod: json, expect }: StateCase,
  rules: SparkStateRules,
  anyExitCode: boolean,
): Verdict {
  const pod = decodePod(json);
  if (pod === undefined) {
    const why = "a pod without a uid or a name cannot be told from others";
    return { differences: [], deliberate: [why] };
  }
  const word = sparkStateWord(pod, rules);
  const lost = expect.error ?? (typeof expect.snapshot === "string" ? expect.snapshot : undefined);
  const deliberate = lost === undefined ? [] : [`Spark loses the update: ${lost}`];
  if (expect.reasonError) deliberate.push(`Spark loses the batch: ${expect.reasonError}`);
  if (expect.error !== undefined) return { differences: [], deliberate };
  const differences = compare("state", word, expect.state);
  const id = readExecutorId(pod.labels[executorIdLabel]);
  if (typeof expect.snapshot === "object") {
    const ours = id === undefined ? {} : { [String(id)]: word };
    differences.push(...compare("snapshot", ours, expect.snapshot));
  } else if (expect.snapshot?.includes("NumberFormat") === true && id !== undefined) {
    differences.push(`executor id: ours ${id}, Spark's none`);
  }
  if (expect.exitCode === undefined) return { differences, deliberate };
  const codes = compare("exit code", sparkExitCode(pod, rules.containerName), expect.exitCode);
  if (codes.length > 0 && rules.containerName === "" && hasNamelessContainer(pod)) {
    return {
      differences,
      deliberate: [...deliberate, "no API server lets a container without a name through"],
    };
  }
  if (codes.length > 0 && anyExitCode && endsWith(pod, expect.exitCode)) {
    const why = "up to 3.3 Spark takes the exit code of the container that is told of first";
    return { differences, deliberate: [...deliberate, why] };
  }
  return { differences: [...differences, ...codes], deliberate };
}

const endsWith = (pod: PodRecord, code: number): boolean =>
  pod.containers.some(
    ({ state }) => state?.kind === "terminated" && (state.exitCode ?? 0) === code,
  );

const hasNamelessContainer = (pod: PodRecord): boolean =>
  pod.containers.some(({ name }) => name === "");

function checkList(
  list: readonly unknown[],
  { expect }: StateCase,
  rules: SparkStateRules,
): Verdict {
  const ours = new Map<string, unknown>();
  const pods = list.map((pod) => decodePod(pod)).filter((pod) => pod !== undefined);
  // If two pods have one executor id, Spark keeps the last of the list; the snapshot keeps both.
  for (const pod of pods) {
    const id = readExecutorId(pod.labels[executorIdLabel]);
    if (id !== undefined) {
      ours.set(String(id), [sparkStateWord(pod, rules), pod.name, pod.resourceVersion]);
    }
  }
  const { size } = replacePods(emptySnapshot, pods).snapshot;
  const differences = size === new Set(pods.map(({ uid }) => uid)).size ? [] : ["a pod was lost"];
  const lost = expect.error ?? (typeof expect.snapshot === "string" ? expect.snapshot : undefined);
  if (lost !== undefined) {
    return { differences, deliberate: [`Spark loses the whole list: ${lost}`] };
  }
  const theirs = Object.entries(expect.snapshot ?? {});
  differences.push(...compare("snapshot", sorted([...ours]), sorted(theirs)));
  return { differences, deliberate: [] };
}

const sorted = (entries: readonly (readonly unknown[])[]): string[] =>
  entries.map((entry) => JSON.stringify(entry)).sort();

function compare(what: string, ours: unknown, theirs: unknown): string[] {
  const [left, right] = [JSON.stringify(ours), JSON.stringify(theirs)];
  return left === right ? [] : [`${what}: ours ${left}, Spark's ${right}`];
}
