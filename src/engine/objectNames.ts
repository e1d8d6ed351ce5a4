import type { ObjectApi } from "./ports.ts";

/** The names of the objects of a kind, sorted; none where they cannot be listed. */
export async function objectNames(
  objects: Pick<ObjectApi, "list">,
  kind: string,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const apiVersion = kind === "PriorityClass" ? "scheduling.k8s.io/v1" : "v1";
  const listed = await objects.list({ apiVersion, kind }, namespace, "", signal);
  // Without the right to list them there is nothing to offer.
  return listed.ok ? listed.value.map(({ name }) => name).sort() : [];
}
