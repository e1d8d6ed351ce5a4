import { objectAt, textAt } from "../../json.ts";
import { addConfVolumes } from "../../steps/mountVolumes.ts";
import { parseVolumes } from "../../volumes.ts";
import { addFindings } from "../../podSpec.ts";
import type { ExecutorContext, ExecutorSpec } from "../executorSpec.ts";

/** Mounts the volumes of the conf. Claims on demand are named after the executor's pod. */
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
