import { textAt } from "../json.ts";
import { fieldOf } from "../preview/podParts.ts";
import type { SubmissionPlan } from "../submissionPlan.ts";

const mountedToken = "spark.kubernetes.authenticate.driver.mounted.oauthTokenFile";
const mountedKey = "spark.kubernetes.authenticate.driver.mounted.clientKeyFile";

/** The service account that the driver speaks as; undefined: it has other credentials. */
export function driverAccount({ writes, conf, identity }: SubmissionPlan): string | undefined {
  const shipsCredentials = writes.some(
    ({ manifest }) =>
      manifest.kind === "Secret" &&
      manifest.metadata.name === `${identity.prefix}-kubernetes-credentials`,
  );
  if (shipsCredentials || conf.has(mountedToken) || conf.has(mountedKey)) return undefined;
  const pod = writes.find(({ role }) => role === "driverPod")?.manifest;
  const spec = pod ? fieldOf(pod, "spec") : {};
  return textAt(spec, "serviceAccountName") ?? textAt(spec, "serviceAccount") ?? "default";
}
