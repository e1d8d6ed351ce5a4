import { ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { configurationFailure } from "../failure.ts";
import type { AuthProvider, UserEntry } from "../kubeconfig/kubeconfigFile.ts";
import type { KubeconfigTarget } from "../kubeconfig/target.ts";
import type { Redactor } from "../redactor.ts";
import { isSecure } from "../../io/http/endpoint.ts";
import type { ProxyEnvironment } from "../../io/proxy/proxyOfEnvironment.ts";
import { askIssuer } from "./askIssuer.ts";
import type { CredentialAccess, Credentials } from "./credentials.ts";
import { checkExecEntry, type ExecCluster, type ExecEntry, runExecPlugin } from "./execPlugin.ts";
import { fixedCredentials } from "./fixedCredentials.ts";
import { impersonationHeaders } from "./impersonationHeaders.ts";
import { OidcSource } from "./oidc.ts";
import { oidcTokenFile, tokensOf } from "./oidcTokenFile.ts";
import { type Grant, RenewedCredentials } from "./renewedCredentials.ts";
import { tokenFileSource } from "./tokenFile.ts";

export interface CredentialOptions {
  readonly env: ProxyEnvironment;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly userAgent: string;
  readonly mayRunPlugins: boolean;
  readonly log: (line: string) => void;
}

// Minimum time between two requests to a plug-in or an issuer, even if the server rejects the credentials.
const pauseMs = 10_000;
const marginMs = 60_000;

/**
 * Returns the credentials of a kubeconfig user. The precedence is kubectl's: token, password, exec plug-in, auth
 * provider.
 */
export function credentialsFor(
  target: KubeconfigTarget,
  around: CredentialOptions,
): Result<Credentials, ClusterError> {
  const { user, certificate } = target;
  // Send no secrets without TLS. kubectl sends none either.
  if (!user || !isSecure(target.endpoint.url)) {
    return ok(fixedCredentials({ headers: {}, certificate: undefined }));
  }
  const { clock, redactor } = around;
  const impersonation = impersonationHeaders(user.impersonation, user.name);
  if (!impersonation.ok) return impersonation;
  const fixed: CredentialAccess = { headers: impersonation.value, certificate };
  const renewed = (
    obtain: (signal: AbortSignal) => Promise<Result<Grant, ClusterError>>,
    rules: { readonly marginMs: number; readonly pauseMs: number },
  ): Result<Credentials, ClusterError> =>
    ok(new RenewedCredentials({ obtain, ...fixed, ...rules }, clock));

  const { tokenFile, token, username, password, exec, authProvider } = user;
  if (tokenFile !== undefined) {
    return renewed(tokenFileSource(tokenFile, clock, redactor), { marginMs: 0, pauseMs: 0 });
  }
  if (token !== undefined) {
    redactor.learn(token);
    return authorized(user, fixed, `Bearer ${token.trim()}`);
  }
  if (username !== undefined || password !== undefined) {
    const pair = Buffer.from(`${username ?? ""}:${password ?? ""}`).toString("base64");
    redactor.learn(password, pair);
    return authorized(user, fixed, `Basic ${pair}`);
  }
  if (exec) {
    const usable = checkExecEntry(exec, user.name);
    if (!usable.ok) return usable;
    if (!around.mayRunPlugins) return notTrusted(user, exec);
    redactor.learn(...secretsIn(exec.env));
    const cluster = execClusterOf(target);
    const obtain = (signal: AbortSignal): Promise<Result<Grant, ClusterError>> =>
      runExecPlugin(exec, cluster, around, signal);
    return renewed(obtain, { marginMs, pauseMs });
  }
  if (authProvider?.name === "oidc") {
    const source = oidcSource(user, authProvider, around);
    if (!source.ok) return source;
    return renewed((signal) => source.value.obtain(signal), { marginMs, pauseMs });
  }
  return authProvider ? unsupportedProvider(user, authProvider) : ok(fixedCredentials(fixed));
}

function authorized(
  user: UserEntry,
  { headers, certificate }: CredentialAccess,
  authorization: string,
): Result<Credentials, ClusterError> {
  if (!/^[\x20-\x7e]+$/.test(authorization)) {
    return configurationFailure(
      "invalidKubeconfig",
      `the token of the user "${user.name}" in ${user.file} contains characters that cannot be sent in a header`,
    );
  }
  return ok(fixedCredentials({ headers: { ...headers, authorization }, certificate }));
}

// Returns the values of variables whose names suggest a secret. Redacting others, such as a region or profile, would
// make error messages less useful.
const secretsIn = (env: ExecEntry["env"]): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    /secret|password|passwd|token|key|credential/i.test(name) ? [value] : [],
  );

const notTrusted = (user: UserEntry, exec: ExecEntry): Result<never, ClusterError> =>
  configurationFailure(
    "credentials",
    `the user "${user.name}" signs in with the command "${exec.command}", but commands of a kubeconfig are not run in an untrusted workspace`,
  );

// Replacements for the auth providers that kubectl removed in 1.26.
const successors: ReadonlyMap<string, string> = new Map([
  ["gcp", "run `gcloud container clusters get-credentials` with gke-gcloud-auth-plugin installed"],
  ["azure", "run `kubelogin convert-kubeconfig`"],
]);

function unsupportedProvider(user: UserEntry, provider: AuthProvider): Result<never, ClusterError> {
  const advice = successors.get(provider.name) ?? "use an exec plug-in or a token instead";
  return configurationFailure(
    "unsupported",
    `the user "${user.name}" in ${user.file} signs in with the auth-provider "${provider.name}", which Kubernetes no longer supports: ${advice}`,
  );
}

/** Returns `spec.cluster` of the ExecCredential that a plug-in receives. */
function execClusterOf({ cluster, endpoint }: KubeconfigTarget): ExecCluster {
  const { trust } = endpoint;
  return {
    server: cluster.server,
    ...(cluster.tlsServerName !== undefined && { "tls-server-name": cluster.tlsServerName }),
    ...(trust.skipVerify && { "insecure-skip-tls-verify": true }),
    ...(trust.ca !== undefined && {
      "certificate-authority-data": Buffer.from(trust.ca).toString("base64"),
    }),
    ...(cluster.proxyUrl !== undefined && { "proxy-url": cluster.proxyUrl }),
    config: cluster.execConfig ?? null,
  };
}

function oidcSource(
  user: UserEntry,
  { config }: AuthProvider,
  around: CredentialOptions,
): Result<OidcSource, ClusterError> {
  const issuer = URL.parse(config["idp-issuer-url"] ?? "");
  const clientId = config["client-id"];
  if (issuer?.protocol !== "https:" || clientId === undefined) {
    return configurationFailure(
      "invalidKubeconfig",
      `the auth-provider of the user "${user.name}" in ${user.file} needs an idp-issuer-url with https:// and a client-id`,
    );
  }
  const initial = tokensOf(config);
  const { clock, redactor, log } = around;
  return ok(
    new OidcSource(
      { issuer, clientId, clientSecret: config["client-secret"] },
      {
        ask: askIssuer(config, user.file, around),
        store: oidcTokenFile(user.file, user.name, initial, clock, log),
        clock,
        redactor,
      },
    ),
  );
}
