import { totalSize, type SentCode, type SentFile } from "./sentCode.ts";

/** The transport of sent files to the driver: a mounted ConfigMap, or a stream into an init container. */
export type Delivery = "configMap" | "stream";

/** The values of `delivery` in a run profile. */
export const deliveries = ["automatic", "configMap", "stream"] as const;
export type DeliveryChoice = (typeof deliveries)[number];

export interface ChosenDelivery {
  readonly kind: Delivery;
  readonly reason: "chosen" | "small" | "large";
}

/**
 * Maximum size of the sent files, in bytes. The API server rejects a ConfigMap with more than 1,048,576 decoded bytes.
 * A proxy may allow less: by default nginx rejects bodies of more than 1 MB, which is about 750 KB before base64.
 */
export const maxConfigMapBytes = 900_000;

/**
 * Returns the user's explicit choice. For `automatic`, returns a ConfigMap if the files fit, because Spark needs the
 * permission to create ConfigMaps anyway.
 */
export function chooseDelivery(
  { files }: Pick<SentCode, "files">,
  choice: DeliveryChoice,
): ChosenDelivery {
  if (choice !== "automatic") return { kind: choice, reason: "chosen" };
  return fitsConfigMap(files)
    ? { kind: "configMap", reason: "small" }
    : { kind: "stream", reason: "large" };
}

/**
 * True if a ConfigMap can contain the files: they are at most `maxConfigMapBytes` in total, and none has `disk`
 * content.
 */
export const fitsConfigMap = (files: readonly Pick<SentFile, "size" | "content">[]): boolean =>
  totalSize(files) <= maxConfigMapBytes && files.every(({ content }) => content.kind === "inline");
