import { assertNever } from "../../base/assertNever.ts";
import type { DisplayState, StartProblem } from "./displayState.ts";
import { describeExit, type PodExit } from "./podExit.ts";

/** A pod's state in words for people, short enough for a line of a tree: `failed: out of memory, exit code 137`. */
export function describeState(state: DisplayState): string {
  switch (state.kind) {
    case "requested":
      return "requested";
    case "unscheduled":
      return state.held ? "pending: held by a queue" : "pending: waiting for a node";
    case "scheduled":
      return "pending: scheduled";
    case "initializing":
      return `pending: init container "${state.container}" is running`;
    case "pulling":
      return `pending: pulling image "${state.image}"`;
    case "starting":
      return "pending: starting";
    case "blocked":
      return `pending: ${describeProblem(state.problem)}`;
    case "running":
      return joined("running", [
        state.restarts > 0 ? `restarted ${times(state.restarts)}${lastExit(state.lastExit)}` : "",
        state.failedSidecar === undefined ? "" : `container "${state.failedSidecar}" has failed`,
      ]);
    case "terminating":
      return "terminating";
    case "succeeded":
      return joined("succeeded", [
        state.heldBy === undefined ? "" : `pod held by container "${state.heldBy}"`,
        deleting(state.isDeleting),
      ]);
    case "failed": {
      const why = state.exit === undefined ? "" : describeExit(state.exit);
      return joined(why === "" ? "failed" : `failed: ${why}`, [deleting(state.isDeleting)]);
    }
    case "deleted":
      return "deleted before it started";
    case "unknown":
      return joined(
        state.phase === "Unknown" ? "unknown: its node does not answer" : `unknown: ${state.phase}`,
        [deleting(state.isDeleting)],
      );
    default:
      return assertNever(state);
  }
}

function describeProblem({ container, image, reason }: StartProblem): string {
  switch (reason) {
    case "ErrImagePull":
    case "ImagePullBackOff":
    case "ImageInspectError":
    case "RegistryUnavailable":
      return `image "${image}" cannot be pulled`;
    case "SignatureValidationFailed":
      return `the signature of image "${image}" is refused`;
    case "ErrImageNeverPull":
      return `image "${image}" is not on the node and may not be pulled`;
    case "InvalidImageName":
      return `"${image}" is no valid image name`;
    case "CrashLoopBackOff":
      return `container "${container}" crashes again and again`;
    case "CreateContainerConfigError":
      return `container "${container}" cannot be configured`;
    default:
      return `container "${container}": ${reason}`;
  }
}

const deleting = (isDeleting: boolean): string => (isDeleting ? "being deleted" : "");

function lastExit(exit: PodExit | undefined): string {
  const why = exit === undefined ? "" : describeExit(exit);
  return why === "" ? "" : ` (${why})`;
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

function joined(head: string, parts: readonly string[]): string {
  let text = head;
  for (const part of parts) if (part !== "") text += `, ${part}`;
  return text;
}
