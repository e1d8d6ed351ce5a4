// Access reviews: checks of permissions and of the user's identity by the API server.
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../clusterError.ts";

/** The request whose permission an access review checks. */
export interface AccessAttributes {
  readonly verb: string;
  /** Empty for the core API. */
  readonly group: string;
  /** Plural, with its subresource: `pods`, `pods/proxy`. */
  readonly resource: string;
  /** Undefined means all namespaces, or a cluster-scoped object. */
  readonly namespace: string | undefined;
  /**
   * The identity to check; if undefined, the identity of the connection. To check another identity, the user needs an
   * additional permission.
   */
  readonly subject: AccessSubject | undefined;
}

export interface AccessSubject {
  readonly user: string;
  readonly groups: readonly string[];
}

export interface AccessReviews {
  /** Returns the name of the connection's user. Some API servers before 1.28 do not support this. */
  user(signal: AbortSignal): Promise<Result<string, ClusterError>>;
  can(attributes: AccessAttributes, signal: AbortSignal): Promise<Result<boolean, ClusterError>>;
}
