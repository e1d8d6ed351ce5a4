import { readDriverConf } from "../../engine/driver/driverConf.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { sparkVersionLabel } from "../../spark/labels.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { objectAt, type JsonObject } from "../../base/json.ts";
import { secretRule, type IsSecret, type Mask } from "../../spark/redact.ts";
import { redactObject } from "../../spark/submit/preview/redactObject.ts";
import { minorOf } from "../../spark/submit/conf/sparkVersion.ts";
import { versionTraits } from "../../spark/submit/conf/versionTraits.ts";
import type { DescribedSubject } from "./subjects.ts";

/** The error of reading a pod. `anotherPod`: it was replaced by another pod with its name. */
export type PodRefusal = ClusterError | "anotherPod";

/** Reads a pod as stored on the server, redacted, without managed fields. */
export async function readPodDocument(
  { objects }: Pick<Connection, "objects">,
  subject: DescribedSubject,
  mask: Mask,
  signal: AbortSignal,
): Promise<Result<JsonObject, PodRefusal>> {
  const { namespace, name, uid } = subject.pod.pod;
  const [read, isSecret] = await Promise.all([
    objects.read({ apiVersion: "v1", kind: "Pod", namespace, name }, signal),
    secretsOf(objects, subject, signal),
  ]);
  if (!read.ok) return read;
  // Compare the uids, because a StatefulSet reuses the name of a deleted pod.
  if (read.value.uid !== uid) return err("anotherPod");
  const { body } = read.value;
  return ok(isJson(body) ? redactObject(withoutManagedFields(body), { isSecret, mask }) : {});
}

/** Returns the redaction rule of the application's conf; the version's default if the conf is unreadable. */
async function secretsOf(
  objects: Connection["objects"],
  { application, pod }: DescribedSubject,
  signal: AbortSignal,
): Promise<IsSecret> {
  const read =
    application.driver && (await readDriverConf(objects, application.driver.pod, signal));
  const conf = read?.kind === "found" ? read.conf : undefined;
  return secretRuleOf(pod.pod, conf);
}

export function secretRuleOf(
  { labels }: PodRecord,
  conf: ReadonlyMap<string, string> | undefined,
): IsSecret {
  const minor = minorOf(labels[sparkVersionLabel] ?? "") ?? "4.3";
  return secretRule(conf?.get("spark.redaction.regex"), versionTraits[minor].redactionPattern);
}

// The body was parsed from JSON, so an object contains only JSON values.
const isJson = (body: unknown): body is JsonObject =>
  typeof body === "object" && body !== null && !Array.isArray(body);

function withoutManagedFields(pod: JsonObject): JsonObject {
  const metadata = Object.entries(objectAt(pod, "metadata"));
  return {
    ...pod,
    metadata: Object.fromEntries(metadata.filter(([key]) => key !== "managedFields")),
  };
}
