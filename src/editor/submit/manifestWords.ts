import { msg, verbatim, type Message, type MessageText } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { OperatorFailure } from "../../engine/lifecycle/operatorRequests.ts";
import type { DecodedManifest } from "../../spark/operator/decodeManifests.ts";
import type { OperatorRefusal } from "../../spark/operator/operatorPlan.ts";
import type { Screen } from "../screen.ts";

/** Returns the manifest's name, or a placeholder. */
export const nameOfManifest = ({ manifest }: DecodedManifest): MessageText =>
  manifest.metadata.name ?? msg("(no name)");

/** Returns the error message of a failed operator request. */
export function operatorFailureWords(
  failure: OperatorFailure,
  context: string,
  { explainClusterError }: Pick<Screen, "explainClusterError">,
): Message {
  const { kind, name, namespace, apiVersion } = failure.object;
  switch (failure.kind) {
    case "alreadyThere":
      return msg`${kind} "${name}" already exists in namespace "${namespace}". It was not changed.`;
    case "replaced":
      return msg`${kind} "${name}" in namespace "${namespace}" was replaced in the meantime. It was not changed.`;
    case "absent":
      return msg`${kind} "${name}" not found in namespace "${namespace}" of "${context}". Submit it first.`;
    case "noApi":
      return msg`Cluster "${context}" has no resource ${kind} of ${apiVersion}. Install the operator, choose another cluster, or convert the manifest to a run profile with "Spark: Convert Submission…".`;
    case "stillThere":
      return msg`Cannot replace ${kind} "${name}": the existing object is still terminating, for example because of a finalizer whose operator is not running. Nothing was created.`;
    case "refused": {
      const words = explainClusterError(failure.error);
      return failure.isDeleted
        ? msg`${kind} "${name}" was deleted, but could not be created again. ${words}`
        : verbatim(words);
    }
    default:
      return assertNever(failure);
  }
}

export function operatorRefusalWords(refusal: OperatorRefusal): Message {
  switch (refusal.kind) {
    case "unnamed":
      return msg('The manifest has no name. Add "metadata.name".');
    case "notInApi":
      return refusal.action === "suspend"
        ? msg`Cannot suspend applications of ${refusal.apiVersion}: the API has no such field. Stop the application, and resubmit it later.`
        : msg`Cannot resume applications of ${refusal.apiVersion}: the API has no such field. Resubmit the application instead.`;
    default:
      return assertNever(refusal);
  }
}

/**
 * Returns the error message for an unsupported API version. `written`: the version in the manifest. `known`: the
 * supported version.
 */
export const otherVersionWords = (written: unknown, known: string): Message =>
  msg`Unsupported API version "${typeof written === "string" ? written : ""}". Use "${known}".`;
