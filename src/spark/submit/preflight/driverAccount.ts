import { textAt } from "../../../base/json.ts";
import { manifestObject } from "../preview/podParts.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";

const mountedToken = "spark.kubernetes.authenticate.driver.mounted.oauthTokenFile";
const mountedKey = "spark.kubernetes.authenticate.driver.mounted.clientKeyFile";

/** Returns the driver's service account. Undefined if the conf gives the driver its own credentials. */
export function driverAccount({ writes, conf, identity }: SubmissionPlan): string | undefined {
  const shipsCredentials = writes.some(
    ({ manifest }) =>
      manifest.kind === "Secret" &&
      manifest.metadata.name === `${identity.prefix}-kubernetes-credentials`,
  );
  if (shipsCredentials || conf.has(mountedToken) || conf.has(mountedKey)) return undefined;
  const pod = writes.find(({ role }) => role === "driverPod")?.manifest;
  const spec = pod ? manifestObject(pod, "spec") : {};
  return textAt(spec, "serviceAccountName") ?? textAt(spec, "serviceAccount") ?? "default";
}
