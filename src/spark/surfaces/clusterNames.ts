import type { Span } from "../../base/span.ts";
import type { ConfDocument } from "../conf/parse/confDocument.ts";
import { readSurface, type Surface } from "./surfaces.ts";

/** Kinds of cluster objects whose names can be values of settings. */
export type NamedKind =
  "Namespace" | "ServiceAccount" | "Secret" | "PersistentVolumeClaim" | "PriorityClass";

/** A place in a document where the name of a cluster object belongs, for completion. */
interface NamePlace {
  readonly kind: NamedKind;
  /** The namespace of the object. Undefined for a Namespace, and if the document does not set a namespace. */
  readonly namespace: string | undefined;
  readonly replaces: Span;
  /** The text to insert after the name, such as `:key` for a Secret. Empty if the name needs no further text. */
  readonly behind: string;
}

const namespaceKey = "spark.kubernetes.namespace";

const kindsOfKeys: readonly (readonly [pattern: RegExp, kind: NamedKind])[] = [
  [/^spark\.kubernetes\.namespace$/, "Namespace"],
  [
    /^spark\.kubernetes\.authenticate\.(?:driver\.|executor\.)?serviceAccountName$/,
    "ServiceAccount",
  ],
  [/^spark\.kubernetes\.container\.image\.pullSecrets$/, "Secret"],
  [/^spark\.kubernetes\.(?:driver|executor)\.secretKeyRef\./, "Secret"],
  [
    /^spark\.kubernetes\.(?:driver|executor)\.volumes\.persistentVolumeClaim\.[^.]+\.options\.claimName$/,
    "PersistentVolumeClaim",
  ],
];

/** Fields of manifests that correspond to no setting. */
const kindsOfFields: Readonly<Record<string, NamedKind>> = {
  namespace: "Namespace",
  serviceAccount: "ServiceAccount",
  serviceAccountName: "ServiceAccount",
  claimName: "PersistentVolumeClaim",
  priorityClassName: "PriorityClass",
};

/** Returns the place for an object's name at the offset. Undefined if no name belongs there. */
export function namePlaceAt(text: string, surface: Surface, offset: number): NamePlace | undefined {
  const documents = readSurface(text, surface);
  for (const document of documents) {
    for (const { key, valueSpan, keySpan } of document.entries) {
      const isAt = valueSpan.start <= offset && offset <= valueSpan.end && offset > keySpan.end;
      const kind = isAt ? kindsOfKeys.find(([pattern]) => pattern.test(key))?.[1] : undefined;
      if (kind === undefined) continue;
      const own = { kind, namespace: kind === "Namespace" ? undefined : namespaceOf(document) };
      return { ...own, ...partAt(text, valueSpan, offset, key) };
    }
  }
  return surface === "manifest" ? fieldAt(text, documents, offset) : undefined;
}

// Returns the span of the name: in a list, the item at the offset; in `name:key`, the part before the colon.
function partAt(
  text: string,
  { start, end }: Span,
  offset: number,
  key: string,
): Pick<NamePlace, "replaces" | "behind"> {
  const value = text.slice(start, end);
  if (key.endsWith(".pullSecrets")) {
    const from = start + value.slice(0, offset - start).lastIndexOf(",") + 1;
    const comma = value.indexOf(",", offset - start);
    return { replaces: { start: from, end: comma < 0 ? end : start + comma }, behind: "" };
  }
  if (!key.includes(".secretKeyRef.")) return { replaces: { start, end }, behind: "" };
  const colon = value.indexOf(":");
  return {
    replaces: { start, end: colon < 0 ? end : start + colon },
    behind: colon < 0 ? `:${key.slice(key.lastIndexOf(".") + 1)}` : "",
  };
}

function fieldAt(
  text: string,
  documents: readonly ConfDocument[],
  offset: number,
): NamePlace | undefined {
  const from = text.lastIndexOf("\n", offset - 1) + 1;
  const [, before = "", field = "", name = ""] =
    /^([ \t-]*(\w+):[ \t]+["']?)([\w.-]*)$/.exec(text.slice(from, offset)) ?? [];
  const kind = Object.hasOwn(kindsOfFields, field) ? kindsOfFields[field] : undefined;
  if (kind === undefined) return undefined;
  const start = from + before.length;
  const rest = /^[\w.-]*/.exec(text.slice(offset, offset + 300))?.[0] ?? "";
  const document = documents.findLast(
    ({ application }) => (application?.place?.start ?? 0) <= start,
  );
  return {
    kind,
    namespace: document && kind !== "Namespace" ? namespaceOf(document) : undefined,
    replaces: { start, end: start + name.length + rest.length },
    behind: "",
  };
}

function namespaceOf({ entries, elsewhere = [] }: ConfDocument): string | undefined {
  const found = [...elsewhere, ...entries].findLast(({ key }) => key === namespaceKey)?.value;
  return found !== undefined && /^[a-z0-9-]+$/.test(found) ? found : undefined;
}
