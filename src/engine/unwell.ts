import type { DisplayState } from "../spark/pods/displayState.ts";

/** States in which the events of a pod say more than the pod does. */
export const isUnwell = ({ kind }: DisplayState): boolean =>
  kind !== "running" && kind !== "succeeded" && kind !== "failed" && kind !== "deleted";
