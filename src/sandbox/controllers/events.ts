import { disposable, type Disposable } from "../../base/disposable.ts";
import type { ApiContext } from "../api/context.ts";

// As long as a real API server keeps them.
const lifeMs = 3_600_000;
const everyMs = 60_000;

/** Takes old events away. */
export function expireEvents({ objects, clock }: ApiContext): Disposable {
  const timer = setInterval(() => {
    const oldest = clock.now() - lifeMs;
    for (const { metadata } of objects.oldestFirst("events")) {
      if (Date.parse(metadata.creationTimestamp ?? "") > oldest) return;
      const { namespace = "", name } = metadata;
      objects.remove({ resource: "events", namespace, name });
    }
  }, everyMs).unref();
  return disposable(() => {
    clearInterval(timer);
  });
}
