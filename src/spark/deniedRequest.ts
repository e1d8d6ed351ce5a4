/** A request that the authorizer of an API server refused. The parts may be hostile. */
export interface DeniedRequest {
  readonly user: string;
  /** The name of the service account, if the user is one. */
  readonly serviceAccount: string | undefined;
  readonly verb: string;
  /** `pods`, `pods/exec`, `networkpolicies.networking.k8s.io`. */
  readonly resource: string;
  /** Undefined for a request to the whole cluster, and if the message ends before it. */
  readonly namespace: string | undefined;
  /** The text after the request: the reason of the authorizer, mostly empty. */
  readonly reason: string;
}

/** Returns the refused request that a message or a log line of a client names, else undefined. */
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
