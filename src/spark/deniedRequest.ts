/** A request that an API server's authorizer denied. The fields come from a message and are untrusted. */
export interface DeniedRequest {
  readonly user: string;
  /** The name of the service account, if the user is one. */
  readonly serviceAccount: string | undefined;
  readonly verb: string;
  /** The resource with its subresource and API group: `pods/exec`, `networkpolicies.networking.k8s.io`. */
  readonly resource: string;
  /** Undefined for a cluster-scoped request, or if the message was truncated before the namespace. */
  readonly namespace: string | undefined;
  /** The text after the request: the authorizer's reason, usually empty. */
  readonly reason: string;
}

/** Returns the denied request that a message or a client's log line describes. Undefined if there is none. */
export function deniedRequestIn(text: string): DeniedRequest | undefined {
  const found = authorizerMessage.exec(text);
  if (!found?.groups) return undefined;
  const { user = "", verb = "", plural = "", group = "", namespace } = found.groups;
  return {
    user,
    serviceAccount: serviceAccountOf(user)?.name,
    verb,
    resource: group === "" ? plural : `${plural}.${group}`,
    namespace,
    reason: text.slice(found.index + found[0].length).replace(/^[.:]\s*/, ""),
  };
}

// `User "ann" cannot delete resource "pods" in API group "" in the namespace "etl": reason`
const authorizerMessage =
  /\bUser "(?<user>[^"]{0,600})" cannot (?<verb>[a-z]{1,30}) resource "(?<plural>[\w./-]{1,253})"(?: in API group "(?<group>[\w.-]{0,253})")?(?: in the namespace "(?<namespace>[\w.-]{1,253})"| at the cluster scope)?/;

/** Returns the service account of an authenticated user name; undefined for another user. */
export function serviceAccountOf(
  user: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}
