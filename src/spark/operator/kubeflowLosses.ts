// Finds the parts of a kubeflow object that a submission request cannot express.
import { msg, type Message } from "../../base/message.ts";
import { fieldRoles } from "./kubeflowFields.ts";
import type { KubeflowSpec, ManifestMetadata } from "./kubeflowSchema.ts";
import type { ConversionLoss } from "./submissionRequest.ts";

export function metadataLosses({
  annotations = {},
  generateName,
  name,
}: ManifestMetadata): readonly ConversionLoss[] {
  const own = Object.keys(annotations).filter(
    (annotation) => annotation !== "kubectl.kubernetes.io/last-applied-configuration",
  );
  return [
    ...(own.length === 0
      ? []
      : [
          dropped(
            "metadata.annotations",
            msg("A submission has no object that could have annotations."),
          ),
        ]),
    ...(generateName === undefined || name !== undefined
      ? []
      : [
          changed(
            "metadata.generateName",
            msg("Every run has the same name. Spark adds a unique ID."),
          ),
        ]),
  ];
}

/** Fields of the spec that have no equivalent in a submission, each with the reason. */
const operatorFields: readonly (readonly [keyof KubeflowSpec, Message])[] = [
  [
    "batchScheduler",
    msg(
      "Only the operator reads this field. spark-submit creates scheduler objects only for Volcano.",
    ),
  ],
  [
    "batchSchedulerOptions",
    msg(
      "Only the operator reads this field. spark-submit creates scheduler objects only for Volcano.",
    ),
  ],
  ["driverIngressOptions", msg("Only the operator creates Ingresses.")],
  ["driverPodDisruptionBudget", msg("Only the operator creates PodDisruptionBudgets.")],
  ["failureRetries", msg("A failed submission is not restarted automatically.")],
  [
    "monitoring",
    msg(
      "Only the operator configures the metrics exporter. Set the metrics properties and the Java agent yourself.",
    ),
  ],
  ["retryInterval", msg("A failed submission is not restarted automatically.")],
  ["sparkConfigMap", msg("Spark uses its own configuration directory instead.")],
  ["sparkUIOptions", msg("Only the operator creates a Service and an Ingress for the UI.")],
  ["timeToLiveSeconds", msg("The driver pod remains until it is deleted.")],
];

export function specLosses(spec: KubeflowSpec): readonly ConversionLoss[] {
  const losses = operatorFields.flatMap(([field, reason]) =>
    spec[field] === undefined || spec[field] === false ? [] : [dropped(`spec.${field}`, reason)],
  );
  const { restartPolicy, suspend, hadoopConfigMap, dynamicAllocation } = spec;
  if ((restartPolicy?.type ?? "Never") !== "Never") {
    losses.push(
      dropped("spec.restartPolicy", msg("A failed submission is not restarted automatically.")),
    );
  }
  if (suspend === true)
    losses.push(dropped("spec.suspend", msg("A submission starts immediately.")));
  if (hadoopConfigMap !== undefined) {
    losses.push(
      dropped(
        "spec.hadoopConfigMap",
        msg(
          'Spark mounts it at another path. Set "spark.kubernetes.hadoop.configMapName" if that path is acceptable.',
        ),
      ),
    );
  }
  if (dynamicAllocation !== undefined && dynamicAllocation.enabled !== true) {
    if (Object.keys(dynamicAllocation).some((field) => field !== "enabled")) {
      losses.push(
        dropped(
          "spec.dynamicAllocation",
          msg("Dynamic allocation is disabled, so its other fields have no effect."),
        ),
      );
    }
  }
  for (const role of fieldRoles) {
    if (spec[role]?.memoryLimit === undefined) continue;
    losses.push(
      dropped(
        `spec.${role}.memoryLimit`,
        msg("Spark sets the memory limit to the memory request."),
      ),
    );
  }
  return losses;
}

const dropped = (entry: string, reason: Message): ConversionLoss => ({
  kind: "dropped",
  entry,
  reason,
});
const changed = (entry: string, reason: Message): ConversionLoss => ({
  kind: "changed",
  entry,
  reason,
});
