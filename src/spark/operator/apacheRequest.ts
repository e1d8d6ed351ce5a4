// Converts between `spark.apache.org/v1` applications and submission requests.
import { msg, type Message } from "../../base/message.ts";
import type { JsonObject } from "../../base/json.ts";
import { apacheSpec, type ApacheSpec } from "./apacheSchema.ts";
import { runnerClass } from "../runnerClass.ts";
import { kindOfFile } from "../submit/arguments/fileKind.ts";
import type { ManifestMetadata } from "./kubeflowSchema.ts";
import { nameObject } from "./objectName.ts";
import { apacheVersion, type ApacheApplication } from "./operatorManifest.ts";
import { fileLosses, localOnlyReason } from "./remoteFiles.ts";
import { readJson } from "./schema.ts";
import {
  appNameKey,
  deployModeKey,
  idleLosses,
  namespaceKey,
  type ConversionLoss,
  type SubmissionRequest,
  type Translated,
} from "./submissionRequest.ts";

/** Conf keys that the operator sets by default and Spark does not. */
const operatorDefaults: readonly string[] = [
  "spark.authenticate",
  "spark.io.encryption.enabled",
  "spark.kubernetes.driver.annotateExitException",
  "spark.kubernetes.executor.useDriverPodIP",
];

/** Returns the request that the operator submits for the object. */
export function requestOfApache({
  metadata,
  spec,
}: ApacheApplication): Translated<SubmissionRequest> {
  const { sparkVersion } = spec.runtimeVersions ?? {};
  const main = mainOf(spec);
  const { name, namespace } = metadata;
  const conf = new Map<string, string>([
    ...main.conf,
    ...Object.entries(spec.sparkConf ?? {}).map(
      ([key, value]) => [key, withVersion(key, value, sparkVersion)] as const,
    ),
    [deployModeKey, "cluster"],
    ...(name === undefined ? [] : [[appNameKey, name] as const]),
    ...(namespace === undefined ? [] : [[namespaceKey, namespace] as const]),
  ]);
  const { driverSpec, executorSpec, proxyUser } = spec;
  return {
    value: {
      sparkVersion,
      resource: main.resource,
      mainClass: main.mainClass,
      arguments: spec.driverArgs ?? [],
      proxyUser: proxyUser === "" ? undefined : proxyUser,
      conf: withoutRepeatedJar(conf, main.resource),
      propertiesFile: undefined,
      extraPropertiesFiles: [],
      loadsDefaults: false,
      idle: [],
      templates: {
        ...(driverSpec?.podTemplateSpec && { driver: driverSpec.podTemplateSpec }),
        ...(executorSpec?.podTemplateSpec && { executor: executorSpec.podTemplateSpec }),
      },
    },
    losses: [...metadataLosses(metadata), ...specLosses(spec), ...defaultsLoss(conf, "dropped")],
  };
}

/** Returns the object that makes the operator submit the request. The parameters are those of `kubeflowOfRequest`. */
export function apacheOfRequest(
  request: SubmissionRequest,
  sparkVersion: string,
): Translated<ApacheApplication> {
  const name = nameObject(request);
  const namespace = request.conf.get(namespaceKey);
  const { conf, losses } = remoteConf(request);
  const { driver, executor } = request.templates;
  const spec: JsonObject = {
    ...mainFields(request),
    ...(request.arguments.length === 0 ? {} : { driverArgs: request.arguments }),
    ...(request.proxyUser === undefined ? {} : { proxyUser: request.proxyUser }),
    ...(conf.size === 0 ? {} : { sparkConf: Object.fromEntries(conf) }),
    ...(driver && { driverSpec: { podTemplateSpec: driver } }),
    ...(executor && { executorSpec: { podTemplateSpec: executor } }),
    runtimeVersions: { sparkVersion: request.sparkVersion ?? sparkVersion },
  };
  const { value = {} } = readJson(apacheSpec, spec);
  return {
    value: {
      apiVersion: apacheVersion,
      kind: "SparkApplication",
      metadata: { ...name.value, ...(namespace === undefined ? {} : { namespace }) },
      spec: value,
    },
    losses: [
      ...name.losses,
      ...losses,
      ...fileLosses(request),
      ...idleLosses(request),
      ...defaultsLoss(request.conf, "changed"),
    ],
  };
}

type Main = Pick<SubmissionRequest, "resource" | "mainClass"> & {
  readonly conf: readonly (readonly [string, string])[];
};

// Returns the main resource: the first non-empty of three fields. Each may be a list: the first item is the main
// resource, and the other jars or Python files become a conf entry.
function mainOf(spec: ApacheSpec): Main {
  const { jars, mainClass } = spec;
  const own = Object.values(runnerClass).some((runner) => runner === mainClass)
    ? undefined
    : mainClass;
  const [resource = "", ...more] = mainFilesOf(spec);
  const key = jars ? "spark.jars" : "spark.submit.pyFiles";
  const rest = more.length === 0 || isOfR(spec) ? [] : [[key, more.join(",")] as const];
  return { resource, mainClass: own, conf: rest };
}

const mainFilesOf = ({ jars, pyFiles, sparkRFiles }: ApacheSpec): readonly string[] =>
  (jars || pyFiles || sparkRFiles || "spark-internal").split(",");

const isOfR = ({ jars, pyFiles }: ApacheSpec): boolean => !jars && !pyFiles;

function mainFields({ resource = "spark-internal", mainClass }: SubmissionRequest): JsonObject {
  const kind = kindOfFile(resource);
  switch (kind) {
    case "python":
      return { mainClass: runnerClass.python, pyFiles: resource };
    case "r":
      return { mainClass: runnerClass.r, sparkRFiles: resource };
    case "java":
      return {
        ...(mainClass === undefined ? {} : { mainClass }),
        ...(resource === "spark-internal" ? {} : { jars: resource }),
      };
  }
}

function withVersion(key: string, value: string, sparkVersion: string | undefined): string {
  const isImage = key.startsWith("spark.kubernetes.") && key.endsWith("container.image");
  return isImage && sparkVersion !== undefined
    ? value.replaceAll("{{SPARK_VERSION}}", sparkVersion)
    : value;
}

// Removes the main jar from the end of `spark.jars`, because spark-submit appends it itself. The operator does not, so
// its objects list the main jar there.
function withoutRepeatedJar(
  conf: ReadonlyMap<string, string>,
  resource: string | undefined,
): ReadonlyMap<string, string> {
  const jars = (conf.get("spark.jars") ?? "").split(",");
  if (resource === undefined || jars.at(-1) !== resource) return conf;
  const rest = jars.slice(0, -1).join(",");
  return new Map(
    [...conf].flatMap(([key, value]) => {
      if (key !== "spark.jars") return [[key, value] as const];
      return rest === "" ? [] : [[key, rest] as const];
    }),
  );
}

function remoteConf({ conf, resource }: SubmissionRequest): {
  readonly conf: ReadonlyMap<string, string>;
  readonly losses: readonly ConversionLoss[];
} {
  const kept = new Map<string, string>();
  const losses: ConversionLoss[] = [];
  for (const [key, value] of conf) {
    if (key === appNameKey || key === namespaceKey) continue;
    if (key === deployModeKey) {
      if (value !== "cluster")
        losses.push(dropped(key, msg("The operator runs every driver in the cluster.")));
      continue;
    }
    const reason = localOnlyReason(key, value);
    if (reason !== undefined) losses.push(dropped(key, reason));
    else if (key === "spark.jars" && kindOfFile(resource ?? "") === "java") {
      kept.set(
        key,
        [value, resource ?? ""].filter((uri) => uri !== "" && uri !== "spark-internal").join(","),
      );
    } else kept.set(key, value);
  }
  return { conf: kept, losses };
}

function metadataLosses({ annotations, labels }: ManifestMetadata): readonly ConversionLoss[] {
  const own = Object.keys({ ...annotations, ...labels }).filter(
    (name) => name !== "kubectl.kubernetes.io/last-applied-configuration",
  );
  if (own.length === 0) return [];
  const reason = msg("A submission has no object that could have labels and annotations.");
  return [dropped("metadata", reason)];
}

/** Fields of the spec that have no equivalent in a submission, each with the reason. */
const operatorFields: readonly (readonly [keyof ApacheSpec, Message])[] = [
  [
    "applicationTolerations",
    msg("A submission is neither restarted nor cleaned up automatically."),
  ],
  ["configMapSpecs", msg("spark-submit creates only its own ConfigMaps.")],
  ["driverGrpcRouteList", msg("Only the operator creates Gateway API routes.")],
  ["driverHttpRouteList", msg("Only the operator creates Gateway API routes.")],
  ["driverServiceIngressList", msg("Only the operator creates Ingresses.")],
  ["files", msg('The operator ignores this field. Set "spark.files" instead.')],
];

function specLosses(spec: ApacheSpec): readonly ConversionLoss[] {
  const losses = operatorFields.flatMap(([field, reason]) =>
    spec[field] === undefined ? [] : [dropped(`spec.${field}`, reason)],
  );
  if (spec.deploymentMode === "ClientMode") {
    const reason = msg("The operator runs every driver in the cluster.");
    losses.push(dropped("spec.deploymentMode", reason));
  }
  const [, ...unused] = mainFilesOf(spec);
  if (unused.length > 0 && isOfR(spec)) {
    const reason = msg`An R application has only one file. Not converted: ${unused.join(", ")}.`;
    losses.push(dropped("spec.sparkRFiles", reason));
  }
  return losses;
}

function defaultsLoss(
  conf: ReadonlyMap<string, string>,
  kind: "dropped" | "changed",
): readonly ConversionLoss[] {
  const entries = operatorDefaults.filter((key) => !conf.has(key));
  const reason =
    kind === "dropped"
      ? msg(
          "The operator enables these properties by default. spark-submit uses the defaults of the Spark version.",
        )
      : msg(
          "The operator enables these properties by default. Set them to their Spark defaults to match spark-submit.",
        );
  return entries.length === 0 ? [] : [{ kind, entry: entries.join(", "), reason }];
}

const dropped = (entry: string, reason: Message): ConversionLoss => ({
  kind: "dropped",
  entry,
  reason,
});
