import { entriesWithPrefix, type ResolvedConf } from "../conf/conf.ts";
import type { Json, JsonObject } from "../../../base/json.ts";
import { readBoolean, readConfText } from "../conf/readConf.ts";
import type { ExecutorContext } from "./executorSpec.ts";
import { replacePreviewPlaceholders } from "../preview/placeholders.ts";
import { shellWords } from "../../shellWords.ts";

interface EnvironmentFacts {
  readonly heap: bigint;
  readonly cores: number;
}

/** Returns the environment variables of an executor's container, in Spark's order. */
export function executorEnvironment(
  context: ExecutorContext,
  { heap, cores }: EnvironmentFacts,
): readonly Json[] {
  const { applicationId, executorId, submissionEnvironment } = context;
  const { SPARK_USER: user } = submissionEnvironment.environment;
  const variables: readonly (readonly [string, string | undefined])[] = [
    ["SPARK_USER", user],
    ["SPARK_DRIVER_URL", driverUrl(context)],
    ["SPARK_EXECUTOR_CORES", `${cores}`],
    ["SPARK_EXECUTOR_MEMORY", `${heap}m`],
    ["SPARK_APPLICATION_ID", applicationId],
    ["SPARK_CONF_DIR", "/opt/spark/conf"],
    ["SPARK_EXECUTOR_ID", executorId],
    ["SPARK_RESOURCE_PROFILE_ID", "0"],
    ...logAttributes(context),
    ...customVariables(context),
    ["_SPARK_AUTH_SECRET", authSecret(context)],
    ["SPARK_CLASSPATH", readConfText(context, "spark.executor.extraClassPath")],
    ...javaOptions(context).map((option, index) => [`SPARK_JAVA_OPT_${index}`, option] as const),
  ];
  return [
    ...variables.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
    fromField("SPARK_EXECUTOR_POD_IP", "status.podIP"),
    fromField("SPARK_EXECUTOR_POD_NAME", "metadata.name"),
  ];
}

function driverUrl(context: ExecutorContext): string {
  const { executorTraits } = context;
  const host = readConfText(context, "spark.driver.host") ?? "";
  const usesIp =
    executorTraits.hasDriverPodIpKey &&
    readBoolean(context, "spark.kubernetes.executor.useDriverPodIP", executorTraits.usesDriverPodIp)
      .value;
  const address = usesIp ? (readConfText(context, "spark.driver.bindAddress") ?? host) : host;
  return `spark://CoarseGrainedScheduler@${address}:${readConfText(context, "spark.driver.port") ?? "0"}`;
}

function logAttributes(context: ExecutorContext): readonly (readonly [string, string])[] {
  const hasUrl = context.application.conf.has("spark.ui.custom.executor.log.url");
  if (!hasUrl || !context.executorTraits.hasLogAttributes) return [];
  return [
    ["SPARK_EXECUTOR_ATTRIBUTE_APP_ID", context.applicationId],
    ["SPARK_EXECUTOR_ATTRIBUTE_EXECUTOR_ID", context.executorId],
  ];
}

function customVariables(context: ExecutorContext): readonly (readonly [string, string])[] {
  return entriesWithPrefix(context.application.conf, "spark.executorEnv.")
    .filter(({ name }) => /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name))
    .map(({ name, value }) => [
      name,
      name === "SPARK_EXECUTOR_DIRS"
        ? value
            .replaceAll("SPARK_APPLICATION_ID", context.applicationId)
            .replaceAll("SPARK_EXECUTOR_ID", context.executorId)
        : value,
    ]);
}

function authSecret(context: ExecutorContext): string | undefined {
  const isOn = readBoolean(context, "spark.authenticate", false).value;
  if (!isOn || context.application.conf.has("spark.authenticate.secret.executor.file")) {
    return undefined;
  }
  // The ellipsis is a placeholder for the secret that the driver generates if none is set.
  return readConfText(context, "spark.authenticate.secret") ?? "…";
}

function javaOptions(context: ExecutorContext): readonly string[] {
  const own = ["spark.executor.defaultJavaOptions", "spark.executor.extraJavaOptions"]
    .flatMap((key) => readConfText(context, key) ?? [])
    .join(" ");
  return [
    ...shellWords(replacePreviewPlaceholders(own, context), "inDoubleQuotes"),
    ...startupConf(context.application.conf, context).map(({ key, value }) => `-D${key}=${value}`),
  ];
}

// Returns the conf entries that an executor needs before it can fetch the rest from the driver.
function startupConf(
  conf: ResolvedConf,
  { executorTraits }: ExecutorContext,
): readonly { readonly key: string; readonly value: string }[] {
  return entriesWithPrefix(conf, "spark.").filter(
    ({ key }) =>
      (key.startsWith("spark.auth") && key !== "spark.authenticate.secret") ||
      key.startsWith("spark.rpc") ||
      key.startsWith("spark.network") ||
      (executorTraits.passesTlsConf && key.startsWith("spark.ssl") && !key.includes("Password")) ||
      key.endsWith(".port") ||
      key.startsWith("spark.port."),
  );
}

const fromField = (name: string, fieldPath: string): JsonObject => ({
  name,
  valueFrom: { fieldRef: { apiVersion: "v1", fieldPath } },
});
