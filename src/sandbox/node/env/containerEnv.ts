// Resolves the environment of a container: first `envFrom`, then `env`, whose entries may refer to earlier ones.
import { ok, err, type Result } from "../../../base/result.ts";
import { fieldsOf, textOf, type Fields } from "../../../base/json.ts";
import type { ContainerSpec } from "../spec/podSpec.ts";
import { expand } from "./expand.ts";
import { podFieldValue, resourceValue, type PodFacts } from "./fieldValue.ts";

/** Content of ConfigMaps and Secrets in the pod's namespace; undefined if the name does not exist. */
export interface ConfigSources {
  configMap(name: string): ReadonlyMap<string, Uint8Array> | undefined;
  secret(name: string): ReadonlyMap<string, Uint8Array> | undefined;
}

type HoldingKind = "configMap" | "secret";

/** Names that Kubernetes allows: printable ASCII except "=". */
const envName = /^[ -<>-~]+$/;

/**
 * Resolves the environment of a container. The pod spec overrides the `given` variables. The error is the message for
 * `CreateContainerConfigError`.
 */
export function containerEnv(
  container: ContainerSpec,
  given: Readonly<Record<string, string>>,
  holdings: ConfigSources,
  facts: PodFacts,
): Result<ReadonlyMap<string, string>, string> {
  const env = new Map(Object.entries(given));
  for (const { kind, name, prefix, optional } of container.envFrom) {
    const held = holdings[kind](name);
    if (held === undefined && !optional) return err(absent(kind, name));
    for (const [key, bytes] of held ?? []) {
      if (envName.test(prefix + key)) env.set(prefix + key, textOfBytes(bytes));
    }
  }
  for (const { name, value, from } of container.env) {
    if (from === undefined) {
      env.set(name, expand(value, env));
      continue;
    }
    const resolved = resolveSource(from, container, holdings, facts);
    if (!resolved.ok) return resolved;
    if (resolved.value !== undefined) env.set(name, resolved.value);
  }
  return ok(env);
}

function resolveSource(
  from: Fields,
  container: ContainerSpec,
  holdings: ConfigSources,
  facts: PodFacts,
): Result<string | undefined, string> {
  for (const kind of ["configMap", "secret"] as const) {
    const reference = from[`${kind}KeyRef`];
    if (reference !== undefined) return keyValue(kind, fieldsOf(reference), holdings, facts);
  }
  if (from["fieldRef"] !== undefined) {
    const reference = fieldsOf(from["fieldRef"]);
    const value = podFieldValue(reference, facts);
    if (value !== undefined) return ok(value);
    return err(`unsupported fieldPath: ${textOf(reference["fieldPath"]) ?? ""}`);
  }
  const reference = fieldsOf(from["resourceFieldRef"]);
  const value = resourceValue(reference, container, facts);
  if (value !== undefined) return ok(value);
  return err(`unsupported container resource : ${textOf(reference["resource"]) ?? ""}`);
}

function keyValue(
  kind: HoldingKind,
  reference: Fields,
  holdings: ConfigSources,
  { pod }: PodFacts,
): Result<string | undefined, string> {
  const name = textOf(reference["name"]) ?? "";
  const key = textOf(reference["key"]) ?? "";
  const isOptional = reference["optional"] === true;
  const held = holdings[kind](name);
  if (held === undefined) return isOptional ? ok(undefined) : err(absent(kind, name));
  const bytes = held.get(key);
  if (bytes !== undefined) return ok(textOfBytes(bytes));
  const word = kind === "secret" ? "Secret" : "ConfigMap";
  return isOptional
    ? ok(undefined)
    : err(`couldn't find key ${key} in ${word} ${pod.metadata.namespace ?? ""}/${name}`);
}

const absent = (kind: HoldingKind, name: string): string =>
  `${kind.toLowerCase()} ${JSON.stringify(name)} not found`;

const textOfBytes = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
