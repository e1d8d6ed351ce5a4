import type { Application, SparkPod } from "../pods/application.ts";
import { possibleSetsOf } from "../pods/executorSets.ts";
import type { DriverReport } from "./driverReport.ts";
import { isStarving } from "./starving.ts";

/** An object whose events explain the state of a pod. */
export interface RelatedObject {
  readonly kind: "PersistentVolumeClaim" | "StatefulSet" | "ReplicaSet";
  readonly name: string;
  /** True if `name` is a prefix, because Kubernetes generates the rest. */
  readonly isPrefix: boolean;
}

/**
 * Returns the volume claims of a pod. For a driver without enough executors, also returns the StatefulSets and
 * ReplicaSets that should create them.
 */
export function relatedObjects(
  application: Application,
  { pod }: SparkPod,
  { report, now }: { readonly report: DriverReport | undefined; readonly now: number },
): readonly RelatedObject[] {
  const claims = (pod.claims ?? []).map((name) => ({
    kind: "PersistentVolumeClaim" as const,
    ...{ name, isPrefix: false },
  }));
  const isDriver = application.driver?.pod.uid === pod.uid;
  if (!isDriver || !isStarving(application, report, now)) return claims;
  const sets = possibleSetsOf(application).map(({ kind, name }) =>
    kind === "StatefulSet"
      ? { kind, name, isPrefix: false }
      : { kind: "ReplicaSet" as const, name: `${name}-`, isPrefix: true },
  );
  return [...claims, ...sets];
}
