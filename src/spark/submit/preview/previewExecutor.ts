import type { ResolvedEntry } from "../conf/conf.ts";
import { parseJavaProperties } from "../../conf/parse/properties.ts";
import { isJsonObject, listAt, textAt, type Json, type JsonObject } from "../../../base/json.ts";
import type { Manifest } from "../plan/manifest.ts";
import { resourceNamePrefix } from "../conf/names.ts";
import { minorOf } from "../conf/sparkVersion.ts";
import type { Checked } from "../plan/submissionFinding.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";
import { versionTraits } from "../conf/versionTraits.ts";
import { buildExecutor } from "../executor/buildExecutor.ts";
import { executorTraits } from "../executor/executorTraits.ts";
import { manifestObject, lastContainerOf } from "./podParts.ts";

/** A placeholder for the driver pod's address, which only the cluster knows. */
const unknownIp = "<driver-pod-ip>";
const unknownId = "…";
// A placeholder with the length of Spark's generated part, so that host names are truncated alike. `z` is not a hex
// digit, so no ID contains this text.
const drawn = "z".repeat(16);
const propertiesFile = "spark.properties";
const namespaceItem = "spark.kubernetes.namespace";

/**
 * Returns the pod that the driver will create for an executor if the application does not change the conf. The findings
 * are errors of the driver at run time. `…` replaces generated parts of names.
 */
export function previewExecutor(plan: SubmissionPlan, executorId: string): Checked<Manifest> {
  const minor = minorOf(plan.sparkVersion) ?? "4.3";
  const files = driverFiles(plan);
  const conf = driverConf(plan, files, executorTraits[minor].tellsDriverPodIp);
  const { value: pod, findings } = buildExecutor({
    application: { conf },
    submissionEnvironment: { environment: driverEnvironment(plan) },
    sparkVersion: plan.sparkVersion,
    traits: versionTraits[minor],
    executorTraits: executorTraits[minor],
    applicationId: plan.identity.applicationId,
    executorId,
    podNamePrefix: resourceNamePrefix(conf.get("spark.app.name")?.value ?? "spark", drawn),
    configMapName: `spark-exec-${unknownId}-conf-map`,
    confFiles: Object.keys(files)
      .filter((name) => name !== propertiesFile && name !== namespaceItem)
      .sort(),
    localDirectory: plan.identity.localDirectory,
    template: templateOf(plan),
  });
  const owner = {
    apiVersion: "v1",
    kind: "Pod",
    name: plan.identity.driverPodName,
    uid: unknownId,
    controller: true,
  };
  const ownerReferences = [...(pod.metadata.ownerReferences ?? []), owner];
  const { apiVersion, kind, metadata, ...fields } = pod;
  const value = {
    apiVersion,
    kind,
    metadata: { ...metadata, name: hideDrawn(metadata.name), ownerReferences },
    ...Object.fromEntries(
      Object.keys(fields).map((field) => [field, hideIn(manifestObject(pod, field))] as const),
    ),
  };
  return { value, findings };
}

const hideDrawn = (text: string): string => text.replaceAll(drawn, unknownId);

function hideIn(json: Json): Json {
  if (typeof json === "string") return hideDrawn(json);
  if (isJsonObject(json)) {
    return Object.fromEntries(Object.entries(json).map(([key, each]) => [key, hideIn(each)]));
  }
  return isJsonList(json) ? json.map(hideIn) : json;
}

// `Array.isArray` does not narrow readonly lists.
const isJsonList = (json: Json): json is readonly Json[] => Array.isArray(json);

/** Returns the driver's conf: the submitted conf, and the entries of the image's entry point. */
function driverConf(
  plan: SubmissionPlan,
  files: JsonObject,
  tellsDriverPodIp: boolean,
): ReadonlyMap<string, ResolvedEntry> {
  const added = (value: string): ResolvedEntry => ({ value, origin: { kind: "computed" } });
  return new Map<string, ResolvedEntry>([
    ...parseJavaProperties(textAt(files, propertiesFile) ?? "").map(([key, value]) => {
      const origin = plan.conf.get(key)?.origin ?? ({ kind: "computed" } as const);
      return [key, { value, origin }] as const;
    }),
    ["spark.driver.bindAddress", added(unknownIp)],
    ...(tellsDriverPodIp
      ? [["spark.executorEnv.SPARK_DRIVER_POD_IP", added(unknownIp)] as const]
      : []),
  ]);
}

function driverFiles({ writes, identity }: SubmissionPlan): JsonObject {
  return dataOf(
    writes.find(
      ({ manifest }) =>
        manifest.kind === "ConfigMap" && manifest.metadata.name === identity.configMapName,
    )?.manifest,
  );
}

function templateOf({ writes }: SubmissionPlan): string | undefined {
  return writes
    .map(({ manifest }) => textAt(dataOf(manifest), "podspec-configmap-key"))
    .find((text) => text !== undefined);
}

const dataOf = (manifest: Manifest | undefined): JsonObject =>
  manifest ? manifestObject(manifest, "data") : {};

function driverEnvironment(plan: SubmissionPlan): Readonly<Record<string, string>> {
  const pod = plan.writes.find(({ role }) => role === "driverPod")?.manifest;
  const variables = listAt(pod ? lastContainerOf(pod) : {}, "env").flatMap((variable) => {
    const [name, value] = isJsonObject(variable)
      ? [textAt(variable, "name"), textAt(variable, "value")]
      : [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(variables);
}
