import type { Node } from "../submit/preflight/checkNodes.ts";
import type { NeededRight } from "../submit/preflight/neededRights.ts";

/** The result of a read. `forbidden`: the user lacks a permission. `failed`: no valid response was received. */
export type Read<T> =
  | { readonly kind: "known"; readonly value: T }
  | { readonly kind: "forbidden"; readonly verb: string; readonly resource: string }
  | { readonly kind: "failed"; readonly detail: string };

export interface StorageClassFacts {
  readonly name: string;
  readonly isDefault: boolean;
  /** `volumeBindingMode: WaitForFirstConsumer`. */
  readonly waitsForPod: boolean;
  readonly canExpand: boolean;
}

export interface WebhookFacts {
  /** The name of the webhook configuration. */
  readonly name: string;
  /** True if the API server rejects an object when the webhook does not respond. */
  readonly rejectsAlone: boolean;
  /** True if each client configuration of the webhook has a `caBundle`. */
  readonly hasAuthority: boolean;
  /**
   * The number of ready pods behind the webhook's Service. Undefined if the webhook has no Service or belongs to no
   * Spark operator, or if the pods cannot be read.
   */
  readonly readyPods: number | undefined;
}

/** The state of the cluster as far as it affects Spark in one namespace. Input of the cluster report. */
export interface ClusterFacts {
  readonly context: string;
  readonly namespace: string;
  readonly nodes: Read<readonly Node[]>;
  /** The distinct versions of the kubelets. */
  readonly versions: readonly string[];
  /** For each kind, whether the API server serves it. */
  readonly served: Readonly<Record<ServedKind, Read<boolean>>>;
  /** The version of the API server. */
  readonly server: Read<string>;
  /** The served versions of the API group of each operator, the preferred one first. */
  readonly groups: Readonly<Record<OperatorKind, Read<readonly string[]>>>;
  readonly webhooks: Read<readonly WebhookFacts[]>;
  readonly accounts: Read<readonly string[]>;
  /** The driver permissions that each service account lacks. Accounts that could not be reviewed are absent. */
  readonly lacking: ReadonlyMap<string, readonly NeededRight[]>;
  readonly storageClasses: Read<readonly StorageClassFacts[]>;
}

/** Kinds that the API serves only if a component is installed, such as an operator. */
export const servedKinds = {
  kubeflow: { apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication" },
  apache: { apiVersion: "spark.apache.org/v1", kind: "SparkApplication" },
  volcano: { apiVersion: "scheduling.volcano.sh/v1beta1", kind: "PodGroup" },
  prometheus: { apiVersion: "monitoring.coreos.com/v1", kind: "PodMonitor" },
  metrics: { apiVersion: "metrics.k8s.io/v1beta1", kind: "PodMetrics" },
} as const;

/**
 * True for a webhook configuration of a Spark operator. Its name begins with the name of the Helm release, which
 * usually contains `spark`.
 */
export const isOfSparkOperator = (configuration: string): boolean =>
  configuration.includes("spark");

export const operatorGroups = {
  kubeflow: "sparkoperator.k8s.io",
  apache: "spark.apache.org",
} as const;

export type OperatorKind = keyof typeof operatorGroups;

export type ServedKind = keyof typeof servedKinds;
