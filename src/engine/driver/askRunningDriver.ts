import type { ReportedExecutors } from "../../spark/diagnosis/driverReport.ts";
import type { Application } from "../../spark/pods/application.ts";
import { driverAddressOf } from "./statusPoller.ts";
import { readEffectiveConf } from "./effectiveConf.ts";
import { withinAnswerDeadline } from "../withinTime.ts";
import type { Connection } from "../ports/connection.ts";

/** The driver's configuration and executors at this moment. */
export interface RunningDriver {
  /** The driver's own conf, or else the submitted one; undefined if neither is readable. */
  readonly conf: ReadonlyMap<string, string> | undefined;
  /** Undefined if the driver does not respond, or access is forbidden. */
  readonly executors: ReportedExecutors | undefined;
}

/**
 * Requests the conf and the executors from the driver in parallel. Waits at most 5 s for each result of the driver. The
 * reads of its pod and its ConfigMap have no such deadline.
 */
export async function askRunningDriver(
  connection: Pick<Connection, "objects" | "pages" | "drivers">,
  application: Application,
  signal: AbortSignal,
): Promise<RunningDriver> {
  const { driver } = application;
  const address = driverAddressOf(application);
  const [effective, executors] = await Promise.all([
    driver && readEffectiveConf(connection, driver.pod, signal),
    address && withinAnswerDeadline((soon) => connection.drivers.executors(address, soon), signal),
  ]);
  return {
    conf: effective === undefined || effective.kind === "failed" ? undefined : effective.conf,
    executors: executors?.ok === true ? executors.value : undefined,
  };
}
