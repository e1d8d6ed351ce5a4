// Error responses of the API server. Clients parse reasons and messages, so both use the wording of Kubernetes.
import type { JsonMembers } from "../kubeObject.ts";

/** An error response, thrown while handling a request. `respond.ts` sends it. */
export class Refusal extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: JsonMembers | undefined;

  constructor(code: number, reason: string, message: string, details?: JsonMembers) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  get status(): JsonMembers {
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: this.message,
      ...(this.reason === "" ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

/** Plural and group of a kind, as error responses name them. */
interface Subject {
  readonly plural: string;
  readonly group: string;
}

/** An invalid field of an object, as in `details.causes` of a Status. */
export interface FieldProblem {
  readonly reason:
    | "FieldValueRequired"
    | "FieldValueInvalid"
    | "FieldValueNotSupported"
    | "FieldValueDuplicate"
    | "FieldValueForbidden"
    | "FieldValueNotFound"
    | "FieldValueTooLong"
    | "FieldValueTypeInvalid";
  readonly field: string;
  readonly message: string;
}

const detailsOf = ({ plural, group }: Subject, name = ""): JsonMembers => ({
  ...(name === "" ? {} : { name }),
  ...(group === "" ? {} : { group }),
  kind: plural,
});

const qualified = ({ plural, group }: Subject): string =>
  group === "" ? plural : `${plural}.${group}`;

export const notFound = (subject: Subject, name: string): Refusal =>
  new Refusal(
    404,
    "NotFound",
    `${qualified(subject)} "${name}" not found`,
    detailsOf(subject, name),
  );

/** Returns the 404 for a path that is not served. */
export const notServed = (): Refusal =>
  new Refusal(404, "NotFound", "the server could not find the requested resource", {});

export const alreadyExists = (subject: Subject, name: string): Refusal =>
  new Refusal(
    409,
    "AlreadyExists",
    `${qualified(subject)} "${name}" already exists`,
    detailsOf(subject, name),
  );

export const conflict = (subject: Subject, name: string, why: string): Refusal =>
  new Refusal(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${qualified(subject)} "${name}": ${why}`,
    detailsOf(subject, name),
  );

export const modifiedMeanwhile =
  "the object has been modified; please apply your changes to the latest version and try again";

export const badRequest = (message: string): Refusal => new Refusal(400, "BadRequest", message);

export const unauthorized = (): Refusal => new Refusal(401, "Unauthorized", "Unauthorized");

export const forbidden = (subject: Subject, name: string, why: string): Refusal =>
  new Refusal(
    403,
    "Forbidden",
    `${qualified(subject)}${name === "" ? "" : ` "${name}"`} is forbidden: ${why}`,
    detailsOf(subject, name),
  );

export const methodNotAllowed = (): Refusal =>
  new Refusal(
    405,
    "MethodNotAllowed",
    "the server does not allow this method on the requested resource",
    {},
  );

export const expired = (message: string): Refusal => new Refusal(410, "Expired", message);

export const unsupportedMedia = (accepted: readonly string[]): Refusal =>
  new Refusal(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  );

export function invalid(
  { kind, group }: { readonly kind: string; readonly group: string },
  name: string,
  problems: readonly FieldProblem[],
): Refusal {
  const told = problems.map(({ field, message }) =>
    field === "" ? message : `${field}: ${message}`,
  );
  const [first = ""] = told;
  const of = group === "" ? kind : `${kind}.${group}`;
  const list = told.length === 1 ? first : `[${told.join(", ")}]`;
  return new Refusal(422, "Invalid", `${of} "${name}" is invalid: ${list}`, {
    ...(name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(kind === "" ? {} : { kind }),
    causes: problems.map(({ reason, message, field }) => ({ reason, message, field })),
  });
}
