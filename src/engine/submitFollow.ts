import { err, ok, type Result } from "../base/result.ts";
import { assertNever } from "../base/assertNever.ts";
import { appSelectorLabel, driverRole, roleLabel } from "../spark/labels.ts";
import { fieldsOf, textOf } from "../spark/pods/fields.ts";
import { Backoff } from "./backoff.ts";
import type { ClusterError } from "./clusterError.ts";
import type {
  Clock,
  ObjectApi,
  ObjectReference,
  PodSource,
  Random,
  StoredObject,
} from "./ports.ts";
import { start } from "./running.ts";

/** The driver pod of one application. */
export interface FollowTarget {
  readonly namespace: string;
  readonly driverPodName: string;
  readonly applicationId: string;
}

export interface FollowPorts {
  readonly objects: ObjectApi;
  readonly pods: Pick<PodSource, "watchPods">;
  readonly clock: Clock;
  readonly random: Random;
}

export type FollowReport =
  /** The pod has changed; its body is as the server has it. */
  | { readonly kind: "state"; readonly pod: StoredObject }
  /** The report interval has passed. Undefined: no pod was seen yet. */
  | { readonly kind: "interval"; readonly phase: string | undefined };

/** How the driver ended. A pod that is gone may have ended in any way; `last` is what was seen of it. */
export type DriverEnd =
  | { readonly kind: "succeeded" | "failed"; readonly pod: StoredObject }
  | { readonly kind: "gone"; readonly last: StoredObject | undefined };

const watchSeconds = 300;

/**
 * Follows the driver pod until it ends, over any number of broken connections; fails only where nothing
 * but somebody's doing helps, such as a missing right. `report` is called in the order of what happens,
 * and no more once the promise is settled. Rejects with an AbortError when `signal` aborts; the
 * application runs on then.
 */
export async function followDriver(
  target: FollowTarget,
  ports: FollowPorts,
  reportIntervalMs: number,
  report: (report: FollowReport) => void,
  signal: AbortSignal,
): Promise<Result<DriverEnd, ClusterError>> {
  let last: StoredObject | undefined;
  const ticker = start(async (stop) => {
    for (;;) {
      await ports.clock.sleep(reportIntervalMs, stop);
      report({ kind: "interval", phase: last && phaseOf(last) });
    }
  });
  const read = async (): Promise<Result<DriverEnd | undefined, ClusterError>> => {
    const pod = await ports.objects.read(referenceTo(target), signal);
    if (!pod.ok) {
      return pod.error.kind === "notFound" ? ok({ kind: "gone", last }) : pod;
    }
    if (pod.value.resourceVersion !== last?.resourceVersion) {
      last = pod.value;
      report({ kind: "state", pod: last });
    }
    return ok(endOf(pod.value));
  };
  const backoff = new Backoff(ports.random);
  try {
    for (;;) {
      const result = await followOnce(target, ports, read, () => last, signal);
      if (result.ok && result.value) return ok(result.value);
      if (!result.ok) {
        if (isHopeless(result.error)) return err(result.error);
        await ports.clock.sleep(backoff.next(ports.clock.now()), signal);
      }
    }
  } finally {
    ticker.dispose();
    await ticker.done;
  }
}

// One read, then the watch from there on; each batch of events is a reason to read again, since a watch
// gives only the fields that the lists of pods need. Undefined: the watch has ended, the driver has not.
async function followOnce(
  target: FollowTarget,
  { pods }: FollowPorts,
  read: () => Promise<Result<DriverEnd | undefined, ClusterError>>,
  lastSeen: () => StoredObject | undefined,
  signal: AbortSignal,
): Promise<Result<DriverEnd | undefined, ClusterError>> {
  const first = await read();
  if (!first.ok || first.value) return first;
  const request = {
    namespace: target.namespace,
    labelSelector: `${appSelectorLabel}=${target.applicationId},${roleLabel}=${driverRole}`,
    resourceVersion: lastSeen()?.resourceVersion,
    sendInitialEvents: false,
    timeoutSeconds: watchSeconds,
  };
  for await (const item of pods.watchPods(request, signal)) {
    if (item.kind === "failed") {
      // The server has forgotten that version: the next round reads anew, at once.
      return item.error.kind === "expired" ? ok(undefined) : err(item.error);
    }
    if (item.events.every(({ kind }) => kind === "bookmark")) continue;
    const result = await read();
    if (!result.ok || result.value) return result;
  }
  return ok(undefined);
}

function endOf(pod: StoredObject): DriverEnd | undefined {
  const phase = phaseOf(pod);
  if (phase === "Succeeded") return { kind: "succeeded", pod };
  return phase === "Failed" ? { kind: "failed", pod } : undefined;
}

function isHopeless(error: ClusterError): boolean {
  switch (error.kind) {
    case "unauthorized":
    case "forbidden":
    case "invalid":
    case "configuration":
      return true;
    case "unreachable":
    case "notFound":
    case "conflict":
    case "protected":
    case "expired":
    case "throttled":
    case "badResponse":
      return false;
    default:
      return assertNever(error);
  }
}

function referenceTo({ namespace, driverPodName }: FollowTarget): ObjectReference {
  return { apiVersion: "v1", kind: "Pod", namespace, name: driverPodName };
}

function phaseOf({ body }: StoredObject): string | undefined {
  return textOf(fieldsOf(fieldsOf(body)["status"])["phase"]);
}
