import { ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { decodeObjectEvent, type ObjectEvent } from "../../spark/diagnosis/objectEvents.ts";

/** An object whose events are shown. */
export interface EventSubject {
  readonly name: string;
  /** The application's key. */
  readonly key: string;
  readonly context: string;
  readonly namespace: string;
  /** The document's path. */
  readonly path: string;
  /** Returns a filter for the object's events. The filter uses the pods that are known when `selector` is called. */
  readonly selector: () => (event: ObjectEvent) => boolean;
}

/** Groups objects by context and namespace, because one list request covers a namespace. */
export function inPlaces(
  abouts: readonly EventSubject[],
): readonly (readonly [EventSubject, ...EventSubject[]])[] {
  const places = new Map<string, [EventSubject, ...EventSubject[]]>();
  for (const about of abouts) {
    const place = JSON.stringify([about.context, about.namespace]);
    const there = places.get(place);
    if (there === undefined) places.set(place, [about]);
    else there.push(about);
  }
  return [...places.values()];
}

/** Lists all events of a namespace. */
export async function readEvents(
  { objects }: Pick<Connection, "objects">,
  namespace: string,
  signal: AbortSignal,
): Promise<Result<readonly ObjectEvent[], ClusterError>> {
  const listed = await objects.list({ apiVersion: "v1", kind: "Event" }, namespace, "", signal);
  if (!listed.ok) return listed;
  return ok(listed.value.flatMap(({ body }) => decodeObjectEvent(body) ?? []));
}
