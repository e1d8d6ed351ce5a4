import { badRequest } from "./refusal.ts";
import type { Kind, Kinds } from "./kinds.ts";

/** The resource that a path addresses. */
export interface RequestTarget {
  readonly kind: Kind;
  /** "" for all namespaces, and for cluster-scoped kinds. */
  readonly namespace: string;
  /** "" for the collection. */
  readonly name: string;
  /** "" for the object itself. */
  readonly subresource: string;
  /** The path after `proxy/`. */
  readonly rest: string;
}

/** Parses a request path; undefined if it addresses no served resource. Throws a 400 for an invalid URL escape. */
export function requestTargetOf(path: string, kinds: Kinds): RequestTarget | undefined {
  const parts = path.split("/").slice(1).map(decodePart);
  const [root = "", ...afterRoot] = parts;
  if (root !== "api" && root !== "apis") return undefined;
  const group = root === "api" ? "" : (afterRoot[0] ?? "");
  const [version = "", ...places] = root === "api" ? afterRoot : afterRoot.slice(1);
  const isInside = places[0] === "namespaces" && places.length > 2;
  const inside = isInside ? places.slice(2) : places;
  const namespace = isInside ? (places[1] ?? "") : "";
  const [plural = "", name = "", subresource = "", ...rest] = inside;
  const kind = kinds.find(group, version, plural);
  if (kind !== undefined && kind.namespaced === isInside) {
    return { kind, namespace, name, subresource, rest: rest.join("/") };
  }
  if (kind?.namespaced === true && name === "") {
    return { kind, namespace: "", name: "", subresource: "", rest: "" };
  }
  // `namespaces/NAME/status` looks like a collection in a namespace.
  const namespaces = kinds.find(group, version, "namespaces");
  if (
    isInside &&
    namespaces?.subresources.some((one) => one.name === plural) === true &&
    name === ""
  ) {
    return { kind: namespaces, namespace: "", name: namespace, subresource: plural, rest: "" };
  }
  return undefined;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest(`invalid URL escape in "${part}"`);
  }
}
