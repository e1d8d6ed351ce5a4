import { err, type Err } from "../base/result.ts";
import type { ClusterError, ConfigurationProblem } from "../engine/clusterError.ts";

export const configurationFailure = (
  problem: ConfigurationProblem,
  detail: string,
): Err<ClusterError> => err({ kind: "configuration", problem, detail });
