// Finds files of a request that another machine cannot read.
import { msg, type Message } from "../../base/message.ts";
import { dependencyKeys, isLocalFile } from "../submit/conf/dependencies.ts";
import { parseUri } from "../submit/arguments/uri.ts";
import type { ConversionLoss, SubmissionRequest } from "./submissionRequest.ts";

/** True if other machines can read the URI. */
export const isRemoteUri = (uri: string): boolean => !isLocalFile(uri);

/** Returns a loss for each local file. The object still refers to the file, which the user must upload. */
export function fileLosses({ resource, conf }: SubmissionRequest): readonly ConversionLoss[] {
  const lists = dependencyKeys.flatMap((key) =>
    (conf.get(key) ?? "")
      .split(",")
      .filter((uri) => uri.trim() !== "")
      .map((uri) => [key, uri] as const),
  );
  const named =
    resource === undefined ? [] : [[msg("the main application resource"), resource] as const];
  return [...named, ...lists]
    .filter(([, uri]) => isLocalFile(uri))
    .map(([entry, uri]) => ({
      kind: "byHand" as const,
      entry,
      reason: msg`"${uri}" is a local file, which the operator cannot read. Upload it and use its URI, or add it to the image and use "local:///path".`,
    }));
}

/** Keys whose values are paths on the submitting machine. */
const localFileKeys: ReadonlySet<string> = new Set([
  ...["caCertFile", "clientKeyFile", "clientCertFile", "oauthTokenFile"].map(
    (name) => `spark.kubernetes.authenticate.driver.${name}`,
  ),
  "spark.kubernetes.kerberos.krb5.path",
]);

const keytabKey = "spark.kerberos.keytab";

/** Returns the reason why the operator cannot use an entry. Undefined if it can. */
export function localOnlyReason(key: string, value: string): Message | undefined {
  if (key === "spark.master")
    return msg("The application runs in the cluster in which the object is created.");
  if (key === "spark.kubernetes.context") {
    return msg("The operator does not use a kubeconfig. Create the object in the target cluster.");
  }
  if (key.startsWith("spark.kubernetes.authenticate.submission.")) {
    return msg("The operator submits with its own credentials.");
  }
  const isKeytab = key === keytabKey && parseUri(value)?.scheme !== "local";
  if (localFileKeys.has(key) || isKeytab) {
    return msg`"${value}" is a local file, which the operator cannot read.`;
  }
  if (key === "spark.kubernetes.submission.waitAppCompletion" && value !== "false") {
    return msg(
      "The operator monitors the application itself, so the submission must not wait for its completion.",
    );
  }
  return undefined;
}
