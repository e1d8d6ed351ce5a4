// Decodes the cluster objects that the preflight reads.
import { fieldsOf, itemsOf, textOf } from "../../base/json.ts";
import type { Quantities } from "../../spark/submit/preflight/amountWords.ts";
import type { LimitRange } from "../../spark/submit/preflight/checkLimitRange.ts";
import type { Node } from "../../spark/submit/preflight/checkNodes.ts";
import type { Quota } from "../../spark/submit/preflight/checkQuota.ts";
import type { StoredObject } from "../ports/objects.ts";

export function decodeQuota({ name, body }: StoredObject): Quota {
  const spec = fieldsOf(fieldsOf(body)["spec"]);
  const status = fieldsOf(fieldsOf(body)["status"]);
  return {
    name,
    // A new quota has no status yet.
    hard: quantitiesOf(status["hard"] ?? spec["hard"]),
    used: quantitiesOf(status["used"]),
    scopes: itemsOf(spec["scopes"]).flatMap((scope) => textOf(scope) ?? []),
    isSelective: spec["scopeSelector"] !== undefined,
  };
}

export function decodeLimitRanges({ name, body }: StoredObject): readonly LimitRange[] {
  return itemsOf(fieldsOf(fieldsOf(body)["spec"])["limits"]).flatMap((item) => {
    const limits = fieldsOf(item);
    const { type } = limits;
    if (type !== "Container" && type !== "Pod") return [];
    return [
      {
        name,
        type,
        max: quantitiesOf(limits["max"]),
        min: quantitiesOf(limits["min"]),
        defaultLimit: quantitiesOf(limits["default"]),
        defaultRequest: quantitiesOf(limits["defaultRequest"]),
      },
    ];
  });
}

export function decodeNode({ name, body }: StoredObject): Node {
  const node = fieldsOf(body);
  const spec = fieldsOf(node["spec"]);
  const status = fieldsOf(node["status"]);
  return {
    name,
    labels: quantitiesOf(fieldsOf(node["metadata"])["labels"]),
    allocatable: quantitiesOf(status["allocatable"]),
    isReady: itemsOf(status["conditions"])
      .map(fieldsOf)
      .some(({ type, status: state }) => type === "Ready" && state === "True"),
    taints: itemsOf(spec["taints"]).map((item) => {
      const taint = fieldsOf(item);
      return {
        key: textOf(taint["key"]) ?? "",
        value: textOf(taint["value"]) ?? "",
        effect: textOf(taint["effect"]) ?? "",
      };
    }),
  };
}

/** Returns the keys of a Secret or a ConfigMap. */
export function itemNames({ body }: StoredObject): ReadonlySet<string> {
  const { data, binaryData } = fieldsOf(body);
  return new Set([...Object.keys(fieldsOf(data)), ...Object.keys(fieldsOf(binaryData))]);
}

function quantitiesOf(value: unknown): Quantities {
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).flatMap(([key, each]) =>
      typeof each === "string" || typeof each === "number" ? [[key, `${each}`] as const] : [],
    ),
  );
}
