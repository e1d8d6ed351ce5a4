import { ok, type Result } from "../../base/result.ts";
import {
  decodeExecutorLoad,
  decodeStageLoad,
  stagesPath,
  type Workload,
} from "../../spark/advice/workload.ts";
import { sparkIdOf } from "../../spark/pods/origin.ts";
import { defaultUiPort } from "../../spark/pods/decodePod.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Connection } from "../ports/connection.ts";
import { readEffectiveConf } from "./effectiveConf.ts";

/** Reads stages with quantiles, executors and the conf from a running driver: three requests. */
export async function readWorkload(
  connection: Pick<Connection, "drivers" | "objects" | "pages" | "now">,
  driver: PodRecord,
  signal: AbortSignal,
): Promise<Result<Workload, ClusterError>> {
  const address = {
    namespace: driver.namespace,
    pod: driver.name,
    port: driver.driving?.uiPort ?? defaultUiPort,
    applicationId: sparkIdOf(driver) ?? "",
  };
  const stages = await connection.drivers.rows(
    address,
    { path: stagesPath, shape: "list", decode: decodeStageLoad },
    signal,
  );
  if (!stages.ok) return stages;
  const executors = await connection.drivers.rows(
    address,
    { path: "allexecutors", shape: "list", decode: decodeExecutorLoad },
    signal,
  );
  if (!executors.ok) return executors;
  const read = await readEffectiveConf(connection, driver, signal);
  const conf = read.kind === "failed" ? new Map<string, string>() : read.conf;
  return ok({ stages: stages.value, executors: executors.value, conf, readAt: connection.now() });
}
