import type { KeptLog } from "../../engine/ports/logs.ts";
import type { Application } from "../../spark/pods/application.ts";
import { itemsIn } from "../../spark/pods/ordered.ts";

/** Returns those of the saved logs `kept` that are from deleted pods of the application. */
export function keptOfGone(
  kept: readonly KeptLog[],
  context: string | undefined,
  { id, namespace, driver, live, ended }: Application,
): readonly KeptLog[] {
  const pods = [...(driver ? [driver] : []), ...itemsIn(live), ...itemsIn(ended)];
  const there = new Set(pods.map(({ pod }) => pod.uid));
  return kept.filter(
    (log) =>
      log.context === context &&
      log.namespace === namespace &&
      log.applicationId === id &&
      !there.has(log.uid),
  );
}
