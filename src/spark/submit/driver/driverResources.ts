import { msg } from "../../../base/message.ts";
import { customResources } from "../conf/customResources.ts";
import type { JsonObject } from "../../../base/json.ts";
import { problems } from "../plan/problems.ts";
import { readEntry, readInt, type ConfReading } from "../conf/readConf.ts";
import { isQuantity } from "../conf/sparkValues.ts";
import type { Checked } from "../plan/submissionFinding.ts";

/** Returns requests and limits of the driver's container. `memory`: mebibytes. */
export function driverResources(
  context: ConfReading,
  memory: bigint,
): Checked<Readonly<Record<"requests" | "limits", JsonObject>>> {
  const cores = readInt(context, "spark.driver.cores", 1);
  const custom = customResources(context, "spark.driver.resource.", problems);
  const keys = {
    request: "spark.kubernetes.driver.request.cores",
    limit: "spark.kubernetes.driver.limit.cores",
  };
  const request = readEntry(context, keys.request);
  const limit = readEntry(context, keys.limit);
  // Reports invalid quantities: Spark sends the text unchecked, and the API server rejects it.
  const bad = Object.values(keys).flatMap((key) => {
    const entry = readEntry(context, key);
    return entry && !isQuantity(entry.value)
      ? [problems.badValue(key, entry.value, msg("a quantity"), entry.origin)]
      : [];
  });
  return {
    value: {
      limits: {
        ...custom.value,
        ...(limit === undefined ? {} : { cpu: limit.value }),
        memory: `${memory}Mi`,
      },
      requests: { cpu: request?.value ?? `${cores.value}`, memory: `${memory}Mi` },
    },
    findings: [...cores.findings, ...custom.findings, ...bad],
  };
}
