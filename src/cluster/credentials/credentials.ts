import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { ClientCertificate } from "../../io/http/endpoint.ts";

/** The credentials sent with a request. */
export interface CredentialAccess {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly certificate: ClientCertificate | undefined;
}

/** The credential source of one connection. */
export interface Credentials extends Disposable {
  access(signal: AbortSignal): Promise<Result<CredentialAccess, ClusterError>>;
  /**
   * Called after the server rejected `refused`. Returns other credentials for one more attempt, or undefined if there
   * are none.
   */
  renew(
    refused: CredentialAccess,
    signal: AbortSignal,
  ): Promise<Result<CredentialAccess | undefined, ClusterError>>;
}
