import { entriesWithPrefix } from "../conf.ts";
import { addVolumes, type PodSpec } from "../podSpec.ts";
import type { ConfReading } from "../readConf.ts";

/** Mounts the secrets that the conf names, each at its path. */
export function mountSecrets<Spec extends PodSpec>(
  spec: Spec,
  { application }: ConfReading,
  role: "driver" | "executor",
): Spec {
  const secrets = entriesWithPrefix(application.conf, `spark.kubernetes.${role}.secrets.`);
  return addVolumes(
    spec,
    secrets.map(({ name }) => ({ name: `${name}-volume`, secret: { secretName: name } })),
    secrets.map(({ name, value }) => ({ name: `${name}-volume`, mountPath: value })),
  );
}
