import type { SparkMinor } from "../submit/conf/sparkVersion.ts";

/** The minimum Kubernetes 1.x minor version in the documentation of each Spark version; absent if unknown. */
export const oldestKubernetes: Readonly<Partial<Record<SparkMinor, number>>> = {
  ...{ "3.3": 20, "3.4": 22, "3.5": 24, "4.0": 30, "4.2": 33 },
};

/** Returns the minor version: 36 for `v1.36.3` and `v1.36.3-gke.100`. Undefined if it is not a 1.x version. */
export function kubernetesMinor(version: string): number | undefined {
  const minor = /^v?1\.(\d{1,3})\b/.exec(version)?.[1];
  return minor === undefined ? undefined : Number(minor);
}
