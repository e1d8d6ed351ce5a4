import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { ClientCertificate } from "../../io/http/endpoint.ts";

/** Returns why a certificate and its key are invalid, or undefined if they are valid. */
export const checkCertificate = ({ cert, key }: ClientCertificate): string | undefined =>
  failureOf(() => createSecureContext({ cert, key }));

/** Returns why CA certificates are invalid, or undefined if they are valid. TLS would silently skip an invalid one. */
export function checkAuthorities(ca: string): string | undefined {
  const blocks = ca.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  if (!blocks) return "it contains no PEM certificate";
  return failureOf(() => blocks.map((block) => new X509Certificate(block)));
}

function failureOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    // OpenSSL messages describe the error and never quote the key. Some OpenSSL errors have no code.
    if (error instanceof Error) return error.message;
    throw error;
  }
}
