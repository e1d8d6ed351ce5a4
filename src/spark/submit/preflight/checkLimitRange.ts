import { editObject, objectAt, type JsonObject } from "../../../base/json.ts";
import type { Manifest } from "../plan/manifest.ts";
import { containersOf, manifestObject } from "../preview/podParts.ts";
import { parseQuantity } from "../../quantity.ts";
import { amountOf, podAmounts } from "../preview/totals.ts";
import { amountIn, describeAmount, type Quantities } from "./amountWords.ts";
import type { PlanPod } from "./planPods.ts";
import { preflightWords, type PreflightFinding } from "./preflightFinding.ts";

/** One entry of a LimitRange, for containers or for pods. */
export interface LimitRange {
  readonly name: string;
  readonly type: "Container" | "Pod";
  readonly max: Quantities;
  readonly min: Quantities;
  readonly defaultLimit: Quantities;
  readonly defaultRequest: Quantities;
}

/** Returns the pod with the default limits and requests that the API server would add. */
export function withLimitDefaults(pod: PlanPod, ranges: readonly LimitRange[]): PlanPod {
  const forContainers = ranges.filter(({ type }) => type === "Container");
  const spec = manifestObject(pod.manifest, "spec");
  const containers = containersOf(pod.manifest).map((container) =>
    forContainers.reduce(completed, container),
  );
  const manifest: Manifest = { ...pod.manifest, spec: { ...spec, containers } };
  return { ...pod, manifest };
}

function completed(container: JsonObject, range: LimitRange): JsonObject {
  return editObject(container, "resources", (resources) => {
    const limits = { ...range.defaultLimit, ...objectAt(resources, "limits") };
    const requests = {
      ...range.defaultRequest,
      // Kubernetes uses the limit as the request if no request is set.
      ...objectAt(resources, "limits"),
      ...objectAt(resources, "requests"),
    };
    return { ...resources, limits, requests };
  });
}

export function checkLimitRange(range: LimitRange, pod: PlanPod): readonly PreflightFinding[] {
  return [...checkBounds(range, pod), ...checkDefaultLimits(range, pod)];
}

function checkBounds(range: LimitRange, pod: PlanPod): readonly PreflightFinding[] {
  const { manifest, user } = withLimitDefaults(pod, [range]);
  return ["cpu", "memory"].flatMap((resource) => {
    const [asked, limits] = amountsOf(range, manifest, resource);
    const largest = Math.max(asked, limits);
    const max = parseQuantity(range.max[resource] ?? "");
    const min = parseQuantity(range.min[resource] ?? "");
    const words = (amount: number): string => describeAmount(resource, amount);
    if (max !== undefined && largest > max) {
      const [own, bound] = [words(largest), words(max)];
      return [
        preflightWords.beyondLimitRange(range.name, { user, resource, asked: own }, bound, "most"),
      ];
    }
    if (min !== undefined && asked < min) {
      const [own, bound] = [words(asked), words(min)];
      return [
        preflightWords.beyondLimitRange(range.name, { user, resource, asked: own }, bound, "least"),
      ];
    }
    return [];
  });
}

// Returns the sums of the pod for a range of the type `Pod`, else the amounts of its largest container. The largest is
// Spark's container, except in unusual templates.
function amountsOf(
  { type }: LimitRange,
  manifest: Manifest,
  resource: string,
): readonly [requests: number, limits: number] {
  if (type === "Pod") {
    const pick = (kind: "requests" | "limits"): number => {
      const { cores, memoryBytes } = podAmounts(manifest, kind);
      return resource === "cpu" ? cores : memoryBytes;
    };
    return [pick("requests"), pick("limits")];
  }
  const largest = (kind: "requests" | "limits"): number =>
    Math.max(
      0,
      ...containersOf(manifest).map((container) => amountOf(container, kind, resource) ?? 0),
    );
  return [largest("requests"), largest("limits")];
}

function checkDefaultLimits(
  range: LimitRange,
  { manifest, user }: PlanPod,
): readonly PreflightFinding[] {
  if (range.type !== "Container") return [];
  return ["cpu", "memory"].flatMap((resource) => {
    const limit = amountIn(range.defaultLimit, resource);
    if (range.defaultLimit[resource] === undefined) return [];
    return containersOf(manifest)
      .filter((container) => amountOf(container, "limits", resource) === undefined)
      .map((container) => amountOf(container, "requests", resource) ?? 0)
      .filter((asked) => asked > limit)
      .map((asked) =>
        preflightWords.aboveDefaultLimit(
          range.name,
          { user, resource, asked: describeAmount(resource, asked) },
          describeAmount(resource, limit),
          resource === "cpu" ? `spark.kubernetes.${user}.limit.cores` : undefined,
        ),
      );
  });
}
