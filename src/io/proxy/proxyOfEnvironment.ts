import { BlockList, isIP } from "node:net";
import { hostOf, isSecure, endpointPortOf, type ProxyRoute } from "../http/endpoint.ts";

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** Parses a proxy URL; undefined if it is invalid or its scheme is unsupported. */
export function parseProxy(text: string): ProxyRoute | undefined {
  const url = URL.parse(text);
  if (!url || url.hostname === "") return undefined;
  switch (url.protocol) {
    case "http:":
    case "https:":
      return { kind: "http", url };
    case "socks5:":
    case "socks5h:":
      return { kind: "socks5", url };
    default:
      return undefined;
  }
}

/**
 * Returns the proxy for a server according to the rules of Go's `httpproxy`, which kubectl uses. Undefined if the
 * environment variables name no valid proxy, or exempt the server.
 */
export function proxyOfEnvironment(server: URL, env: ProxyEnvironment): ProxyRoute | undefined {
  const name = isSecure(server) ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = env[name] ?? env[name.toLowerCase()] ?? "";
  if (proxy === "" || isExempt(server, env["NO_PROXY"] ?? env["no_proxy"] ?? "")) return undefined;
  return parseProxy(proxy.includes("://") ? proxy : `http://${proxy}`);
}

function isExempt(server: URL, noProxy: string): boolean {
  const host = hostOf(server).toLowerCase().replace(/\.$/, "");
  if (host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))) {
    return true;
  }
  return noProxy
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== "" && matches(entry, host, endpointPortOf(server)));
}

function matches(entry: string, host: string, port: number): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isInNetwork(host, entry);
  const withPort = /^(.*):(\d+)$/.exec(entry);
  if (withPort && isIP(entry) === 0) {
    return Number(withPort[2]) === port && matches(withPort[1] ?? "", host, port);
  }
  const name = entry.replace(/^\[(.*)\]$/, "$1").replace(/^\*(?=\.)/, "");
  if (isIP(name) !== 0) return name === host;
  // ".example.com" matches only subdomains; "example.com" matches the domain and its subdomains.
  return name.startsWith(".") ? host.endsWith(name) : host === name || host.endsWith(`.${name}`);
}

function isInNetwork(host: string, network: string): boolean {
  const [address = "", bits = ""] = network.split("/");
  const family = isIP(address);
  if (family === 0 || family !== isIP(host) || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(address, Number(bits), type);
  return list.check(host, type);
}
