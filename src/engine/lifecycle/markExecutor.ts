import { endMarkOf, type RequestedEnd } from "../../spark/pods/endMark.ts";
import type { ObjectApi } from "../ports/objects.ts";
import type { PodName } from "../ports/reports.ts";

/**
 * Labels an executor's pod before it is asked to end, as Spark's driver does. A failure is ignored: a user without
 * permission to patch pods may still delete them. The uid keeps a later pod of the same name unmarked.
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
