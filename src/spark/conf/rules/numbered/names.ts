import { msg } from "../../../../base/message.ts";
import type { ConfEntry } from "../../parse/confDocument.ts";
import { isDnsName, isLabelKey, isLabelValue } from "../../../kubernetesNames.ts";
import { at, podRoles } from "./violations.ts";
import type { RuleConf } from "./conf.ts";
import type { Violation, ConfRule } from "./confRule.ts";

const ofDriver = ["spark-app-selector", "spark-role", "spark-version", "spark-app-name"];
const ofExecutor = [...ofDriver, "spark-exec-id", "spark-exec-resourceprofile-id"];
const reserved = (conf: RuleConf, role: string, labels: readonly string[]): Iterable<Violation> => {
  const prefix = `spark.kubernetes.${role}.label.`;
  return labels.flatMap((label) => [...at(conf, prefix + label, { part: "key" })]);
};

const labelKinds = ["label", "annotation", "node.selector"];
const labelPrefixes = [
  ...podRoles.flatMap((role) => labelKinds.map((kind) => `spark.kubernetes.${role}.${kind}.`)),
  "spark.kubernetes.driver.service.label.",
  "spark.kubernetes.driver.service.annotation.",
  "spark.kubernetes.node.selector.",
];

function* labelsOf(
  conf: RuleConf,
): Generator<{ entry: ConfEntry; name: string; hasValue: boolean }> {
  for (const prefix of labelPrefixes) {
    const hasValue = !prefix.includes("annotation");
    for (const entry of conf.group(prefix)) {
      yield { entry, name: entry.key.slice(prefix.length), hasValue };
    }
  }
}

const prefixKey = "spark.kubernetes.executor.podNamePrefix";
const driverNameKey = "spark.kubernetes.driver.pod.name";
const isTooEarly = (value: string): boolean => /\{\{(?:APP_ID|EXECUTOR_ID)\}\}/.test(value);

/** Rules about labels, annotations and pod names. */
export const nameRules: readonly ConfRule[] = [
  {
    code: "R008-reserved-driver-label",
    severity: "error",
    says: msg("This label is reserved: Spark sets it itself and rejects the submission."),
    page: msg(
      "Spark sets the labels `spark-app-selector`, `spark-role`, `spark-version` and `spark-app-name` of the driver pod. Choose another name.",
    ),
    hit: "spark.kubernetes.driver.label.spark-role main",
    miss: "spark.kubernetes.driver.label.role main",
    check: (conf) => reserved(conf, "driver", ofDriver),
  },
  {
    code: "R009-reserved-executor-label",
    severity: "error",
    says: msg("This label is reserved: the driver fails when it creates the first executor pod."),
    page: msg(
      "In addition to the labels that it sets on the driver pod, Spark sets `spark-exec-id` and `spark-exec-resourceprofile-id` on executor pods. Choose another name.",
    ),
    hit: "spark.kubernetes.executor.label.spark-exec-id 1",
    miss: "spark.kubernetes.executor.label.exec-id 1",
    check: (conf) => reserved(conf, "executor", ofExecutor),
  },
  {
    code: "R010-blinding-label",
    severity: "error",
    says: msg("The driver ignores pods with this label and would keep creating executors."),
    page: msg(
      "Spark labels inactive executors with `spark-exec-inactive=true` and skips these pods when it looks for its executors. Remove the property.",
    ),
    hit: "spark.kubernetes.executor.label.spark-exec-inactive true",
    miss: "spark.kubernetes.executor.label.spark-exec-inactive false",
    *check(conf) {
      const key = "spark.kubernetes.executor.label.spark-exec-inactive";
      if (conf.text(key) === "true") yield* at(conf, key);
    },
  },
  {
    code: "R011-label-syntax",
    severity: "error",
    says: msg("Kubernetes rejects this name or value of a label, annotation or node selector."),
    page: msg(
      "A name has at most 63 letters, digits, `-`, `_` and `.`, and begins and ends with a letter or digit. A prefix of a DNS name and a slash is optional. Values of labels and node selectors follow the same rules or are empty. Annotation values are not restricted.",
    ),
    hit: "spark.kubernetes.driver.label.team data engineering",
    miss: "spark.kubernetes.driver.annotation.team data engineering",
    *check(conf) {
      for (const { entry, name, hasValue } of labelsOf(conf)) {
        if (/[{}$<>]/.test(name) || name === "") continue;
        // Kubernetes accepts upper case before the slash in annotations only.
        if (!isLabelKey(hasValue ? name : name.toLowerCase())) {
          yield {
            at: entry,
            part: "key",
            says: msg`Kubernetes rejects the name "${name}" here.`,
          };
        } else if (hasValue && !isLabelValue(entry.value) && conf.text(entry.key) === entry.value) {
          const says = msg`Kubernetes rejects this value of "${name}": use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends.`;
          yield { at: entry, says };
        }
      }
    },
  },
  {
    code: "R012-placeholder-in-label",
    severity: "error",
    to: "3.5",
    says: msg("This version of Spark does not replace {{APP_ID}} or {{EXECUTOR_ID}} in a label."),
    page: msg(
      "Spark 4.0 and later replace these placeholders in label values. Before Spark 4.0, they work only in annotations and volumes, and the API server rejects the braces.",
    ),
    hit: "spark.kubernetes.executor.label.run {{APP_ID}}",
    miss: "spark.kubernetes.executor.annotation.run {{APP_ID}}",
    *check(conf) {
      for (const { entry, hasValue } of labelsOf(conf)) {
        if (hasValue && isTooEarly(entry.value)) yield { at: entry };
      }
    },
  },
  {
    code: "R015-fixed-name",
    severity: "warning",
    says: msg(
      "With a fixed name, only one run can exist at a time: the next run conflicts with the existing pods.",
    ),
    page: msg(
      "Two runs with the same `spark.kubernetes.driver.pod.name` or `spark.kubernetes.executor.podNamePrefix` create pods with the same names, and the API server rejects the second run, even if the first driver pod has finished. In a file that several runs share, do not set these properties, or make the value unique for each run.",
    ),
    hit: "spark.submit.deployMode cluster\nspark.kubernetes.driver.pod.name etl-driver",
    miss: "spark.submit.deployMode cluster\nspark.kubernetes.driver.pod.name etl-${RUN_ID}-driver",
    *check(conf) {
      // A command line may create the name for this run, and in client mode the pod already exists.
      if (conf.application.isWhole === true || conf.mode !== "cluster") return;
      for (const key of [driverNameKey, prefixKey]) {
        if (conf.text(key) !== undefined) yield* at(conf, key, { severity: "information" });
      }
    },
  },
  {
    code: "R016-driver-pod-name",
    severity: "error",
    says: msg(
      "A pod name must be a DNS name of at most 253 characters: lowercase letters, digits, '-' and '.'.",
    ),
    page: msg("The API server rejects a driver pod with any other name."),
    hit: "spark.kubernetes.driver.pod.name ETL_Driver",
    miss: "spark.kubernetes.driver.pod.name etl-driver",
    *check(conf) {
      const name = conf.text(driverNameKey);
      if (name !== undefined && !isDnsName(name)) yield* at(conf, driverNameKey);
    },
  },
  {
    code: "R017-long-service-name",
    severity: "information",
    where: "cluster",
    says: msg("With a name of this length, the driver service gets a random name."),
    page: msg(
      "The service is named `<prefix>-driver-svc`. If that name is longer than 63 characters, Spark generates a random one, and you can find the service only by its label. Use a shorter application name.",
    ),
    hit: "spark.app.name a-very-long-name-of-an-application-that-does-one-thing-only",
    miss: "spark.app.name etl",
    *check(conf) {
      const prefix = conf.text("spark.kubernetes.driver.resourceNamePrefix");
      // Spark appends a dash and an id of 16 hexadecimal digits to the application's name.
      const length = prefix?.length ?? (conf.text("spark.app.name")?.length ?? 0) + 17;
      const key =
        prefix === undefined ? "spark.app.name" : "spark.kubernetes.driver.resourceNamePrefix";
      if (length + "-driver-svc".length > 63) yield* at(conf, key);
    },
  },
  {
    code: "R018-own-application-id",
    severity: "information",
    where: "cluster",
    says: msg("In cluster mode on Kubernetes, spark-submit generates the application ID."),
    page: msg("The submission replaces `spark.app.id`, so the property has no effect. Remove it."),
    hit: "spark.app.id etl-1",
    miss: "spark.app.name etl-1",
    check: (conf) => at(conf, "spark.app.id", { part: "key" }),
  },
];
