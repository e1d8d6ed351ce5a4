import { editObject } from "../../json.ts";
import { readText } from "../../readConf.ts";
import type { ExecutorContext, ExecutorSpec } from "../executorSpec.ts";

/** The executors' service account: the template's, or their own, or the driver's. */
export function executorCredentials(spec: ExecutorSpec, context: ExecutorContext): ExecutorSpec {
  const account =
    readText(context, "spark.kubernetes.authenticate.executor.serviceAccountName") ??
    readText(context, "spark.kubernetes.authenticate.driver.serviceAccountName");
  return {
    ...spec,
    pod: editObject(spec.pod, "spec", (own) =>
      // Spark looks at the older of the two fields alone.
      account === undefined || "serviceAccount" in own
        ? own
        : { ...own, serviceAccount: account, serviceAccountName: account },
    ),
  };
}
