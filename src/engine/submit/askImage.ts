// Inspects the Python installation of an image with a short-lived pod.
import { withinAnswerDeadline } from "../withinTime.ts";
import { msg, verbatim, type Message } from "../../base/message.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { fieldAt, itemsOf, textAt } from "../../base/json.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import { describeState } from "../../spark/pods/describeState.ts";
import { displayState, pullReasons } from "../../spark/pods/displayState.ts";
import { imageContainer } from "../../spark/submit/packages/imagePod.ts";
import { decodeImagePython } from "../../spark/submit/packages/imagePython.ts";
import type { Manifest } from "../../spark/submit/plan/manifest.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connection } from "../ports/connection.ts";
import type { StoredObject } from "../ports/objects.ts";
import type { KnownImage } from "../ports/packages.ts";

/** `detail` is untrusted, because it repeats text of the cluster or the pod. */
export type AskImageFailure =
  | { readonly kind: "cluster"; readonly error: ClusterError }
  /** The node cannot pull the image, so the driver could not start either. */
  | { readonly kind: "notPulled"; readonly detail: Message }
  /** The pod cannot start, or did not start in time. */
  | { readonly kind: "notStarted"; readonly detail: Message }
  /** The image has no Python, or one older than 3.8. */
  | { readonly kind: "noPython"; readonly detail: Message };

export interface AskImagePorts {
  readonly objects: Pick<Connection["objects"], "create" | "read" | "delete">;
  readonly logs: Connection["logs"];
  readonly clock: Clock;
}

const firstDelayMs = 100;
const maxDelayMs = 1_000;
/** Time limit until the pod has ended. It includes the download of the image, which the driver needs anyway. */
const startMs = 280_000;
const deleteMs = 30_000;
const maxLines = 10_000;

/**
 * Creates the pod of `imagePod`, reads its output, and then deletes the pod, also after a failure. Rejects with an
 * AbortError when `signal` aborts, after the deletion.
 */
export async function askImage(
  manifest: Manifest,
  ports: AskImagePorts,
  signal: AbortSignal,
): Promise<Result<KnownImage, AskImageFailure>> {
  const { objects } = ports;
  const namespace = manifest.metadata.namespace ?? "default";
  const options = { dryRun: false, charset: false };
  const created = await objects.create(namespace, manifest, options, signal);
  if (!created.ok) return err({ kind: "cluster", error: created.error });
  try {
    return await answerOf(created.value, ports, signal);
  } finally {
    const { uid } = created.value;
    const now = { uid, propagationPolicy: undefined, gracePeriodSeconds: 0 };
    // A pod that cannot be deleted ends by its `activeDeadlineSeconds`.
    const remove = (limit: AbortSignal) => objects.delete(created.value, now, limit);
    await withinAnswerDeadline(remove, new AbortController().signal, deleteMs);
  }
}

async function answerOf(
  pod: StoredObject,
  ports: AskImagePorts,
  signal: AbortSignal,
): Promise<Result<KnownImage, AskImageFailure>> {
  const ended = await untilEnded(pod, ports, signal);
  if (!ended.ok) return ended;
  const lines = await linesOf(pod, ports, signal);
  if (!lines.ok) return lines;
  const python = decodeImagePython(lines.value);
  if (python !== undefined) return ok({ imageId: imageIdOf(ended.value) ?? "", python });
  return err({ kind: "noPython", detail: verbatim(lines.value.slice(-3).join("\n")) });
}

/** Polls the pod until it has ended, and returns its last state. */
async function untilEnded(
  reference: StoredObject,
  { objects, clock }: AskImagePorts,
  signal: AbortSignal,
): Promise<Result<unknown, AskImageFailure>> {
  const until = clock.now() + startMs;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(maxDelayMs, delayMs * 1.5)) {
    const read = await objects.read(reference, signal);
    if (!read.ok) return err({ kind: "cluster", error: read.error });
    const pod = decodePod(read.value.body);
    if (pod?.uid !== reference.uid)
      return err({ kind: "notStarted", detail: msg("the pod was deleted") });
    if (pod.phase === "Succeeded" || pod.phase === "Failed") return ok(read.value.body);
    const state = displayState(pod);
    const detail = describeState(state);
    if (state.kind === "blocked") {
      // The runtime reports a missing program as a container that cannot start.
      const message = state.problem.message ?? "";
      const isAbsent = /executable file not found|no such file or directory/i.test(message);
      const { reason } = state.problem;
      const isUnpulled = pullReasons.includes(reason) || reason === "InvalidImageName";
      const kind = isUnpulled ? "notPulled" : isAbsent ? "noPython" : "notStarted";
      return err({ kind, detail: message === "" ? detail : verbatim(message) });
    }
    if (clock.now() >= until) return err({ kind: "notStarted", detail });
    await clock.sleep(delayMs, signal);
  }
}

async function linesOf(
  { namespace, name, uid }: StoredObject,
  { logs }: AskImagePorts,
  signal: AbortSignal,
): Promise<Result<readonly string[], AskImageFailure>> {
  const request = {
    namespace,
    pod: name,
    uid,
    container: imageContainer,
    follow: false,
    previous: false,
    tailLines: maxLines,
    sinceTime: undefined,
  };
  const lines: string[] = [];
  for await (const item of logs.readLog(request, signal)) {
    if (item.kind === "failed") return err({ kind: "cluster", error: item.error });
    lines.push(...item.take().map(({ text }) => text));
  }
  return ok(lines);
}

/** Returns the image digest of a pod's last container; undefined before the image was pulled. */
export function imageIdOf(pod: unknown): string | undefined {
  const statuses = itemsOf(fieldAt(fieldAt(pod, "status"), "containerStatuses"));
  const id = textAt(statuses.at(-1), "imageID");
  return id === "" ? undefined : id;
}
