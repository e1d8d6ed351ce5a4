import type { ClusterError, InvalidField } from "../engine/clusterError.ts";
import { fieldOf, listOf, numberOf, textOf } from "./json.ts";

/** What a request was about, in the words of RBAC. */
export interface Subject {
  readonly verb: "get" | "list" | "watch" | "create" | "update" | "patch" | "delete";
  readonly resource: string;
  readonly namespace: string | undefined;
  /** Empty where a request is about no single object. */
  readonly name: string;
}

/** A refusal, from an answer or from an ERROR event of a watch. */
export interface Refusal {
  readonly status: number;
  readonly detail: string;
  /** The Kubernetes Status, where there is one. */
  readonly body: unknown;
  readonly retryAfterMs: number | undefined;
}

/** What a refusal means. `detail` must be free of secrets already. */
export function errorOf(refusal: Refusal, subject: Subject, server: string): ClusterError {
  const { status, detail, body } = refusal;
  const { verb, resource, namespace, name } = subject;
  // "Too large resource version" is a server that lags behind: the way out is the same as for one that has
  // forgotten, to ask anew.
  if (status === 410 || isTooLargeVersion(body)) return { kind: "expired", detail };
  switch (status) {
    case 400:
    case 413:
    case 422:
      return { kind: "invalid", detail, causes: causesOf(body) };
    case 401:
      return { kind: "unauthorized", server, detail };
    case 403:
      return { kind: "forbidden", verb, resource, namespace, detail };
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

// What is missing need not be what the request was about: it may be the namespace.
function missing(
  status: unknown,
  { resource, name }: Subject,
): { readonly resource: string; readonly name: string } {
  const details = fieldOf(status, "details");
  const kind = textOf(details, "kind");
  const named = textOf(details, "name");
  return kind === "namespaces" && named !== undefined
    ? { resource: kind, name: named }
    : { resource, name };
}

/** The Status that an ERROR event of a watch carries. */
export function refusalOf(status: unknown): Refusal {
  const seconds = numberOf(fieldOf(status, "details"), "retryAfterSeconds");
  return {
    status: numberOf(status, "code") ?? 500,
    detail: messageOf(status) ?? "the server ended the watch without saying why",
    body: status,
    retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
  };
}

export const messageOf = (status: unknown): string | undefined =>
  textOf(status, "message") ?? textOf(status, "reason");

/** True for what the API server says itself: it answers nothing else, and what a pod serves is of another kind. */
export const isStatus = (body: unknown): boolean => textOf(body, "kind") === "Status";

/** An eviction that a disruption budget forbids now has the status of a server that is too busy. */
export const isDisruptionBudget = (status: unknown): boolean =>
  hasCause(status, "DisruptionBudget");

const isTooLargeVersion = (status: unknown): boolean => hasCause(status, "ResourceVersionTooLarge");

const hasCause = (status: unknown, reason: string): boolean =>
  listOf(fieldOf(status, "details"), "causes").some((cause) => textOf(cause, "reason") === reason);

const causesOf = (status: unknown): readonly InvalidField[] =>
  listOf(fieldOf(status, "details"), "causes").map((cause) => ({
    field: textOf(cause, "field") ?? "",
    message: textOf(cause, "message") ?? textOf(cause, "reason") ?? "",
  }));
