import type { Application, SparkPod } from "./application.ts";
import { executorsOf } from "./applicationRun.ts";
import { executorSetOf } from "./executorSets.ts";
import { fieldsOf, itemsOf } from "../../base/json.ts";

/** The objects that Kubernetes deletes when a user stops an application. The confirmation lists them. */
export interface DeletedObjects {
  readonly driver: string;
  /** Names of the executor pods. */
  readonly executors: readonly string[];
  /** Other objects owned by the driver pod, such as `Service spark-pi-driver-svc`. */
  readonly objects: readonly OwnedObject[];
}

export interface OwnedObject {
  readonly kind: string;
  readonly name: string;
}

interface CandidateObject extends OwnedObject {
  readonly body: unknown;
}

/**
 * Returns the objects that Kubernetes deletes with the driver pod: executors, their sets, and the objects among
 * `candidates` that the driver pod owns. Objects that the user may not list are deleted too, but are missing here.
 */
export function deletedObjects(
  application: Application,
  driver: SparkPod,
  candidates: readonly CandidateObject[],
): DeletedObjects {
  const sets = new Map<string, OwnedObject>();
  const executors: string[] = [];
  for (const { pod } of executorsOf(application)) {
    const set = executorSetOf(pod);
    if (set !== undefined) sets.set(set.name, { kind: set.kind, name: set.name });
    if (set !== undefined || pod.ownerUid === driver.pod.uid) executors.push(pod.name);
  }
  return {
    driver: driver.pod.name,
    executors,
    objects: [
      ...sets.values(),
      ...candidates
        .filter(({ body }) => isOwnedBy(body, driver.pod.uid))
        .map(({ kind, name }) => ({ kind, name })),
    ],
  };
}

function isOwnedBy(body: unknown, uid: string): boolean {
  const metadata = fieldsOf(fieldsOf(body)["metadata"]);
  return itemsOf(metadata["ownerReferences"]).some((owner) => fieldsOf(owner)["uid"] === uid);
}
