import type { Manifest } from "../../spark/submit/plan/manifest.ts";
import type { PlannedWrite } from "../../spark/submit/plan/submissionPlan.ts";
import type { ObjectReference } from "../ports/objects.ts";

export function referenceTo(manifest: Manifest, namespace: string): ObjectReference {
  const { apiVersion, kind, metadata } = manifest;
  return { apiVersion, kind, namespace, name: metadata.name };
}

/** Returns the object of a write. The driver is a Pod, even if its template has another kind. */
export function writtenObjectOf(
  { role, manifest }: Pick<PlannedWrite, "role" | "manifest">,
  namespace: string,
): ObjectReference {
  return { ...referenceTo(manifest, namespace), ...(role === "driverPod" && podKind) };
}

const podKind = { apiVersion: "v1", kind: "Pod" };
