import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { OperatorFailure } from "../../engine/operatorRequests.ts";
import type { OperatorRefusal } from "../../spark/operator/operatorPlan.ts";
import { explainClusterError } from "../showError.ts";

/** What an operator was not asked, why, and what to do. */
export function operatorFailureWords(failure: OperatorFailure, context: string): string {
  const { kind, name, namespace, apiVersion } = failure.object;
  switch (failure.kind) {
    case "alreadyThere":
      return l10n.t(
        'There is a {0} "{1}" in namespace "{2}" already. It is left as it is.',
        kind,
        name,
        namespace,
      );
    case "replaced":
      return l10n.t(
        'Another {0} has the name "{1}" in namespace "{2}" by now. It is left as it is.',
        kind,
        name,
        namespace,
      );
    case "absent":
      return l10n.t(
        'There is no {0} "{1}" in namespace "{2}" of "{3}". Submit it first.',
        kind,
        name,
        namespace,
        context,
      );
    case "noApi":
      return l10n.t(
        'The cluster "{0}" has no {1} of {2}: the operator is not installed there. Have it installed, choose another cluster, or turn the manifest into a run profile with "Spark: Convert Submission…" and submit that.',
        context,
        kind,
        apiVersion,
      );
    case "stillThere":
      return l10n.t(
        'The old {0} "{1}" does not go: something holds it, such as a finalizer whose operator does not run. Nothing new was created.',
        kind,
        name,
      );
    case "refused": {
      const words = explainClusterError(failure.error);
      return failure.isDeleted
        ? l10n.t(
            'The old {0} "{1}" is gone and the new one was not created. {2}',
            kind,
            name,
            words,
          )
        : words;
    }
    default:
      return assertNever(failure);
  }
}

export function operatorRefusalWords(refusal: OperatorRefusal): string {
  switch (refusal.kind) {
    case "unnamed":
      return l10n.t('The manifest names no object: add "metadata.name".');
    case "notInApi":
      return refusal.action === "suspend"
        ? l10n.t(
            "Applications of {0} cannot be suspended: the API has no field for it. Stop the application, and resubmit it later.",
            refusal.apiVersion,
          )
        : l10n.t(
            "Applications of {0} cannot be resumed: the API has no field for it. Resubmit the application instead.",
            refusal.apiVersion,
          );
    default:
      return assertNever(refusal);
  }
}

/** Why a manifest of another version than that of the API is not sent. */
export const otherVersionWords = (written: unknown, known: string): string =>
  l10n.t(
    'The manifest is of "{0}", which is not what can be sent from here. Write "{1}".',
    typeof written === "string" ? written : "",
    known,
  );
