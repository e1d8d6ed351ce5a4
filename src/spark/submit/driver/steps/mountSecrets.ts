import { entriesWithPrefix } from "../../conf/conf.ts";
import { addVolumes, type PodSpec } from "../podSpec.ts";
import type { ConfReading } from "../../conf/readConf.ts";

/** Mounts the Secrets of `spark.kubernetes.<role>.secrets.*`, each at the path in its value. */
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
