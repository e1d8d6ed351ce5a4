import type { Span } from "../../../base/span.ts";

/**
 * Properties of an application that rules read in addition to its conf. Undefined if the document does not set them.
 */
export interface ApplicationFacts {
  /**
   * The span of findings about missing keys. Only for documents without `spark.master`, such as an operator's manifest.
   */
  readonly place?: Span;
  /** The deploy mode that an operator's manifest sets. If undefined, `spark.submit.deployMode` applies. */
  readonly mode?: "cluster" | "client";
  /** True if the document is complete, such as a manifest, so that no other file sets missing keys. */
  readonly isWhole?: boolean;
  /** True if spark-submit also reads the `spark-defaults.conf` of the machine it runs on. */
  readonly readsDefaults?: boolean;
  readonly language?: "java" | "python" | "r";
  /** True if the application's own code sets the entries. */
  readonly isCode?: boolean;
  readonly mainClass?: string;
  readonly mainResource?: string;
  readonly proxyUser?: string;
  /** Environment variables of the submitting process. */
  readonly environment?: ReadonlySet<string>;
  /** Spark features that the application's code uses. */
  readonly uses?: ReadonlySet<"resourceProfiles" | "barrierStages" | "cachedData">;
  readonly driverTemplate?: TemplateFacts;
  readonly executorTemplate?: TemplateFacts;
}

/** The properties of a pod template that rules check. */
export interface TemplateFacts {
  readonly containers: readonly string[];
  /** Paths of the template's fields that Spark overwrites, such as `spec.restartPolicy`. */
  readonly overwritten: readonly string[];
  readonly hasLivenessProbe: boolean;
  readonly gracePeriodSeconds: number | undefined;
}
