import type { Span } from "../../../base/span.ts";

/** Facts about an application besides its conf; undefined if the document does not contain them. */
export interface ApplicationFacts {
  /** Where what is missing from all of it is told, if it does not name its master. */
  readonly place?: Span;
  /** Where it runs, if that is no matter of settings: an operator's applications. */
  readonly mode?: "cluster" | "client";
  /** Nothing can stand elsewhere, as with a manifest; a conf file alone is never so. */
  readonly isWhole?: boolean;
  /** spark-submit reads the `spark-defaults.conf` of the machine it runs on as well. */
  readonly readsDefaults?: boolean;
  readonly language?: "java" | "python" | "r";
  /** The settings are set by the application's own code. */
  readonly isCode?: boolean;
  readonly mainClass?: string;
  readonly mainResource?: string;
  readonly proxyUser?: string;
  /** Names of the environment of the one who submits. */
  readonly environment?: ReadonlySet<string>;
  /** Programming interfaces that the code is seen to use. */
  readonly uses?: ReadonlySet<"resourceProfiles" | "barrierStages" | "cachedData">;
  readonly driverTemplate?: TemplateFacts;
  readonly executorTemplate?: TemplateFacts;
  /** How much the files of the folder that SPARK_CONF_DIR names hold. */
  readonly confFolderBytes?: number;
  /** The namespace has a quota that asks for limits on CPU. */
  readonly hasCpuLimitQuota?: boolean;
}

/** Parts of a pod template that Spark treats specially. */
export interface TemplateFacts {
  readonly containers: readonly string[];
  /** Fields that Spark writes itself, as `spec.restartPolicy`. */
  readonly overwritten: readonly string[];
  readonly hasLivenessProbe: boolean;
  readonly gracePeriodSeconds: number | undefined;
}
