import { inEnglish, msg, sentences, verbatim, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { SendFailure } from "../../engine/submit/podWait.ts";
import type { Screen } from "../screen.ts";

/** Returns the message that explains why the code did not reach the driver pod, and the next step. */
export function sendFailureWords(
  failure: SendFailure,
  { explainClusterError }: Pick<Screen, "explainClusterError">,
): Message {
  const failed = msg("Cannot send the code to the driver pod.");
  if (failure.kind === "cluster") {
    const reason = verbatim(explainClusterError(failure.error));
    return failure.error.kind === "forbidden"
      ? sentences([
          failed,
          reason,
          msg('"delivery": "configMap" sends up to 900 KB without this permission.'),
        ])
      : sentences([failed, reason]);
  }
  const { detail } = failure;
  // Add no second full stop if the detail already ends like a sentence.
  const isEnded = /[.!?]$/.test(inEnglish(detail));
  const message = isEnded ? msg`Message: ${detail}` : msg`Message: ${detail}.`;
  return sentences([failed, adviceOn(failure), message]);
}

function adviceOn(failure: Exclude<SendFailure, { readonly kind: "cluster" }>): Message {
  switch (failure.kind) {
    case "lacksProgram":
      return failure.program === "bash"
        ? msg("The image has no bash. Use a Spark image that has it.")
        : msg("The image has neither tar nor python3. Use an image with one of them.");
    case "volumeFull":
      return msg("The node or the volume has no space left. Exclude large files.");
    case "fileChanged":
      return msg("A file changed while it was sent. Run it again.");
    case "notUnpacked":
      return msg("The archive could not be unpacked in the pod.");
    case "notVerified":
      return msg("The received files differ from the sent ones. Run it again.");
    case "podEnded":
      return msg("The pod ended before it received the code.");
    default:
      return assertNever(failure);
  }
}
