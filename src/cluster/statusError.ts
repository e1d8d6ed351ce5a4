import { deniedRequestIn } from "../spark/deniedRequest.ts";
import type { ClusterError, InvalidField } from "../engine/clusterError.ts";
import { fieldAt, listAt, nonEmptyTextAt, numberAt } from "../base/json.ts";
import type { Redactor } from "./redactor.ts";

/** The verb and object of a request, as RBAC names them. */
export interface RequestSubject {
  readonly verb: "get" | "list" | "watch" | "create" | "update" | "patch" | "delete";
  readonly resource: string;
  readonly namespace: string | undefined;
  /** Empty if the request addresses no single object. */
  readonly name: string;
}

/** A refusal from an HTTP response or from an ERROR event of a watch. */
export interface ApiRefusal {
  readonly status: number;
  readonly detail: string;
  /** The response body as parsed; a Kubernetes Status if the server sent one. */
  readonly body: unknown;
  readonly retryAfterMs: number | undefined;
}

/** Maps a refusal to a ClusterError. `detail` must be redacted already; the causes are redacted here. */
export function errorOf(
  refusal: ApiRefusal,
  subject: RequestSubject,
  server: string,
  redactor: Redactor,
): ClusterError {
  const { status, detail, body } = refusal;
  const { resource, namespace, name } = subject;
  // "Too large resource version" means that the server's watch cache lags behind. The caller must relist, as after a
  // 410 Gone.
  if (status === 410 || isTooLargeVersion(body)) return { kind: "expired", detail };
  switch (status) {
    case 400:
    case 413:
    case 422:
      return { kind: "invalid", detail, causes: causesOf(body, redactor) };
    case 401:
      return { kind: "unauthorized", server, detail };
    case 403:
      return { kind: "forbidden", verb: deniedVerb(detail, subject), resource, namespace, detail };
    case 404:
      return { kind: "notFound", ...missing(body, subject), detail };
    case 409:
      return { kind: "conflict", resource, name, detail };
    case 429:
      if (isDisruptionBudget(body)) return { kind: "protected", resource, name, detail };
      return { kind: "throttled", retryAfterMs: refusal.retryAfterMs, detail };
    default:
      return { kind: "badResponse", status, detail };
  }
}

/**
 * Returns the verb of the missing permission. A WebSocket request is a GET: servers check "get" for `pods/exec`, and
 * newer ones also "create". Only the server's message names the denied verb.
 */
function deniedVerb(detail: string, { verb, resource }: RequestSubject): RequestSubject["verb"] {
  const denied = deniedRequestIn(detail);
  const isOf = denied?.resource === resource;
  return isOf && (denied.verb === "get" || denied.verb === "create") ? denied.verb : verb;
}

// The missing object may be the namespace instead of the requested object.
function missing(
  status: unknown,
  { resource, name }: RequestSubject,
): { readonly resource: string; readonly name: string } {
  const details = fieldAt(status, "details");
  const kind = nonEmptyTextAt(details, "kind");
  const named = nonEmptyTextAt(details, "name");
  return kind === "namespaces" && named !== undefined
    ? { resource: kind, name: named }
    : { resource, name };
}

/** Converts the Status in an ERROR event of a watch to a refusal. The status is 500 if the Status has no code. */
export function refusalOf(status: unknown): ApiRefusal {
  const seconds = numberAt(fieldAt(status, "details"), "retryAfterSeconds");
  return {
    status: numberAt(status, "code") ?? 500,
    detail: statusMessageOf(status) ?? "the server ended the watch without a reason",
    body: status,
    retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
  };
}

export const statusMessageOf = (status: unknown): string | undefined =>
  nonEmptyTextAt(status, "message") ?? nonEmptyTextAt(status, "reason");

/** True for a Status of the API server. A pod's own response has another `kind`. */
export const isStatus = (body: unknown): boolean => nonEmptyTextAt(body, "kind") === "Status";

/** True if a disruption budget forbids an eviction. An overloaded server responds with status 429, too. */
export const isDisruptionBudget = (status: unknown): boolean =>
  hasCause(status, "DisruptionBudget");

const isTooLargeVersion = (status: unknown): boolean => hasCause(status, "ResourceVersionTooLarge");

const hasCause = (status: unknown, reason: string): boolean =>
  listAt(fieldAt(status, "details"), "causes").some(
    (cause) => nonEmptyTextAt(cause, "reason") === reason,
  );

// Redacted because the server's messages repeat the rejected value.
const causesOf = (status: unknown, redactor: Redactor): readonly InvalidField[] =>
  listAt(fieldAt(status, "details"), "causes").map((cause) => ({
    field: redactor.redact(nonEmptyTextAt(cause, "field") ?? ""),
    message: redactor.redact(
      nonEmptyTextAt(cause, "message") ?? nonEmptyTextAt(cause, "reason") ?? "",
    ),
  }));
