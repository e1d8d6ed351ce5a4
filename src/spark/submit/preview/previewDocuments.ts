import { assertNever } from "../../../base/assertNever.ts";
import { valueOf } from "../conf.ts";
import { parseJavaProperties } from "../javaProperties.ts";
import { isJsonObject, listAt, textAt } from "../json.ts";
import type { Json, JsonObject, Manifest } from "../manifest.ts";
import { minorOf } from "../sparkVersion.ts";
import type { SubmissionPlan } from "../submissionPlan.ts";
import { versionTraits } from "../versionTraits.ts";
import { fieldOf } from "./podParts.ts";
import { previewExecutor } from "./previewExecutor.ts";
import { printYaml } from "./printYaml.ts";
import {
  redactArguments,
  redaction,
  redactText,
  redactValue,
  secretRule,
  type IsSecret,
} from "./redact.ts";
import { planTotals, type Amounts } from "./totals.ts";

export interface PreviewDocument {
  readonly title: string;
  readonly language: "yaml";
  readonly text: string;
}

/**
 * Everything that a submission makes, to read before it is made: the driver, what goes with it, an
 * executor, and what all of it asks for. Secrets are redacted, so a document is not what will be sent.
 */
export function previewDocuments(plan: SubmissionPlan): readonly PreviewDocument[] {
  const minor = minorOf(plan.sparkVersion) ?? "4.3";
  const isSecret = secretRule(
    valueOf(plan.conf, "spark.redaction.regex"),
    versionTraits[minor].redactionPattern,
  );
  const executor = previewExecutor(plan, "1");
  const driver = plan.writes.filter(({ role }) => role === "driverPod");
  const others = plan.writes.filter(({ role }) => role === "owned" || role === "preResource");
  const document = (title: string, value: unknown, comments: readonly string[]) => ({
    title,
    language: "yaml" as const,
    text: printYaml(value, comments),
  });
  return [
    ...driver.map(({ manifest }) => document("Driver pod", redactObject(manifest, isSecret), [])),
    ...others.map(({ manifest }) =>
      document(
        `${manifest.kind} ${manifest.metadata.name}`,
        redactObject(manifest, isSecret),
        manifest.metadata.name === plan.identity.configMapName
          ? ["spark.properties is one text in the cluster; here it is taken apart and sorted."]
          : [],
      ),
    ),
    document("Executor pod", redactObject(executor.value, isSecret), [
      "As the driver will make it, unless the application sets its conf anew.",
      ...executor.findings.map(({ message }) => message),
    ]),
    document("Totals", describeTotals(plan), []),
  ];
}

function redactObject(manifest: Manifest, isSecret: IsSecret): unknown {
  const annotations = manifest.metadata.annotations;
  const metadata = {
    ...manifest.metadata,
    ...(annotations === undefined ? {} : { annotations: redactRecord(annotations, isSecret) }),
  };
  switch (manifest.kind) {
    case "Secret":
      return { ...manifest, metadata, data: redactAll(fieldOf(manifest, "data")) };
    case "ConfigMap":
      return { ...manifest, metadata, data: decodeFiles(fieldOf(manifest, "data"), isSecret) };
    case "Pod":
      return { ...manifest, metadata, spec: redactPodSpec(fieldOf(manifest, "spec"), isSecret) };
    default:
      return { ...manifest, metadata };
  }
}

const redactAll = (data: JsonObject): JsonObject =>
  Object.fromEntries(Object.keys(data).map((key) => [key, redaction] as const));

const redactRecord = (
  record: Readonly<Record<string, string>>,
  isSecret: IsSecret,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, redactValue(key, value, isSecret)]),
  );

function decodeFiles(data: JsonObject, isSecret: IsSecret): JsonObject {
  const decode = (name: string, content: Json): Json => {
    if (typeof content !== "string") return content;
    if (name !== "spark.properties") return redactText(content, isSecret);
    const pairs = [...new Map(parseJavaProperties(content))];
    const sorted = pairs.sort(([a], [b]) => (a < b ? -1 : 1));
    return redactRecord(Object.fromEntries(sorted), isSecret);
  };
  return Object.fromEntries(
    Object.entries(data).map(([name, content]) => [name, decode(name, content)] as const),
  );
}

function redactPodSpec(spec: JsonObject, isSecret: IsSecret): JsonObject {
  const containers = (key: "containers" | "initContainers"): JsonObject => {
    const items = listAt(spec, key).map((item) =>
      isJsonObject(item) ? redactContainer(item, isSecret) : item,
    );
    return items.length === 0 ? {} : { [key]: items };
  };
  return { ...spec, ...containers("initContainers"), ...containers("containers") };
}

function redactContainer(container: JsonObject, isSecret: IsSecret): JsonObject {
  const redacted = (field: "env" | "args" | "command"): JsonObject => {
    const items = listAt(container, field);
    if (items.length === 0) return {};
    if (field === "env") return { env: items.map((item) => redactVariable(item, isSecret)) };
    const texts = items.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
    return { [field]: redactArguments(texts, isSecret) };
  };
  return { ...container, ...redacted("command"), ...redacted("args"), ...redacted("env") };
}

// References to secrets are no secrets.
function redactVariable(variable: Json, isSecret: IsSecret): Json {
  if (!isJsonObject(variable)) return variable;
  const value = textAt(variable, "value");
  if (value === undefined) return variable;
  return { ...variable, value: redactValue(textAt(variable, "name") ?? "", value, isSecret) };
}

function describeTotals(plan: SubmissionPlan): unknown {
  const totals = planTotals(plan);
  const { minimum, initial, maximum } = totals.executors;
  const isFixed = minimum === maximum;
  return {
    driver: describeAmounts(totals.driver),
    executor: describeAmounts(totals.executor),
    executors: isFixed ? initial : { minimum, initial, maximum: maximum ?? "unlimited" },
    total: isFixed
      ? describeAmounts(totals.initial)
      : {
          minimum: describeAmounts(totals.minimum),
          initial: describeAmounts(totals.initial),
          maximum: totals.maximum ? describeAmounts(totals.maximum) : "unlimited",
        },
    ...(plan.uploads.length === 0
      ? {}
      : { uploads: plan.uploads.map(({ path, target }) => ({ from: path, to: target })) }),
    after: describeFollow(plan),
  };
}

function describeFollow({ follow }: SubmissionPlan): string {
  switch (follow.kind) {
    case "none":
      return "the submission ends when all is created";
    case "untilEnd":
      return "the submission ends with the application";
    default:
      return assertNever(follow);
  }
}

const describeAmounts = ({ cores, memoryBytes }: Amounts): JsonObject => ({
  cores: Number(cores.toFixed(3)),
  memory: `${Math.ceil(memoryBytes / 2 ** 20)}Mi`,
});
