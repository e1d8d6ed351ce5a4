import { append, editObject, type JsonObject } from "../../../base/json.ts";
import type { SubmissionFinding } from "../plan/submissionFinding.ts";

/** A driver or executor pod between feature steps. */
export interface PodSpec {
  /** The pod without Spark's container. */
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

/** Adds volumes to the pod and their mounts to Spark's container. */
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

/** Adds a volume to the pod and mounts it in Spark's container. */
export const mountVolume = <Spec extends PodSpec>(
  spec: Spec,
  volume: JsonObject & { readonly name: string },
  mount: JsonObject,
): Spec => addVolumes(spec, [volume], [{ name: volume.name, ...mount }]);

/** Adds an environment variable to Spark's container. */
export const addVariable = <Spec extends PodSpec>(
  spec: Spec,
  name: string,
  value: string,
): Spec => ({
  ...spec,
  container: append(spec.container, "env", [{ name, value }]),
});
