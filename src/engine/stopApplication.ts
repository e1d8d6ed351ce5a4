import { appSelectorLabel } from "../spark/labels.ts";
import type { Application, SparkPod } from "../spark/pods/application.ts";
import { whatGoes, type WhatGoes } from "../spark/pods/whatGoes.ts";
import { deleteObject, deletePod, type Deletion } from "./deletePod.ts";
import { objectOf } from "./operatedApplications.ts";
import type { ObjectApi, StoredObject } from "./ports.ts";

/**
 * Stops an application by deleting its driver pod: the driver shuts down in order within its grace
 * period, and the cluster deletes what belongs to the pod. spark-submit --kill does the same. Where an
 * operator would start another driver it is its custom resource that is deleted, and the pods with it.
 */
export function stopApplication(
  objects: ObjectApi,
  { driver, resource }: Pick<Application, "driver" | "resource">,
  signal: AbortSignal,
): Promise<Deletion> {
  if (resource?.hasEnded === false) return deleteObject(objects, objectOf(resource), signal);
  if (driver === undefined) return Promise.resolve({ kind: "alreadyGone" });
  return deletePod(objects, driver.pod, signal);
}

/** What would go; names what may be listed and leaves out what may not. */
export async function previewStop(
  objects: ObjectApi,
  application: Application,
  driver: SparkPod,
  signal: AbortSignal,
): Promise<WhatGoes> {
  const ofApplication = `${appSelectorLabel}=${application.id}`;
  const lists = await Promise.all(
    ownedKinds.map(({ apiVersion, kind, hasLabel }) =>
      listOf(
        objects,
        { apiVersion, kind },
        application.namespace,
        hasLabel ? ofApplication : "",
        signal,
      ),
    ),
  );
  return whatGoes(application, driver, lists.flat());
}

// Spark labels all but the maps that it makes for the driver, which only their owner tells apart.
const ownedKinds = [
  { apiVersion: "v1", kind: "Service", hasLabel: true },
  { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", hasLabel: true },
  { apiVersion: "v1", kind: "ConfigMap", hasLabel: false },
  { apiVersion: "v1", kind: "PersistentVolumeClaim", hasLabel: true },
] as const;

async function listOf(
  objects: ObjectApi,
  kind: { readonly apiVersion: string; readonly kind: string },
  namespace: string,
  labelSelector: string,
  signal: AbortSignal,
): Promise<readonly StoredObject[]> {
  const listed = await objects.list(kind, namespace, labelSelector, signal);
  return listed.ok ? listed.value : [];
}
