import type { Application } from "./application.ts";
import { firstOf, itemsIn } from "./ordered.ts";

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
}: Pick<Application, "id" | "profiles">): readonly ExecutorSet[] {
  const ids = new Set([defaultProfile, ...profiles.map(({ profile }) => profile)]);
  return [...ids].flatMap((profile) =>
    kinds.map((kind) => ({ kind, name: `${prefixes[kind]}${id}-${profile}`, profile })),
  );
}

/** Whether a set makes the application's executors, as far as these show it. */
export function isOfSets({ id, live }: Pick<Application, "id" | "live">): boolean {
  const pod = firstOf(live)?.pod.name ?? "";
  return kinds.some((kind) => pod.startsWith(`${prefixes[kind]}${id}-`));
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
