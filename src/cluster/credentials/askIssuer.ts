import { dirname, resolve } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { readTextFile } from "../textFile.ts";
import { BodyLost, chunksOf, readAll } from "../../io/http/body.ts";
import { describeLoss } from "../transport/lossWords.ts";
import { type ProxyEnvironment, proxyOfEnvironment } from "../../io/proxy/proxyOfEnvironment.ts";
import { Transport } from "../transport/transport.ts";
import { checkAuthorities } from "./checkCertificate.ts";
import type { AskIssuer } from "./oidc.ts";

interface IssuerOptions {
  readonly env: ProxyEnvironment;
  readonly clock: Clock;
  readonly userAgent: string;
}

const limits = { channel: "api", headersMs: 15_000, wholeMs: 30_000 } as const;
const largestAnswer = 1 << 20;

/** Returns the HTTP client of an OIDC issuer. Trusts the certificate authority that the kubeconfig names, if any. */
export function askIssuer(
  config: Readonly<Record<string, string>>,
  file: string,
  { env, clock, userAgent }: IssuerOptions,
): AskIssuer {
  return async ({ url, form, authorization }, signal) => {
    const ca = await authorities(config, file);
    if (!ca.ok) return ca;
    const trust = { ca: ca.value, serverName: undefined, skipVerify: false, pinned: undefined };
    // Pass only the origin: the transport prepends the endpoint's path to each request path.
    const endpoint = { url: new URL(url.origin), trust, proxy: proxyOfEnvironment(url, env) };
    const transport = new Transport(endpoint, userAgent, clock);
    const headers = {
      accept: "application/json",
      ...(authorization !== undefined && { authorization }),
      ...(form !== undefined && {
        "content-type": "application/x-www-form-urlencoded",
        "content-length": String(Buffer.byteLength(form)),
      }),
    };
    const method = form === undefined ? "GET" : "POST";
    const path = url.pathname + url.search;
    try {
      const exchange = await transport.send(
        { method, path, headers, body: form },
        undefined,
        limits,
        signal,
      );
      if (exchange.kind === "upgraded") {
        exchange.socket.destroy();
        return err("the issuer switched protocols unexpectedly");
      }
      if (exchange.kind === "lost") return err(describeLoss(exchange, url));
      const body = await readAll(chunksOf(exchange, undefined, clock, signal), largestAnswer);
      return ok({ status: exchange.response.statusCode ?? 0, body: body?.toString() ?? "" });
    } catch (error) {
      if (!(error instanceof BodyLost)) throw error;
      return err(describeLoss({ cause: error.cause, certificate: undefined }, url));
    } finally {
      transport.dispose();
    }
  };
}

async function authorities(
  config: Readonly<Record<string, string>>,
  file: string,
): Promise<Result<string | undefined, string>> {
  const base64 = config["idp-certificate-authority-data"];
  const path = config["idp-certificate-authority"];
  if (base64 === undefined && path === undefined) return ok(undefined);
  const place = resolve(dirname(file), path ?? "");
  const ca =
    base64 === undefined ? await readTextFile(place) : ok(Buffer.from(base64, "base64").toString());
  const problem = ca.ok ? checkAuthorities(ca.value) : `${place} cannot be read (${ca.error})`;
  if (problem === undefined) return ca;
  return err(`the idp-certificate-authority in ${file} cannot be used: ${problem}`);
}
