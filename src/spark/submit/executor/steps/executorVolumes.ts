import { objectAt, textAt } from "../../../../base/json.ts";
import { addConfVolumes } from "../../driver/steps/mountVolumes.ts";
import { parseVolumes } from "../../driver/volumes.ts";
import { addFindings } from "../../driver/podSpec.ts";
import type { ExecutorContext, ExecutorSpec } from "../executorSpec.ts";

/** Mounts the volumes of the conf. On-demand claims are named after the executor's pod. */
export function executorVolumes(spec: ExecutorSpec, context: ExecutorContext): ExecutorSpec {
  const { application, traits, executorId } = context;
  const { value: volumes, findings } = parseVolumes(application.conf, "executor", traits);
  const podName = textAt(objectAt(spec.pod, "metadata"), "name") ?? "";
  const nameClaim = (template: string, index: number): string =>
    template
      .replaceAll("OnDemand", `${podName}-pvc-${index}`)
      .replaceAll("SPARK_EXECUTOR_ID", executorId);
  return addConfVolumes(addFindings(spec, findings), volumes, traits, nameClaim);
}
