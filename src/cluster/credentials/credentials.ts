import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { ClientCertificate } from "../transport/endpoint.ts";

/** What a request shows to be let in. */
export interface Access {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly certificate: ClientCertificate | undefined;
}

/** Where the credentials of one connection come from. */
export interface Credentials extends Disposable {
  access(signal: AbortSignal): Promise<Result<Access, ClusterError>>;
  /**
   * After the server has not accepted `refused`: other credentials to try once more with; undefined if
   * there are none.
   */
  renew(refused: Access, signal: AbortSignal): Promise<Result<Access | undefined, ClusterError>>;
}
