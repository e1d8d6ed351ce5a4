import { endMarkOf, type RequestedEnd } from "../../spark/pods/endMark.ts";
import type { ObjectApi } from "../ports/objects.ts";
import type { PodName } from "../ports/reports.ts";

/**
 * Labels an executor's pod before its deletion or decommissioning, as Spark's driver does. Ignores failures: a user
 * without permission to patch pods may still delete them. The patch matches the uid, so that a later pod of the same
 * name gets no label.
 */
export async function markExecutor(
  objects: Pick<ObjectApi, "patch">,
  { namespace, name, uid }: PodName,
  end: RequestedEnd,
  conf: ReadonlyMap<string, string> | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { labels, annotations } = endMarkOf(end, conf);
  await objects.patch(
    { apiVersion: "v1", kind: "Pod", namespace, name },
    { metadata: { uid, labels, annotations } },
    { dryRun: false, charset: false },
    signal,
  );
}
