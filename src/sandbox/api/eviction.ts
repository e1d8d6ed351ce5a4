import type { JsonMembers, KubeObject } from "../kubeObject.ts";
import { items } from "../rules/podRules.ts";
import { asObject } from "../schema/schema.ts";
import type { ApiContext } from "./context.ts";
import { deleteOptions, remove } from "./deletion.ts";
import type { Kind } from "./kinds.ts";
import { Refusal } from "./refusal.ts";
import { matchesSelector } from "./selectors.ts";

/** Deletes a pod. Throws a 429 if a PodDisruptionBudget forbids it. */
export function evict(
  context: Pick<ApiContext, "objects" | "clock">,
  kind: Kind,
  pod: KubeObject,
  body: JsonMembers,
  query: URLSearchParams,
): JsonMembers {
  const { objects } = context;
  const phase = asObject(pod["status"])?.["phase"];
  const isOver = phase === "Succeeded" || phase === "Failed" || phase === "Pending";
  const budgets = objects
    .list("poddisruptionbudgets.policy", pod.metadata.namespace ?? "")
    .filter((budget) =>
      matchesSelector(asObject(asObject(budget["spec"])?.["selector"]) ?? {}, pod),
    );
  for (const budget of isOver ? [] : budgets) {
    if (allowed(context, budget) > 0) continue;
    throw new Refusal(
      429,
      "TooManyRequests",
      "Cannot evict pod as it would violate the pod's disruption budget.",
      {
        causes: [
          {
            reason: "DisruptionBudget",
            message: `The disruption budget ${budget.metadata.name} allows no further evictions now`,
          },
        ],
      },
    );
  }
  remove(context, kind, pod, deleteOptions(asObject(body["deleteOptions"]) ?? {}, query));
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
}

/** Returns the number of pods that may be evicted now under a budget. */
function allowed({ objects }: Pick<ApiContext, "objects">, budget: KubeObject): number {
  const spec = asObject(budget["spec"]) ?? {};
  const pods = objects
    .list("pods", budget.metadata.namespace ?? "")
    .filter((pod) => matchesSelector(asObject(spec["selector"]) ?? {}, pod));
  const healthy = pods.filter(
    ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined &&
      items(asObject(status)?.["conditions"]).some(
        (one) => one["type"] === "Ready" && one["status"] === "True",
      ),
  ).length;
  const amount = (value: unknown): number =>
    typeof value === "string" && value.endsWith("%")
      ? Math.ceil((Number(value.slice(0, -1)) / 100) * pods.length)
      : Number(value);
  const { minAvailable, maxUnavailable } = spec;
  const needed =
    minAvailable !== undefined
      ? amount(minAvailable)
      : pods.length - (maxUnavailable === undefined ? 1 : amount(maxUnavailable));
  return healthy - needed;
}
