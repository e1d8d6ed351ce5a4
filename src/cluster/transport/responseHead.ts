/** How the body of an answer ends. */
export type BodyFrame =
  | { readonly kind: "chunks" }
  /** Zero: there is none. */
  | { readonly kind: "counted"; readonly length: number }
  | { readonly kind: "toTheEnd" };

/** What the head of an HTTP/1.1 answer to a GET says of its body (RFC 9112, section 6.3). */
export function parseHead(head: string): BodyFrame {
  const [first = "", ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]);
  if (Number.isNaN(status)) return { kind: "toTheEnd" };
  if (status === 101) return { kind: "toTheEnd" };
  if (status < 200 || status === 204 || status === 304) return { kind: "counted", length: 0 };
  const codings = valuesOf(lines, "transfer-encoding");
  if (codings.length > 0) {
    return codings.join().toLowerCase() === "chunked" ? { kind: "chunks" } : { kind: "toTheEnd" };
  }
  const [length, ...more] = valuesOf(lines, "content-length");
  return length !== undefined && more.length === 0 && /^\d{1,15}$/.test(length)
    ? { kind: "counted", length: Number(length) }
    : { kind: "toTheEnd" };
}

const valuesOf = (lines: readonly string[], name: string): readonly string[] =>
  lines
    .filter((line) => line.slice(0, name.length + 1).toLowerCase() === `${name}:`)
    .map((line) => line.slice(name.length + 1).trim());
