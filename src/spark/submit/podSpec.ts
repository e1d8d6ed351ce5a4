import { append, editObject } from "./json.ts";
import type { JsonObject } from "./manifest.ts";
import type { SubmissionFinding } from "./submissionFinding.ts";

/** A pod while the feature steps make it, be it the driver's or an executor's. */
export interface PodSpec {
  /** The pod without the container that Spark runs in. */
  readonly pod: JsonObject;
  readonly container: JsonObject;
  readonly findings: readonly SubmissionFinding[];
}

export function addFindings<Spec extends PodSpec>(
  spec: Spec,
  findings: readonly SubmissionFinding[],
): Spec {
  return findings.length === 0 ? spec : { ...spec, findings: [...spec.findings, ...findings] };
}

/** Volumes of the pod, and where the container that Spark runs in finds them. */
export function addVolumes<Spec extends PodSpec>(
  spec: Spec,
  volumes: readonly JsonObject[],
  mounts: readonly JsonObject[],
): Spec {
  return {
    ...spec,
    pod: editObject(spec.pod, "spec", (own) => append(own, "volumes", volumes)),
    container: append(spec.container, "volumeMounts", mounts),
  };
}
