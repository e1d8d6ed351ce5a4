import { assertNever } from "../../base/assertNever.ts";
import { listed, msg, type Message } from "../../base/message.ts";
import type { DisplayState, StartProblem } from "./displayState.ts";
import { describeExit } from "./podExit.ts";

/** Describes a pod's state for a tree row: `failed: out of memory, exit code 137`. */
export function describeState(state: DisplayState): Message {
  switch (state.kind) {
    case "requested":
      return msg("requested");
    case "unscheduled":
      return state.held ? msg("pending: held by a queue") : msg("pending: no node yet");
    case "scheduled":
      return msg("pending: scheduled");
    case "initializing":
      return msg`pending: init container "${state.container}" is running`;
    case "pulling":
      return msg`pending: pulling image "${state.image}"`;
    case "starting":
      return msg("starting");
    case "blocked":
      return msg`pending: ${describeProblem(state.problem)}`;
    case "running":
      return joined(describeStateKind(state), [
        describeRestarts(state),
        state.failedSidecar === undefined
          ? undefined
          : msg`container "${state.failedSidecar}" failed`,
      ]);
    case "terminating":
    case "stopped":
    case "deleted":
      return describeStateKind(state);
    case "succeeded":
      return joined(describeStateKind(state), [
        state.heldBy === undefined
          ? undefined
          : msg`container "${state.heldBy}" keeps the pod running`,
        deletionOf(state),
      ]);
    case "failed": {
      const why = state.exit && describeExit(state.exit);
      return joined(why === undefined ? describeStateKind(state) : msg`failed: ${why}`, [
        deletionOf(state),
      ]);
    }
    case "unknown":
      return joined(
        state.phase === "Unknown" ? msg("unknown: node unreachable") : msg`unknown: ${state.phase}`,
        [deletionOf(state)],
      );
    default:
      return assertNever(state);
  }
}

/** Describes the state without its cause, which is shown next to it: `pending`. */
export function describeStateKind(state: DisplayState): Message {
  switch (state.kind) {
    case "stopped":
      return describeEnd(state);
    case "running":
      return msg("running");
    case "terminating":
      return msg("terminating");
    case "succeeded":
      return msg("succeeded");
    case "failed":
      return msg("failed");
    case "unknown":
      return msg("unknown");
    case "deleted":
      return msg("stopped before starting");
    case "requested":
    case "unscheduled":
    case "scheduled":
    case "initializing":
    case "pulling":
    case "starting":
    case "blocked":
      return msg("pending");
    default:
      return assertNever(state);
  }
}

/** Returns `being deleted` for an ended pod whose object is about to be removed. Undefined for other pods. */
export const deletionOf = (state: DisplayState): Message | undefined =>
  "isDeleting" in state && state.isDeleting ? msg("being deleted") : undefined;

function describeEnd({ by, isDeleting }: Extract<DisplayState, { kind: "stopped" }>): Message {
  switch (by) {
    case "killed":
      return isDeleting ? msg("stopping") : msg("killed");
    case "decommissioned":
      return msg("decommissioned");
    case "stopped":
      return isDeleting ? msg("stopping") : msg("stopped");
    case "deleted":
      return msg("deleted");
    default:
      return assertNever(by);
  }
}

function describeProblem({ container, image, reason }: StartProblem): Message {
  switch (reason) {
    case "ErrImagePull":
    case "ImagePullBackOff":
    case "ImageInspectError":
    case "RegistryUnavailable":
      return msg`image "${image}" cannot be pulled`;
    case "SignatureValidationFailed":
      return msg`signature of image "${image}" rejected`;
    case "ErrImageNeverPull":
      return msg`image "${image}" is not on the node and its pull policy is Never`;
    case "InvalidImageName":
      return msg`"${image}" is not a valid image name`;
    case "CrashLoopBackOff":
      return msg`container "${container}" keeps crashing`;
    case "CreateContainerConfigError":
      return msg`container "${container}" cannot be configured`;
    default:
      return msg`container "${container}": ${reason}`;
  }
}

function describeRestarts({
  restarts,
  lastExit,
}: Extract<DisplayState, { kind: "running" }>): Message | undefined {
  if (restarts === 0) return undefined;
  const times = restarts === 1 ? msg("restarted once") : msg`restarted ${restarts} times`;
  const why = lastExit && describeExit(lastExit);
  return why === undefined ? times : msg`${times} (${why})`;
}

const joined = (head: Message, parts: readonly (Message | undefined)[]): Message =>
  listed([head, ...parts]);
