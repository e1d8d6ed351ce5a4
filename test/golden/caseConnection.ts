// Opens the connection of a submission in the environment of a case.
import type { Result } from "../../src/base/result.ts";
import { openClusters } from "../../src/cluster/door.ts";
import type { ClusterError } from "../../src/engine/clusterError.ts";
import type { AccessConnection } from "../../src/engine/ports/connection.ts";
import type { Clock } from "../../src/engine/ports/clock.ts";
import type { ConfAccess } from "../../src/spark/submit/conf/access.ts";

export async function connectCase(
  access: ConfAccess,
  environment: Readonly<Record<string, string>>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<AccessConnection, ClusterError>> {
  const { HOME: homeDirectory = "" } = environment;
  const clusters = openClusters({
    clock,
    random: () => 0,
    env: environment,
    homeDirectory,
    userAgent: "goldens",
    log: () => undefined,
    serviceAccountFolder: `${homeDirectory}/none`,
  });
  // The recorder's certificate is self-signed.
  const trusting = { ...access, trustsAnyCertificate: true };
  const settings = { kubeconfigFiles: [], mayRunPlugins: true };
  const place = {
    context: undefined,
    kubeconfig: undefined,
    isOfWorkspace: () => Promise.resolve(false),
  };
  const offer = await clusters.connectTo(trusting, place, settings, signal);
  return offer.ok ? offer.value.open(() => Promise.resolve(true), signal) : offer;
}
