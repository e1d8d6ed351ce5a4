import type { ConfEntry } from "../conf.ts";
import { parseJavaProperties } from "../javaProperties.ts";
import { isJsonObject, listAt, textAt } from "../json.ts";
import type { Json, JsonObject, Manifest } from "../manifest.ts";
import { resourceNamePrefix } from "../names.ts";
import { minorOf } from "../sparkVersion.ts";
import type { Checked } from "../submissionFinding.ts";
import type { SubmissionPlan } from "../submissionPlan.ts";
import { versionTraits } from "../versionTraits.ts";
import { buildExecutor } from "./buildExecutor.ts";
import { executorTraits } from "./executorTraits.ts";
import { fieldOf, sparkContainerOf } from "./podParts.ts";

/** What only the cluster will know, in a preview. */
export const unknownIp = "<driver-pod-ip>";
const unknownId = "…";
// As long as what Spark draws, so that host names are cut where Spark cuts them; no digit of an id.
const drawn = "z".repeat(16);
const propertiesFile = "spark.properties";
const namespaceItem = "spark.kubernetes.namespace";

/**
 * The pod that the driver will make for an executor if the application itself changes nothing. The
 * findings are what the driver would refuse at run time. Parts of names that the driver draws are `…`.
 */
export function previewExecutor(plan: SubmissionPlan, executorId: string): Checked<Manifest> {
  const minor = minorOf(plan.sparkVersion) ?? "4.3";
  const files = driverFiles(plan);
  const conf = driverConf(plan, files, executorTraits[minor].tellsDriverPodIp);
  const { value: pod, findings } = buildExecutor({
    application: { conf },
    surroundings: { environment: driverEnvironment(plan) },
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
      Object.keys(fields).map((field) => [field, hideIn(fieldOf(pod, field))] as const),
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

// `Array.isArray` alone does not narrow read-only lists.
const isJsonList = (json: Json): json is readonly Json[] => Array.isArray(json);

/** The conf as the driver has it: what it is sent, and what the image's entry point adds. */
function driverConf(
  plan: SubmissionPlan,
  files: JsonObject,
  tellsDriverPodIp: boolean,
): ReadonlyMap<string, ConfEntry> {
  const added = (value: string): ConfEntry => ({ value, origin: { kind: "computed" } });
  return new Map<string, ConfEntry>([
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
  manifest ? fieldOf(manifest, "data") : {};

function driverEnvironment(plan: SubmissionPlan): Readonly<Record<string, string>> {
  const pod = plan.writes.find(({ role }) => role === "driverPod")?.manifest;
  const variables = listAt(pod ? sparkContainerOf(pod) : {}, "env").flatMap((variable) => {
    const [name, value] = isJsonObject(variable)
      ? [textAt(variable, "name"), textAt(variable, "value")]
      : [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(variables);
}
