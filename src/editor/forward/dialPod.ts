import { err, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { PodStream } from "../../engine/ports/channels.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import { refusalIn } from "../guard.ts";
import { portOf } from "./forwardTarget.ts";

export interface DialedPod {
  /** The application's key, whose context is used. */
  readonly key: string;
  readonly pod: PodRecord;
}

/** Opens a channel to a port of a pod. Refused if the context has become read-only. */
export async function dialPod(
  session: ClusterSession,
  { key, pod }: DialedPod,
  port: number,
  signal: AbortSignal,
): Promise<Result<PodStream, ClusterError>> {
  const connected = await session.connectTo(key, signal);
  if (!connected.ok) return connected;
  const refusal = refusalIn(connected.value);
  if (refusal !== undefined) return err({ kind: "invalid", detail: refusal, causes: [] });
  return connected.value.ports.open(portOf(pod, port), signal);
}
