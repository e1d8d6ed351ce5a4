import type { Span } from "../../../base/span.ts";

/**
 * Facts about an application that are not part of its conf. A member is undefined if the document does not contain the
 * fact.
 */
export interface ApplicationFacts {
  /** The place of findings about missing keys, if the conf names no master. */
  readonly place?: Span;
  /** The deploy mode of an operator's manifest. Undefined if the settings decide it. */
  readonly mode?: "cluster" | "client";
  /** True if the document is complete, as a manifest is. A conf file alone never is. */
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
  /** APIs that the code uses. */
  readonly uses?: ReadonlySet<"resourceProfiles" | "barrierStages" | "cachedData">;
  readonly driverTemplate?: TemplateFacts;
  readonly executorTemplate?: TemplateFacts;
}

/** Parts of a pod template that Spark treats specially. */
export interface TemplateFacts {
  readonly containers: readonly string[];
  /** Fields that Spark overwrites, such as `spec.restartPolicy`. */
  readonly overwritten: readonly string[];
  readonly hasLivenessProbe: boolean;
  readonly gracePeriodSeconds: number | undefined;
}
