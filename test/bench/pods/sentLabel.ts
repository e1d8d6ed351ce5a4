/** The label with the time of a pod's last change, in epoch ms. */
export const sentLabel = "bench-sent-at";
