import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { SendFailure } from "../../engine/submit/podWait.ts";
import { explainClusterError } from "../showError.ts";
import { translated } from "../ui/translated.ts";

/** Why the code did not reach the driver pod, and what to do. */
export function sendFailureWords(failure: SendFailure): string {
  const failed = l10n.t("Cannot send the code to the driver pod.");
  const told = (advice: string): string =>
    `${failed} ${advice} ${l10n.t("Message: {0}", failure.kind === "cluster" ? "" : translated(failure.detail))}`;
  switch (failure.kind) {
    case "cluster":
      return failure.error.kind === "forbidden"
        ? `${failed} ${explainClusterError(failure.error)} ${l10n.t('Without this permission, "delivery": "configMap" sends up to 900 KB.')}`
        : `${failed} ${explainClusterError(failure.error)}`;
    case "lacksProgram":
      return failure.program === "bash"
        ? told(l10n.t("The image has no bash. Use a Spark image that has it."))
        : told(l10n.t("The image has neither tar nor python3. Use an image with one of them."));
    case "volumeFull":
      return told(l10n.t("The node or the volume has no space left. Exclude large files."));
    case "fileChanged":
      return told(l10n.t("A file changed while it was sent. Run it again."));
    case "notUnpacked":
      return told(l10n.t("The archive could not be unpacked in the pod."));
    case "notVerified":
      return told(l10n.t("The received files differ from the sent ones. Run it again."));
    case "podEnded":
      return told(l10n.t("The pod ended before it had the code."));
    default:
      return assertNever(failure);
  }
}
