import { msg } from "../../../base/message.ts";
import type { JsonObject } from "../../../base/json.ts";
import { customResources } from "../conf/customResources.ts";
import { problems } from "../plan/problems.ts";
import { readEntry, type ConfReading } from "../conf/readConf.ts";
import type { Checked, SubmissionFinding } from "../plan/submissionFinding.ts";
import { executorProblems } from "./executorProblems.ts";
import type { ExecutorTraits } from "./executorTraits.ts";
import { parseQuantity } from "../../quantity.ts";

const requestKey = "spark.kubernetes.executor.request.cores";
const limitKey = "spark.kubernetes.executor.limit.cores";

interface ResourceReading extends ConfReading {
  readonly executorTraits: Pick<ExecutorTraits, "checksCpuLimit">;
}

/** Returns the resource requests and limits of an executor's container. `memory`: in mebibytes. */
export function executorResources(
  context: ResourceReading,
  memory: bigint,
  cores: number,
): Checked<Readonly<Record<"requests" | "limits", JsonObject>>> {
  const custom = customResources(context, "spark.executor.resource.", executorProblems);
  const request = readEntry(context, requestKey)?.value ?? `${cores}`;
  const limit = readEntry(context, limitKey)?.value;
  return {
    value: {
      limits: {
        ...custom.value,
        ...(limit === undefined ? {} : { cpu: limit }),
        memory: `${memory}Mi`,
      },
      requests: { cpu: request, memory: `${memory}Mi` },
    },
    findings: [...custom.findings, ...checkCpu(context, request, limit)],
  };
}

function checkCpu(
  context: ResourceReading,
  request: string,
  limit: string | undefined,
): readonly SubmissionFinding[] {
  const bad = (key: string, value: string): SubmissionFinding =>
    problems.badValue(key, value, msg("a quantity"), readEntry(context, key)?.origin);
  const empty = [
    ...(request === "" ? [bad(requestKey, "")] : []),
    ...(limit === "" ? [bad(limitKey, "")] : []),
  ];
  if (empty.length > 0 || limit === undefined || !context.executorTraits.checksCpuLimit) {
    return empty;
  }
  const [most, asked] = [parseQuantity(limit), parseQuantity(request)];
  if (most === undefined) return [bad(limitKey, limit)];
  if (asked === undefined) return [bad(requestKey, request)];
  if (asked <= most) return [];
  const origin = readEntry(context, limitKey)?.origin;
  return [executorProblems.cpuAboveLimit(request, limit, origin)];
}
