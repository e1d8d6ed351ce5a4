import { disposable, type Disposable } from "../../base/disposable.ts";
import type { ApiContext } from "../api/context.ts";

// Event TTL of a real API server: 1 hour. The sandbox counts it from the creation, even if an event is repeated.
const ttlMs = 3_600_000;
const intervalMs = 60_000;

/** Deletes expired events once a minute. */
export function expireEvents({ objects, clock }: ApiContext): Disposable {
  const timer = setInterval(() => {
    const oldest = clock.now() - ttlMs;
    for (const { metadata } of objects.oldestFirst("events")) {
      if (Date.parse(metadata.creationTimestamp ?? "") > oldest) return;
      const { namespace = "", name } = metadata;
      objects.remove({ resource: "events", namespace, name });
    }
  }, intervalMs).unref();
  return disposable(() => {
    clearInterval(timer);
  });
}
