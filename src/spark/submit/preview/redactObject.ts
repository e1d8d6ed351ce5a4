import { parseJavaProperties } from "../javaProperties.ts";
import { isJsonObject, listAt, objectAt, textAt } from "../json.ts";
import type { Json, JsonObject, Manifest } from "../manifest.ts";
import { fieldOf } from "./podParts.ts";
import {
  redactArguments,
  redaction,
  redactText,
  redactValue,
  type IsSecret,
} from "../../redact.ts";

/** An object without its secrets, and with the texts of its files taken apart. */
export function redactObject(manifest: Manifest, isSecret: IsSecret): unknown {
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

/** A pod as a server holds it. */
export function redactPod(pod: JsonObject, isSecret: IsSecret): JsonObject {
  const metadata = objectAt(pod, "metadata");
  const annotations = Object.entries(objectAt(metadata, "annotations")).map(
    ([key, value]) =>
      [key, typeof value === "string" ? redactValue(key, value, isSecret) : value] as const,
  );
  return {
    ...pod,
    metadata: {
      ...metadata,
      ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    },
    spec: redactPodSpec(objectAt(pod, "spec"), isSecret),
  };
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
