import { assertNever } from "../../base/assertNever.ts";
import type { DisplayState, StartProblem } from "./displayState.ts";
import { describeExit, type PodExit } from "./podExit.ts";

/** A pod's state for a tree row: `failed: out of memory, exit code 137`. */
export function describeState(state: DisplayState): string {
  switch (state.kind) {
    case "requested":
      return "requested";
    case "unscheduled":
      return state.held ? "pending: held by a queue" : "pending: no node yet";
    case "scheduled":
      return "pending: scheduled";
    case "initializing":
      return `pending: init container "${state.container}" is running`;
    case "pulling":
      return `pending: pulling image "${state.image}"`;
    case "starting":
      return "starting";
    case "blocked":
      return `pending: ${describeProblem(state.problem)}`;
    case "running":
      return joined("running", [
        state.restarts > 0 ? `restarted ${times(state.restarts)}${lastExit(state.lastExit)}` : "",
        state.failedSidecar === undefined ? "" : `container "${state.failedSidecar}" failed`,
      ]);
    case "terminating":
      return "terminating";
    case "succeeded":
      return joined("succeeded", [
        state.heldBy === undefined ? "" : `container "${state.heldBy}" keeps the pod running`,
        deleting(state.isDeleting),
      ]);
    case "failed": {
      const why = state.exit === undefined ? "" : describeExit(state.exit);
      return joined(why === "" ? "failed" : `failed: ${why}`, [deleting(state.isDeleting)]);
    }
    case "stopped":
      return state.by;
    case "deleted":
      return "stopped before starting";
    case "unknown":
      return joined(
        state.phase === "Unknown" ? "unknown: node unreachable" : `unknown: ${state.phase}`,
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
      return `signature of image "${image}" rejected`;
    case "ErrImageNeverPull":
      return `image "${image}" is not on the node and its pull policy is Never`;
    case "InvalidImageName":
      return `"${image}" is not a valid image name`;
    case "CrashLoopBackOff":
      return `container "${container}" keeps crashing`;
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
