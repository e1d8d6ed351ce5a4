import type { Context } from "@kubernetes/client-node/dist/config_types.js";
import { err, ok, type Result } from "../../base/result.ts";
import { withoutEnd } from "../../base/withoutEnd.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { AccessIdentity, TrustQuestion } from "../../engine/ports/connection.ts";
import type { ConfAccess } from "../../spark/submit/conf/access.ts";
import { endpointText, isSecure, endpointPortOf } from "../../io/http/endpoint.ts";
import { ofConf, type ContextCandidate } from "./contextCandidate.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import type { ClusterEntry, UserEntry } from "./kubeconfigFile.ts";
import { serverAddress } from "./serverAddress.ts";
import { clusterOf, findContext, readTarget, type KubeconfigTarget, userOf } from "./target.ts";
import { type DocumentSide, questionOf } from "./trustQuestion.ts";

/** The API server of a submission, with the identity that its requests use. */
interface AccessTarget {
  readonly target: KubeconfigTarget;
  readonly identity: AccessIdentity;
  readonly serverContexts: readonly string[];
  readonly contextNamespace: string | undefined;
  /**
   * The trust prompt to show before the first request. Undefined if the document changes no trust decision of the user.
   */
  readonly question: Omit<TrustQuestion, "fingerprint"> | undefined;
}

/** The user's settings and the document's conf that affect a connection. */
interface AccessSides extends DocumentSide {
  /** The selected context. Undefined means the kubeconfig's current context. */
  readonly chosen: string | undefined;
}

interface AccessKubeconfigs {
  readonly kubeconfig: Result<Kubeconfig, ClusterError>;
  /**
   * The user's own kubeconfig, to which the context guards of the settings apply. A command may name another
   * kubeconfig.
   */
  readonly ofUser: Result<Kubeconfig, ClusterError>;
}

/**
 * Resolves the connection of a submission. The server is always that of the Spark master. Credentials come from the
 * context that `findWay` returns; authentication properties of the Spark conf override them. A missing kubeconfig is
 * accepted if the conf names no context.
 */
export async function resolveAccess(
  { kubeconfig, ofUser }: AccessKubeconfigs,
  access: ConfAccess,
  sides: AccessSides,
): Promise<Result<AccessTarget, ClusterError>> {
  const { chosen, env } = sides;
  const way = findWay(kubeconfig, access, chosen);
  if (!way.ok) return way;
  const found = way.value;
  const isOwn = found?.isOwn === true;
  const user = userFor(found, access);
  if (!user.ok) return user;
  const cluster = clusterFor(found, access);
  const target = await readTarget(
    {
      context: isOwn ? found.context : nameless(access, found),
      cluster,
      user: user.value,
    },
    env,
  );
  if (!target.ok) return target;
  const identity = identityOf(found, access, target.value);
  const isByContext =
    isOwn && found.isChosen && (access.context !== undefined || identity.kind === "context");
  return ok({
    target: target.value,
    identity,
    serverContexts:
      kubeconfig === ofUser && isByContext
        ? [found.context.name]
        : contextsOfServer(ofUser, access.server),
    contextNamespace: found?.context.namespace,
    question: await questionOf(found, access, target.value, sides),
  });
}

// Finds the context for the credentials. If the conf names a context, returns that one. Otherwise prefers a context
// with the master's server (the chosen or current context first), and falls back to the chosen or current context.
// Returns undefined if none of these exist. Fails if a named or chosen context does not exist.
function findWay(
  kubeconfig: Result<Kubeconfig, ClusterError>,
  { context: named, server }: ConfAccess,
  chosen: string | undefined,
): Result<ContextCandidate | undefined, ClusterError> {
  if (!kubeconfig.ok) {
    return named === undefined && isAbsence(kubeconfig.error) ? ok(undefined) : kubeconfig;
  }
  const { value } = kubeconfig;
  const has = (context: Context): boolean => {
    const cluster = value.clusters.get(context.cluster);
    return cluster !== undefined && isSameServer(cluster, server);
  };
  const first = findContext(value, named ?? chosen);
  if (named !== undefined) {
    return first.ok
      ? ok({
          ...{ kubeconfig: value, context: first.value },
          isOwn: has(first.value),
          isChosen: true,
        })
      : first;
  }
  if (!first.ok && chosen !== undefined) return first;
  const candidates = [...(first.ok ? [first.value] : []), ...value.model.getContexts()];
  const own = candidates.find(has);
  const isChosen = first.ok && own === first.value;
  if (own) return ok({ kubeconfig: value, context: own, isOwn: true, isChosen });
  if (first.ok)
    return ok({ kubeconfig: value, context: first.value, isOwn: false, isChosen: true });
  return isAbsence(first.error) ? ok(undefined) : err(first.error);
}

/** Returns the contexts of the user's kubeconfig whose server has the same normalized address. */
function contextsOfServer(
  ofUser: Result<Kubeconfig, ClusterError>,
  server: string,
): readonly string[] {
  if (!ofUser.ok) return [];
  const { clusters, model } = ofUser.value;
  const address = serverAddress(server);
  return model
    .getContexts()
    .filter(({ cluster }) => {
      const known = clusters.get(cluster);
      if (known === undefined) return false;
      if (isSameServer(known, server)) return true;
      return address !== undefined && serverAddress(known.server) === address;
    })
    .map(({ name }) => name);
}

const isAbsence = (error: ClusterError): boolean =>
  error.kind === "configuration" &&
  (error.problem === "noKubeconfig" || error.problem === "noContext");

// The service names under which a pod reaches its own API server.
const inClusterNames = /^kubernetes(?:\.default(?:\.svc(?:\.cluster\.local)?)?)?$/i;

function isSameServer({ name, server }: ClusterEntry, other: string): boolean {
  const [one, two] = [URL.parse(server), URL.parse(other)];
  if (!one || !two || one.protocol !== two.protocol) return false;
  if (name === "in-cluster" && endpointPortOf(two) === 443 && inClusterNames.test(two.hostname)) {
    return true;
  }
  const path = ({ pathname }: URL): string => withoutEnd(pathname, "/");
  return (
    one.hostname === two.hostname &&
    endpointPortOf(one) === endpointPortOf(two) &&
    path(one) === path(two)
  );
}

const nobody = { user: undefined, uid: undefined, groups: [], extra: [] };

/** Returns the kubeconfig's cluster entry with the server of the Spark master. */
function clusterFor(way: ContextCandidate | undefined, access: ConfAccess): ClusterEntry {
  const { server, caCertFile, trustsAnyCertificate } = access;
  const known = way?.kubeconfig.clusters.get(way.context.cluster);
  // TLS server name, proxy and skipped verification apply only to the context's own server. The certificate authority
  // may be valid for other servers.
  const { tlsServerName, proxyUrl, skipTLSVerify, caData, caFile } = known ?? {};
  const authority =
    caCertFile === undefined
      ? { ...(caData !== undefined && { caData }), ...(caFile !== undefined && { caFile }) }
      : { caFile: caCertFile };
  return {
    ...(caCertFile === undefined && known ? { name: known.name, file: known.file } : ofConf),
    ...authority,
    server,
    skipTLSVerify: trustsAnyCertificate || (way?.isOwn === true && skipTLSVerify === true),
    ...(way?.isOwn === true && tlsServerName !== undefined && { tlsServerName }),
    ...(way?.isOwn === true && proxyUrl !== undefined && { proxyUrl }),
    execConfig: known?.execConfig,
  };
}

/** Returns the user whose credentials are sent; undefined for anonymous requests. */
function userFor(
  way: ContextCandidate | undefined,
  access: ConfAccess,
): Result<UserEntry | undefined, ClusterError> {
  const { token, clientCertFile: certFile, clientKeyFile: keyFile } = access;
  const certificate = {
    ...(certFile !== undefined && { certFile }),
    ...(keyFile !== undefined && { keyFile }),
  };
  const own = { ...ofConf, ...certificate, tokenFile: undefined, impersonation: nobody };
  if (token !== undefined) return ok({ ...own, token: token.text });
  const hasCertificate = certFile !== undefined || keyFile !== undefined;
  // If the server is not the context's own, a client certificate from the Spark conf replaces the context's user.
  if (way === undefined || (hasCertificate && !way.isOwn)) {
    return ok(hasCertificate ? own : undefined);
  }
  const user = userOf(way.kubeconfig, way.context);
  if (!user.ok || user.value === undefined || !hasCertificate) {
    return user.ok && user.value === undefined && hasCertificate ? ok(own) : user;
  }
  const { certData, keyData, ...rest } = user.value;
  return ok({
    ...rest,
    ...(certFile === undefined && certData !== undefined && { certData }),
    ...(keyFile === undefined && keyData !== undefined && { keyData }),
    ...certificate,
  });
}

function identityOf(
  way: ContextCandidate | undefined,
  access: ConfAccess,
  { user, endpoint }: KubeconfigTarget,
): AccessIdentity {
  // Never send credentials without TLS.
  if (user === undefined || !isSecure(endpoint.url)) return { kind: "none" };
  if (user.file === ofConf.file || access.clientCertFile !== undefined) return { kind: "conf" };
  if (way === undefined || way.isOwn) return { kind: "context" };
  const own = clusterOf(way.kubeconfig, way.context);
  return {
    kind: "foreign",
    context: way.context.name,
    ownServer: own.ok ? own.value.server : "",
  };
}

/** Creates a context for a server that is in no kubeconfig context. The server's address is its name. */
function nameless({ server }: ConfAccess, way: ContextCandidate | undefined): Context {
  const url = URL.parse(server);
  const { cluster = "", user = "" } = way?.context ?? {};
  return { name: url ? endpointText(url) : server, cluster, user };
}
