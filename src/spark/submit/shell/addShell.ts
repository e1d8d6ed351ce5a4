import type { DriverContext, DriverSpec } from "../driver/driverSpec.ts";
import { shellArguments } from "./shellScript.ts";

/**
 * Makes the driver's container run a shell with a TTY in place of spark-submit. Conf, Service, account and executors
 * stay those of a driver in cluster mode. This works because the image's entry point runs other commands unchanged.
 */
export function addShell(
  spec: DriverSpec,
  { application, parts: { shell } }: DriverContext,
): DriverSpec {
  if (shell === undefined) return spec;
  const { proxyUser } = application;
  const more = proxyUser === undefined ? [] : ["--proxy-user", proxyUser];
  return {
    ...spec,
    container: {
      ...spec.container,
      args: shellArguments(shell, application.conf.get("spark.app.name")?.value ?? shell, more),
      stdin: true,
      tty: true,
    },
  };
}
