import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { OperatorFailure } from "../../engine/lifecycle/operatorRequests.ts";
import type { OperatorRefusal } from "../../spark/operator/operatorPlan.ts";
import { explainClusterError } from "../showError.ts";

/** The error message of a failed operator request. */
export function operatorFailureWords(failure: OperatorFailure, context: string): string {
  const { kind, name, namespace, apiVersion } = failure.object;
  switch (failure.kind) {
    case "alreadyThere":
      return l10n.t(
        '{0} "{1}" already exists in namespace "{2}". It was not changed.',
        kind,
        name,
        namespace,
      );
    case "replaced":
      return l10n.t(
        '{0} "{1}" in namespace "{2}" was replaced meanwhile. It was not changed.',
        kind,
        name,
        namespace,
      );
    case "absent":
      return l10n.t(
        '{0} "{1}" not found in namespace "{2}" of "{3}". Submit it first.',
        kind,
        name,
        namespace,
        context,
      );
    case "noApi":
      return l10n.t(
        'Cluster "{0}" has no resource {1} of {2}. Install the operator, choose another cluster, or convert the manifest to a run profile with "Spark: Convert Submission…".',
        context,
        kind,
        apiVersion,
      );
    case "stillThere":
      return l10n.t(
        'Cannot replace {0} "{1}": the existing object is still terminating, for example because of a finalizer whose operator is not running. Nothing was created.',
        kind,
        name,
      );
    case "refused": {
      const words = explainClusterError(failure.error);
      return failure.isDeleted
        ? l10n.t('{0} "{1}" was deleted, but could not be created again. {2}', kind, name, words)
        : words;
    }
    default:
      return assertNever(failure);
  }
}

export function operatorRefusalWords(refusal: OperatorRefusal): string {
  switch (refusal.kind) {
    case "unnamed":
      return l10n.t('The manifest has no name. Add "metadata.name".');
    case "notInApi":
      return refusal.action === "suspend"
        ? l10n.t(
            "Cannot suspend applications of {0}: the API has no such field. Stop the application, and resubmit it later.",
            refusal.apiVersion,
          )
        : l10n.t(
            "Cannot resume applications of {0}: the API has no such field. Resubmit the application instead.",
            refusal.apiVersion,
          );
    default:
      return assertNever(refusal);
  }
}

/** The error message for a manifest with an unsupported API version. */
export const otherVersionWords = (written: unknown, known: string): string =>
  l10n.t(
    'Unsupported API version "{0}". Use "{1}".',
    typeof written === "string" ? written : "",
    known,
  );
