import { readDriverConf } from "../../engine/driver/driverConf.ts";
import type { ObjectApi } from "../../engine/ports/objects.ts";
import type { Application } from "../../spark/pods/application.ts";

/** Reads the conf of the application's submission; undefined if it cannot be read. */
export async function submittedConfOf(
  objects: ObjectApi,
  { driver }: Application,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (driver === undefined) return undefined;
  const read = await readDriverConf(objects, driver.pod, signal);
  return read.kind === "found" ? read.conf : undefined;
}
