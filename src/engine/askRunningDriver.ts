import type { ReportedExecutors } from "../spark/diagnosis/driverReport.ts";
import type { Application } from "../spark/pods/application.ts";
import { driverAddressOf } from "./closeLook.ts";
import { readEffectiveConf } from "./effectiveConf.ts";
import { inTime } from "./inTime.ts";
import type { Connection } from "./ports.ts";

/** What is known of a driver at this moment. */
export interface RunningDriver {
  /** Its own, or else the one with which it was submitted; undefined: neither can be read. */
  readonly conf: ReadonlyMap<string, string> | undefined;
  /** Undefined: it does not tell, or may not be asked. */
  readonly executors: ReportedExecutors | undefined;
}

/** Asks the driver itself as far as it answers in good time. */
export async function askRunningDriver(
  connection: Pick<Connection, "objects" | "pages" | "drivers">,
  application: Application,
  signal: AbortSignal,
): Promise<RunningDriver> {
  const { driver } = application;
  const address = driverAddressOf(application);
  const [effective, executors] = await Promise.all([
    driver && readEffectiveConf(connection, driver.pod, signal),
    address && inTime((soon) => connection.drivers.executors(address, soon), signal),
  ]);
  return {
    conf: effective === undefined || effective.kind === "failed" ? undefined : effective.conf,
    executors: executors?.ok === true ? executors.value : undefined,
  };
}
