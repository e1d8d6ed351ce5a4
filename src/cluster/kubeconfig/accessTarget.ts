import type { Context } from "@kubernetes/client-node/dist/config_types.js";
import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { AccessIdentity } from "../../engine/ports.ts";
import type { Access } from "../../spark/submit/access.ts";
import { describeServer, isSecure, portOf } from "../transport/endpoint.ts";
import type { Environment } from "../transport/proxy.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import type { ClusterEntry, UserEntry } from "./kubeconfigFile.ts";
import { clusterOf, findContext, readTarget, type Target, userOf } from "./target.ts";

/** The server that a submission names, and in whose name requests go there. */
export interface AccessTarget {
  readonly target: Target;
  readonly identity: AccessIdentity;
  readonly contextNamespace: string | undefined;
}

/**
 * The master's server, always; with the credentials of the context that has this server, and what the conf
 * says of its own over that. `chosen`: the context in use; undefined: the current one. No kubeconfig at all
 * is good enough where the conf names no context.
 */
export async function resolveAccess(
  kubeconfig: Result<Kubeconfig, ClusterError>,
  access: Access,
  chosen: string | undefined,
  env: Environment,
): Promise<Result<AccessTarget, ClusterError>> {
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
  return ok({
    target: target.value,
    identity: identityOf(found, access, target.value),
    contextNamespace: found?.context.namespace,
  });
}

/** A context of the kubeconfig, and whether the master's server is its own. */
interface Way {
  readonly kubeconfig: Kubeconfig;
  readonly context: Context;
  readonly isOwn: boolean;
}

// Undefined: no context can be had, and nobody asked for one.
function findWay(
  kubeconfig: Result<Kubeconfig, ClusterError>,
  { context: named, server }: Access,
  chosen: string | undefined,
): Result<Way | undefined, ClusterError> {
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
      ? ok({ kubeconfig: value, context: first.value, isOwn: has(first.value) })
      : first;
  }
  if (!first.ok && chosen !== undefined) return first;
  const candidates = [...(first.ok ? [first.value] : []), ...value.model.getContexts()];
  const own = candidates.find(has);
  if (own) return ok({ kubeconfig: value, context: own, isOwn: true });
  if (first.ok) return ok({ kubeconfig: value, context: first.value, isOwn: false });
  return isAbsence(first.error) ? ok(undefined) : err(first.error);
}

const isAbsence = (error: ClusterError): boolean =>
  error.kind === "configuration" &&
  (error.problem === "noKubeconfig" || error.problem === "noContext");

// How a pod may call the server of its own cluster.
const inClusterNames = /^kubernetes(?:\.default(?:\.svc(?:\.cluster\.local)?)?)?$/i;

function isSameServer({ name, server }: ClusterEntry, other: string): boolean {
  const [one, two] = [URL.parse(server), URL.parse(other)];
  if (!one || !two || one.protocol !== two.protocol) return false;
  if (name === "in-cluster" && portOf(two) === 443 && inClusterNames.test(two.hostname)) {
    return true;
  }
  const path = ({ pathname }: URL): string => pathname.replace(/\/+$/, "");
  return one.hostname === two.hostname && portOf(one) === portOf(two) && path(one) === path(two);
}

const ofConf = { name: "spark.kubernetes.authenticate.submission", file: "the conf" } as const;
const nobody = { user: undefined, uid: undefined, groups: [], extra: [] };

/** The cluster as the kubeconfig has it, reached at the master's server. */
function clusterFor(way: Way | undefined, access: Access): ClusterEntry {
  const { server, caCertFile, trustsAnyCertificate } = access;
  const known = way?.kubeconfig.clusters.get(way.context.cluster);
  // What a context says of the way to its server is of no use for another one; its authority may be.
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

/** Undefined: requests go out in nobody's name. */
function userFor(
  way: Way | undefined,
  access: Access,
): Result<UserEntry | undefined, ClusterError> {
  const { token, clientCertFile: certFile, clientKeyFile: keyFile } = access;
  const certificate = {
    ...(certFile !== undefined && { certFile }),
    ...(keyFile !== undefined && { keyFile }),
  };
  const own = { ...ofConf, ...certificate, tokenFile: undefined, impersonation: nobody };
  if (token !== undefined) return ok({ ...own, token });
  const hasCertificate = certFile !== undefined || keyFile !== undefined;
  // What the conf brings along is enough for a server that the context knows nothing of.
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
  way: Way | undefined,
  access: Access,
  { user, endpoint }: Target,
): AccessIdentity {
  // Over plain http nothing secret is sent, whoever it is of.
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

/** Stands for the context that a server without one would have. */
function nameless({ server }: Access, way: Way | undefined): Context {
  const url = URL.parse(server);
  const { cluster = "", user = "" } = way?.context ?? {};
  return { name: url ? describeServer(url) : server, cluster, user };
}
