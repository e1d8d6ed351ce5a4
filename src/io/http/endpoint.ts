import { withoutEnd } from "../../base/withoutEnd.ts";

/** TLS settings for the server certificate check. */
interface ServerTrust {
  /** CA certificates in PEM; undefined for the system's trusted CAs. */
  readonly ca: string | undefined;
  readonly serverName: string | undefined;
  readonly skipVerify: boolean;
  /** SHA-256 fingerprint, in Node's format, of the only accepted certificate; undefined for any valid one. */
  readonly pinned: string | undefined;
}

/** Certificate and private key in PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface ProxyRoute {
  readonly kind: "http" | "socks5";
  readonly url: URL;
}

/** A server, its TLS settings and its proxy. */
export interface Endpoint {
  readonly url: URL;
  readonly trust: ServerTrust;
  readonly proxy: ProxyRoute | undefined;
}

export const isSecure = (url: URL): boolean => url.protocol === "https:";

/** Returns the host name, or an IPv6 address without brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

const defaultPorts: Readonly<Record<string, number>> = {
  "https:": 443,
  "http:": 80,
  "socks5:": 1080,
  "socks5h:": 1080,
};

export const endpointPortOf = (url: URL): number =>
  url.port === "" ? (defaultPorts[url.protocol] ?? 443) : Number(url.port);

/** Returns the URL for display: scheme, host, port and path, without user and password. */
export const endpointText = (url: URL): string =>
  `${url.protocol}//${url.host}${withoutEnd(url.pathname, "/")}`;
