import type { Resource } from "../api/objects.ts";
import type { JsonObject, KubeObject } from "../kubeObject.ts";
import { withDefaults } from "../rules/defaults.ts";

/**
 * The kinds of both operators for Spark, so that manifests can be applied, listed and watched. Whoever installs
 * an operator's own definitions replaces these: all that is said here is which fields there must be.
 */
export const sparkDefinitions = (): readonly (readonly [Resource, KubeObject])[] => [
  definition("sparkoperator.k8s.io", "v1beta2", "SparkApplication", "sparkapp", [
    "driver",
    "executor",
    "sparkVersion",
    "type",
  ]),
  definition("sparkoperator.k8s.io", "v1beta2", "ScheduledSparkApplication", "scheduledsparkapp", [
    "schedule",
    "template",
  ]),
  definition("spark.apache.org", "v1", "SparkApplication", "sparkapp", ["runtimeVersions"]),
  definition("spark.apache.org", "v1", "SparkCluster", "sparkcluster", ["runtimeVersions"]),
];

const open: JsonObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

function definition(
  group: string,
  version: string,
  kind: string,
  shortName: string,
  required: readonly string[],
): readonly [Resource, KubeObject] {
  const plural = `${kind.toLowerCase()}s`;
  const object = withDefaults({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, generation: 1 },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, shortNames: [shortName] },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: { spec: { ...open, required }, status: open },
            },
          },
        },
      ],
    },
  });
  return ["customresourcedefinitions.apiextensions.k8s.io", object];
}
