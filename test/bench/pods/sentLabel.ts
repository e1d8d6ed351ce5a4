/** The label that tells when a pod was last changed, in milliseconds since the epoch. */
export const sentLabel = "bench-sent-at";
