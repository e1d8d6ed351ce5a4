// Applications that the sandbox simulates: how to request them, and how to recognize them.

/** Marks every simulated pod. Views that show the pod must show the mark. */
export const simulationLabel = "spark-k8s.sandbox/simulation";

/** An image with this name is always simulated, even if Java is installed. */
export const simulationImageName = "spark-simulation";

/** Variable of the driver's environment that names the scenario. */
export const scenarioVariable = "SPARK_SIMULATION";

export type Scenario = (typeof scenarios)[number];

export const scenarios = [
  "success",
  /** The application throws an exception. */
  "failure",
  /** An executor exceeds its memory limit and is replaced. */
  "oom",
  /** The executors' image does not exist. */
  "image",
  /** The executors request more memory than any node has. */
  "unschedulable",
  /** An executor is lost with its shuffle files; the lost partitions are recomputed. */
  "fetch-failure",
  /** An executor migrates its blocks and exits. */
  "decommission",
  /** Runs until it is stopped. */
  "endless",
] as const;
