// A connection as a submission asks for it, in the place that a case makes.
import type { Result } from "../../src/base/result.ts";
import { openClusters } from "../../src/cluster/door.ts";
import type { ClusterError } from "../../src/engine/clusterError.ts";
import type { AccessConnection, Clock } from "../../src/engine/ports.ts";
import type { Access } from "../../src/spark/submit/access.ts";

export async function connectCase(
  access: Access,
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
  // The recorder's certificate is nobody's.
  const trusting = { ...access, trustsAnyCertificate: true };
  const settings = { kubeconfigFiles: [], mayRunPlugins: true };
  const place = { context: undefined, environment: {} };
  return clusters.connectTo(trusting, place, settings, signal);
}
