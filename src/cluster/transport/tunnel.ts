import http from "node:http";
import https from "node:https";
import { connect, type Socket } from "node:net";
import type { Clock } from "../../engine/ports.ts";
import { deadline } from "../deadline.ts";
import { hostOf, isSecure, portOf, type ProxyRoute } from "./endpoint.ts";
import { ProxyRefusal } from "./proxyRefusal.ts";
import { socks5Connect } from "./socks5.ts";

/** A connection to a server through a proxy: bytes go through as they are. */
export async function openTunnel(
  proxy: ProxyRoute,
  server: URL,
  limitMs: number,
  clock: Clock,
): Promise<Socket> {
  const late = new ProxyRefusal(`the proxy ${proxy.url.host} did not answer in time`);
  const open = proxy.kind === "http" ? httpTunnel : socksTunnel;
  const opening = open(proxy.url, server);
  const limit = deadline(clock, limitMs, () => {
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
  const target = `${server.hostname}:${portOf(server)}`;
  const request = (isSecure(proxy) ? https : http).request({
    method: "CONNECT",
    host: hostOf(proxy),
    port: portOf(proxy),
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
  const socket = connect(portOf(proxy), hostOf(proxy));
  keepQuiet(socket);
  const opened = socks5Connect(socket, proxy, hostOf(server), portOf(server)).then(
    () => socket,
    (error: unknown) => {
      socket.destroy();
      throw error;
    },
  );
  return { socket: opened, cancel: (reason) => socket.destroy(reason) };
}

// Who uses the tunnel notices that it is closed; an error of its own that nobody listens to would end the host.
function keepQuiet(tunnel: Socket): void {
  tunnel.on("error", () => undefined);
}
