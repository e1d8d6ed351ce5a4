import { connect, isIP, type Socket } from "node:net";
import tls from "node:tls";
import { err, ok, type Result } from "../../base/result.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { abortError, onAbort } from "../../io/abort.ts";
import { deadline } from "../../io/deadline.ts";
import { type Endpoint, hostOf, endpointPortOf } from "../../io/http/endpoint.ts";
import { RequestTimeout } from "../../io/http/exchange.ts";
import { openTunnel } from "../../io/proxy/tunnel.ts";

/**
 * Returns the SHA-256 fingerprint of the server's certificate in Node's format. The handshake sends no credentials and
 * no client certificate. The connection sends nothing after it. Rejects only with an AbortError.
 */
export async function presentedCertificate(
  { url, proxy, trust }: Endpoint,
  connectMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<string, Error>> {
  const host = trust.serverName ?? hostOf(url);
  try {
    const socket = proxy
      ? await openTunnel(proxy, url, connectMs, clock)
      : connect({ host: hostOf(url), port: endpointPortOf(url) });
    // SNI must not contain an IP address (RFC 6066, section 3).
    return ok(await handshake(socket, isIP(host) === 0 ? host : "", connectMs, clock, signal));
  } catch (error) {
    if (signal.aborted) throw abortError();
    return err(error instanceof Error ? error : new Error(String(error)));
  }
}

function handshake(
  socket: Socket,
  servername: string,
  connectMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const secured = tls.connect({ socket, servername, rejectUnauthorized: false });
    const limit = deadline(clock, connectMs, () => {
      secured.destroy(new RequestTimeout(`no connection was made within ${connectMs / 1000} s`));
    });
    const aborted = onAbort(signal, () => {
      secured.destroy(abortError());
    });
    // Both sockets may fail, and an unhandled "error" event would crash the extension host.
    socket.on("error", reject);
    secured.on("error", reject);
    secured.on("close", () => {
      limit.dispose();
      aborted.dispose();
      socket.destroy();
      reject(new Error("the server closed the connection during the TLS handshake"));
    });
    secured.once("secureConnect", () => {
      resolve(secured.getPeerCertificate().fingerprint256);
      secured.destroy();
    });
  });
}
