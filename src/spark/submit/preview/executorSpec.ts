import type { PodSpec } from "../podSpec.ts";
import type { ConfReading } from "../readConf.ts";
import type { VersionTraits } from "../versionTraits.ts";
import type { ExecutorTraits } from "./executorTraits.ts";

/** What the steps have made of an executor so far. */
export type ExecutorSpec = PodSpec;

/** What the steps read. The conf is the driver's, and so is the environment. */
export interface ExecutorContext extends ConfReading {
  readonly sparkVersion: string;
  readonly traits: VersionTraits;
  readonly executorTraits: ExecutorTraits;
  readonly applicationId: string;
  readonly executorId: string;
  /** Where the conf gives none. */
  readonly podNamePrefix: string;
  /** The ConfigMap that the driver makes for its executors, and the files in it. */
  readonly configMapName: string;
  readonly confFiles: readonly string[];
  /** A path for scratch space where nothing names one. */
  readonly localDirectory: string;
  /** The text of the pod template, if the driver has one. */
  readonly template: string | undefined;
}

export type ExecutorStep = (spec: ExecutorSpec, context: ExecutorContext) => ExecutorSpec;
