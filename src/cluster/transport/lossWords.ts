import type { PeerCertificate } from "node:tls";
import { endpointText, hostOf } from "../../io/http/endpoint.ts";
import { type ConnectionLost, RequestTimeout } from "../../io/http/exchange.ts";
import { ProxyRefusal } from "../../io/proxy/proxyRefusal.ts";

/** Describes in one sentence why a request got no response. */
export function describeLoss(
  { cause, certificate }: Pick<ConnectionLost, "cause" | "certificate">,
  server: URL,
): string {
  if (cause instanceof RequestTimeout || cause instanceof ProxyRefusal) return cause.message;
  const code = codeOf(cause);
  return (
    describeCertificateProblem(code, certificate, server) ??
    describeSystemProblem(code, server) ??
    (code === undefined ? cause.message : `${cause.message} (${code})`)
  );
}

/** True if the connection broke, so that an immediate retry may succeed. */
export function isBrokenConnection(cause: Error): boolean {
  const code = codeOf(cause);
  return code === "ECONNRESET" || code === "EPIPE" || code === "ECONNABORTED";
}

const codeOf = (error: Error): string | undefined =>
  "code" in error && typeof error.code === "string" ? error.code : undefined;

function describeSystemProblem(code: string | undefined, server: URL): string | undefined {
  if (code === undefined) return undefined;
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `the host name "${hostOf(server)}" was not found (${code})`;
    case "ECONNREFUSED":
      return `the connection to ${server.host} was refused`;
    case "ECONNRESET":
    case "EPIPE":
    case "ECONNABORTED":
      return "the connection was closed before the response arrived";
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return `${server.host} cannot be reached (${code})`;
    case "EPROTO":
    case "ERR_SSL_WRONG_VERSION_NUMBER":
      return `${server.host} did not send a valid TLS response`;
    case "HPE_HEADER_OVERFLOW":
      return "the response headers are too large";
    default:
      return code.startsWith("HPE_") ? `the response is not valid HTTP (${code})` : undefined;
  }
}

// Describes a certificate problem by its error code in Node. Returns undefined for any other code.
function describeCertificateProblem(
  code: string | undefined,
  certificate: PeerCertificate | undefined,
  server: URL,
): string | undefined {
  if (code === undefined) return undefined;
  const shown = `the certificate of ${endpointText(server)}${describeCertificate(certificate)}`;
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return `${shown} expired on ${certificate?.valid_to ?? "an unknown date"}`;
    case "CERT_NOT_YET_VALID":
      return `${shown} is not valid before ${certificate?.valid_from ?? "a later date"}: check the clock of this machine`;
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `${shown} is not for this host, but for ${certificate?.subjectaltname ?? "no host"}`;
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "CERT_UNTRUSTED":
    case "CERT_SIGNATURE_FAILURE":
      return `${shown} was issued by an untrusted authority (${code})`;
    default:
      return code.startsWith("CERT_") ? `${shown} is not valid (${code})` : undefined;
  }
}

function describeCertificate(certificate: PeerCertificate | undefined): string {
  if (!certificate || Object.keys(certificate).length === 0) return "";
  const name = (subject: PeerCertificate["subject"]): string =>
    Object.entries(subject)
      .map(([key, value]) => `${key}=${String(value)}`)
      .join(", ");
  return ` (${name(certificate.subject)}; issued by ${name(certificate.issuer)})`;
}
