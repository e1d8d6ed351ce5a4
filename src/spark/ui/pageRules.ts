// The security rules of the proxy in front of a Spark UI. Responses of a driver are untrusted.

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
 * Classifies a request by its method, its path below the proxy's secret root, and its query. GET and HEAD requests are
 * reads. The two kill pages of the Spark UI are the only allowed changes. Before Spark 4, a kill is a plain link, so a
 * GET of these pages is a kill, too.
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
 * Returns the job or stage to kill. Undefined for another path, and unless the query contains exactly one id. If a form
 * sends the id in its body, the caller adds it to the query.
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
 * differently, so encoded slashes, backslashes, dots, percent signs and control characters are rejected.
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

/**
 * Returns the headers of the request to the driver. Passes on only an allow list, so it drops cookies, origin, referrer
 * and forwarding headers.
 */
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
  /** The path prefix of this proxy, which contains the secret: `/secret`. */
  readonly root: string;
  /** The path of the pod proxy, if requests go through the API server: `/api/v1/namespaces/…/proxy`. */
  readonly apiPrefix: string | undefined;
  /** The hosts of the driver itself, which are the only ones allowed in a redirect. */
  readonly hosts: readonly string[];
}

/**
 * Returns the response headers for the browser. Undefined if the driver redirects to another server or an unsafe path.
 */
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
 * The allow list of response headers. `Set-Cookie`, `X-Frame-Options`, `Strict-Transport-Security`, `Refresh`,
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
  // Other servers must not receive the URL, because it contains the secret.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
};

/**
 * A Content-Security-Policy that restricts a page to this proxy. It allows inline scripts and `eval`, which Spark 3.5
 * needs. A policy from the driver applies as well, so that Spark 4's nonce stays effective.
 */
export const pagePolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'self'; frame-src 'self'; " +
  "worker-src 'none'; object-src 'none'; base-uri 'self'";

/** Returns the driver's Content-Security-Policies without `frame-ancestors`, so that the editor can embed the page. */
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

/** Returns the path of a redirect below the root of the proxy. Undefined for another server or an unsafe path. */
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

/** Reverts the link rewriting of the API server, which prepends the path of its pod proxy to links. */
export const rewriteHtml = (html: string, { root, apiPrefix }: PageRoots): string =>
  apiPrefix === undefined
    ? html
    : html.replaceAll(apiPrefix + root, root).replaceAll(apiPrefix, root);

/**
 * True if the `Host` header names this proxy. Any other name indicates DNS rebinding: a malicious site has made its own
 * host name resolve to this address. `known`: other accepted values of the header, in lower case.
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
