// What a kubeflow object says and a submission cannot.
import { roles } from "./kubeflowFields.ts";
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
      : [dropped("metadata.annotations", "They belong to the object, which does not exist then.")]),
    ...(generateName === undefined || name !== undefined
      ? []
      : [
          changed(
            "metadata.generateName",
            "Every run gets the same name; Spark adds an id of its own.",
          ),
        ]),
  ];
}

/** Fields that only the operator knows, and why nothing stands for them. */
const operatorFields: readonly (readonly [keyof KubeflowSpec, string])[] = [
  ["batchScheduler", "spark-submit makes no objects for a batch scheduler but Volcano's."],
  ["batchSchedulerOptions", "spark-submit makes no objects for a batch scheduler but Volcano's."],
  ["driverIngressOptions", "Only the operator makes Ingresses."],
  ["driverPodDisruptionBudget", "Only the operator makes disruption budgets."],
  ["failureRetries", "Nothing starts the application again when it has failed."],
  [
    "monitoring",
    "Only the operator sets up the exporter. Set the metrics keys and the agent yourself.",
  ],
  ["retryInterval", "Nothing starts the application again when it has failed."],
  ["sparkConfigMap", "Spark writes its own configuration directory over it."],
  ["sparkUIOptions", "Only the operator makes a Service and an Ingress for the UI."],
  ["timeToLiveSeconds", "The driver's pod stays until somebody deletes it."],
];

export function specLosses(spec: KubeflowSpec): readonly Loss[] {
  const losses = operatorFields.flatMap(([field, reason]) =>
    spec[field] === undefined || spec[field] === false ? [] : [dropped(`spec.${field}`, reason)],
  );
  const { restartPolicy, suspend, hadoopConfigMap, dynamicAllocation } = spec;
  if ((restartPolicy?.type ?? "Never") !== "Never") {
    losses.push(
      dropped("spec.restartPolicy", "Nothing starts the application again when it has failed."),
    );
  }
  if (suspend === true) losses.push(dropped("spec.suspend", "A submission starts at once."));
  if (hadoopConfigMap !== undefined) {
    losses.push(
      dropped(
        "spec.hadoopConfigMap",
        'Spark mounts it at another path. Set "spark.kubernetes.hadoop.configMapName" if that will do.',
      ),
    );
  }
  if (dynamicAllocation !== undefined && dynamicAllocation.enabled !== true) {
    if (Object.keys(dynamicAllocation).some((field) => field !== "enabled")) {
      losses.push(
        dropped("spec.dynamicAllocation", "It is not enabled, so the rest says nothing."),
      );
    }
  }
  for (const role of roles) {
    if (spec[role]?.memoryLimit === undefined) continue;
    losses.push(
      dropped(
        `spec.${role}.memoryLimit`,
        "Spark sets the limit of the memory to what the pod requests.",
      ),
    );
  }
  return losses;
}

const dropped = (entry: string, reason: string): Loss => ({ kind: "dropped", entry, reason });
const changed = (entry: string, reason: string): Loss => ({ kind: "changed", entry, reason });
