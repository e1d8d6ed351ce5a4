import { createHash } from "node:crypto";
import type {
  AccessPlace,
  TrustChange,
  TrustQuestion,
  UserCredential,
} from "../../engine/ports/connection.ts";
import type { ConfAccess } from "../../spark/submit/conf/access.ts";
import { readTextFile } from "../textFile.ts";
import { endpointText, type Endpoint, isSecure } from "../../io/http/endpoint.ts";
import { type ProxyEnvironment, proxyOfEnvironment } from "../../io/proxy/proxyOfEnvironment.ts";
import { ofConf, type ContextCandidate } from "./contextCandidate.ts";
import type { UserEntry } from "./kubeconfigFile.ts";
import type { KubeconfigTarget } from "./target.ts";

type IsOfWorkspace = AccessPlace["isOfWorkspace"];

/** Describes where the kubeconfig and the files of a connection come from: the user, a document or a command. */
export interface DocumentSide {
  /** The editor's environment variables. A document cannot set variables for a connection. */
  readonly env: ProxyEnvironment;
  /** The kubeconfig files that the document names. Undefined if the user's own files are used. */
  readonly namedKubeconfig: string | undefined;
  /** True if a file is inside the workspace after symbolic links are resolved. */
  readonly isOfWorkspace: IsOfWorkspace;
}

/**
 * Returns the trust prompt to show before the first request. It is needed if the user's credentials would be sent to a
 * server, or with trust settings, that the document chose. Undefined if the credentials are the document's own, or if
 * the user chose server and trust settings.
 */
export async function questionOf(
  way: ContextCandidate | undefined,
  access: ConfAccess,
  target: KubeconfigTarget,
  side: DocumentSide,
): Promise<Omit<TrustQuestion, "fingerprint"> | undefined> {
  const credentials = await userCredentials(way, access, target, side.isOfWorkspace);
  if (credentials.length === 0) return undefined;
  const changes = await changesOf(way, access, target, side);
  const server = endpointText(target.endpoint.url);
  return changes.length === 0 ? undefined : { server, credentials, changes };
}

/** Returns the SHA-256 of the certificate authorities of a server. Undefined if the system's authorities are used. */
export const authorityFingerprint = ({ trust }: Endpoint): string | undefined =>
  trust.ca === undefined ? undefined : createHash("sha256").update(trust.ca.trim()).digest("hex");

async function userCredentials(
  way: ContextCandidate | undefined,
  access: ConfAccess,
  { user, endpoint }: KubeconfigTarget,
  isOfWorkspace: IsOfWorkspace,
): Promise<readonly UserCredential[]> {
  // Never send credentials without TLS.
  if (user === undefined || !isSecure(endpoint.url)) return [];
  const { token, clientCertFile, clientKeyFile } = access;
  const own: UserCredential[] = [];
  const paths = [clientCertFile, clientKeyFile];
  if (token !== undefined) {
    const { source } = token;
    if (source.kind === "file") paths.push(source.path);
    else if (source.kind !== "literal") own.push(source);
  } else if (way !== undefined && user.file !== ofConf.file) {
    const isDocuments = (await isOfWorkspace(user.file)) && isLiteral(user);
    if (!isDocuments) own.push({ kind: "context", context: way.context.name });
  }
  for (const path of new Set(paths)) {
    if (path !== undefined && !(await isOfWorkspace(path))) own.push({ kind: "file", path });
  }
  return own;
}

/** True if all credentials are inline in the kubeconfig, without files, plug-ins or auth providers. */
const isLiteral = ({ tokenFile, certFile, keyFile, exec, authProvider }: UserEntry): boolean =>
  [tokenFile, certFile, keyFile, exec, authProvider].every((each) => each === undefined);

/** Returns the SHA-256 of a user's credential sources and impersonation, without inline token, password and keys. */
function userFingerprint(user: UserEntry | undefined): string {
  const { tokenFile, certFile, keyFile, exec, authProvider, impersonation } = user ?? {};
  const parts = { tokenFile, certFile, keyFile, exec, authProvider, impersonation };
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

async function changesOf(
  way: ContextCandidate | undefined,
  access: ConfAccess,
  { cluster, endpoint, user }: KubeconfigTarget,
  { env, namedKubeconfig }: DocumentSide,
): Promise<readonly TrustChange[]> {
  const known = way?.kubeconfig.clusters.get(way.context.cluster);
  const isNamed = namedKubeconfig !== undefined;
  const isOwn = way?.isOwn === true && !isNamed;
  const { trust, proxy, url } = endpoint;
  const changes: TrustChange[] = [];
  if (isNamed) {
    changes.push({ kind: "kubeconfig", path: namedKubeconfig, user: userFingerprint(user) });
  }
  if (way?.isOwn !== true) changes.push({ kind: "otherServer", ownServer: known?.server });
  if (trust.skipVerify && !(isOwn && known?.skipTLSVerify === true)) {
    changes.push({ kind: "noVerification" });
  }
  if (!trust.skipVerify && trust.ca !== undefined) {
    const isGiven = access.caCertFile !== undefined && trust.ca !== (await authoritiesOf(known));
    if (isGiven || isNamed) changes.push({ kind: "otherAuthority" });
  }
  if (isNamed && trust.serverName !== undefined) {
    changes.push({ kind: "otherServerName", name: trust.serverName });
  }
  const defaultProxy =
    isOwn && cluster.proxyUrl !== undefined ? proxy : proxyOfEnvironment(url, env);
  if (proxy?.url.href !== defaultProxy?.url.href) {
    changes.push({ kind: "proxy", proxy: proxy && endpointText(proxy.url) });
  }
  return changes;
}

async function authoritiesOf(
  known: { readonly caData?: string; readonly caFile?: string } | undefined,
): Promise<string | undefined> {
  if (known?.caData !== undefined) return Buffer.from(known.caData, "base64").toString();
  if (known?.caFile === undefined) return undefined;
  const text = await readTextFile(known.caFile);
  return text.ok ? text.value : undefined;
}
