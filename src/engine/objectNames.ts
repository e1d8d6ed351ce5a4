import type { ObjectApi } from "./ports/objects.ts";

/**
 * Returns the sorted names of all objects of a kind in a namespace; an empty array if the list request fails. `kind`:
 * PriorityClass, or a kind of the core API.
 */
export async function objectNames(
  objects: Pick<ObjectApi, "list">,
  kind: string,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const apiVersion = kind === "PriorityClass" ? "scheduling.k8s.io/v1" : "v1";
  const listed = await objects.list({ apiVersion, kind }, namespace, "", signal);
  return listed.ok ? listed.value.map(({ name }) => name).sort() : [];
}
