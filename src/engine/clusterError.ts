/**
 * Why a cluster did not do what was asked. `detail` is the server's or the system's own sentence, with
 * secrets removed; the words for people are made in `editor/showError.ts`.
 */
export type ClusterError =
  | {
      readonly kind: "unreachable";
      readonly server: string;
      readonly detail: string;
      /** True if the request may have been carried out although no answer came. */
      readonly requestSent: boolean;
    }
  | { readonly kind: "unauthorized"; readonly server: string; readonly detail: string }
  | {
      readonly kind: "forbidden";
      readonly verb: string;
      /** As RBAC names it: `pods`, `pods/log`, `networkpolicies.networking.k8s.io`. */
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
  /** A disruption budget lets no pod of this kind go now. */
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

export interface InvalidField {
  readonly field: string;
  readonly message: string;
}

/**
 * `noKubeconfig`: no file where kubectl would look; `invalidKubeconfig`: a file that cannot be read as one;
 * `noContext`: no current context, or one that is not there; `unsupported`: asks for what we refuse to do
 * wrongly; `credentials`: a plug-in, a token file or a refresh gave no credentials.
 */
export type ConfigurationProblem =
  "noKubeconfig" | "invalidKubeconfig" | "noContext" | "unsupported" | "credentials";
