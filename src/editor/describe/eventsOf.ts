import { ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports.ts";
import { decodeObjectEvent, type ObjectEvent } from "../../spark/diagnosis/objectEvents.ts";

/** What events are to be told of. */
export interface About {
  readonly name: string;
  /** Of the application. */
  readonly key: string;
  readonly context: string;
  readonly namespace: string;
  /** Of the document. */
  readonly path: string;
  readonly isMeant: (event: ObjectEvent) => boolean;
}

/** Those whose events are in one namespace of one cluster, together: a server lists all of it for one pod, too. */
export function inPlaces(abouts: readonly About[]): readonly (readonly [About, ...About[]])[] {
  const places = new Map<string, [About, ...About[]]>();
  for (const about of abouts) {
    const place = JSON.stringify([about.context, about.namespace]);
    const there = places.get(place);
    if (there === undefined) places.set(place, [about]);
    else there.push(about);
  }
  return [...places.values()];
}

/** All events of a namespace. */
export async function readEvents(
  { objects }: Pick<Connection, "objects">,
  namespace: string,
  signal: AbortSignal,
): Promise<Result<readonly ObjectEvent[], ClusterError>> {
  const listed = await objects.list({ apiVersion: "v1", kind: "Event" }, namespace, "", signal);
  if (!listed.ok) return listed;
  return ok(listed.value.flatMap(({ body }) => decodeObjectEvent(body) ?? []));
}
