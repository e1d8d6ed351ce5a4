import { msg } from "../../base/message.ts";
import { withoutEnd } from "../../base/withoutEnd.ts";
import { nameOfRequest, type SubmissionRequest, type Translated } from "./submissionRequest.ts";

/** Derives a valid object name of at most 63 characters. Undefined if the name has no ASCII letter. */
function objectNameFor(name: string): string | undefined {
  const cleaned = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, maxLength);
  return withoutEnd(cleaned, "-") || undefined;
}

const maxLength = 63;

/** Returns the object name for a request, derived from its application name. */
export function nameObject(request: SubmissionRequest): Translated<{ readonly name: string }> {
  const asked = nameOfRequest(request);
  const name = objectNameFor(asked) ?? "spark-application";
  const reason = msg`"${asked}" is not a valid object name, so the application is named "${name}".`;
  return {
    value: { name },
    losses: name === asked ? [] : [{ kind: "changed", entry: "spark.app.name", reason }],
  };
}
