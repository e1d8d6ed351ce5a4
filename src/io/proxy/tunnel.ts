import http from "node:http";
import https from "node:https";
import { connect, type Socket } from "node:net";
import type { Sleeper } from "../sleeper.ts";
import { deadline } from "../deadline.ts";
import { hostOf, isSecure, endpointPortOf, type ProxyRoute } from "../http/endpoint.ts";
import { ProxyRefusal } from "./proxyRefusal.ts";
import { socks5Connect } from "./socks5.ts";

/** Opens a TCP connection to a server through a proxy. Rejects if that takes `limitMs`. The caller owns the socket. */
export async function openTunnel(
  proxy: ProxyRoute,
  server: URL,
  limitMs: number,
  sleeper: Sleeper,
): Promise<Socket> {
  const late = new ProxyRefusal(`the proxy ${proxy.url.host} did not answer in time`);
  const open = proxy.kind === "http" ? httpTunnel : socksTunnel;
  const opening = open(proxy.url, server);
  const limit = deadline(sleeper, limitMs, () => {
    opening.cancel(late);
  });
  try {
    const socket = await opening.socket;
    socket.setKeepAlive(true, 10_000);
    return socket;
  } finally {
    limit.dispose();
  }
}

export function proxyAuthorization(proxy: URL): Readonly<Record<string, string>> {
  if (proxy.username === "") return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

interface Opening {
  readonly socket: Promise<Socket>;
  cancel(reason: Error): void;
}

function httpTunnel(proxy: URL, server: URL): Opening {
  const target = `${server.hostname}:${endpointPortOf(server)}`;
  const request = (isSecure(proxy) ? https : http).request({
    method: "CONNECT",
    host: hostOf(proxy),
    port: endpointPortOf(proxy),
    path: target,
    headers: { host: target, ...proxyAuthorization(proxy) },
    agent: false,
  });
  const socket = new Promise<Socket>((resolve, reject) => {
    const refuse = (status: number | undefined): void => {
      request.destroy();
      reject(new ProxyRefusal(`the proxy ${proxy.host} answered with status ${status ?? 0}`));
    };
    request.on("error", reject);
    request.on("connect", ({ statusCode }, tunnel: Socket) => {
      keepQuiet(tunnel);
      if (statusCode === 200) resolve(tunnel);
      else refuse(statusCode);
    });
    request.on("response", ({ statusCode }) => {
      refuse(statusCode);
    });
  });
  request.end();
  return { socket, cancel: (reason) => request.destroy(reason) };
}

function socksTunnel(proxy: URL, server: URL): Opening {
  const socket = connect(endpointPortOf(proxy), hostOf(proxy));
  keepQuiet(socket);
  const opened = socks5Connect(socket, proxy, hostOf(server), endpointPortOf(server)).then(
    () => socket,
    (error: unknown) => {
      socket.destroy();
      throw error;
    },
  );
  return { socket: opened, cancel: (reason) => socket.destroy(reason) };
}

// Callers handle "close". An unhandled "error" event would end the extension host.
function keepQuiet(tunnel: Socket): void {
  tunnel.on("error", () => undefined);
}
