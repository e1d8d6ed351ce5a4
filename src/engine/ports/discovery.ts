// Version and API groups of a server. By default, every authenticated user may read them.
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../clusterError.ts";

export interface Discovery {
  /** Returns the server's version, such as `v1.36.3`. */
  serverVersion(signal: AbortSignal): Promise<Result<string, ClusterError>>;
  /** Returns the served versions of an API group, the preferred one first. Empty if the group is not served. */
  versionsOf(group: string, signal: AbortSignal): Promise<Result<readonly string[], ClusterError>>;
}
