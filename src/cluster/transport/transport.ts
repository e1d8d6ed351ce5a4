import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import tls from "node:tls";
import type { Disposable } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports.ts";
import { type ClientCertificate, type Endpoint, hostOf, isSecure, portOf } from "./endpoint.ts";
import { GatheringAgent, SecureGatheringAgent } from "./gatheringAgents.ts";
import { exchange, type Exchange, type HttpCall, type WaitLimits } from "./exchange.ts";
import { openTunnel, proxyAuthorization } from "./tunnel.ts";
import { type OpenTunnel, PlainTunnelAgent, SecureTunnelAgent } from "./tunnelAgents.ts";

/** Kept apart, so that a burst of logs or many watches cannot keep a short call waiting. */
export type Channel = "api" | "watch" | "logs" | "terminals" | "forwards";

const socketsOf: Readonly<Record<Channel, number>> = {
  api: 4,
  watch: Infinity,
  logs: Infinity,
  terminals: Infinity,
  forwards: Infinity,
};

// Where servers send little pieces, some thousands a second. Of logs nobody sees that they come so much later; of
// a watch, each event is shown as soon as it is there.
const longestRestMs: Partial<Readonly<Record<Channel, number>>> = { logs: 50, watch: 0 };

// Half of what the API server allows (90 s) and less than load balancers do (60 s), so that a request
// seldom meets a connection that the other side is just closing.
const idleMs = 45_000;
const usualConnectMs = 10_000;

export interface SendRules extends Omit<WaitLimits, "connectMs"> {
  readonly channel: Channel;
}

/** The sockets to one server. A new client certificate gets new sockets; old ones end with their request. */
export class Transport implements Disposable {
  readonly #endpoint: Endpoint;
  readonly #userAgent: string;
  readonly #clock: Clock;
  readonly #connectMs: number;
  #certificate: ClientCertificate | undefined;
  /** One for all connections, as each of its own takes a millisecond to make. */
  #context: tls.SecureContext | undefined;
  #agents = new Map<Channel, http.Agent>();
  #retired: http.Agent[] = [];

  constructor(
    endpoint: Endpoint,
    userAgent: string,
    clock: Clock,
    connectMs: number = usualConnectMs,
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
    return exchange(this.#options(rules.channel, call), call.body, limits, this.#clock, signal);
  }

  /** Closes the connections that wait for use: after one has proved dead, the others are likely to be. */
  dropIdle(): void {
    for (const agent of this.#agents.values()) destroyFree(agent);
  }

  dispose(): void {
    for (const agent of [...this.#agents.values(), ...this.#retired]) agent.destroy();
  }

  #options(channel: Channel, call: HttpCall): https.RequestOptions {
    const { url, proxy } = this.#endpoint;
    const path = url.pathname.replace(/\/+$/, "") + call.path;
    const common = {
      method: call.method,
      agent: this.#agent(channel),
      headers: { ...call.headers, "user-agent": this.#userAgent },
    };
    if (isSecure(url)) {
      // Again here, as the editor may put an agent of its own in the place of ours.
      return {
        ...common,
        ...this.#tls(),
        protocol: "https:",
        host: hostOf(url),
        port: portOf(url),
        path,
      };
    }
    if (proxy?.kind !== "http") {
      return { ...common, protocol: "http:", host: hostOf(url), port: portOf(url), path };
    }
    // A proxy is asked for plain HTTP by the whole address, not through a tunnel.
    return {
      ...common,
      protocol: "http:",
      host: hostOf(proxy.url),
      port: portOf(proxy.url),
      path: `${url.origin}${path}`,
      headers: { ...common.headers, host: url.host, ...proxyAuthorization(proxy.url) },
    };
  }

  #agent(channel: Channel): http.Agent {
    const known = this.#agents.get(channel);
    if (known) return known;
    const agent = this.#newAgent(channel, {
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

  #newAgent(channel: Channel, options: http.AgentOptions): http.Agent {
    const { url, proxy } = this.#endpoint;
    const secure = isSecure(url);
    if (!proxy || (proxy.kind === "http" && !secure)) {
      const restMs = longestRestMs[channel];
      if (restMs !== undefined) {
        return secure
          ? new SecureGatheringAgent({ ...options, ...this.#tls() }, restMs)
          : new GatheringAgent(options, restMs);
      }
      return secure ? new https.Agent({ ...options, ...this.#tls() }) : new http.Agent(options);
    }
    const open: OpenTunnel = () => openTunnel(proxy, url, this.#connectMs, this.#clock);
    return secure
      ? new SecureTunnelAgent({ ...options, ...this.#tls() }, open)
      : new PlainTunnelAgent(options, open);
  }

  #tls(): tls.ConnectionOptions {
    const { ca, serverName, skipVerify } = this.#endpoint.trust;
    const { cert, key } = this.#certificate ?? {};
    const own = { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
    // Which authorities count where none are named is for the editor to say, at each connection.
    if (ca !== undefined) this.#context ??= tls.createSecureContext({ ca, ...own });
    return {
      ...(ca !== undefined && { ca }),
      ...(this.#context && { secureContext: this.#context }),
      ...own,
      ...(serverName !== undefined && expecting(serverName)),
      rejectUnauthorized: !skipVerify,
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

// An address is looked for in the certificate but not named in the handshake (RFC 6066, section 3).
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
