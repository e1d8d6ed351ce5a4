import { totalSize, type SentCode, type SentFile } from "./sentCode.ts";

/** How files reach the driver. */
export type Delivery = "configMap" | "stream";

/** The choice of a profile or of the setting. */
export const deliveries = ["automatic", "configMap", "stream"] as const;
export type DeliveryChoice = (typeof deliveries)[number];

export interface ChosenDelivery {
  readonly kind: Delivery;
  readonly reason: "chosen" | "small" | "large";
}

/**
 * The server refuses a ConfigMap with more than 1,048,576 decoded bytes; nginx in front of a server refuses bodies of
 * more than 1 MB by default, which about 750 KB of base64 reach.
 */
export const maxConfigMapBytes = 900_000;

/** A ConfigMap needs no right that Spark does not need anyway, so it is preferred if the files fit. */
export function chooseDelivery(
  { files }: Pick<SentCode, "files">,
  choice: DeliveryChoice,
): ChosenDelivery {
  if (choice !== "automatic") return { kind: choice, reason: "chosen" };
  return fitsConfigMap(files)
    ? { kind: "configMap", reason: "small" }
    : { kind: "stream", reason: "large" };
}

/** True if a ConfigMap can hold the files. Only inline contents are part of a manifest. */
export const fitsConfigMap = (files: readonly Pick<SentFile, "size" | "content">[]): boolean =>
  totalSize(files) <= maxConfigMapBytes && files.every(({ content }) => content.kind === "inline");
