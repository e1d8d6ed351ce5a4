import type { ApiContext } from "../api/context.ts";
import type { Kind } from "../api/kinds.ts";
import { forbidden } from "../api/refusal.ts";
import { type JsonMembers, type KubeObject, plainTextOf } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import { items } from "./podRules.ts";
import { parseQuantity } from "../../spark/quantity.ts";

/** Applies LimitRange defaults to a new object; throws a 403 if a LimitRange or ResourceQuota forbids it. */
export function applyLimits(
  context: Pick<ApiContext, "objects">,
  kind: Kind,
  object: KubeObject,
): KubeObject {
  const ranged = kind.kind === "Pod" ? withinRanges(context, kind, object) : object;
  for (const quota of context.objects.list("resourcequotas", object.metadata.namespace ?? "")) {
    checkQuota(context, kind, ranged, quota);
  }
  return ranged;
}

function withinRanges(
  { objects }: Pick<ApiContext, "objects">,
  kind: Kind,
  pod: KubeObject,
): KubeObject {
  const limits = objects
    .list("limitranges", pod.metadata.namespace ?? "")
    .flatMap((range) => items(asObject(range["spec"])?.["limits"]))
    .filter(({ type }) => type === "Container");
  if (limits.length === 0) return pod;
  const spec = asObject(pod["spec"]) ?? {};
  const change = (container: JsonMembers): JsonMembers => {
    const resources = asObject(container["resources"]) ?? {};
    const amounts = limits.reduce<Amounts>(
      (sofar, limit) => ({
        limits: { ...asObject(limit["default"]), ...sofar.limits },
        requests: { ...asObject(limit["defaultRequest"]), ...sofar.requests },
      }),
      {
        limits: asObject(resources["limits"]) ?? {},
        requests: asObject(resources["requests"]) ?? {},
      },
    );
    const broken = limits.flatMap((limit) => beyond(limit, amounts));
    if (broken.length > 0) {
      throw forbidden(
        kind,
        pod.metadata.name,
        broken.length === 1 ? (broken[0] ?? "") : `[${broken.join(", ")}]`,
      );
    }
    return { ...container, resources: { ...resources, ...filled(amounts) } };
  };
  return { ...pod, spec: { ...spec, containers: items(spec["containers"]).map(change) } };
}

interface Amounts {
  readonly limits: JsonMembers;
  readonly requests: JsonMembers;
}

const filled = (amounts: Amounts): JsonMembers =>
  Object.fromEntries(
    Object.entries(amounts as unknown as JsonMembers).filter(
      ([, some]) => Object.keys(asObject(some) ?? {}).length > 0,
    ),
  );

function beyond(limit: JsonMembers, { limits, requests }: Amounts): readonly string[] {
  const amount = (value: unknown): number => parseQuantity(String(value)) ?? 0;
  const over = Object.entries(asObject(limit["max"]) ?? {}).flatMap(([name, most]) =>
    limits[name] !== undefined && amount(limits[name]) > amount(most)
      ? [
          `maximum ${name} usage per Container is ${plainTextOf(most)}, but limit is ${plainTextOf(limits[name])}`,
        ]
      : [],
  );
  const under = Object.entries(asObject(limit["min"]) ?? {}).flatMap(([name, least]) =>
    requests[name] !== undefined && amount(requests[name]) < amount(least)
      ? [
          `minimum ${name} usage per Container is ${plainTextOf(least)}, but request is ${plainTextOf(requests[name])}`,
        ]
      : [],
  );
  return [...over, ...under];
}

/** Returns the amount that one object uses of each resource that a quota can limit. */
export function usageOf(kind: Kind, object: KubeObject): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {
    [`count/${kind.plural}${kind.group === "" ? "" : `.${kind.group}`}`]: 1,
  };
  if (kind.group === "") counts[kind.plural] = 1;
  if (kind.kind === "PersistentVolumeClaim") {
    const asked = asObject(asObject(asObject(object["spec"])?.["resources"])?.["requests"])?.[
      "storage"
    ];
    counts["requests.storage"] = parseQuantity(plainTextOf(asked)) ?? 0;
  }
  if (kind.kind !== "Pod") return counts;
  const phase = asObject(object["status"])?.["phase"];
  if (phase === "Succeeded" || phase === "Failed") return {};
  for (const container of items(asObject(object["spec"])?.["containers"])) {
    const resources = asObject(container["resources"]) ?? {};
    for (const list of ["requests", "limits"]) {
      for (const [name, value] of Object.entries(asObject(resources[list]) ?? {})) {
        const amount = parseQuantity(plainTextOf(value)) ?? 0;
        counts[`${list}.${name}`] = (counts[`${list}.${name}`] ?? 0) + amount;
        if (list === "requests") counts[name] = (counts[name] ?? 0) + amount;
      }
    }
  }
  return counts;
}

function checkQuota(
  { objects }: Pick<ApiContext, "objects">,
  kind: Kind,
  object: KubeObject,
  quota: KubeObject,
): void {
  const hard = asObject(asObject(quota["spec"])?.["hard"]) ?? {};
  const wanted = usageOf(kind, object);
  const present = objects
    .list(kind.resource, object.metadata.namespace ?? "")
    .map((one) => usageOf(kind, one));
  const names = Object.keys(hard).filter((name) => wanted[name] !== undefined);
  const used = (name: string): number => present.reduce((sum, one) => sum + (one[name] ?? 0), 0);
  const broken = names.filter(
    (name) => used(name) + (wanted[name] ?? 0) > (parseQuantity(plainTextOf(hard[name])) ?? 0),
  );
  if (broken.length === 0) return;
  const list = (amount: (name: string) => string): string =>
    broken.map((name) => `${name}=${amount(name)}`).join(",");
  throw forbidden(
    kind,
    object.metadata.name,
    `exceeded quota: ${quota.metadata.name}, requested: ${list((name) => formatQuantity(name, wanted[name] ?? 0))}, used: ${list((name) => formatQuantity(name, used(name)))}, limited: ${list((name) => plainTextOf(hard[name]))}`,
  );
}

/** Formats an amount as a quantity: memory and storage in whole Gi, Mi or Ki if possible, fractions in `m`. */
export function formatQuantity(name: string, amount: number): string {
  if (/memory|storage/.test(name)) {
    for (const [unit, size] of [
      ["Gi", 2 ** 30],
      ["Mi", 2 ** 20],
      ["Ki", 2 ** 10],
    ] as const) {
      if (amount >= size && Number.isInteger(amount / size)) return `${amount / size}${unit}`;
    }
  }
  return Number.isInteger(amount) ? String(amount) : `${Math.round(amount * 1000)}m`;
}
