import { assertNever } from "../../base/assertNever.ts";
import { msg, type Message } from "../../base/message.ts";
import { binarySize } from "../../spark/binarySize.ts";
import type { PlannedCode } from "../../spark/submit/code/plannedCode.ts";
import { totalSize } from "../../spark/submit/code/sentCode.ts";

/** Returns the terminal line about the code that a run sends. */
export const deliveryNote = (code: PlannedCode): Message =>
  msg`sending ${countWords(code.files.length)} (${binarySize(totalSize(code.files))}) ${deliveryWords(code)}`;

// In bytes. A smaller stream usually ends before the driver's JVM has started.
const largeStreamBytes = 20 * 2 ** 20;

/**
 * Returns advice on how to avoid streaming large files in each run. Undefined for small files and other delivery
 * methods.
 */
export const resendWords = ({
  files,
  delivery,
}: Pick<PlannedCode, "files" | "delivery">): Message | undefined =>
  delivery.kind === "stream" && totalSize(files) >= largeStreamBytes
    ? msg(
        "Each run streams all of these files. To send changed files only, set spark.kubernetes.file.upload.path to an s3a:// URL or to a shared folder.",
      )
    : undefined;

export const countWords = (count: number): Message =>
  count === 1 ? msg("1 file") : msg`${count} files`;

/** Returns text about the delivery of the files to the driver, and its reason. */
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
      return msg("in a ConfigMap");
    case "large":
      return msg("streamed into the driver pod, because a ConfigMap cannot hold them");
    default:
      return assertNever(reason);
  }
}
