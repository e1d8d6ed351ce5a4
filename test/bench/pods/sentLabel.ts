/** The label whose value is the time of the pod's last change, in epoch ms. */
export const sentLabel = "bench-sent-at";
