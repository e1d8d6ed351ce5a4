/** The parts of a URI as java.net.URI sees them; `path` still percent-encoded. */
export interface ParsedUri {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  /** Undefined for an opaque URI such as `mailto:x`. */
  readonly path: string | undefined;
  readonly fragment: string | undefined;
}

/** Undefined where java.net.URI refuses the text: a raw blank, a lone `%`, an odd scheme. */
export function parseUri(text: string): ParsedUri | undefined {
  const [, beforeFragment = "", , fragment] = /^([^#]*)(#(.*))?$/s.exec(text) ?? [];
  // Brackets belong to an IPv6 host and nowhere else.
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

/** `%41` becomes `A`; what is no escape stays. */
export function decodeUriPart(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch (error) {
      // Escapes that are no UTF-8 are kept: Java would put U+FFFD, which names no file.
      if (error instanceof URIError) return escapes;
      throw error;
    }
  });
}

/** `file:/abs/path`, encoded as `java.io.File.toURI` does it. */
export function fileUri(absolutePath: string): string {
  const slashed = absolutePath.replaceAll("\\", "/");
  const rooted = slashed.startsWith("/") ? slashed : `/${slashed}`;
  return `file:${rooted.replace(/[^A-Za-z0-9_\-!.~'()*,;:$&+=@/[\]\u0080-\uffff]/g, (char) => encodeURIComponent(char))}`;
}

function hierarchical(text: string): Pick<ParsedUri, "authority" | "path"> {
  const withoutQuery = text.split("?")[0] ?? "";
  const [, authority, path = ""] = /^\/\/([^/]*)(.*)$/s.exec(withoutQuery) ?? [];
  return authority === undefined
    ? { authority: undefined, path: withoutQuery }
    : { authority: authority === "" ? undefined : authority, path };
}

function hasOnlyUriCharacters(text: string): boolean {
  return /^(?:[A-Za-z0-9_\-!.~'()*,;:$&+=@/?]|%[0-9a-fA-F]{2}|[^\u0000-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000])*$/u.test(
    text,
  );
}
