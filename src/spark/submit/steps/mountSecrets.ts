import { entriesWithPrefix } from "../conf.ts";
import type { DriverContext, DriverSpec } from "../driverSpec.ts";
import { append, editObject } from "../json.ts";

/** Mounts the secrets that the conf names, each at its path. */
export function mountSecrets(spec: DriverSpec, { application }: DriverContext): DriverSpec {
  const secrets = entriesWithPrefix(application.conf, "spark.kubernetes.driver.secrets.");
  const volumes = secrets.map(({ name }) => ({
    name: `${name}-volume`,
    secret: { secretName: name },
  }));
  const mounts = secrets.map(({ name, value }) => ({ name: `${name}-volume`, mountPath: value }));
  return {
    ...spec,
    pod: editObject(spec.pod, "spec", (own) => append(own, "volumes", volumes)),
    container: append(spec.container, "volumeMounts", mounts),
  };
}
