import type { Application } from "./application.ts";
import { ownProfileOf } from "./executorPods.ts";
import { itemsIn } from "./ordered.ts";
import { applicationIdOf } from "./origin.ts";
import type { PodRecord } from "./podRecord.ts";

/** What makes an application's executors where its driver does not make each itself (`…allocation.pods.allocator`). */
export interface ExecutorSet {
  readonly kind: "StatefulSet" | "Deployment";
  readonly name: string;
  /** The id of the resource profile whose executors it makes. */
  readonly profile: string;
}

/** The sets that an application may have, by the names that Spark gives them: one of each resource profile. */
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

/** Whether a set makes the application's executors, as far as these have shown it. */
export const isOfSets = ({ past }: Pick<Application, "past">): boolean =>
  past.setProfiles.length > 0;

/** The set that has made an executor; undefined where its driver has. */
export function setOf(pod: PodRecord): ExecutorSet | undefined {
  for (const kind of kinds) {
    // Asked of each change of a pod, most of which are of no set.
    if (!pod.name.startsWith(prefixes[kind])) continue;
    const stem = `${prefixes[kind]}${applicationIdOf(pod)}-`;
    const profile = ownProfileOf(pod) ?? defaultProfile;
    if (pod.name.startsWith(stem)) return { kind, name: `${stem}${profile}`, profile };
  }
  return undefined;
}

/**
 * The pods that go when a set is made smaller, as far as one can know: of a StatefulSet those of the highest ordinals,
 * whatever they do; of a Deployment Kubernetes chooses.
 */
export function podsBeyond(
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
