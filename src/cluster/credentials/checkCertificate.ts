import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { ClientCertificate } from "../transport/endpoint.ts";

/** Why a certificate and its key cannot be used; undefined if they can. */
export const checkCertificate = ({ cert, key }: ClientCertificate): string | undefined =>
  failureOf(() => createSecureContext({ cert, key }));

/** Why authorities cannot be used; undefined if they can. TLS itself would pass over what it cannot read. */
export function checkAuthorities(ca: string): string | undefined {
  const blocks = ca.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  if (!blocks) return "it holds no certificate in PEM form";
  return failureOf(() => blocks.map((block) => new X509Certificate(block)));
}

function failureOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    // OpenSSL's words name the fault and never quote the key.
    if (error instanceof Error && "code" in error) return error.message;
    throw error;
  }
}
