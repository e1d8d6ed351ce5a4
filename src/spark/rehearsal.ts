// Applications that the sandbox only acts: by what they are asked for, and what tells them from real ones.

/** On every pod that is only acted: whoever shows it says so. */
export const rehearsalLabel = "spark-k8s.sandbox/rehearsal";

/** The image that is acted wherever it is asked for, Java or no Java. */
export const rehearsalImageName = "spark-rehearsal";

/** What is to go wrong in a rehearsal. The driver's environment names it. */
export const scenarioVariable = "SPARK_REHEARSAL";

export type Scenario = (typeof scenarios)[number];

export const scenarios = [
  "success",
  /** The application's own code throws. */
  "failure",
  /** An executor takes more memory than it may, and another comes in its place. */
  "oom",
  /** The executors' image is nowhere. */
  "image",
  /** The executors ask for more than any node has. */
  "unschedulable",
  /** An executor goes with its shuffle files; what was lost is computed again. */
  "fetch-failure",
  /** An executor hands over its blocks and leaves. */
  "decommission",
  /** It goes on until somebody stops it. */
  "endless",
] as const;
