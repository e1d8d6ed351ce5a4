import { editObject } from "../../../../base/json.ts";
import { readConfText } from "../../conf/readConf.ts";
import type { ExecutorContext, ExecutorSpec } from "../executorSpec.ts";

/** Sets the service account: the template's if it has one, else the executors' from the conf, else the driver's. */
export function executorCredentials(spec: ExecutorSpec, context: ExecutorContext): ExecutorSpec {
  const account =
    readConfText(context, "spark.kubernetes.authenticate.executor.serviceAccountName") ??
    readConfText(context, "spark.kubernetes.authenticate.driver.serviceAccountName");
  return {
    ...spec,
    pod: editObject(spec.pod, "spec", (own) =>
      // Checks only the deprecated field `serviceAccount`, as Spark does.
      account === undefined || "serviceAccount" in own
        ? own
        : { ...own, serviceAccount: account, serviceAccountName: account },
    ),
  };
}
