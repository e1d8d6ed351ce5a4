import type { Context } from "@kubernetes/client-node/dist/config_types.js";
import type { Kubeconfig } from "./kubeconfig.ts";

/** A kubeconfig context. `isOwn` is true if its server is that of the Spark master. */
export interface ContextCandidate {
  readonly kubeconfig: Kubeconfig;
  readonly context: Context;
  readonly isOwn: boolean;
  /** True if the conf names the context, or the user has chosen it. */
  readonly isChosen: boolean;
}

/** Name and file of cluster and user entries that come from the Spark conf instead of a kubeconfig. */
export const ofConf = {
  name: "spark.kubernetes.authenticate.submission",
  file: "the conf",
} as const;
