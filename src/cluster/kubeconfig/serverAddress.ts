import { withoutEnd } from "../../base/withoutEnd.ts";
import { endpointPortOf } from "../../io/http/endpoint.ts";

const loopbackNames = /^(?:(?:.*\.)?localhost|127\.0\.0\.1|\[::1\]|\[::ffff:7f00:1\])$/;

/**
 * Returns a normalized server address, or undefined if `server` is not an http or https URL. Ignores case, default
 * port, trailing dot, IPv4 and IPv6 spellings, and loopback names (`localhost`, 127.0.0.1, ::1). Ignores the scheme
 * too, because only one server listens on a port. Does not resolve host names.
 */
export function serverAddress(server: string): string | undefined {
  const url = URL.parse(server);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  // The URL parser has normalized case and IP addresses, except for IPv4-mapped IPv6 addresses.
  const host = withoutEnd(url.hostname, ".");
  const name = loopbackNames.test(host) ? "localhost" : (mappedAddress(host) ?? host);
  return `${name}:${endpointPortOf(url)}${withoutEnd(url.pathname, "/")}`;
}

/** Converts an IPv4-mapped IPv6 address: `[::ffff:a00:1]` is 10.0.0.1. */
function mappedAddress(host: string): string | undefined {
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const [one, two] = [parseInt(high, 16), parseInt(low, 16)];
  return [one >> 8, one & 255, two >> 8, two & 255].join(".");
}
