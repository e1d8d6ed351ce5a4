import { editObject } from "../../../../base/json.ts";
import type { ExecutorContext, ExecutorSpec } from "../executorSpec.ts";

/** Adds the executor to the application's Volcano pod group. */
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
