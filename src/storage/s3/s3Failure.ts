import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { redactKnown } from "../../spark/redactText.ts";
import { type ConnectionLost, RequestTimeout } from "../../io/http/exchange.ts";
import type { S3Settings } from "./s3Settings.ts";
import type { StorageAnswer } from "./storageAnswer.ts";
import { xmlTextOf } from "./xmlText.ts";

/** A failed S3 request. */
export interface S3Failure {
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** S3 error code, such as `AccessDenied`, or the system error code. */
  readonly code: string | undefined;
  /** A sentence without a full stop. Secrets are redacted. */
  readonly detail: string;
  /** `few`: a retry rarely helps, so the client tries only a few times. */
  readonly retry: "never" | "few" | "many";
  /** Minimum wait before a retry, from the Retry-After header; at most 20 s. */
  readonly leastWaitMs: number;
}

// Transient errors that S3 may send with a 4xx status.
const passingCodes: ReadonlySet<string | undefined> = new Set([
  "RequestTimeout",
  "SlowDown",
  "InternalError",
  "ServiceUnavailable",
  "ThrottlingException",
  "OperationAborted",
]);

export function failureOf(answer: StorageAnswer, url: URL, settings: S3Settings): S3Failure {
  const { status, headers, text } = answer;
  const code = xmlTextOf(text, "Code");
  const message = xmlTextOf(text, "Message")?.trim().replace(/\.$/, "");
  const said = [message, code].filter(Boolean).join(", ");
  const advice = adviceOn(code ?? String(status), settings);
  const isPassing = status >= 500 || status === 429 || passingCodes.has(code);
  return {
    status,
    code,
    detail: tidy(
      `the storage at ${url.host} responded with status ${status}${said === "" ? "" : ` (${said})`}${advice}`,
      settings,
    ),
    // 501 Not Implemented is permanent.
    retry: isPassing && status !== 501 ? "many" : "never",
    leastWaitMs: Math.min(Number(headers["retry-after"]) * 1000 || 0, 20_000),
  };
}

export function failureOfLoss(
  { cause, sent }: Pick<ConnectionLost, "cause" | "sent">,
  url: URL,
): S3Failure {
  const system = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  const isDistrusted = system !== undefined && distrust.test(system);
  return {
    status: undefined,
    code: system,
    detail: describeLoss(cause, system, url, isDistrusted),
    retry: isDistrusted ? "never" : sent ? "many" : "few",
    leastWaitMs: 0,
  };
}

// Node's codes for certificate verification, TLS protocol and HTTP parser errors.
const distrust = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS|ERR_SSL|EPROTO|HPE_/;

function describeLoss(
  cause: Error,
  code: string | undefined,
  url: URL,
  isDistrusted: boolean,
): string {
  if (cause instanceof RequestTimeout)
    return `the storage at ${url.host} does not respond: ${cause.message}`;
  if (isDistrusted) return describeDistrust(code ?? "", url);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `the host name "${url.hostname}" was not found (${code})`;
  }
  if (code === "ECONNREFUSED") {
    return `the connection to ${url.host} was refused`;
  }
  return `the connection to ${url.host} was lost${code === undefined ? "" : ` (${code})`}`;
}

function describeDistrust(code: string, url: URL): string {
  if (/^(?:EPROTO|ERR_SSL|HPE_)/.test(code)) {
    return (
      `${url.host} did not send a valid ${url.protocol === "https:" ? "TLS" : "HTTP"} response (${code}): ` +
      'check "spark.hadoop.fs.s3a.endpoint" and "spark.hadoop.fs.s3a.connection.ssl.enabled"'
    );
  }
  if (code === "CERT_HAS_EXPIRED") return `the certificate of ${url.host} has expired`;
  const name = code === "ERR_TLS_CERT_ALTNAME_INVALID" ? "is for another host" : "is not trusted";
  return (
    `the certificate of ${url.host} ${name} (${code}): ` +
    "AWS_CA_BUNDLE can specify a file with trusted certificate authorities"
  );
}

function adviceOn(code: string, { bucket, region, identity }: S3Settings): string {
  switch (code) {
    case "NoSuchBucket":
      return `: the bucket "${bucket}" does not exist`;
    case "AccessDenied":
    case "403":
      return identity.kind === "anonymous"
        ? ": the request had no credentials"
        : `: the credentials have no permission to write to the bucket "${bucket}"`;
    case "InvalidAccessKeyId":
    case "SignatureDoesNotMatch":
    case "InvalidSecurity":
      return ": check the access key and the secret key";
    case "ExpiredToken":
    case "InvalidToken":
    case "TokenRefreshRequired":
      return ": the session has expired. Sign in again";
    case "RequestTimeTooSkewed":
      return ": the clock of this machine is wrong";
    case "AuthorizationHeaderMalformed":
    case "PermanentRedirect":
      return `: the bucket may not be in the region "${region}" ("spark.hadoop.fs.s3a.endpoint.region")`;
    case "MethodNotAllowed":
    case "405":
      return ": check that this is the address of an S3 storage";
    default:
      return "";
  }
}

// Redacting shorter secrets would remove ordinary text.
const minSecretLength = 4;
// In characters. A longer message is probably an HTML page.
const maxDetail = 600;

/** Redacts keys and signatures that the server may have echoed, and limits the length. */
function tidy(text: string, { identity }: S3Settings): string {
  const secrets =
    identity.kind === "anonymous"
      ? []
      : [identity.secretAccessKey, identity.sessionToken ?? "", identity.accessKeyId];
  const forms = secrets
    .filter(({ length }) => length >= minSecretLength)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const clean = redactKnown(text, forms).replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ");
  return redactLine(clean, defaultSecretRule).slice(0, maxDetail);
}
