import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import tls from "node:tls";
import type { Disposable } from "../../base/disposable.ts";
import { withoutEnd } from "../../base/withoutEnd.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import {
  type ClientCertificate,
  type Endpoint,
  hostOf,
  isSecure,
  endpointPortOf,
} from "../../io/http/endpoint.ts";
import { exchange, type Exchange, type HttpCall, type WaitLimits } from "../../io/http/exchange.ts";
import { openTunnel, proxyAuthorization } from "../../io/proxy/tunnel.ts";
import {
  type OpenTunnel,
  PlainTunnelAgent,
  SecureTunnelAgent,
} from "../../io/proxy/tunnelAgents.ts";

/** Each channel has its own connection pool, so that many logs or watches do not delay short requests. */
export type Channel = "api" | "watch" | "logs" | "terminals" | "forwards";

const socketsOf: Readonly<Record<Channel, number>> = {
  api: 4,
  watch: Infinity,
  logs: Infinity,
  terminals: Infinity,
  forwards: Infinity,
};

// Half the idle timeout of the API server (90 s), and below that of load balancers (60 s). So a request is rarely sent
// on a connection that the server is closing.
const idleMs = 45_000;
export const defaultConnectMs = 10_000;

interface SendRules extends Omit<WaitLimits, "connectMs"> {
  readonly channel: Channel;
}

/**
 * The connection pools of one server. A new client certificate gets new connections; old ones close after their
 * request.
 */
export class Transport implements Disposable {
  readonly #endpoint: Endpoint;
  readonly #userAgent: string;
  readonly #clock: Clock;
  readonly #connectMs: number;
  #certificate: ClientCertificate | undefined;
  /** Shared by all connections, because creating a TLS context takes about 1 ms. */
  #context: tls.SecureContext | undefined;
  #agents = new Map<Channel, http.Agent>();
  #retired: http.Agent[] = [];

  constructor(
    endpoint: Endpoint,
    userAgent: string,
    clock: Clock,
    connectMs: number = defaultConnectMs,
  ) {
    this.#endpoint = endpoint;
    this.#userAgent = userAgent;
    this.#clock = clock;
    this.#connectMs = connectMs;
  }

  send(
    call: HttpCall,
    certificate: ClientCertificate | undefined,
    rules: SendRules,
    signal: AbortSignal,
  ): Promise<Exchange> {
    if (
      certificate?.cert !== this.#certificate?.cert ||
      certificate?.key !== this.#certificate?.key
    ) {
      this.#certificate = certificate;
      this.#context = undefined;
      this.#retire();
    }
    const connectMs = this.#connectMs;
    const limits: WaitLimits = { connectMs, headersMs: rules.headersMs, wholeMs: rules.wholeMs };
    const { pinned } = this.#endpoint.trust;
    const request = { options: this.#options(rules.channel, call), body: call.body, pinned };
    return exchange(request, limits, this.#clock, signal);
  }

  /** Closes idle connections. Called after one was found dead, because the others probably are, too. */
  dropIdle(): void {
    for (const agent of this.#agents.values()) destroyFree(agent);
  }

  dispose(): void {
    for (const agent of [...this.#agents.values(), ...this.#retired]) agent.destroy();
  }

  #options(channel: Channel, call: HttpCall): https.RequestOptions {
    const { url, proxy } = this.#endpoint;
    const path = withoutEnd(url.pathname, "/") + call.path;
    const common = {
      method: call.method,
      agent: this.#agent(channel),
      headers: { ...call.headers, "user-agent": this.#userAgent },
    };
    if (isSecure(url)) {
      // Repeat the TLS options here, because VS Code may replace the agent with its own.
      return {
        ...common,
        ...this.#tls(),
        protocol: "https:",
        host: hostOf(url),
        port: endpointPortOf(url),
        path,
      };
    }
    if (proxy?.kind !== "http") {
      return { ...common, protocol: "http:", host: hostOf(url), port: endpointPortOf(url), path };
    }
    // For plain HTTP a proxy expects the absolute URL instead of a tunnel.
    return {
      ...common,
      protocol: "http:",
      host: hostOf(proxy.url),
      port: endpointPortOf(proxy.url),
      path: `${url.origin}${path}`,
      headers: { ...common.headers, host: url.host, ...proxyAuthorization(proxy.url) },
    };
  }

  #agent(channel: Channel): http.Agent {
    const known = this.#agents.get(channel);
    if (known) return known;
    const agent = this.#newAgent({
      keepAlive: true,
      keepAliveMsecs: 10_000,
      maxSockets: socketsOf[channel],
      maxFreeSockets: 4,
      scheduling: "lifo",
      timeout: idleMs,
    });
    this.#agents.set(channel, agent);
    return agent;
  }

  #newAgent(options: http.AgentOptions): http.Agent {
    const { url, proxy } = this.#endpoint;
    const secure = isSecure(url);
    if (!proxy || (proxy.kind === "http" && !secure)) {
      return secure ? new https.Agent({ ...options, ...this.#tls() }) : new http.Agent(options);
    }
    const open: OpenTunnel = () => openTunnel(proxy, url, this.#connectMs, this.#clock);
    return secure
      ? new SecureTunnelAgent({ ...options, ...this.#tls() }, open)
      : new PlainTunnelAgent(options, open);
  }

  #tls(): tls.ConnectionOptions & Pick<https.AgentOptions, "maxCachedSessions"> {
    const { ca, serverName, skipVerify, pinned } = this.#endpoint.trust;
    const { cert, key } = this.#certificate ?? {};
    const own = { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
    // Without `ca`, do not share a TLS context: VS Code chooses the trusted authorities for each connection.
    if (ca !== undefined) this.#context ??= tls.createSecureContext({ ca, ...own });
    return {
      ...(ca !== undefined && { ca }),
      ...(this.#context && { secureContext: this.#context }),
      ...own,
      ...(serverName !== undefined && expecting(serverName)),
      rejectUnauthorized: !skipVerify,
      // A resumed TLS session presents no certificate to compare with the pinned one.
      ...(pinned !== undefined && { maxCachedSessions: 0 }),
    };
  }

  #retire(): void {
    for (const agent of this.#agents.values()) {
      agent.maxFreeSockets = 0;
      destroyFree(agent);
      this.#retired.push(agent);
    }
    this.#retired = this.#retired.filter((agent) => Object.keys(agent.sockets).length > 0);
    this.#agents = new Map();
  }
}

// SNI must not contain an IP address (RFC 6066, section 3). The certificate must still match the address.
const expecting = (serverName: string): tls.ConnectionOptions =>
  isIP(serverName) === 0
    ? { servername: serverName }
    : {
        servername: "",
        checkServerIdentity: (_host, certificate) =>
          tls.checkServerIdentity(serverName, certificate),
      };

function destroyFree(agent: http.Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of [...(sockets ?? [])]) socket.destroy();
  }
}
