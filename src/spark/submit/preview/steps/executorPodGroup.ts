import { editObject } from "../../json.ts";
import type { ExecutorContext, ExecutorSpec } from "../executorSpec.ts";

/** Puts the executor into the application's group of Volcano. */
export function executorPodGroup(
  spec: ExecutorSpec,
  { applicationId }: ExecutorContext,
): ExecutorSpec {
  return {
    ...spec,
    pod: editObject(spec.pod, "metadata", (metadata) =>
      editObject(metadata, "annotations", (annotations) => ({
        ...annotations,
        "scheduling.k8s.io/group-name": `${applicationId}-podgroup`,
      })),
    ),
  };
}
