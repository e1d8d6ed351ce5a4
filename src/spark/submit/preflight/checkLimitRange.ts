import { editObject, objectAt } from "../json.ts";
import type { JsonObject, Manifest } from "../manifest.ts";
import { containersOf, fieldOf } from "../preview/podParts.ts";
import { parseQuantity } from "../../quantity.ts";
import { amountOf, podAmounts } from "../preview/totals.ts";
import { amountIn, describeAmount, type Quantities } from "./amountWords.ts";
import type { PlanPod } from "./planPods.ts";
import { preflightWords, type PreflightFinding } from "./preflightFinding.ts";

/** One entry of a LimitRange, for containers or for whole pods. */
export interface LimitRange {
  readonly name: string;
  readonly type: "Container" | "Pod";
  readonly most: Quantities;
  readonly least: Quantities;
  readonly defaultLimit: Quantities;
  readonly defaultRequest: Quantities;
}

/** A pod as the server completes it by the limit ranges of its namespace. */
export function withDefaults(pod: PlanPod, ranges: readonly LimitRange[]): PlanPod {
  const forContainers = ranges.filter(({ type }) => type === "Container");
  const spec = fieldOf(pod.manifest, "spec");
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
      // A limit of the pod's own is its request, too.
      ...objectAt(resources, "limits"),
      ...objectAt(resources, "requests"),
    };
    return { ...resources, limits, requests };
  });
}

/** Whether a pod is within the bounds of a limit range. */
export function checkLimitRange(range: LimitRange, pod: PlanPod): readonly PreflightFinding[] {
  return [...checkBounds(range, pod), ...checkDefaultLimits(range, pod)];
}

function checkBounds(range: LimitRange, pod: PlanPod): readonly PreflightFinding[] {
  const { manifest, user } = withDefaults(pod, [range]);
  return ["cpu", "memory"].flatMap((resource) => {
    const [asked, limits] = amountsOf(range, manifest, resource);
    const largest = Math.max(asked, limits);
    const most = parseQuantity(range.most[resource] ?? "");
    const least = parseQuantity(range.least[resource] ?? "");
    const words = (amount: number): string => describeAmount(resource, amount);
    if (most !== undefined && largest > most) {
      const [own, bound] = [words(largest), words(most)];
      return [preflightWords.beyondLimitRange(range.name, resource, user, own, bound, "most")];
    }
    if (least !== undefined && asked < least) {
      const [own, bound] = [words(asked), words(least)];
      return [preflightWords.beyondLimitRange(range.name, resource, user, own, bound, "least")];
    }
    return [];
  });
}

// For containers the largest, which is the Spark container in all but odd templates.
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
          resource,
          user,
          describeAmount(resource, asked),
          describeAmount(resource, limit),
          resource === "cpu" ? `spark.kubernetes.${user}.limit.cores` : undefined,
        ),
      );
  });
}
