import type { Memento } from "vscode";
import { isRecord } from "../../base/json.ts";
import { storedMembers } from "../stored.ts";
import type { ProfileName } from "./profileName.ts";
import type { RunOutcome } from "./runOutcome.ts";

/** A submitted run of a profile or a file, for comparison. Contains no secrets. */
export interface RecentRun {
  readonly applicationId: string;
  readonly namespace: string;
  /** The uid of the driver pod, which saved logs have, too. */
  readonly driver: string;
  /** When the driver pod was created. Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Undefined while the run is followed, and if it was detached. */
  readonly endedAt: number | undefined;
  readonly outcome: RunOutcome;
  readonly exitCode: number | undefined;
  /** The number and size of the sent files; undefined if none were sent. */
  readonly sent: { readonly files: number; readonly bytes: number } | undefined;
  /** Redacted, by key. */
  readonly conf: readonly (readonly [string, string])[];
}

const memoryKey = "profiles.recentRuns";
const runsKept = 5;
const profilesKept = 20;

/** The last runs of a profile, newest first. */
export const recentRuns = (memory: Memento, profile: ProfileName): readonly RecentRun[] =>
  runsIn(storedMembers(memory, memoryKey).get(keyOf(profile)));

/** Stores a run, or replaces it by a later state of it. */
export async function rememberRecent(
  memory: Memento,
  profile: ProfileName,
  run: RecentRun,
): Promise<void> {
  const key = keyOf(profile);
  const stored = [...storedMembers(memory, memoryKey)];
  const runs = runsIn(new Map(stored).get(key));
  const isKnown = runs.some(({ driver }) => driver === run.driver);
  const now = isKnown
    ? runs.map((each) => (each.driver === run.driver ? run : each))
    : [run, ...runs].slice(0, runsKept);
  const others = stored.filter(([each]) => each !== key).slice(1 - profilesKept);
  await memory.update(memoryKey, Object.fromEntries([...others, [key, now]]));
}

const keyOf = ({ name, folder }: ProfileName): string => `${folder?.toString() ?? ""} ${name}`;

const runsIn = (stored: unknown): readonly RecentRun[] =>
  Array.isArray(stored) ? stored.filter(isRun) : [];

const isRun = (value: unknown): value is RecentRun =>
  isRecord(value) &&
  ["applicationId", "namespace", "driver", "outcome"].every(
    (name) => typeof value[name] === "string",
  ) &&
  typeof value["startedAt"] === "number" &&
  Array.isArray(value["conf"]);
