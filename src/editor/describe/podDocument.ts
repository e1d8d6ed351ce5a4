import { readDriverConf } from "../../engine/driverConf.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Connection } from "../../engine/ports.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { sparkVersionLabel } from "../../spark/labels.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { objectAt } from "../../spark/submit/json.ts";
import type { JsonObject } from "../../spark/submit/manifest.ts";
import { secretRule, type IsSecret } from "../../spark/redact.ts";
import { redactPod } from "../../spark/submit/preview/redactObject.ts";
import { minorOf } from "../../spark/submit/sparkVersion.ts";
import { versionTraits } from "../../spark/submit/versionTraits.ts";
import type { Subject } from "./subjects.ts";

/** Why a pod was not read; `anotherPod`: it is gone, and there is another of its name. */
export type PodRefusal = ClusterError | "anotherPod";

/** A pod as the server holds it, without secrets and without what only the server's own clients need. */
export async function readPodDocument(
  { objects }: Pick<Connection, "objects">,
  subject: Subject,
  signal: AbortSignal,
): Promise<Result<JsonObject, PodRefusal>> {
  const { namespace, name, uid } = subject.pod.pod;
  const [read, isSecret] = await Promise.all([
    objects.read({ apiVersion: "v1", kind: "Pod", namespace, name }, signal),
    secretsOf(objects, subject, signal),
  ]);
  if (!read.ok) return read;
  // A StatefulSet gives the name of a pod that went to the next.
  if (read.value.uid !== uid) return err("anotherPod");
  const { body } = read.value;
  return ok(isJson(body) ? redactPod(withoutManagedFields(body), isSecret) : {});
}

/** The application's own rule for what is secret, where its conf can be read; else its version's. */
async function secretsOf(
  objects: Connection["objects"],
  { application, pod }: Subject,
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

// An answer of a server is nothing but JSON.
const isJson = (body: unknown): body is JsonObject =>
  typeof body === "object" && body !== null && !Array.isArray(body);

function withoutManagedFields(pod: JsonObject): JsonObject {
  const metadata = Object.entries(objectAt(pod, "metadata"));
  return {
    ...pod,
    metadata: Object.fromEntries(metadata.filter(([key]) => key !== "managedFields")),
  };
}
