import type { StoredResource } from "../api/objects.ts";
import type { JsonMembers, KubeObject } from "../kubeObject.ts";
import { withSchemaDefaults } from "../rules/defaults.ts";

/**
 * Returns CustomResourceDefinitions for the kinds of both Spark operators, so that their objects can be applied, listed
 * and watched. Their schemas declare only the required fields. Clients may overwrite them with those of an operator.
 */
export const sparkDefinitions = (): readonly (readonly [StoredResource, KubeObject])[] => [
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

const open: JsonMembers = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

function definition(
  group: string,
  version: string,
  kind: string,
  shortName: string,
  required: readonly string[],
): readonly [StoredResource, KubeObject] {
  const plural = `${kind.toLowerCase()}s`;
  const object = withSchemaDefaults({
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
