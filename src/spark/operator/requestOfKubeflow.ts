import { msg } from "../../base/message.ts";
import { withoutEnd } from "../../base/withoutEnd.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { readField, valueAt } from "./fieldValue.ts";
import {
  allocationFields,
  fieldFamilies,
  podNameKey,
  fieldRoles,
  strongFields,
  variablePrefix,
  weakFields,
  type Role,
} from "./kubeflowFields.ts";
import { metadataLosses, specLosses } from "./kubeflowLosses.ts";
import { podPartsOf } from "./kubeflowPods.ts";
import type { KubeflowSpec, ManifestMetadata } from "./kubeflowSchema.ts";
import {
  applicationOf,
  type KubeflowApplication,
  type ScheduledApplication,
} from "./operatorManifest.ts";
import {
  appNameKey,
  deployModeKey,
  namespaceKey,
  type ConversionLoss,
  type SubmissionRequest,
  type Translated,
} from "./submissionRequest.ts";

/** Returns the request that the operator submits for the object. */
export function requestOfKubeflow({
  metadata,
  spec,
}: KubeflowApplication): Translated<SubmissionRequest> {
  const pods = fieldRoles.map((role) => [role, podPartsOf(spec, role)] as const);
  const conf = new Map<string, string>([
    ...fieldEntries(spec, weakFields),
    ...Object.entries(spec.sparkConf ?? {}).filter(([key]) => key !== podNameKey),
    ...fieldEntries(spec, strongFields),
    ...labelEntries(metadata),
    ...familyEntries(spec),
    ...fieldRoles.flatMap((role) => secretEntries(spec, role)),
    ...pods.flatMap(([, { conf: entries }]) => [...entries]),
    ...allocationEntries(spec),
    ...identityEntries(metadata, spec),
  ]);
  addInstances(spec, conf);
  return {
    value: {
      sparkVersion: spec.sparkVersion,
      resource: spec.mainApplicationFile,
      mainClass: spec.mainClass,
      arguments: spec.arguments ?? [],
      proxyUser: spec.proxyUser === "" ? undefined : spec.proxyUser,
      conf,
      propertiesFile: undefined,
      extraPropertiesFiles: [],
      loadsDefaults: false,
      idle: [],
      templates: Object.fromEntries(
        pods.flatMap(([role, { template }]) => (template ? [[role, template]] : [])),
      ),
    },
    losses: [...metadataLosses(metadata), ...specLosses(spec)],
  };
}

/** Returns the request of the application that a schedule starts. */
export function requestOfScheduled({
  metadata,
  spec,
}: ScheduledApplication): Translated<SubmissionRequest> {
  const { template = {}, ...schedule } = spec;
  const { value, losses } = requestOfKubeflow(applicationOf(metadata, template));
  const scheduleLosses = Object.keys(schedule).map((field): ConversionLoss => ({
    kind: "dropped",
    entry: `spec.${field}`,
    reason: msg("A submission starts a single run and cannot have a schedule."),
  }));
  return { value, losses: [...scheduleLosses, ...losses] };
}

type Entry = readonly [key: string, value: string];

function fieldEntries(spec: JsonObject, fields: typeof strongFields): readonly Entry[] {
  return fields.flatMap(({ path, key }) => {
    const text = readField(spec, path);
    return text === undefined ? [] : [[key, text] as const];
  });
}

// Omits Kueue's labels, which apply to the object only.
const labelEntries = ({ labels = {} }: ManifestMetadata): readonly Entry[] =>
  fieldRoles.flatMap((role) =>
    Object.entries(labels)
      .filter(([label]) => !label.startsWith("kueue.x-k8s.io/"))
      .map(([label, value]) => [`spark.kubernetes.${role}.label.${label}`, value] as const),
  );

const familyEntries = (spec: JsonObject): readonly Entry[] =>
  fieldFamilies.flatMap(({ path, prefix }) => {
    const map = valueAt(spec, path);
    if (!isJsonObject(map)) return [];
    return Object.entries(map).flatMap(([name, value]) =>
      typeof value === "string" ? [[`${prefix}${name}`, value] as const] : [],
    );
  });

function secretEntries(spec: KubeflowSpec, role: Role): readonly Entry[] {
  const { secrets = [], envSecretKeyRefs = {} } = spec[role] ?? {};
  const mounted = secrets.flatMap(({ name = "", path = "", secretType }): readonly Entry[] => {
    const file = secretType === undefined ? undefined : secretFiles.get(secretType);
    return [
      [`spark.kubernetes.${role}.secrets.${name}`, path],
      ...(file
        ? [
            [
              `${variablePrefix[role]}${file.variable}`,
              `${withoutEnd(path, "/")}/${file.name}`,
            ] as const,
          ]
        : []),
    ];
  });
  const references = Object.entries(envSecretKeyRefs).map(
    ([variable, { name = "", key = "" }]) =>
      [`spark.kubernetes.${role}.secretKeyRef.${variable}`, `${name}:${key}`] as const,
  );
  return [...mounted, ...references];
}

/** Secret types whose file path the operator passes to the application in an environment variable. */
const secretFiles: ReadonlyMap<string, { readonly variable: string; readonly name: string }> =
  new Map([
    ["GCPServiceAccount", { variable: "GOOGLE_APPLICATION_CREDENTIALS", name: "key.json" }],
    ["HadoopDelegationToken", { variable: "HADOOP_TOKEN_FILE_LOCATION", name: "hadoop.token" }],
  ]);

function allocationEntries(spec: KubeflowSpec): readonly Entry[] {
  if (spec.dynamicAllocation?.enabled !== true) return [];
  // Enables shuffle tracking before Spark 3.4. The operator enables it by default; Spark does so only from 3.4 on.
  const isOld = /^(?:2|3\.[0-3])(?:\.|$)/.test(spec.sparkVersion ?? "");
  return [
    ["spark.dynamicAllocation.enabled", "true"],
    ...(isOld ? [["spark.dynamicAllocation.shuffleTracking.enabled", "true"] as const] : []),
    ...fieldEntries(spec, allocationFields),
  ];
}

function identityEntries(
  { name, generateName, namespace }: ManifestMetadata,
  { mode = "cluster" }: KubeflowSpec,
): readonly Entry[] {
  const appName = name ?? (generateName && withoutEnd(generateName, "-"));
  return [
    [deployModeKey, mode],
    ...(appName === undefined ? [] : [[appNameKey, appName] as const]),
    ...(namespace === undefined ? [] : [[namespaceKey, namespace] as const]),
  ];
}

// Adds the number of executors, because the operator's default is one and Spark's is two. For the operator, only the
// field `dynamicAllocation.enabled` enables dynamic allocation, not the conf key.
function addInstances(spec: KubeflowSpec, conf: Map<string, string>): void {
  const isSaid = (conf.get("spark.executor.instances") ?? "") !== "";
  if (!isSaid && spec.dynamicAllocation?.enabled !== true) {
    conf.set("spark.executor.instances", "1");
  }
}
