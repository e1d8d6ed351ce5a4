import type { PodSpec } from "../driver/podSpec.ts";
import type { ConfReading } from "../conf/readConf.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";
import type { ExecutorTraits } from "./executorTraits.ts";

/** The result of the executor's feature steps so far. */
export type ExecutorSpec = PodSpec;

/** The input of all feature steps: conf and environment of the driver. No step changes it. */
export interface ExecutorContext extends ConfReading {
  readonly sparkVersion: string;
  readonly traits: VersionTraits;
  readonly executorTraits: ExecutorTraits;
  readonly applicationId: string;
  readonly executorId: string;
  /** The prefix of pod names if the conf sets none. */
  readonly podNamePrefix: string;
  /** The ConfigMap that the driver creates for its executors. `confFiles`: the names of its files. */
  readonly configMapName: string;
  readonly confFiles: readonly string[];
  /** The local directory if the conf sets none. */
  readonly localDirectory: string;
  /** The text of the pod template. Undefined without a template. */
  readonly template: string | undefined;
}

export type ExecutorStep = (spec: ExecutorSpec, context: ExecutorContext) => ExecutorSpec;
