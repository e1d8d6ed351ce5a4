import type { Context } from "@kubernetes/client-node/dist/config_types.js";
import { createHash } from "node:crypto";
import { ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { ClusterTarget } from "../../engine/ports/connection.ts";
import { checkAuthorities, checkCertificate } from "../credentials/checkCertificate.ts";
import { configurationFailure } from "../failure.ts";
import { readTextFile } from "../textFile.ts";
import {
  type ClientCertificate,
  type Endpoint,
  endpointText,
  isSecure,
  type ProxyRoute,
} from "../../io/http/endpoint.ts";
import {
  type ProxyEnvironment,
  parseProxy,
  proxyOfEnvironment,
} from "../../io/proxy/proxyOfEnvironment.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import type { ClusterEntry, UserEntry } from "./kubeconfigFile.ts";

/** A validated context with its cluster, its user, and the contents of their certificate files. */
export interface KubeconfigTarget {
  readonly context: Context;
  readonly cluster: ClusterEntry;
  /** Undefined if the context names no user; requests are anonymous then. */
  readonly user: UserEntry | undefined;
  readonly endpoint: Endpoint;
  readonly certificate: ClientCertificate | undefined;
}

/** Finds a context and reads its certificates. An undefined `name` means the current context. */
export async function resolveTarget(
  kubeconfig: Kubeconfig,
  name: string | undefined,
  env: ProxyEnvironment,
): Promise<Result<KubeconfigTarget, ClusterError>> {
  const context = findContext(kubeconfig, name);
  if (!context.ok) return context;
  const cluster = clusterOf(kubeconfig, context.value);
  if (!cluster.ok) return cluster;
  const user = userOf(kubeconfig, context.value);
  if (!user.ok) return user;
  return readTarget({ context: context.value, cluster: cluster.value, user: user.value }, env);
}

/** Reads the certificates of a cluster and a user. Validates everything that needs no request. */
export async function readTarget(
  { context, cluster, user }: Pick<KubeconfigTarget, "context" | "cluster" | "user">,
  env: ProxyEnvironment,
): Promise<Result<KubeconfigTarget, ClusterError>> {
  const url = serverUrl(cluster);
  if (!url.ok) return url;
  const proxy = proxyOf(cluster, url.value, env);
  if (!proxy.ok) return proxy;
  const secure = isSecure(url.value);
  const ca = secure && !cluster.skipTLSVerify ? await authorities(cluster) : ok(undefined);
  if (!ca.ok) return ca;
  const certificate = secure && user ? await clientCertificate(user) : ok(undefined);
  if (!certificate.ok) return certificate;
  const trust = {
    ca: ca.value,
    serverName: cluster.tlsServerName,
    skipVerify: cluster.skipTLSVerify,
    pinned: undefined,
  };
  return ok({
    context,
    cluster,
    user,
    endpoint: { url: url.value, trust, proxy: proxy.value },
    certificate: certificate.value,
  });
}

export const clusterTargetOf = (target: KubeconfigTarget): ClusterTarget => ({
  context: target.context.name,
  server: endpointText(target.endpoint.url),
  targetId: targetIdOf(target),
  namespace: target.context.namespace ?? "default",
});

/**
 * Returns a hash that is equal for targets with the same server, credentials and namespace. The hash reveals no
 * secret.
 */
export function targetIdOf({
  context,
  cluster,
  user,
  endpoint,
  certificate,
}: KubeconfigTarget): string {
  const { authProvider } = user ?? {};
  // Ignore OIDC tokens: kubectl and this extension refresh them in the file, so they change without a new sign-in.
  const provider = authProvider && {
    ...authProvider.config,
    "id-token": undefined,
    "refresh-token": undefined,
  };
  const all = [context, cluster, { ...user, authProvider: authProvider?.name }, provider];
  return createHash("sha256")
    .update(JSON.stringify([...all, endpoint, certificate]))
    .digest("base64");
}

export function clusterOf(
  { clusters }: Kubeconfig,
  { name, cluster }: Context,
): Result<ClusterEntry, ClusterError> {
  const found = clusters.get(cluster);
  if (found) return ok(found);
  return configurationFailure(
    "invalidKubeconfig",
    `the context "${name}" refers to the cluster "${cluster}", which is not defined in any kubeconfig file`,
  );
}

/** Returns the user of a context; undefined if the context names no user. */
export function userOf(
  { users }: Kubeconfig,
  { name, user }: Context,
): Result<UserEntry | undefined, ClusterError> {
  const found = users.get(user);
  if (found || user === "") return ok(found);
  return configurationFailure(
    "invalidKubeconfig",
    `the context "${name}" refers to the user "${user}", which is not defined in any kubeconfig file`,
  );
}

export function findContext(
  { model, currentContext }: Kubeconfig,
  name: string | undefined,
): Result<Context, ClusterError> {
  const wanted = name ?? currentContext;
  const known = model.getContexts().map((context) => context.name);
  const choice =
    known.length === 0 ? "No contexts are defined" : `Available contexts: ${known.join(", ")}`;
  if (wanted === undefined) {
    return configurationFailure("noContext", `the kubeconfig has no current context. ${choice}`);
  }
  const context = model.getContextObject(wanted);
  if (context) return ok(context);
  return configurationFailure("noContext", `the kubeconfig has no context "${wanted}". ${choice}`);
}

function serverUrl(cluster: ClusterEntry): Result<URL, ClusterError> {
  const url = URL.parse(cluster.server);
  const isUsable =
    url !== null &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.username === "" &&
    url.search === "" &&
    url.hash === "";
  if (isUsable) return ok(url);
  return configurationFailure(
    "invalidKubeconfig",
    cluster.server === ""
      ? `the cluster "${cluster.name}" in ${cluster.file} has no server`
      : `the server of the cluster "${cluster.name}" in ${cluster.file} must be an https or http URL, such as https://host:port`,
  );
}

function proxyOf(
  cluster: ClusterEntry,
  url: URL,
  env: ProxyEnvironment,
): Result<ProxyRoute | undefined, ClusterError> {
  if (cluster.proxyUrl === undefined) return ok(proxyOfEnvironment(url, env));
  const proxy = parseProxy(cluster.proxyUrl);
  if (proxy) return ok(proxy);
  return configurationFailure(
    "unsupported",
    `the proxy-url of the cluster "${cluster.name}" in ${cluster.file} must begin with http://, https:// or socks5://`,
  );
}

async function authorities(
  cluster: ClusterEntry,
): Promise<Result<string | undefined, ClusterError>> {
  const what = `the certificate authority of the cluster "${cluster.name}" in ${cluster.file}`;
  const ca = await pem(what, cluster.caData, cluster.caFile);
  if (!ca.ok || ca.value === undefined) return ca;
  const problem = checkAuthorities(ca.value);
  return problem === undefined ? ca : unusable(what, problem);
}

async function clientCertificate(
  user: UserEntry,
): Promise<Result<ClientCertificate | undefined, ClusterError>> {
  const what = `the client certificate of the user "${user.name}" in ${user.file}`;
  const cert = await pem(what, user.certData, user.certFile);
  if (!cert.ok) return cert;
  const key = await pem(`the key of ${what}`, user.keyData, user.keyFile);
  if (!key.ok) return key;
  if (cert.value === undefined && key.value === undefined) return ok(undefined);
  if (cert.value === undefined || key.value === undefined) {
    return unusable(what, "it needs both a certificate and its key");
  }
  const certificate = { cert: cert.value, key: key.value };
  const problem = checkCertificate(certificate);
  return problem === undefined ? ok(certificate) : unusable(what, problem);
}

// As in kubectl, inline data takes precedence over a file.
async function pem(
  what: string,
  base64: string | undefined,
  file: string | undefined,
): Promise<Result<string | undefined, ClusterError>> {
  if (base64 !== undefined) return ok(Buffer.from(base64, "base64").toString());
  if (file === undefined) return ok(undefined);
  const text = await readTextFile(file);
  return text.ok ? text : unusable(what, `${file} cannot be read (${text.error})`);
}

const unusable = (what: string, why: string): Result<never, ClusterError> =>
  configurationFailure("invalidKubeconfig", `${what} cannot be used: ${why}`);
