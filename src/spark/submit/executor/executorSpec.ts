import type { PodSpec } from "../driver/podSpec.ts";
import type { ConfReading } from "../conf/readConf.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";
import type { ExecutorTraits } from "./executorTraits.ts";

/** The result of the executor's feature steps so far. */
export type ExecutorSpec = PodSpec;

/** The constant input of the steps: conf and environment of the driver. */
export interface ExecutorContext extends ConfReading {
  readonly sparkVersion: string;
  readonly traits: VersionTraits;
  readonly executorTraits: ExecutorTraits;
  readonly applicationId: string;
  readonly executorId: string;
  /** Used if the conf has no prefix. */
  readonly podNamePrefix: string;
  /** The ConfigMap that the driver creates for its executors, and the names of its files. */
  readonly configMapName: string;
  readonly confFiles: readonly string[];
  /** Scratch space, used if no directory is set. */
  readonly localDirectory: string;
  /** The text of the pod template; undefined without one. */
  readonly template: string | undefined;
}

export type ExecutorStep = (spec: ExecutorSpec, context: ExecutorContext) => ExecutorSpec;
