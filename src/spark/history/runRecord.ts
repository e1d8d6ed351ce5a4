import { fieldsOf, isRecord, itemsOf, numberOf, textOf, type Fields } from "../../base/json.ts";
import type { StageSpan } from "../timeline/stageSpan.ts";
import type { SpentResources, Timeline } from "../timeline/timeline.ts";

/** The last known result of a run. `detached`: the run was still active when it was last seen. */
const runResults = [
  "submitted",
  "succeeded",
  "failed",
  "stopped",
  "notSubmitted",
  "detached",
] as const;
export type RunResult = (typeof runResults)[number];

/** The state of the workspace's Git repository when the run began. */
export interface RunCommit {
  readonly commit: string;
  readonly branch: string | undefined;
  /** True if files in the working tree differed from the commit. */
  readonly isDirty: boolean;
}

/** A run that this workspace submitted or followed. Contains no secrets. */
export interface RunRecord {
  /** The uid of the driver pod. Stored logs are identified by the same uid. */
  readonly id: string;
  /** The name of the profile, the file, or the application. */
  readonly name: string;
  /** The URI of the workspace folder that defines the profile. Undefined for a profile in the workspace file. */
  readonly folder: string | undefined;
  /** False for an application that was only followed. */
  readonly isSubmitted: boolean;
  readonly context: string;
  readonly namespace: string;
  readonly applicationId: string;
  /** The creation time of the driver pod, in epoch milliseconds like `endedAt`. */
  readonly startedAt: number;
  /** Undefined while the run is followed, and if it was detached. */
  readonly endedAt: number | undefined;
  readonly outcome: RunResult;
  readonly exitCode: number | undefined;
  /** The diagnosed cause of the driver's failure, redacted. */
  readonly cause: string | undefined;
  /** The number and size of the sent files; undefined if none were sent. */
  readonly sent: { readonly files: number; readonly bytes: number } | undefined;
  /** Spark properties as pairs of key and value. Secret values are redacted. */
  readonly conf: readonly (readonly [string, string])[];
  readonly application: string | undefined;
  readonly mainClass: string | undefined;
  /** The arguments of the application. Secrets are redacted. */
  readonly args: readonly string[];
  readonly image: string | undefined;
  /** The digest of the image, in the format `sha256:…`. */
  readonly digest: string | undefined;
  readonly git: RunCommit | undefined;
  readonly spent: SpentResources | undefined;
  /** The number of executors that were seen, and of those that failed. */
  readonly executors: { readonly seen: number; readonly failed: number } | undefined;
  /** The definition of the submission without secrets, used to run it again. */
  readonly definition: Fields | undefined;
}

/** A record with its live state, for lists of runs. */
export interface ListedRun extends RunRecord {
  /** True while this window watches the run. */
  readonly isWatched: boolean;
}

/** Decodes a stored record. Undefined if a required field is missing, as another version may have stored the record. */
export function decodeRun(json: unknown): RunRecord | undefined {
  const item = fieldsOf(json);
  const text = (name: string): string | undefined => textOf(item[name]);
  const [id, startedAt] = [text("id"), numberOf(item["startedAt"])];
  const outcome = runResults.find((one) => one === item["outcome"]);
  if (id === undefined || startedAt === undefined || outcome === undefined) return undefined;
  const { sent, git, spent, executors, definition } = item;
  return {
    id,
    name: text("name") ?? "",
    folder: text("folder"),
    isSubmitted: item["isSubmitted"] === true,
    context: text("context") ?? "",
    namespace: text("namespace") ?? "",
    applicationId: text("applicationId") ?? "",
    startedAt,
    endedAt: numberOf(item["endedAt"]),
    outcome,
    exitCode: numberOf(item["exitCode"]),
    cause: text("cause"),
    sent: numbersOf(sent, "files", "bytes"),
    conf: itemsOf(item["conf"]).flatMap((pair) => {
      const [key, value] = itemsOf(pair).map(textOf);
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    }),
    application: text("application"),
    mainClass: text("mainClass"),
    args: itemsOf(item["args"]).flatMap((arg) => textOf(arg) ?? []),
    image: text("image"),
    digest: text("digest"),
    git: commitOf(git),
    spent: numbersOf(spent, "coreMs", "byteMs"),
    executors: numbersOf(executors, "seen", "failed"),
    definition: isRecord(definition) ? definition : undefined,
  };
}

function commitOf(value: unknown): RunCommit | undefined {
  const { commit, branch, isDirty } = fieldsOf(value);
  const known = textOf(commit);
  return known === undefined
    ? undefined
    : { commit: known, branch: textOf(branch), isDirty: isDirty === true };
}

function numbersOf<First extends string, Second extends string>(
  value: unknown,
  first: First,
  second: Second,
): Readonly<Record<First | Second, number>> | undefined {
  const fields = fieldsOf(value);
  const [one, other] = [numberOf(fields[first]), numberOf(fields[second])];
  if (one === undefined || other === undefined) return undefined;
  return { [first]: one, [second]: other } as Readonly<Record<First | Second, number>>;
}

/**
 * Returns the digest `sha256:…` in the image id of a container status (`docker.io/x@sha256:…`, `docker-pullable://…`).
 * Undefined if there is none.
 */
export const imageDigestOf = (imageId: string | undefined): string | undefined =>
  /sha256:[0-9a-f]{64}/.exec(imageId ?? "")?.[0];

/** Decodes a stored timeline. Undefined if a list or `spent` is missing. Does not validate the fields of list items. */
export function decodeTimeline(json: unknown): Timeline | undefined {
  const { folded, changes, marks, samples, stages, spent } = fieldsOf(json);
  const lists = [folded, changes, marks, samples, stages];
  if (!lists.every((list) => Array.isArray(list) && list.every(isRecord))) return undefined;
  const sum = numbersOf(spent, "coreMs", "byteMs");
  return sum && ({ folded, changes, marks, samples, stages, spent: sum } as Timeline);
}

export const stageMs = (stage: StageSpan | undefined): number | undefined =>
  stage?.submittedAt === undefined || stage.endedAt === undefined
    ? undefined
    : Math.max(0, stage.endedAt - stage.submittedAt);
