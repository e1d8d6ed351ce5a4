/** What a certificate check and a handshake need, besides the client's own certificate. */
export interface ServerTrust {
  /** PEM; undefined: the authorities that the system trusts. */
  readonly ca: string | undefined;
  readonly serverName: string | undefined;
  readonly skipVerify: boolean;
}

/** PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface ProxyRoute {
  readonly kind: "http" | "socks5";
  readonly url: URL;
}

/** A server and the way to it. */
export interface Endpoint {
  readonly url: URL;
  readonly trust: ServerTrust;
  readonly proxy: ProxyRoute | undefined;
}

export const isSecure = (url: URL): boolean => url.protocol === "https:";

/** Without the brackets that a URL puts around an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

const defaultPorts: Readonly<Record<string, number>> = {
  "https:": 443,
  "http:": 80,
  "socks5:": 1080,
  "socks5h:": 1080,
};

export const portOf = (url: URL): number =>
  url.port === "" ? (defaultPorts[url.protocol] ?? 443) : Number(url.port);

/** For people: scheme, host, port and path, without user and password. */
export const describeServer = (url: URL): string =>
  `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
