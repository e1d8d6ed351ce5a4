import { appSelectorLabel } from "../../spark/labels.ts";
import type { Application } from "../../spark/pods/application.ts";
import { deletedObjects, type DeletedObjects } from "../../spark/pods/ownedObjects.ts";
import { deleteObject, deletePod, type Deletion } from "./deletePod.ts";
import { resourceOf } from "../watch/operatedApplications.ts";
import type { ObjectApi } from "../ports/objects.ts";

/**
 * Stops an application by deleting its driver pod, as `spark-submit --kill` does. The driver shuts down within its
 * grace period, and the cluster deletes its dependents. If an operator would start another driver, deletes the custom
 * resource instead; its pods are deleted with it.
 */
export function stopApplication(
  objects: ObjectApi,
  { driver, resource }: Pick<Application, "driver" | "resource">,
  signal: AbortSignal,
): Promise<Deletion> {
  if (resource?.hasEnded === false) return deleteObject(objects, resourceOf(resource), signal);
  if (driver === undefined) return Promise.resolve({ kind: "alreadyGone" });
  return deletePod(objects, driver.pod, signal);
}

interface StopPreview {
  /**
   * The objects that a stop would delete: one entry per application with a driver pod, in the order of the
   * applications.
   */
  readonly goes: readonly DeletedObjects[];
  /** Kinds that could not be listed; their objects are deleted too. */
  readonly unlisted: readonly string[];
}

/** Finds the objects that Kubernetes deletes with the driver pods. Sends one list request per kind and namespace. */
export async function previewStop(
  objects: ObjectApi,
  applications: readonly Application[],
  signal: AbortSignal,
): Promise<StopPreview> {
  const [only, ...others] = applications;
  const isOne = only !== undefined && others.length === 0;
  const ofSpark = isOne ? `${appSelectorLabel}=${only.id}` : appSelectorLabel;
  const namespaces = [...new Set(applications.map(({ namespace }) => namespace))];
  const lists = await Promise.all(
    namespaces.flatMap((namespace) =>
      ownedKinds.map(async ({ apiVersion, kind, hasLabel }) => {
        const selector = hasLabel ? ofSpark : "";
        return {
          kind,
          listed: await objects.list({ apiVersion, kind }, namespace, selector, signal),
        };
      }),
    ),
  );
  const stored = lists.flatMap(({ listed }) => (listed.ok ? listed.value : []));
  const unlisted = lists.flatMap(({ kind, listed }) => (listed.ok ? [] : [kind]));
  return {
    goes: applications.flatMap((application) => {
      const { driver } = application;
      return driver === undefined ? [] : [deletedObjects(application, driver, stored)];
    }),
    unlisted: [...new Set(unlisted)],
  };
}

// The driver's ConfigMaps have no Spark label; only their owner reference identifies them.
const ownedKinds = [
  { apiVersion: "v1", kind: "Service", hasLabel: true },
  { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", hasLabel: true },
  { apiVersion: "v1", kind: "ConfigMap", hasLabel: false },
  { apiVersion: "v1", kind: "PersistentVolumeClaim", hasLabel: true },
] as const;
