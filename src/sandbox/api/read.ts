import { leaveOut, type JsonMembers, type KubeObject } from "../kubeObject.ts";
import { historyPlaceOf } from "./history.ts";
import type { ApiContext } from "./context.ts";
import { apiVersionOf, listKindOf, type Kind } from "./kinds.ts";
import { badRequest, expired, invalid, Refusal } from "./refusal.ts";
import type { RequestTarget } from "./request.ts";
import { fieldSelector, labelSelector, type Selector } from "./selectors.ts";

/** Returns a selector for the objects that match the path and the selectors of the query. */
export function selectorOf(
  { kind, namespace, name }: RequestTarget,
  query: URLSearchParams,
): Selector {
  const byLabels = labelSelector(query.get("labelSelector") ?? "");
  const byFields = fieldSelector(query.get("fieldSelector") ?? "", kind.kind);
  return (object) =>
    (namespace === "" || object.metadata.namespace === namespace) &&
    (name === "" || object.metadata.name === name) &&
    byLabels(object) &&
    byFields(object);
}

/** Returns the object with the apiVersion of the requested kind. */
export const inVersion = (kind: Kind, object: KubeObject): KubeObject =>
  kind.custom === undefined || object.apiVersion === apiVersionOf(kind)
    ? object
    : { ...object, apiVersion: apiVersionOf(kind) };

interface Page {
  /** Resource version of the whole list. */
  readonly resourceVersion: number;
  /** Sort key of the last object of the previous page. */
  readonly after: string;
}

interface Listed {
  readonly items: readonly KubeObject[];
  readonly metadata: JsonMembers;
}

/** Returns one page of a list, sorted by namespace and name. Later pages have the resource version of the first one. */
export function listObjects(
  context: ApiContext,
  target: RequestTarget,
  query: URLSearchParams,
): Listed {
  const { objects } = context;
  const { kind } = target;
  const selects = selectorOf(target, query);
  const limit = limitOf(query.get("limit"));
  const page = pageOf(query);
  const now = objects.resourceVersion;
  const at = page?.resourceVersion ?? exactVersion(query, now) ?? now;
  const all = listAt(context, kind, at, page)
    .filter(selects)
    .map((object): [string, KubeObject] => [historyPlaceOf(object), object])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const rest = page === undefined ? all : all.filter(([place]) => place > page.after);
  const taken = limit > 0 ? rest.slice(0, limit) : rest;
  const remaining = rest.length - taken.length;
  const last = taken.at(-1)?.[0] ?? "";
  const isSelected = query.has("labelSelector") || query.has("fieldSelector");
  return {
    items: taken.map(([, object]) => inVersion(kind, object)),
    metadata: {
      resourceVersion: String(at),
      ...(remaining > 0
        ? {
            continue: encodePage({ resourceVersion: at, after: last }),
            // A real API server omits the count if there are selectors.
            ...(isSelected ? {} : { remainingItemCount: remaining }),
          }
        : {}),
    },
  };
}

function listAt(
  { history }: ApiContext,
  kind: Kind,
  at: number,
  page: Page | undefined,
): readonly KubeObject[] {
  try {
    return history.listAt(kind.resource, at);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw page === undefined
      ? expired("The resourceVersion for the provided list is too old.")
      : expired(
          "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.",
        );
  }
}

const matches = ["Exact", "NotOlderThan"];

function exactVersion(query: URLSearchParams, now: number): number | undefined {
  const text = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  const wrong = (
    reason: "FieldValueForbidden" | "FieldValueNotSupported",
    message: string,
  ): Refusal =>
    invalid({ kind: "ListOptions", group: "meta.k8s.io" }, "", [
      { reason, field: "resourceVersionMatch", message },
    ]);
  if (match !== "" && query.get("watch") !== "true") {
    if (text === "") {
      throw wrong(
        "FieldValueForbidden",
        "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
      );
    }
    if (!matches.includes(match)) {
      throw wrong(
        "FieldValueNotSupported",
        `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`,
      );
    }
    if (match === "Exact" && text === "0") {
      throw wrong(
        "FieldValueForbidden",
        'Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      );
    }
  }
  if (text === "") return undefined;
  const version = versionOf(text);
  if (version === undefined) throw badRequest(`invalid resource version: ${noVersion(text)}`);
  if (version > now) throw tooLarge(version, now);
  const isExact = match === "Exact" || (match === "" && query.has("limit") && version > 0);
  return isExact ? version : undefined;
}

function limitOf(text: string | null): number {
  if (text === null || text === "") return 0;
  if (/^-?\d+$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** Parses a resource version; undefined if the text is not a number. */
export const versionOf = (text: string): number | undefined =>
  /^\d+$/.test(text) ? Number(text) : undefined;

export const noVersion = (text: string): string =>
  `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;

const tooLarge = (wanted: number, now: number): Refusal =>
  new Refusal(504, "Timeout", `Too large resource version: ${wanted}, current: ${now}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });

const encodePage = (page: Page): string => Buffer.from(JSON.stringify(page)).toString("base64url");

function pageOf(query: URLSearchParams): Page | undefined {
  const token = query.get("continue") ?? "";
  if (token === "") return undefined;
  const given = query.get("resourceVersion") ?? "";
  if (given !== "" && given !== "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  try {
    const page: unknown = JSON.parse(Buffer.from(token, "base64url").toString());
    if (typeof page === "object" && page !== null && "resourceVersion" in page && "after" in page) {
      return { resourceVersion: Number(page.resourceVersion), after: String(page.after) };
    }
  } catch {
    // This server did not issue the token.
  }
  throw badRequest("invalid continue token: continue key is not valid");
}

export const listBody = (kind: Kind, { items, metadata }: Listed): JsonMembers => ({
  kind: listKindOf(kind),
  apiVersion: apiVersionOf(kind),
  metadata,
  items:
    kind.custom === undefined ? items.map((item) => leaveOut(item, "apiVersion", "kind")) : items,
});
