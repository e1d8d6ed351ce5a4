// Creates and deletes pods that receive files: from a stream into an init container, as a driver does, or from
// `kubectl cp`.
import type { JsonObject } from "../../../src/base/json.ts";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import type { PodName } from "../../../src/engine/ports/reports.ts";
import { codeDirectory } from "../../../src/spark/submit/code/sentCode.ts";
import { streamContainer } from "../../../src/spark/submit/code/streamContainer.ts";

const signal = (): AbortSignal => AbortSignal.timeout(30_000);

export async function createPod(
  { objects }: Pick<Connection, "objects">,
  namespace: string,
  manifest: { readonly apiVersion: string; readonly kind: string } & JsonObject,
): Promise<PodName> {
  const options = { dryRun: false, charset: false };
  const created = await objects.create(namespace, manifest as never, options, signal());
  if (!created.ok) throw new Error(created.error.detail);
  const { name, uid } = created.value;
  return { namespace, name, uid };
}

export async function deletePod(
  { objects }: Pick<Connection, "objects">,
  { namespace, name, uid }: PodName,
): Promise<void> {
  const reference = { apiVersion: "v1", kind: "Pod", namespace, name };
  const options = { uid, propagationPolicy: undefined, gracePeriodSeconds: 0 };
  const deleted = await objects.delete(reference, options, signal());
  if (!deleted.ok) throw new Error(deleted.error.detail);
}

/**
 * Returns the manifest of a pod. For "stream", its init container waits for a stream. For "copy", its container sleeps
 * for an hour, so that `kubectl cp` can write to it.
 */
export function receiverPod(name: string, image: string, receives: "stream" | "copy") {
  const container: JsonObject = {
    name: "main",
    image,
    imagePullPolicy: "IfNotPresent",
    resources: { requests: { cpu: "10m" } },
    volumeMounts: [{ name: "code", mountPath: codeDirectory }],
    command: receives === "stream" ? ["true"] : ["sleep", "3600"],
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 0,
      volumes: [{ name: "code", emptyDir: {} }],
      initContainers:
        receives === "stream" ? [streamContainer({ container, volumeName: "code" })] : [],
      containers: [container],
    },
  };
}
