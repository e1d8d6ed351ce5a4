// Values of `fieldRef` and `resourceFieldRef` in environments and downward API volumes.
import { fieldsOf, textOf, type Fields } from "../../../base/json.ts";
import { parseQuantity } from "../../../spark/quantity.ts";
import type { KubeObject } from "../../kubeObject.ts";
import type { ContainerSpec, SandboxPodSpec } from "../spec/podSpec.ts";
import { amountsOf, type ResourceAmounts } from "../spec/requests.ts";

export interface PodFacts {
  readonly pod: KubeObject;
  readonly spec: SandboxPodSpec;
  readonly podAddress: string;
  readonly hostAddress: string;
  /** Allocatable resources of the node, used as the limit of a container that sets no limit. */
  readonly allocatable: ResourceAmounts;
}

/** Returns the value that a `fieldRef` selects; undefined if the field does not exist. */
export function podFieldValue(reference: Fields, facts: PodFacts): string | undefined {
  const path = textOf(reference["fieldPath"]) ?? "";
  const { metadata } = facts.pod;
  const [, map, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (map !== undefined && key !== undefined) return textOf(fieldsOf(metadata[map])[key]) ?? "";
  switch (path) {
    case "metadata.name":
      return metadata.name;
    case "metadata.namespace":
      return metadata.namespace ?? "";
    case "metadata.uid":
      return metadata.uid ?? "";
    case "metadata.labels":
    case "metadata.annotations":
      return lines(fieldsOf(metadata[path.slice("metadata.".length)]));
    case "spec.nodeName":
      return facts.spec.nodeName ?? "";
    case "spec.serviceAccountName":
      return facts.spec.serviceAccountName;
    case "status.hostIP":
    case "status.hostIPs":
      return facts.hostAddress;
    case "status.podIP":
    case "status.podIPs":
      return facts.podAddress;
    default:
      return undefined;
  }
}

/** Formats labels or annotations like the downward API. */
const lines = (map: Fields): string =>
  Object.entries(map)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join("\n");

/**
 * Returns the value of a `resourceFieldRef` in units of its divisor, rounded up. Undefined if the resource or container
 * does not exist.
 */
export function resourceValue(
  reference: Fields,
  container: ContainerSpec | undefined,
  facts: PodFacts,
): string | undefined {
  const named = textOf(reference["containerName"]);
  const { containers, initContainers } = facts.spec;
  const asked =
    named === undefined || named === ""
      ? container
      : [...containers, ...initContainers].find(({ name }) => name === named);
  const [, kind, resource] =
    /^(limits|requests)\.(.+)$/.exec(textOf(reference["resource"]) ?? "") ?? [];
  if (asked === undefined || kind === undefined || resource === undefined) return undefined;
  const own = amountsOf(kind === "limits" ? asked.limits : asked.requests)[resource];
  const amount = own ?? (kind === "limits" ? (facts.allocatable[resource] ?? 0) : 0);
  const { divisor } = reference;
  const unit =
    parseQuantity(typeof divisor === "number" ? String(divisor) : (textOf(divisor) ?? "1")) ?? 1;
  return String(Math.ceil(amount / (unit === 0 ? 1 : unit)));
}
