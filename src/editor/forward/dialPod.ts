import { err, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { PodStream } from "../../engine/ports/channels.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import type { Screen } from "../screen.ts";
import { portOf } from "./forwardTarget.ts";

export interface DialedPod {
  /** The key of the application whose context is used. */
  readonly key: string;
  readonly pod: PodRecord;
}

interface DialContext {
  readonly session: Pick<ClusterSession, "connectTo">;
  readonly screen: Pick<Screen, "refusalIn">;
}

/** Opens a stream to a port of a pod. Fails if the context has become read-only. */
export async function dialPod(
  { session, screen }: DialContext,
  { key, pod }: DialedPod,
  port: number,
  signal: AbortSignal,
): Promise<Result<PodStream, ClusterError>> {
  const connected = await session.connectTo(key, signal);
  if (!connected.ok) return connected;
  const refusal = screen.refusalIn(connected.value);
  if (refusal !== undefined) return err({ kind: "invalid", detail: refusal, causes: [] });
  return connected.value.ports.open(portOf(pod, port), signal);
}
