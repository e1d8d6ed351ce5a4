// The parts of a kubeflow object that a submission cannot express.
import { fieldRoles } from "./kubeflowFields.ts";
import type { KubeflowSpec, ManifestMetadata } from "./kubeflowSchema.ts";
import type { Loss } from "./submissionRequest.ts";

export function metadataLosses({
  annotations = {},
  generateName,
  name,
}: ManifestMetadata): readonly Loss[] {
  const own = Object.keys(annotations).filter(
    (annotation) => annotation !== "kubectl.kubernetes.io/last-applied-configuration",
  );
  return [
    ...(own.length === 0
      ? []
      : [
          dropped(
            "metadata.annotations",
            "They belong to the object, and a submission has no object.",
          ),
        ]),
    ...(generateName === undefined || name !== undefined
      ? []
      : [
          changed("metadata.generateName", "Every run gets the same name; Spark adds a unique id."),
        ]),
  ];
}

/** Fields of the operator without an equivalent, with the reasons. */
const operatorFields: readonly (readonly [keyof KubeflowSpec, string])[] = [
  [
    "batchScheduler",
    "spark-submit creates objects only for Volcano, not for other batch schedulers.",
  ],
  [
    "batchSchedulerOptions",
    "spark-submit creates objects only for Volcano, not for other batch schedulers.",
  ],
  ["driverIngressOptions", "Only the operator creates Ingresses."],
  ["driverPodDisruptionBudget", "Only the operator creates disruption budgets."],
  ["failureRetries", "A failed submission is not restarted automatically."],
  [
    "monitoring",
    "Only the operator configures the exporter. Set the metrics keys and the agent yourself.",
  ],
  ["retryInterval", "A failed submission is not restarted automatically."],
  ["sparkConfigMap", "Spark overwrites it with its own configuration directory."],
  ["sparkUIOptions", "Only the operator creates a Service and an Ingress for the UI."],
  ["timeToLiveSeconds", "The driver's pod remains until a user deletes it."],
];

export function specLosses(spec: KubeflowSpec): readonly Loss[] {
  const losses = operatorFields.flatMap(([field, reason]) =>
    spec[field] === undefined || spec[field] === false ? [] : [dropped(`spec.${field}`, reason)],
  );
  const { restartPolicy, suspend, hadoopConfigMap, dynamicAllocation } = spec;
  if ((restartPolicy?.type ?? "Never") !== "Never") {
    losses.push(
      dropped("spec.restartPolicy", "A failed submission is not restarted automatically."),
    );
  }
  if (suspend === true) losses.push(dropped("spec.suspend", "A submission starts immediately."));
  if (hadoopConfigMap !== undefined) {
    losses.push(
      dropped(
        "spec.hadoopConfigMap",
        'Spark mounts it at another path. Set "spark.kubernetes.hadoop.configMapName" if that path is acceptable.',
      ),
    );
  }
  if (dynamicAllocation !== undefined && dynamicAllocation.enabled !== true) {
    if (Object.keys(dynamicAllocation).some((field) => field !== "enabled")) {
      losses.push(
        dropped("spec.dynamicAllocation", "It is disabled, so its other fields have no effect."),
      );
    }
  }
  for (const role of fieldRoles) {
    if (spec[role]?.memoryLimit === undefined) continue;
    losses.push(
      dropped(`spec.${role}.memoryLimit`, "Spark sets the memory limit to the pod's request."),
    );
  }
  return losses;
}

const dropped = (entry: string, reason: string): Loss => ({ kind: "dropped", entry, reason });
const changed = (entry: string, reason: string): Loss => ({ kind: "changed", entry, reason });
