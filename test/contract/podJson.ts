/** Returns a pod as the API server serializes it: `managedFields` last in its metadata, `spec` after that. */
export function podJson(
  name: string,
  resourceVersion: string,
  text = "",
  { uid = `uid-of-${name}`, phase = "Running" } = {},
): unknown {
  return {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name,
      namespace: "ns",
      uid,
      resourceVersion,
      creationTimestamp: "2026-01-02T03:04:05Z",
      labels: { "spark-role": "executor", "spark-exec-id": "1" },
      annotations: { text },
      managedFields: [
        {
          manager: "fabric8",
          operation: "Update",
          apiVersion: "v1",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:metadata": { "f:labels": { ".": {}, "f:spark-role": {} } } },
        },
      ],
    },
    spec: { containers: [{ name: "main", image: "img:1", args: ["executor"] }] },
    status: { phase, message: text },
  };
}

export const watchLine = (type: string, object: unknown): string =>
  `${JSON.stringify({ type, object })}\n`;

export const listJson = (
  pods: readonly unknown[],
  metadata: Readonly<Record<string, unknown>>,
): unknown => ({
  kind: "PodList",
  apiVersion: "v1",
  metadata,
  items: pods,
});
