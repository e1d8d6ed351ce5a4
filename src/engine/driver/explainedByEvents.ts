import type { DisplayState } from "../../spark/pods/displayState.ts";

/** True if the pod's events explain the state better than its status. */
export const isExplainedByEvents = ({ kind }: DisplayState): boolean =>
  kind !== "running" && kind !== "succeeded" && kind !== "failed" && kind !== "deleted";
