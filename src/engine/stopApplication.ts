import { appSelectorLabel } from "../spark/labels.ts";
import type { Application } from "../spark/pods/application.ts";
import { whatGoes, type WhatGoes } from "../spark/pods/whatGoes.ts";
import { deleteObject, deletePod, type Deletion } from "./deletePod.ts";
import { objectOf } from "./operatedApplications.ts";
import type { ObjectApi } from "./ports.ts";

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

export interface StopPreview {
  /** Of each application that has a driver pod, in their order. */
  readonly goes: readonly WhatGoes[];
  /** Kinds that may not be listed: what there is of them goes as well. */
  readonly unlisted: readonly string[];
}

/** What would go with the driver pods, at the price of one list of each kind and namespace. */
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
      return driver === undefined ? [] : [whatGoes(application, driver, stored)];
    }),
    unlisted: [...new Set(unlisted)],
  };
}

// Spark labels all but the maps that it makes for the driver, which only their owner tells apart.
const ownedKinds = [
  { apiVersion: "v1", kind: "Service", hasLabel: true },
  { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", hasLabel: true },
  { apiVersion: "v1", kind: "ConfigMap", hasLabel: false },
  { apiVersion: "v1", kind: "PersistentVolumeClaim", hasLabel: true },
] as const;
