import { ok, type Result } from "../../base/result.ts";
import {
  decodeExecutorLoad,
  decodePlacement,
  decodeStageLoad,
  placementsPath,
  stagesPath,
  stagesWithFreeCores,
  type StagePlacement,
  type Workload,
} from "../../spark/advice/workload.ts";
import type { NodeSize } from "../../spark/diagnosis/diagnosis.ts";
import { sparkVersionLabel } from "../../spark/labels.ts";
import { sparkIdOf } from "../../spark/pods/origin.ts";
import { defaultUiPort } from "../../spark/pods/decodePod.ts";
import { minorOf, newestMinor } from "../../spark/submit/conf/sparkVersion.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Connection } from "../ports/connection.ts";
import { readEffectiveConf } from "./effectiveConf.ts";

/**
 * Reads stages with quantiles, executors, the conf, and the tasks of up to two stages from a running driver. Also reads
 * the size of the largest node. Reuses the node and the tasks in `before`: a list of all nodes is long, and the tasks
 * of ended stages do not change.
 */
export async function readWorkload(
  connection: Pick<Connection, "drivers" | "nodes" | "objects" | "pages" | "now">,
  driver: PodRecord,
  signal: AbortSignal,
  before?: Workload,
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
  const [read, node] = await Promise.all([
    readEffectiveConf(connection, driver, signal),
    before === undefined ? largestNode(connection, signal) : before.node,
  ]);
  const placements: StagePlacement[] = [];
  for (const { stageId, attemptId } of stagesWithFreeCores({
    stages: stages.value,
    executors: executors.value,
  })) {
    const known = before?.placements?.find(
      (one) => one.stageId === stageId && one.attemptId === attemptId,
    );
    if (known !== undefined) {
      placements.push(known);
      continue;
    }
    const tasks = await connection.drivers.rows(
      address,
      { path: placementsPath({ stageId, attemptId }), shape: "list", decode: decodePlacement },
      signal,
    );
    if (tasks.ok) placements.push({ stageId, attemptId, tasks: tasks.value });
  }
  const conf = read.kind === "failed" ? new Map<string, string>() : read.conf;
  const readAt = connection.now();
  return ok({
    ...{ stages: stages.value, executors: executors.value, placements, conf, readAt },
    minor: minorOf(driver.labels[sparkVersionLabel] ?? "") ?? newestMinor,
    node,
  });
}

async function largestNode(
  { nodes }: Pick<Connection, "nodes">,
  signal: AbortSignal,
): Promise<NodeSize | undefined> {
  const largest = await nodes.largest(signal);
  return largest.ok ? largest.value : undefined;
}
