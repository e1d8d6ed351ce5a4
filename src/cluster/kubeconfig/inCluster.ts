import { isIPv6 } from "node:net";
import { join } from "node:path";
import { readTextFile } from "../textFile.ts";
import type { ProxyEnvironment } from "../../io/proxy/proxyOfEnvironment.ts";
import type { KubeconfigFile } from "./kubeconfigFile.ts";

const name = "in-cluster";

/** Returns the in-cluster configuration of a pod as a kubeconfig, or undefined outside a pod. */
export async function inClusterConfig(
  env: ProxyEnvironment,
  serviceAccountFolder: string,
): Promise<KubeconfigFile | undefined> {
  const host = env["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = env["KUBERNETES_SERVICE_PORT"] ?? "";
  const tokenFile = join(serviceAccountFolder, "token");
  if (host === "" || port === "" || !(await readTextFile(tokenFile)).ok) return undefined;
  const own = await readTextFile(join(serviceAccountFolder, "namespace"));
  const namespace = own.ok ? own.value.trim() : "";
  const impersonation = { user: undefined, uid: undefined, groups: [], extra: [] };
  return {
    path: serviceAccountFolder,
    clusters: [
      {
        file: serviceAccountFolder,
        name,
        server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
        caFile: join(serviceAccountFolder, "ca.crt"),
        skipTLSVerify: false,
        execConfig: undefined,
      },
    ],
    users: [{ file: serviceAccountFolder, name, tokenFile, impersonation }],
    contexts: [{ name, cluster: name, user: name, ...(namespace !== "" && { namespace }) }],
    currentContext: name,
  };
}
