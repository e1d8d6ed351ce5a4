import type { ApacheSpec } from "./apacheSchema.ts";
import type { KubeflowSpec, ManifestMetadata, ScheduledSpec } from "./kubeflowSchema.ts";

export const kubeflowVersion = "sparkoperator.k8s.io/v1beta2";
export const apacheVersion = "spark.apache.org/v1";

export type OperatorManifest = KubeflowApplication | ScheduledApplication | ApacheApplication;

export type KubeflowApplication = {
  readonly apiVersion: typeof kubeflowVersion;
  readonly kind: "SparkApplication";
  readonly metadata: ManifestMetadata;
  readonly spec: KubeflowSpec;
};

export type ScheduledApplication = {
  readonly apiVersion: typeof kubeflowVersion;
  readonly kind: "ScheduledSparkApplication";
  readonly metadata: ManifestMetadata;
  readonly spec: ScheduledSpec;
};

export type ApacheApplication = {
  readonly apiVersion: typeof apacheVersion;
  readonly kind: "SparkApplication";
  readonly metadata: ManifestMetadata;
  readonly spec: ApacheSpec;
};

export const applicationOf = (
  metadata: ManifestMetadata,
  spec: KubeflowSpec,
): KubeflowApplication => ({
  apiVersion: kubeflowVersion,
  kind: "SparkApplication",
  metadata,
  spec,
});
