import { withoutEnd } from "../../base/withoutEnd.ts";
import { nameOfRequest, type SubmissionRequest, type Translated } from "./submissionRequest.ts";

/** Whether it is a DNS label as RFC 1035 has it: what the kubeflow operator wants of its objects. */
export const isObjectName = (name: string): boolean =>
  name.length <= maxLength && /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/.test(name);

/** The nearest name that an object can have; undefined where nothing of it is left. */
export function objectNameFor(name: string): string | undefined {
  const cleaned = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, maxLength);
  return withoutEnd(cleaned, "-") || undefined;
}

const maxLength = 63;

/** The name of the object for a request; an application is named like its object. */
export function nameObject(request: SubmissionRequest): Translated<{ readonly name: string }> {
  const asked = nameOfRequest(request);
  const name = objectNameFor(asked) ?? "spark-application";
  const reason = `The application is named like its object, which cannot be called "${asked}": "${name}".`;
  return {
    value: { name },
    losses: name === asked ? [] : [{ kind: "changed", entry: "spark.app.name", reason }],
  };
}
