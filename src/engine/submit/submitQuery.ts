import { err, ok, type Result } from "../../base/result.ts";
import { driverRole, roleLabel } from "../../spark/labels.ts";
import { fieldsOf } from "../../base/json.ts";
import type { DriverQuery } from "../../spark/submit/plan/driverQuery.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Clock } from "../ports/clock.ts";
import type { ObjectApi, ObjectReference, StoredObject } from "../ports/objects.ts";
import { retryRequest } from "./retryRequest.ts";

interface QueryPorts {
  readonly objects: ObjectApi;
  readonly clock: Clock;
}

const maxRetries = 3;

/** Finds the pods that a query names. Without `*`, returns the pod with that name, driver or not, as in Spark. */
export async function findDrivers(
  query: DriverQuery,
  namespace: string,
  { objects, clock }: QueryPorts,
  signal: AbortSignal,
): Promise<Result<readonly StoredObject[], ClusterError>> {
  if (!query.isPrefix) {
    const pod = await retryRequest(
      () => objects.read(podOf(query.name, namespace), signal),
      maxRetries,
      clock,
      signal,
    );
    if (pod.ok) return ok([pod.value]);
    return pod.error.kind === "notFound" ? ok([]) : pod;
  }
  const labelSelector = query.selectsByLabel ? `${roleLabel}=${driverRole}` : undefined;
  const whole = { kind: "whole", labelSelector } as const;
  const listed = await retryRequest(
    () => objects.list({ apiVersion: "v1", kind: "Pod" }, namespace, whole, signal),
    maxRetries,
    clock,
    signal,
  );
  if (!listed.ok) return listed;
  return ok(listed.value.filter((pod) => pod.name.startsWith(query.name) && isDriver(pod)));
}

/**
 * Selects the drivers to delete. Without this function, any pod that has the name at deletion time is deleted, as in
 * Spark.
 */
type Approve = (drivers: readonly StoredObject[]) => Promise<readonly StoredObject[]>;

/**
 * Deletes the pods that a query names, and their dependents. Returns the names of the deleted pods. Stops at the first
 * failure and returns its error. With `approve`, deletes only the pods that it returns, by uid.
 */
export async function killDrivers(
  query: DriverQuery,
  namespace: string,
  { objects, clock }: QueryPorts,
  approve: Approve | undefined,
  signal: AbortSignal,
): Promise<Result<readonly string[], ClusterError>> {
  const kill = (name: string, uid: string | undefined): Promise<Result<boolean, ClusterError>> =>
    killOne(podOf(name, namespace), uid, query, { objects, clock }, signal);
  if (approve === undefined && !query.isPrefix && !query.readsBeforeKilling) {
    const killed = await kill(query.name, undefined);
    return killed.ok ? ok(killed.value ? [query.name] : []) : killed;
  }
  const found = await findDrivers(query, namespace, { objects, clock }, signal);
  if (!found.ok) return found;
  const chosen = approve === undefined ? found.value : await approve(found.value);
  const killed: string[] = [];
  for (const { name, uid } of chosen) {
    signal.throwIfAborted();
    const result = await kill(name, approve === undefined ? undefined : uid);
    if (!result.ok) return result;
    if (result.value) killed.push(name);
  }
  return ok(killed);
}

// Deletes one pod. Returns false if the pod does not exist.
async function killOne(
  reference: ObjectReference,
  uid: string | undefined,
  { gracePeriodSeconds }: DriverQuery,
  { objects, clock }: QueryPorts,
  signal: AbortSignal,
): Promise<Result<boolean, ClusterError>> {
  const options = { uid, propagationPolicy: "Background", gracePeriodSeconds } as const;
  const result = await retryRequest(
    () => objects.delete(reference, options, signal),
    maxRetries,
    clock,
    signal,
  );
  if (result.ok) return ok(true);
  const { kind } = result.error;
  const isGone = kind === "notFound" || (kind === "conflict" && uid !== undefined);
  return isGone ? ok(false) : err(result.error);
}

function podOf(name: string, namespace: string): ObjectReference {
  return { apiVersion: "v1", kind: "Pod", namespace, name };
}

function isDriver({ body }: StoredObject): boolean {
  const { labels } = fieldsOf(fieldsOf(body)["metadata"]);
  return fieldsOf(labels)[roleLabel] === driverRole;
}
