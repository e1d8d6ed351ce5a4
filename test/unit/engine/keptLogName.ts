import type { KeptLogName } from "../../../src/engine/ports/logs.ts";

/** The name of the kept log of a driver. */
export const keptLogName: KeptLogName = {
  context: "dev",
  namespace: "etl",
  applicationId: "spark-1",
  application: "orders",
  source: "driver",
  pod: "p",
  uid: "u",
  container: "main",
};
