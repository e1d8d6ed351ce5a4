import type { Application } from "../../spark/pods/application.ts";
import { isEarlierAttempt } from "../../spark/pods/operatedApplication.ts";
import { decodeOperatorResource } from "../../spark/pods/operatorResource.ts";
import type { ObjectApi } from "../ports/objects.ts";
import { resourceOf } from "../watch/operatedApplications.ts";
import { deleteObject, deletePod, type Deletion } from "./deletePod.ts";

/**
 * Deletes the driver pod, or the custom resource that an operator would start another driver from. `deleteDriver`
 * deletes the pod and decides what happens to its dependents.
 */
export function deleteApplication(
  objects: ObjectApi,
  application: Application,
  signal: AbortSignal,
  deleteDriver: typeof deletePod = deletePod,
): Promise<Deletion> {
  const { driver, resource } = application;
  if (resource !== undefined && !isEarlierAttempt(application)) {
    return deleteObject(objects, resourceOf(resource), signal);
  }
  if (driver === undefined) return Promise.resolve({ kind: "alreadyGone" });
  return deleteDriver(objects, driver.pod, signal);
}

/**
 * Like `deleteApplication`, for a finished application. An ended pod never runs again, but an operator can restart a
 * custom resource with the same uid. So this function reads the resource first.
 */
export async function deleteFinished(
  objects: ObjectApi,
  application: Application,
  signal: AbortSignal,
): Promise<Deletion | { readonly kind: "restarted" }> {
  const { resource } = application;
  if (resource !== undefined && !isEarlierAttempt(application)) {
    const object = resourceOf(resource);
    const stored = await objects.read(object, signal);
    if (!stored.ok) {
      return stored.error.kind === "notFound"
        ? { kind: "alreadyGone" }
        : { kind: "failed", error: stored.error };
    }
    const now = decodeOperatorResource(object.apiVersion, object.kind, stored.value.body);
    if (now?.uid !== resource.uid) return { kind: "replaced" };
    if (!now.hasEnded) return { kind: "restarted" };
  }
  return deleteApplication(objects, application, signal);
}
