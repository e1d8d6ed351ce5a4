/**
 * The reason why a request to the cluster failed. `detail` is the message of the server or the system, redacted.
 * `clusterErrorWords.ts` creates the messages for users.
 */
export type ClusterError =
  | {
      readonly kind: "unreachable";
      /** Host and port. Undefined if the caller gave up before a response arrived. */
      readonly server: string | undefined;
      readonly detail: string;
      /** True if the server may have carried out the request although no response arrived. */
      readonly requestSent: boolean;
    }
  | { readonly kind: "unauthorized"; readonly server: string; readonly detail: string }
  | {
      readonly kind: "forbidden";
      readonly verb: string;
      /** RBAC resource name: `pods`, `pods/log`, `networkpolicies.networking.k8s.io`. */
      readonly resource: string;
      /** Undefined for a request over all namespaces. */
      readonly namespace: string | undefined;
      readonly detail: string;
    }
  | {
      readonly kind: "notFound";
      readonly resource: string;
      readonly name: string;
      readonly detail: string;
    }
  | {
      readonly kind: "conflict";
      readonly resource: string;
      readonly name: string;
      readonly detail: string;
    }
  /** A PodDisruptionBudget currently forbids the eviction. */
  | {
      readonly kind: "protected";
      readonly resource: string;
      readonly name: string;
      readonly detail: string;
    }
  | { readonly kind: "invalid"; readonly detail: string; readonly causes: readonly InvalidField[] }
  | { readonly kind: "expired"; readonly detail: string }
  | {
      readonly kind: "throttled";
      readonly retryAfterMs: number | undefined;
      readonly detail: string;
    }
  | { readonly kind: "badResponse"; readonly status: number | undefined; readonly detail: string }
  | {
      readonly kind: "configuration";
      readonly problem: ConfigurationProblem;
      readonly detail: string;
    };

/**
 * True if the authorizer of the API server refused the request. Admission plug-ins, quotas and proxies also return
 * status 403, although RBAC may permit the request.
 */
export const lacksPermission = ({
  detail,
}: ClusterError & { readonly kind: "forbidden" }): boolean =>
  /\bUser "[^"]*" cannot [a-z]+ /.test(detail) || isWithoutReason(detail);

/**
 * True if the message of a denial gives no reason after "is forbidden". The API server omits the reason if it denies
 * only the second permission of a terminal or a port forward.
 */
export const isWithoutReason = (detail: string): boolean => / is forbidden: ?$/.test(detail);

export interface InvalidField {
  readonly field: string;
  readonly message: string;
}

/**
 * `noKubeconfig`: no file at the paths that kubectl reads; `invalidKubeconfig`: the file cannot be parsed; `noContext`:
 * no current context, or it does not exist; `unsupported`: a feature that the extension does not implement;
 * `credentials`: a plug-in, a token file or a refresh returned no credentials; `declined`: the user refused to send
 * credentials to the server.
 */
export type ConfigurationProblem =
  "noKubeconfig" | "invalidKubeconfig" | "noContext" | "unsupported" | "credentials" | "declined";

/** Returns the error of a request whose caller stopped waiting for the response. The server may have carried it out. */
export const noAnswer = (detail: string): ClusterError => ({
  ...{ kind: "unreachable", server: undefined, detail, requestSent: true },
});
