// A connection as a submission asks for it: the server of the master, the way in of the kubeconfig's
// context, single fields of the conf over that.
import { readFileSync } from "node:fs";
import { err, ok, type Result } from "../../src/base/result.ts";
import { openConnection } from "../../src/cluster/connection.ts";
import { loadKubeconfig } from "../../src/cluster/kubeconfig/kubeconfig.ts";
import { resolveTarget, type Target } from "../../src/cluster/kubeconfig/target.ts";
import { Redactor } from "../../src/cluster/redactor.ts";
import type { ClusterError } from "../../src/engine/clusterError.ts";
import type { Clock, Connection } from "../../src/engine/ports.ts";
import type { Access } from "../../src/spark/submit/access.ts";

export interface CaseConnection {
  readonly connection: Connection;
  /** The context's own namespace, if it has one. */
  readonly namespace: string | undefined;
}

export async function connectCase(
  access: Access,
  environment: Readonly<Record<string, string>>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<CaseConnection, ClusterError>> {
  const context = await findTarget(access, environment, signal);
  if (!context.ok) return context;
  const { value: found } = context;
  const url = URL.parse(access.server);
  if (url === null) return err(unusable(`"${access.server}" is no address`));
  const ca = access.caCertFile === undefined ? undefined : readFileSync(access.caCertFile, "utf8");
  const target: Target = {
    context: found?.context ?? { name: "", cluster: "", user: "" },
    cluster: found?.cluster ?? { ...entry, server: access.server, skipTLSVerify: false },
    user: access.token === undefined ? found?.user : { ...entry, token: access.token },
    endpoint: {
      url,
      // The recorder's certificate is nobody's.
      trust: { ca, serverName: undefined, skipVerify: true },
      proxy: undefined,
    },
    certificate: found?.certificate,
  };
  const connection = openConnection(target, {
    env: environment,
    clock,
    random: () => 0,
    redactor: new Redactor(),
    userAgent: "goldens",
    mayRunPlugins: true,
    log: () => undefined,
  });
  return connection.ok
    ? ok({ connection: connection.value, namespace: found?.context.namespace })
    : connection;
}

const entry = {
  name: "conf",
  file: "conf",
  tokenFile: undefined,
  execConfig: undefined,
  impersonation: { user: undefined, uid: undefined, groups: [], extra: [] },
};

// Undefined: there is no kubeconfig, or none that names a context, and nobody asked for one.
async function findTarget(
  access: Access,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Result<Target | undefined, ClusterError>> {
  const { HOME: homeDirectory = "" } = environment;
  const places = {
    named: [],
    env: environment,
    homeDirectory,
    serviceAccountFolder: `${homeDirectory}/none`,
  };
  const kubeconfig = await loadKubeconfig(places, signal);
  if (!kubeconfig.ok) return isAbsence(kubeconfig.error) ? ok(undefined) : kubeconfig;
  const target = await resolveTarget(kubeconfig.value, access.context, environment);
  if (target.ok || access.context !== undefined) return target;
  return isAbsence(target.error) ? ok(undefined) : target;
}

function isAbsence(error: ClusterError): boolean {
  return (
    error.kind === "configuration" &&
    (error.problem === "noKubeconfig" || error.problem === "noContext")
  );
}

function unusable(detail: string): ClusterError {
  return { kind: "configuration", problem: "unsupported", detail };
}
