import type { Diagnosis } from "../diagnosis/diagnosis.ts";
import type { LogCauseKind } from "../diagnosis/logCauseKinds.ts";

/** Ids of the rules that have a fix. */
const rules = [
  "D01",
  "D02",
  "D03",
  "D04",
  "D104",
  "D05",
  "D08",
  "D10",
  "D19",
  "D22",
  "D25",
  "D26",
  "D27",
  "D29",
  "D32",
  "D38",
  "D39",
  "D42",
  "D43",
  "D47",
  "D49",
  "D54",
  "D55",
  "D57",
  "D58",
  "D59",
  "D60",
  "D62",
  "D63",
  "D70",
  "D72",
  "D74",
  "D78",
  "D101",
  "D107",
  "D114",
] as const;

/** Kinds of log causes that have a fix. */
const kinds = [
  "architecture",
  "entrypoint",
  "apiServer",
  "heap",
  "taskHeap",
  "ivyHome",
  "pythonModule",
  "pythonWorker",
  "pythonMemory",
  "pythonProgram",
  "mainClass",
  "minimumMemory",
  "heartbeat",
  "taskCores",
  "offeredSetting",
  "confValue",
  "ansi",
  "executorLost",
  "forbidden",
  "quota",
  "limitRange",
  "file",
  "shuffleService",
  "shuffleTracking",
  "fileSystem",
  "resultSize",
  "broadcastTimeout",
  "broadcastSize",
  "fetchFailed",
  "diskFull",
  "driverService",
  "pythonVersion",
  "scalaVersion",
] as const satisfies readonly LogCauseKind[];

export type FixableRule = (typeof rules)[number];
export type FixableKind = (typeof kinds)[number];

export const isFixableRule = (id: string): id is FixableRule => rules.some((rule) => rule === id);

export const isFixableKind = (kind: LogCauseKind | undefined): kind is FixableKind =>
  kinds.some((each) => each === kind);

/** Returns the first key without a `*`, which can be opened in a file. Undefined if there is none. */
export const keyToOpen = (keys: Diagnosis["keys"]): string | undefined =>
  keys.find((key) => !key.includes("*"));

/**
 * Returns false if a diagnosis has no fix, or if its only fix removes a key that few runs set. True does not guarantee
 * a fix, because the conf of the run is unknown here.
 */
export const mayHaveFix = ({ id, logKind, keys }: Diagnosis): boolean =>
  keyToOpen(keys) !== undefined ||
  (logKind === undefined ? isFixableRule(id) : isFixableKind(logKind));
