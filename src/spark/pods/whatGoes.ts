import type { Application, SparkPod } from "./application.ts";
import { executorsOf } from "./applicationRun.ts";
import { setOf } from "./executorSets.ts";
import { fieldsOf, itemsOf } from "./fields.ts";

/** What stopping an application takes away, for the question before it. */
export interface WhatGoes {
  readonly driver: string;
  /** Names of the executor pods. */
  readonly executors: readonly string[];
  /** Other objects that belong to the driver pod, as `Service spark-pi-driver-svc`. */
  readonly objects: readonly OwnedObject[];
}

export interface OwnedObject {
  readonly kind: string;
  readonly name: string;
}

/** An object as the server holds it. */
export interface CandidateObject extends OwnedObject {
  readonly body: unknown;
}

/**
 * The cluster deletes with the driver pod what names it as owner: executors, the sets that make them, the service,
 * the maps of conf. `candidates` are the objects that could be listed; what may not be listed goes all the same.
 */
export function whatGoes(
  application: Application,
  driver: SparkPod,
  candidates: readonly CandidateObject[],
): WhatGoes {
  const sets = new Map<string, OwnedObject>();
  const executors: string[] = [];
  for (const { pod } of executorsOf(application)) {
    const set = setOf(pod);
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
