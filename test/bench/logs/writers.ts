import { spawnSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { Connection } from "../../../src/engine/ports/connection.ts";
import type { Manifest } from "../../../src/spark/submit/plan/manifest.ts";

const containersOfPod = 20;

/** Returns the manifest of a pod with the label `bench=<label>` and one container for each command. */
export const benchPod = (
  name: string,
  label: string,
  image: string,
  commands: readonly (readonly string[])[],
): Manifest => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { bench: label } },
  spec: {
    restartPolicy: "Never",
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    containers: commands.map((command, index) => ({
      name: `c${index}`,
      image,
      imagePullPolicy: "IfNotPresent",
      command,
    })),
  },
});

export interface Writers {
  readonly namespace: string;
  readonly image: string;
  readonly label: string;
  readonly count: number;
  readonly scriptOf: (number: number) => string;
}

/**
 * Creates pods with the label `bench=<label>` and a total of `count` containers, and waits until all pods have reached
 * `phase`. Container `n` runs `scriptOf(n)`.
 */
export async function startWriters(
  { objects }: Connection,
  { namespace, image, label, count, scriptOf }: Writers,
  phase: "Succeeded" | "Running",
): Promise<void> {
  const pods = Math.ceil(count / containersOfPod);
  for (let pod = 0; pod < pods; pod += 1) {
    const containers = Math.min(containersOfPod, count - pod * containersOfPod);
    const commands = Array.from({ length: containers }, (_, index) => [
      ...["/bin/sh", "-c"],
      scriptOf(pod * containersOfPod + index),
    ]);
    const manifest = benchPod(`${label}-${pod}`, label, image, commands);
    const options = { dryRun: false, charset: false };
    const made = await objects.create(namespace, manifest, options, AbortSignal.timeout(20_000));
    if (!made.ok) throw new Error(made.error.detail);
  }
  for (;;) {
    const kind = { apiVersion: "v1", kind: "Pod" };
    const selector = `bench=${label}`;
    const listed = await objects.list(kind, namespace, selector, AbortSignal.timeout(20_000));
    const phases = listed.ok
      ? listed.value.map(({ body }) => (body as { status?: { phase?: string } }).status?.phase)
      : [];
    if (phases.filter((one) => one === phase || one === "Succeeded").length === pods) return;
    await wait(300);
  }
}

export async function removeWriters(namespace: string): Promise<void> {
  const forced = ["--all", "--force", "--grace-period=0", "-n", namespace];
  spawnSync("kubectl", ["delete", "pods", ...forced], { stdio: "ignore" });
  await wait(1_000);
}
