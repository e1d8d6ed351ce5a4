import { err, ok, type Result } from "../../base/result.ts";
import type { ReportedExecutors } from "../../spark/diagnosis/driverReport.ts";
import { decodePodUsage, type PodUsage } from "../../spark/diagnosis/executorUsage.ts";
import { appSelectorLabel } from "../../spark/labels.ts";
import type { Application } from "../../spark/pods/application.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Connection } from "../ports/connection.ts";
import { withinAnswerDeadline } from "../withinTime.ts";
import type { NoDriverAnswer } from "./effectiveConf.ts";
import { driverAddressOf } from "./statusPoller.ts";

/** The current usage of an application's pods from both sources: the driver and metrics-server. */
export interface ExecutorReading {
  readonly executors: Result<ReportedExecutors, NoDriverAnswer>;
  /** By pod name. `silent`: no response within the deadline. */
  readonly metrics: Result<ReadonlyMap<string, PodUsage>, ClusterError | "silent">;
}

/** Sends one request to the driver and one to metrics-server, in parallel. Each has a deadline of 5 s. */
export async function readExecutors(
  connection: Pick<Connection, "objects" | "drivers">,
  application: Application,
  signal: AbortSignal,
): Promise<ExecutorReading> {
  const [executors, metrics] = await Promise.all([
    askDriverFor(connection, application, signal),
    withinAnswerDeadline((soon) => readMetrics(connection, application, soon), signal),
  ]);
  return { executors, metrics: metrics ?? err("silent") };
}

async function askDriverFor(
  { drivers }: Pick<Connection, "drivers">,
  application: Application,
  signal: AbortSignal,
): Promise<ExecutorReading["executors"]> {
  const address = driverAddressOf(application);
  const { driver } = application;
  if (address === undefined || (driver !== undefined && driver.state.kind !== "running")) {
    return err("notRunning");
  }
  const answer = await withinAnswerDeadline((soon) => drivers.executors(address, soon), signal);
  return answer ?? err("silent");
}

async function readMetrics(
  { objects }: Pick<Connection, "objects">,
  { namespace, id }: Application,
  signal: AbortSignal,
): Promise<Result<ReadonlyMap<string, PodUsage>, ClusterError>> {
  const kind = { apiVersion: "metrics.k8s.io/v1beta1", kind: "PodMetrics" };
  const listed = await objects.list(kind, namespace, `${appSelectorLabel}=${id}`, signal);
  if (!listed.ok) return listed;
  return ok(
    new Map(
      listed.value.flatMap(({ name, body }) => {
        const usage = decodePodUsage(body);
        return usage === undefined ? [] : [[name, usage] as const];
      }),
    ),
  );
}
