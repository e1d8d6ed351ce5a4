import type { KeptLogName } from "../../../src/engine/ports/logs.ts";

/** The name of a driver's kept log. */
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
