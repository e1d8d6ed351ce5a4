// The rules of the proxy in front of a Spark UI. A page of a driver is hostile.

/** HTTP headers in lower case. */
export type PageHeaders = Readonly<Record<string, string>>;

export type PageRequest =
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "kill"; readonly path: string; readonly target: KillTarget }
  | { readonly kind: "refused"; readonly status: 403 | 404 | 405 };

export interface KillTarget {
  readonly what: "job" | "stage";
  readonly id: number;
}

/**
 * Classifies a request by its method, its path below the secret, and its query. Reads are GET and HEAD. The two kill
 * pages of Spark UI are the only changes. Before Spark 4 a kill is a plain link, so a GET of these pages is a kill,
 * too.
 */
export function judgePage(method: string, pathAndQuery: string): PageRequest {
  const [path, query] = splitOnce(pathAndQuery, "?");
  if (!isPlainPath(path)) return { kind: "refused", status: 404 };
  if (/^\/(?:jobs\/job|stages\/stage)\/kill(?:\/|$)/i.test(decodeURIComponent(path))) {
    const target = killTarget(path, query);
    const isKill = (method === "POST" || method === "GET") && target !== undefined;
    return isKill
      ? { kind: "kill", path: pathAndQuery, target }
      : { kind: "refused", status: target === undefined ? 404 : 405 };
  }
  if (method === "GET" || method === "HEAD") return { kind: "read", path: pathAndQuery };
  return { kind: "refused", status: 405 };
}

/**
 * Returns the job or stage of a kill. Undefined for another path, and unless the query has one id. A form has the id in
 * its body; the caller adds it to the query.
 */
function killTarget(path: string, query: string): KillTarget | undefined {
  const what = /^\/jobs\/job\/kill\/?$/.test(path)
    ? "job"
    : /^\/stages\/stage\/kill\/?$/.test(path)
      ? "stage"
      : undefined;
  const ids = query.split("&").filter((pair) => pair.startsWith("id="));
  const id = ids.length === 1 ? /^id=(\d{1,9})$/.exec(ids[0] ?? "")?.[1] : undefined;
  return what === undefined || id === undefined ? undefined : { what, id: Number(id) };
}

/**
 * True for an absolute path without dot segments. Servers and proxies on the way to the driver decode paths
 * differently, so an encoded slash, backslash, dot segment or percent sign is refused.
 */
function isPlainPath(path: string): boolean {
  if (path.length > maxPath || !/^\/[\w.~!$&'()*+,;=:@%/-]*$/.test(path)) return false;
  if (path.includes("//")) return false;
  return path.split("/").every((segment) => {
    if (/%(?![\da-f]{2})/i.test(segment)) return false;
    if (/%(?:2f|5c|25|2e|0|1|7f)/i.test(segment)) return false;
    return segment !== "." && segment !== "..";
  });
}

const maxPath = 2_000;

/** Returns the headers that a driver gets. All others are dropped: cookies, origin, referrer, forwarding headers. */
export function requestHeaders(given: PageHeaders, root: string): PageHeaders {
  const kept = Object.entries(given).filter(([name]) => passedOn.has(name));
  return { ...Object.fromEntries(kept), "accept-encoding": "gzip", "x-forwarded-context": root };
}

const passedOn: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "cache-control",
  "if-modified-since",
  "if-none-match",
  "pragma",
]);

export interface PageRoots {
  /** `/secret`, the path of the proxy. */
  readonly root: string;
  /** The path of the pod proxy, if the API server is between: `/api/v1/namespaces/…/proxy`. */
  readonly apiPrefix: string | undefined;
  /** Hosts that the driver may name in a redirect: the driver's own. */
  readonly hosts: readonly string[];
}

/** Returns the headers that the browser gets. Undefined if the driver redirects to another server. */
export function responseHeaders(given: PageHeaders, roots: PageRoots): PageHeaders | undefined {
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => passedBack.has(name)));
  const own = { ...kept, ...constant };
  const policies = [pagePolicy, ...framable(given["content-security-policy"])];
  const secured = { ...own, "content-security-policy": policies.join(", ") };
  const location = given["location"];
  if (location === undefined) return secured;
  const target = redirectTarget(location, roots);
  return target === undefined ? undefined : { ...secured, location: target };
}

/**
 * The response headers that the browser gets. `Set-Cookie`, `X-Frame-Options`, `Strict-Transport-Security`, `Refresh`,
 * `Access-Control-*` and others are dropped.
 */
const passedBack: ReadonlySet<string> = new Set([
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-length",
  "content-type",
  "date",
  "etag",
  "expires",
  "last-modified",
  "pragma",
  "vary",
]);

const constant: PageHeaders = {
  "cross-origin-resource-policy": "same-origin",
  // Other servers must not see the address, because it contains the secret.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
};

/**
 * Restricts a page to this proxy, also if the driver sends no policy. Spark 3.5 has inline scripts and evaluates
 * templates. A policy of the driver applies as well, so that Spark 4's nonce stays effective.
 */
export const pagePolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'self'; frame-src 'self'; " +
  "worker-src 'none'; object-src 'none'; base-uri 'self'";

/** Returns the driver's policies without `frame-ancestors`. */
const framable = (policy: string | undefined): readonly string[] =>
  (policy ?? "")
    .split(",")
    .map((one) =>
      one
        .split(";")
        .map((directive) => directive.trim())
        .filter((directive) => directive !== "" && !/^frame-ancestors(?:\s|$)/i.test(directive))
        .join("; "),
    )
    .filter((one) => one !== "");

/** Returns the path of a redirect below the root of the proxy; undefined for another server. */
function redirectTarget(
  location: string,
  { root, apiPrefix, hosts }: PageRoots,
): string | undefined {
  const [start = "", host] = /^https?:\/\/([^/?#\\]*)/i.exec(location) ?? [];
  const rest = location.slice(start.length);
  if (host === undefined && !/^\/(?![/\\])/.test(location)) return undefined;
  if (host !== undefined && !hosts.includes(host.toLowerCase())) return undefined;
  const path = host === undefined ? location : rest === "" ? "/" : rest;
  const own = withoutPrefix(withoutPrefix(path, apiPrefix), root);
  const [plain = ""] = own.split(/[?#]/, 1);
  return isPlainPath(plain) ? root + own : undefined;
}

function withoutPrefix(path: string, prefix: string | undefined): string {
  if (prefix === undefined || !path.startsWith(prefix)) return path;
  const rest = path.slice(prefix.length);
  return rest === "" ? "/" : /^[/?#]/.test(rest) ? rest : path;
}

/** Undoes the rewriting of links by the API server, which puts the path of its pod proxy before them. */
export const rewriteHtml = (html: string, { root, apiPrefix }: PageRoots): string =>
  apiPrefix === undefined
    ? html
    : html.replaceAll(apiPrefix + root, root).replaceAll(apiPrefix, root);

/**
 * True if the `Host` header names this proxy. Another name shows DNS rebinding: a page resolved its own name to this
 * address.
 */
export function isOwnHost(
  host: string | undefined,
  port: number,
  known: ReadonlySet<string>,
): boolean {
  const name = (host ?? "").toLowerCase();
  return name === `127.0.0.1:${port}` || name === `localhost:${port}` || known.has(name);
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
