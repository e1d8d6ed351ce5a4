import { assertNever } from "../../base/assertNever.ts";
import { msg, type Message } from "../../base/message.ts";
import { binarySize } from "../../spark/binarySize.ts";
import type { PlannedCode } from "../../spark/submit/code/plannedCode.ts";
import { totalSize } from "../../spark/submit/code/sentCode.ts";

/** The line of a run's terminal about its code. */
export const deliveryNote = (code: PlannedCode): Message =>
  msg`sending ${countWords(code.files.length)} (${binarySize(totalSize(code.files))}) ${deliveryWords(code)}`;

export const countWords = (count: number): Message =>
  count === 1 ? msg("1 file") : msg`${count} files`;

/** How the files reach the driver, and why. */
export function deliveryWords({
  delivery: { kind, reason },
}: Pick<PlannedCode, "delivery">): Message {
  const isMap = kind === "configMap";
  switch (reason) {
    case "chosen":
      return isMap
        ? msg("in a ConfigMap, as the profile requests")
        : msg("streamed into the driver pod, as the profile requests");
    case "small":
      return msg("in a ConfigMap, which is large enough");
    case "large":
      return msg("streamed into the driver pod, because a ConfigMap cannot hold them");
    default:
      return assertNever(reason);
  }
}
