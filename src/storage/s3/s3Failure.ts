import { type Answered, type Lost, TooSilent } from "./exchange.ts";
import type { S3Settings } from "./s3Settings.ts";
import { textOf } from "./xmlText.ts";

/** Why the storage did not do what was asked. */
export interface S3Failure {
  /** Undefined: there was no answer. */
  readonly status: number | undefined;
  /** As S3 names it: `AccessDenied`. */
  readonly code: string | undefined;
  /** A sentence without a full stop, and without secrets. */
  readonly detail: string;
  /** `few`: another try may help, but rarely does. */
  readonly retry: "never" | "few" | "many";
  /** How long the storage wants to be left alone. */
  readonly leastWaitMs: number;
}

// A 400 or a 403 otherwise, but passing.
const passingCodes: ReadonlySet<string | undefined> = new Set([
  "RequestTimeout",
  "SlowDown",
  "InternalError",
  "ServiceUnavailable",
  "ThrottlingException",
  "OperationAborted",
]);

export function failureOf(answer: Answered, url: URL, settings: S3Settings): S3Failure {
  const { status, headers, text } = answer;
  const code = textOf(text, "Code");
  const message = textOf(text, "Message")?.trim().replace(/\.$/, "");
  const said = [message, code].filter(Boolean).join(", ");
  const advice = adviceOn(code ?? String(status), settings);
  const isPassing = status >= 500 || status === 429 || passingCodes.has(code);
  return {
    status,
    code,
    detail: tidy(
      `the storage at ${url.host} answered ${status}${said === "" ? "" : ` (${said})`}${advice}`,
      settings,
    ),
    // A part of S3 that is missing there stays missing.
    retry: isPassing && status !== 501 ? "many" : "never",
    leastWaitMs: Math.min(Number(headers["retry-after"]) * 1000 || 0, 20_000),
  };
}

export function failureOfLoss({ cause, isConnected }: Lost, url: URL): S3Failure {
  const system = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  const isDistrusted = system !== undefined && distrust.test(system);
  return {
    status: undefined,
    code: system,
    detail: describeLoss(cause, system, url, isDistrusted),
    retry: isDistrusted ? "never" : isConnected ? "many" : "few",
    leastWaitMs: 0,
  };
}

// The codes of OpenSSL's verification, as node names them.
const distrust = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS|ERR_SSL|EPROTO|HPE_/;

function describeLoss(
  cause: Error,
  code: string | undefined,
  url: URL,
  isDistrusted: boolean,
): string {
  if (cause instanceof TooSilent) return `the storage at ${url.host} is silent: ${cause.message}`;
  if (isDistrusted) return describeDistrust(code ?? "", url);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `the host name "${url.hostname}" was not found (${code})`;
  }
  if (code === "ECONNREFUSED") {
    return `nothing answers at ${url.host}: the connection was refused`;
  }
  return `the connection to ${url.host} broke${code === undefined ? "" : ` (${code})`}`;
}

function describeDistrust(code: string, url: URL): string {
  if (/^(?:EPROTO|ERR_SSL|HPE_)/.test(code)) {
    return (
      `${url.host} does not speak ${url.protocol === "https:" ? "TLS" : "HTTP"} as expected (${code}): ` +
      'look at "spark.hadoop.fs.s3a.endpoint" and "spark.hadoop.fs.s3a.connection.ssl.enabled"'
    );
  }
  if (code === "CERT_HAS_EXPIRED") return `the certificate of ${url.host} has expired`;
  const name = code === "ERR_TLS_CERT_ALTNAME_INVALID" ? "is for another host" : "is not trusted";
  return (
    `the certificate of ${url.host} ${name} (${code}): ` +
    "AWS_CA_BUNDLE may name a file with the authorities to trust"
  );
}

function adviceOn(code: string, { bucket, region, identity }: S3Settings): string {
  switch (code) {
    case "NoSuchBucket":
      return `: there is no bucket "${bucket}"`;
    case "AccessDenied":
    case "403":
      return identity.kind === "anonymous"
        ? ": it was asked without credentials"
        : `: these credentials may not write to the bucket "${bucket}"`;
    case "InvalidAccessKeyId":
    case "SignatureDoesNotMatch":
    case "InvalidSecurity":
      return ": look at the access key and the secret key";
    case "ExpiredToken":
    case "InvalidToken":
    case "TokenRefreshRequired":
      return ": sign in again, the session has ended";
    case "RequestTimeTooSkewed":
      return ": the clock of this machine is wrong";
    case "AuthorizationHeaderMalformed":
    case "PermanentRedirect":
      return `: the bucket may not be in the region "${region}" ("spark.hadoop.fs.s3a.endpoint.region")`;
    case "MethodNotAllowed":
    case "405":
      return ": is this the address of an S3 storage?";
    default:
      return "";
  }
}

// A shorter one would blank out innocent syllables.
const shortestSecret = 4;
// More of it would be a page for a browser.
const longestDetail = 600;

/** Takes out what a server may have repeated of a request: the keys and the signature. */
function tidy(text: string, { identity }: S3Settings): string {
  const secrets =
    identity.kind === "anonymous"
      ? []
      : [identity.secretAccessKey, identity.sessionToken ?? "", identity.accessKeyId];
  const without = secrets
    .filter(({ length }) => length >= shortestSecret)
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((clean, secret) => clean.replaceAll(secret, "***"), text);
  return without
    .replace(/\b(Credential|Signature|X-Amz-[\w-]*)=[^\s,&<]+/gi, "$1=***")
    .replace(/\s+/g, " ")
    .slice(0, longestDetail);
}
