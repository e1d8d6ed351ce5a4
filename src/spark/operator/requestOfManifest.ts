import { assertNever } from "../../base/assertNever.ts";
import { requestOfApache } from "./apacheRequest.ts";
import { apacheVersion, type OperatorManifest } from "./operatorManifest.ts";
import { requestOfKubeflow, requestOfScheduled } from "./requestOfKubeflow.ts";
import type { SubmissionRequest } from "./submissionRequest.ts";

/** Returns the request that the operator submits for an object of any of its kinds. */
export function requestOfManifest(manifest: OperatorManifest): SubmissionRequest {
  if (manifest.apiVersion === apacheVersion) return requestOfApache(manifest).value;
  switch (manifest.kind) {
    case "SparkApplication":
      return requestOfKubeflow(manifest).value;
    case "ScheduledSparkApplication":
      return requestOfScheduled(manifest).value;
    default:
      return assertNever(manifest);
  }
}
