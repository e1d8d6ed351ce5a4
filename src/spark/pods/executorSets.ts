import type { Application } from "./application.ts";
import { ownProfileOf } from "./executorPods.ts";
import { itemsIn } from "./ordered.ts";
import { applicationIdOf } from "./origin.ts";
import type { PodRecord } from "./podRecord.ts";

/**
 * A StatefulSet or Deployment that creates the executors
 * (`spark.kubernetes.allocation.pods.allocator`).
 */
export interface ExecutorSet {
  readonly kind: "StatefulSet" | "Deployment";
  readonly name: string;
  /** The id of the executors' resource profile. */
  readonly profile: string;
}

/**
 * Returns the possible sets of an application by Spark's naming scheme: a StatefulSet and a Deployment for each
 * resource profile.
 */
export function possibleSetsOf({
  id,
  profiles,
  past,
}: Pick<Application, "id" | "profiles" | "past">): readonly ExecutorSet[] {
  const living = profiles.map(({ profile }) => profile);
  const ids = new Set([defaultProfile, ...living, ...past.setProfiles]);
  return [...ids].flatMap((profile) =>
    kinds.map((kind) => ({ kind, name: `${prefixes[kind]}${id}-${profile}`, profile })),
  );
}

/** True if executors of a StatefulSet or Deployment were seen. */
export const hasExecutorSets = ({ past }: Pick<Application, "past">): boolean =>
  past.setProfiles.length > 0;

/** Returns the set that created an executor. Undefined if the driver created it. */
export function executorSetOf(pod: PodRecord): ExecutorSet | undefined {
  for (const kind of kinds) {
    // Fast path: this code runs on each pod change, and most pods belong to no set.
    if (!pod.name.startsWith(prefixes[kind])) continue;
    const stem = `${prefixes[kind]}${applicationIdOf(pod)}-`;
    const profile = ownProfileOf(pod) ?? defaultProfile;
    if (pod.name.startsWith(stem)) return { kind, name: `${stem}${profile}`, profile };
  }
  return undefined;
}

/**
 * Returns the names of the pods that scaling down to `replicas` will remove, lowest ordinal first. A StatefulSet
 * removes the highest ordinals. Empty for a Deployment, because Kubernetes chooses its pods.
 */
export function podsRemovedByScaleDown(
  { live }: Pick<Application, "live">,
  { kind, name }: ExecutorSet,
  replicas: number,
): readonly string[] {
  if (kind !== "StatefulSet") return [];
  const ordinalOf = (pod: string): number =>
    pod.startsWith(`${name}-`) ? Number(pod.slice(name.length + 1)) : NaN;
  return [...itemsIn(live)]
    .map(({ pod }) => pod.name)
    .filter((pod) => ordinalOf(pod) >= replicas)
    .sort((a, b) => ordinalOf(a) - ordinalOf(b));
}

const kinds = ["StatefulSet", "Deployment"] as const;
const prefixes = { StatefulSet: "spark-s-", Deployment: "spark-d-" } as const;
const defaultProfile = "0";
