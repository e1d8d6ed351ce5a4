import type { ReportedExecutors } from "../spark/diagnosis/driverReport.ts";
import type { Application } from "../spark/pods/application.ts";
import { driverAddressOf } from "./closeLook.ts";
import { readDriverConf } from "./driverConf.ts";
import { readEffectiveConf } from "./effectiveConf.ts";
import type { Connection } from "./ports.ts";

/** What is known of a driver at this moment. */
export interface RunningDriver {
  /** Its own, or else the one with which it was submitted; undefined: neither can be read. */
  readonly conf: ReadonlyMap<string, string> | undefined;
  /** Undefined: it does not tell, or may not be asked. */
  readonly executors: ReportedExecutors | undefined;
}

// Somebody waits for a question. A network policy may swallow what is sent to the driver.
const answerMs = 5_000;

/** Asks the driver itself as far as it answers in good time. */
export async function askRunningDriver(
  connection: Pick<Connection, "objects" | "pages" | "drivers">,
  application: Application,
  signal: AbortSignal,
): Promise<RunningDriver> {
  const { driver } = application;
  if (driver === undefined) return { conf: undefined, executors: undefined };
  const address = driverAddressOf(application);
  const [effective, executors] = await Promise.all([
    inTime((soon) => readEffectiveConf(connection, driver.pod, soon), signal),
    address && inTime((soon) => connection.drivers.executors(address, soon), signal),
  ]);
  const told = effective ?? (await readDriverConf(connection.objects, driver.pod, signal));
  return {
    conf: "conf" in told ? told.conf : undefined,
    executors: executors?.ok === true ? executors.value : undefined,
  };
}

async function inTime<T>(
  ask: (soon: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  try {
    return await ask(soon);
  } catch (error) {
    if (signal.aborted || !soon.aborted) throw error;
    return undefined;
  }
}
