// Access reviews: questions to the API server about permissions and the user.
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../clusterError.ts";

/** The request that an access review asks about. */
export interface AccessAttributes {
  readonly verb: string;
  /** Empty for the core API. */
  readonly group: string;
  /** Plural, with its subresource: `pods`, `pods/proxy`. */
  readonly resource: string;
  /** Undefined means all namespaces, or a cluster-scoped object. */
  readonly namespace: string | undefined;
  /**
   * The identity to check. Undefined means that of the connection. The check of another identity needs a permission of
   * its own.
   */
  readonly subject: AccessSubject | undefined;
}

export interface AccessSubject {
  readonly user: string;
  readonly groups: readonly string[];
}

export interface AccessReviews {
  /** Returns the name of the connection's user. Not all API servers before 1.28 can answer. */
  user(signal: AbortSignal): Promise<Result<string, ClusterError>>;
  can(attributes: AccessAttributes, signal: AbortSignal): Promise<Result<boolean, ClusterError>>;
}
