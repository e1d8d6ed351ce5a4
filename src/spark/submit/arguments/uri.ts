/** The parts of a URI as in java.net.URI; `path` is still percent-encoded. */
interface ParsedUri {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  /** Undefined for an opaque URI such as `mailto:x`. */
  readonly path: string | undefined;
  readonly fragment: string | undefined;
}

/**
 * Parses a URI like java.net.URI. Undefined if Java rejects the text: an unescaped space, a lone `%`, an invalid
 * scheme.
 */
export function parseUri(text: string): ParsedUri | undefined {
  const [, beforeFragment = "", , fragment] = /^([^#]*)(#(.*))?$/s.exec(text) ?? [];
  // Excludes a bracketed IPv6 host from the check, because brackets are invalid everywhere else.
  const withoutIpv6 = beforeFragment.replace(/(\/\/)\[[0-9A-Fa-f:.]+\]/, "$1");
  if (!hasOnlyUriCharacters(withoutIpv6) || !hasOnlyUriCharacters(fragment ?? "")) {
    return undefined;
  }
  const colon = /^[^/?#:]*:/.exec(beforeFragment)?.[0];
  if (colon === undefined) return { scheme: undefined, ...hierarchical(beforeFragment), fragment };
  const scheme = colon.slice(0, -1);
  const rest = beforeFragment.slice(colon.length);
  if (!/^[A-Za-z][A-Za-z0-9+.-]*$/.test(scheme) || rest === "") return undefined;
  if (!rest.startsWith("/")) return { scheme, authority: undefined, path: undefined, fragment };
  if (rest === "//") return undefined;
  return { scheme, ...hierarchical(rest), fragment };
}

/** Decodes `%41` to `A`; keeps invalid escapes. */
export function decodeUriPart(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch (error) {
      // Keeps escapes that are not UTF-8: Java would decode them to U+FFFD, which names no file.
      if (error instanceof URIError) return escapes;
      throw error;
    }
  });
}

/** Returns `file:/abs/path`, encoded like `java.io.File.toURI`. */
export function fileUri(absolutePath: string): string {
  const slashed = absolutePath.replaceAll("\\", "/");
  const rooted = slashed.startsWith("/") ? slashed : `/${slashed}`;
  return `file:${rooted.replace(/[^A-Za-z0-9_\-!.~'()*,;:$&+=@/[\]\u0080-\uffff]/g, (char) => encodeURIComponent(char))}`;
}

function hierarchical(text: string): Pick<ParsedUri, "authority" | "path"> {
  const withoutQuery = text.split("?")[0] ?? "";
  const [head = "", authority] = /^\/\/([^/]*)/.exec(withoutQuery) ?? [];
  const path = withoutQuery.slice(head.length);
  return authority === undefined
    ? { authority: undefined, path: withoutQuery }
    : { authority: authority === "" ? undefined : authority, path };
}

function hasOnlyUriCharacters(text: string): boolean {
  return /^(?:[A-Za-z0-9_\-!.~'()*,;:$&+=@/?]|%[0-9a-fA-F]{2}|[^\u0000-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000])*$/u.test(
    text,
  );
}
