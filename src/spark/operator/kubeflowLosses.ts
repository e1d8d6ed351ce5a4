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
            msg("They belong to the object, and a submission has no object."),
          ),
        ]),
    ...(generateName === undefined || name !== undefined
      ? []
      : [
          changed(
            "metadata.generateName",
            msg("Every run gets the same name; Spark adds a unique id."),
          ),
        ]),
  ];
}

/** Fields of the operator without an equivalent, with the reasons. */
const operatorFields: readonly (readonly [keyof KubeflowSpec, Message])[] = [
  [
    "batchScheduler",
    msg("spark-submit creates objects only for Volcano, not for other batch schedulers."),
  ],
  [
    "batchSchedulerOptions",
    msg("spark-submit creates objects only for Volcano, not for other batch schedulers."),
  ],
  ["driverIngressOptions", msg("Only the operator creates Ingresses.")],
  ["driverPodDisruptionBudget", msg("Only the operator creates disruption budgets.")],
  ["failureRetries", msg("A failed submission is not restarted automatically.")],
  [
    "monitoring",
    msg("Only the operator configures the exporter. Set the metrics keys and the agent yourself."),
  ],
  ["retryInterval", msg("A failed submission is not restarted automatically.")],
  ["sparkConfigMap", msg("Spark overwrites it with its own configuration directory.")],
  ["sparkUIOptions", msg("Only the operator creates a Service and an Ingress for the UI.")],
  ["timeToLiveSeconds", msg("The driver's pod remains until a user deletes it.")],
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
          msg("It is disabled, so its other fields have no effect."),
        ),
      );
    }
  }
  for (const role of fieldRoles) {
    if (spec[role]?.memoryLimit === undefined) continue;
    losses.push(
      dropped(`spec.${role}.memoryLimit`, msg("Spark sets the memory limit to the pod's request.")),
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
