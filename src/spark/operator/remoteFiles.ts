// What another machine can and cannot fetch of the files that a request names.
import { dependencyKeys, isLocalFile } from "../submit/dependencies.ts";
import { parseUri } from "../submit/uri.ts";
import type { Loss, SubmissionRequest } from "./submissionRequest.ts";

/** Whether others than this machine can get at it. */
export const isFarAway = (uri: string): boolean => !isLocalFile(uri);

/** Files of this machine, which stay named in the object and have to be brought somewhere first. */
export function fileLosses({ resource, conf }: SubmissionRequest): readonly Loss[] {
  const lists = dependencyKeys.flatMap((key) =>
    (conf.get(key) ?? "")
      .split(",")
      .filter((uri) => uri.trim() !== "")
      .map((uri) => [key, uri] as const),
  );
  const named =
    resource === undefined ? [] : [["the main application resource", resource] as const];
  return [...named, ...lists]
    .filter(([, uri]) => isLocalFile(uri))
    .map(([entry, uri]) => ({
      kind: "byHand" as const,
      entry,
      reason: `"${uri}" is a file of this machine, which the operator cannot read. Upload it and write its address, or put it into the image and write "local:///path".`,
    }));
}

/** Keys that name files of the machine that submits. */
const localFileKeys: ReadonlySet<string> = new Set([
  ...["caCertFile", "clientKeyFile", "clientCertFile", "oauthTokenFile"].map(
    (name) => `spark.kubernetes.authenticate.driver.${name}`,
  ),
  "spark.kubernetes.kerberos.krb5.path",
]);

const keytabKey = "spark.kerberos.keytab";

/** Why an entry means nothing on the machine where an operator submits; undefined if it does. */
export function whyOnlyHere(key: string, value: string): string | undefined {
  if (key === "spark.master")
    return "The application runs in the cluster that the object is sent to.";
  if (key === "spark.kubernetes.context") {
    return "The operator has no kubeconfig; send the object to the right cluster.";
  }
  if (key.startsWith("spark.kubernetes.authenticate.submission.")) {
    return "The operator submits with credentials of its own.";
  }
  const isKeytab = key === keytabKey && parseUri(value)?.scheme !== "local";
  if (localFileKeys.has(key) || isKeytab) {
    return `"${value}" is a file of this machine, which the operator cannot read.`;
  }
  if (key === "spark.kubernetes.submission.waitAppCompletion" && value !== "false") {
    return "The operator follows the application itself and must not wait while it submits.";
  }
  return undefined;
}
