import { msg, type Message } from "../../base/message.ts";

// Maps conf keys to the equivalent fields of `sparkoperator.k8s.io/v1beta2`.

/** The type of a field's value. `positive`: an integer above 0. */
export type FieldForm =
  "text" | "integer" | "positive" | "flag" | "list" | "pythonVersion" | "podName";

export interface FieldKey {
  /** The path of the field, relative to `spec`. */
  readonly path: readonly string[];
  readonly key: string;
  readonly form: FieldForm;
}

/** A map field whose entries correspond to the conf keys with one prefix. */
interface FieldFamily {
  readonly path: readonly string[];
  readonly prefix: string;
}

export type Role = "driver" | "executor";
export const fieldRoles = ["driver", "executor"] as const satisfies readonly Role[];

/** The operator drops this key from `sparkConf`. */
export const podNameKey = "spark.kubernetes.driver.pod.name";

/** Fields that the same keys in `sparkConf` override, because the operator passes `sparkConf` after them. */
export const weakFields: readonly FieldKey[] = [
  field("imagePullPolicy", "spark.kubernetes.container.image.pullPolicy"),
  field("imagePullSecrets", "spark.kubernetes.container.image.pullSecrets", "list"),
  field("pythonVersion", "spark.kubernetes.pyspark.pythonVersion", "pythonVersion"),
  field("memoryOverheadFactor", "spark.kubernetes.memoryOverheadFactor"),
];

/** Fields that override their keys in `sparkConf`. */
export const strongFields: readonly FieldKey[] = [
  field("image", "spark.kubernetes.container.image"),
  field("deps.jars", "spark.jars", "list"),
  field("deps.files", "spark.files", "list"),
  field("deps.pyFiles", "spark.submit.pyFiles", "list"),
  field("deps.archives", "spark.archives", "list"),
  field("deps.packages", "spark.jars.packages", "list"),
  field("deps.excludePackages", "spark.jars.excludes", "list"),
  field("deps.repositories", "spark.jars.repositories", "list"),
  ...fieldRoles.flatMap((role) => [
    field(`${role}.cores`, `spark.${role}.cores`, "positive"),
    field(`${role}.coreRequest`, `spark.kubernetes.${role}.request.cores`),
    field(`${role}.coreLimit`, `spark.kubernetes.${role}.limit.cores`),
    field(`${role}.memory`, `spark.${role}.memory`),
    field(`${role}.memoryOverhead`, `spark.${role}.memoryOverhead`),
    field(`${role}.image`, `spark.kubernetes.${role}.container.image`),
    field(`${role}.serviceAccount`, `spark.kubernetes.authenticate.${role}.serviceAccountName`),
    field(`${role}.javaOptions`, `spark.${role}.extraJavaOptions`),
  ]),
  field("driver.podName", podNameKey, "podName"),
  field("driver.kubernetesMaster", "spark.kubernetes.driver.master"),
  field("executor.instances", "spark.executor.instances", "positive"),
  field("executor.deleteOnTermination", "spark.kubernetes.executor.deleteOnTermination", "flag"),
];

export const fieldFamilies: readonly FieldFamily[] = [
  family("hadoopConf", "spark.hadoop."),
  family("nodeSelector", "spark.kubernetes.node.selector."),
  ...fieldRoles.flatMap((role) => [
    family(`${role}.labels`, `spark.kubernetes.${role}.label.`),
    family(`${role}.annotations`, `spark.kubernetes.${role}.annotation.`),
  ]),
  family("driver.envVars", "spark.kubernetes.driverEnv."),
  family("executor.envVars", "spark.executorEnv."),
  family("driver.serviceLabels", "spark.kubernetes.driver.service.label."),
  family("driver.serviceAnnotations", "spark.kubernetes.driver.service.annotation."),
];

/** The key prefix of a role's environment variables. */
export const variablePrefix: Readonly<Record<Role, string>> = {
  driver: "spark.kubernetes.driverEnv.",
  executor: "spark.executorEnv.",
};

/** Fields of `dynamicAllocation`, which have no effect while it is disabled. */
export const allocationFields: readonly FieldKey[] = [
  field(
    "dynamicAllocation.initialExecutors",
    "spark.dynamicAllocation.initialExecutors",
    "integer",
  ),
  field("dynamicAllocation.minExecutors", "spark.dynamicAllocation.minExecutors", "integer"),
  field("dynamicAllocation.maxExecutors", "spark.dynamicAllocation.maxExecutors", "integer"),
  field(
    "dynamicAllocation.shuffleTrackingEnabled",
    "spark.dynamicAllocation.shuffleTracking.enabled",
    "flag",
  ),
  // The field is in milliseconds, like a conf value without a unit.
  field(
    "dynamicAllocation.shuffleTrackingTimeout",
    "spark.dynamicAllocation.shuffleTracking.timeout",
    "integer",
  ),
];

/** Keys that the operator's webhook rejects in `sparkConf`, with the alternative. */
export const refusedKeys: ReadonlyMap<string, Message> = new Map([
  ["spark.master", msg("The application runs in the operator's cluster.")],
  ["spark.kubernetes.driver.master", msg('Set "driver.kubernetesMaster".')],
  ["spark.kubernetes.container.image", msg('Set "image".')],
  ...fieldRoles.flatMap((role) => [
    [`spark.kubernetes.${role}.container.image`, msg`Set "${role}.image".`] as const,
    [
      `spark.kubernetes.authenticate.${role}.serviceAccountName`,
      msg`Set "${role}.serviceAccount".`,
    ] as const,
  ]),
  ...["", "driver.", "executor."].flatMap((role) =>
    ["oauthToken", "oauthTokenFile"].map(
      (name) =>
        [
          `spark.kubernetes.authenticate.${role}${name}`,
          msg("The operator uses its own credentials."),
        ] as const,
    ),
  ),
]);

function field(path: string, key: string, form: FieldForm = "text"): FieldKey {
  return { path: path.split("."), key, form };
}

function family(path: string, prefix: string): FieldFamily {
  return { path: path.split("."), prefix };
}
