import { msg } from "../../../base/message.ts";
import type { Manifest } from "../plan/manifest.ts";
import { amountOf } from "../preview/totals.ts";
import { containersOf } from "../preview/podParts.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";
import { amountIn, describeAmount, type Quantities } from "./amountWords.ts";
import type { PlanPod } from "./planPods.ts";
import { preflightWords, type PreflightFinding } from "./preflightFinding.ts";

export interface Quota {
  readonly name: string;
  readonly hard: Quantities;
  readonly used: Quantities;
  readonly scopes: readonly string[];
  /** True if the quota has a scope selector, such as a priority class. */
  readonly isSelective: boolean;
}

/** Checks that the pods fit into a ResourceQuota. `pods`: with the defaults of LimitRanges applied. */
export function checkQuota(
  quota: Quota,
  pods: readonly PlanPod[],
  plan: SubmissionPlan,
): readonly PreflightFinding[] {
  if (quota.isSelective) {
    return [
      preflightWords.notChecked(
        msg`The quota "${quota.name}"`,
        msg("it applies only to some pods"),
      ),
    ];
  }
  // These scopes select only pods without requests or with `activeDeadlineSeconds`. Spark's pods do not match.
  if (quota.scopes.some((scope) => scope === "BestEffort" || scope === "Terminating")) return [];
  return Object.keys(quota.hard).flatMap((resource) => checkResource(quota, resource, pods, plan));
}

function checkResource(
  quota: Quota,
  resource: string,
  pods: readonly PlanPod[],
  plan: SubmissionPlan,
): readonly PreflightFinding[] {
  const free = amountIn(quota.hard, resource) - amountIn(quota.used, resource);
  const demands = pods.map((pod) => ({ pod, demand: demandOf(pod, resource) }));
  const silent = demands.filter(({ demand }) => demand.kind === "unstated");
  if (silent.length > 0) {
    return silent.map(({ pod }) =>
      preflightWords.quotaWants(quota.name, resource, pod.user, keyFor(resource, pod.user)),
    );
  }
  const amount = (user: PlanPod["user"]): number =>
    demands.reduce(
      (sum, { pod, demand }) =>
        pod.user === user && demand.kind === "amount" ? sum + demand.amount : sum,
      0,
    );
  const driver = amount("driver") + ownObjects(plan, resource);
  const executor = amount("executor");
  if (driver > free) {
    const words = [describeAmount(resource, driver), describeAmount(resource, Math.max(free, 0))];
    return [
      preflightWords.quotaRefusesDriver(quota.name, resource, words[0] ?? "", words[1] ?? ""),
    ];
  }
  const wanted = pods.find(({ user }) => user === "executor")?.count ?? 0;
  const fits = executor > 0 ? Math.floor((free - driver) / executor + 1e-9) : wanted;
  return fits < wanted
    ? [preflightWords.quotaLimitsExecutors(quota.name, resource, fits, wanted)]
    : [];
}

type Demand =
  | { readonly kind: "amount"; readonly amount: number }
  /** A container of the pod does not set a value that the quota requires. */
  | { readonly kind: "unstated" };

function demandOf({ manifest }: PlanPod, resource: string): Demand {
  const amount = (value: number): Demand => ({ kind: "amount", amount: value });
  if (resource === "pods" || resource === "count/pods") return amount(1);
  const [, side, name] = /^(?:(requests|limits)\.)?(.+)$/.exec(resource) ?? [];
  if (name === undefined || (side === undefined && name !== "cpu" && name !== "memory")) {
    return amount(0);
  }
  const kind = side === "limits" ? "limits" : "requests";
  const each = containersOf(manifest).map((container) => amountOf(container, kind, name));
  const isCounted = name === "cpu" || name === "memory";
  if (isCounted && each.includes(undefined)) return { kind: "unstated" };
  return amount(each.reduce<number>((sum, own) => sum + (own ?? 0), 0));
}

// Returns the number of objects of this kind that the submission itself creates.
function ownObjects({ writes }: SubmissionPlan, resource: string): number {
  const kind = quotaKinds.get(resource.replace(/^count\//, ""));
  return writes.filter(({ manifest }) => manifest.kind === kind).length;
}

const quotaKinds: ReadonlyMap<string, Manifest["kind"]> = new Map([
  ["services", "Service"],
  ["configmaps", "ConfigMap"],
  ["secrets", "Secret"],
  ["persistentvolumeclaims", "PersistentVolumeClaim"],
]);

function keyFor(resource: string, user: PlanPod["user"]): string | undefined {
  return resource === "limits.cpu" ? `spark.kubernetes.${user}.limit.cores` : undefined;
}
