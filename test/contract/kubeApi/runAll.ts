import { KubeConfig } from "@kubernetes/client-node";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { runCase, type Case, type Server, type Step, type Told } from "./steps.ts";

/** Returns the API server and the token of the current context in KUBECONFIG. */
export async function realServer(): Promise<Server> {
  const config = new KubeConfig();
  config.loadFromDefault();
  const options: { headers?: unknown; ca?: Buffer | string } = {};
  await config.applyToHTTPSOptions(options);
  return {
    url: config.getCurrentCluster()?.server ?? "",
    ca: options.ca,
    token: config.getCurrentUser()?.token ?? "",
  };
}

/** Runs each case in its own namespace, which is deleted afterwards. */
export async function runAll(
  server: Server,
  cases: readonly Case[],
): Promise<Readonly<Record<string, readonly Told[]>>> {
  const told: Record<string, readonly Told[]> = {};
  for (const one of cases) told[one.title] = await runInNamespace(server, one);
  return told;
}

export async function runInNamespace(server: Server, one: Case): Promise<readonly Told[]> {
  const namespace = `contract-${randomBytes(4).toString("hex")}`;
  const step = (method: string, path: string, more: Partial<Step> = {}): Step => ({
    method,
    path,
    ...more,
  });
  const setUp: readonly Step[] = [
    step("POST", "/api/v1/namespaces", {
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "{ns}" } },
    }),
    step("GET", "/api/v1/namespaces/{ns}/serviceaccounts/default", { until: 200 }),
    step("GET", "/api/v1/namespaces/{ns}/configmaps/kube-root-ca.crt", { until: 200 }),
  ];
  await runCase(server, { title: "", steps: setUp }, namespace);
  try {
    return await runCase(server, one, namespace);
  } finally {
    await runCase(
      server,
      { title: "", steps: [step("DELETE", "/api/v1/namespaces/{ns}")] },
      namespace,
    );
  }
}

/** Returns the recorded responses of a real API server. `record.ts` writes them. */
export const readRecorded = (): Readonly<Record<string, readonly Told[]>> =>
  JSON.parse(readFileSync(new URL("recorded.json", import.meta.url), "utf8")) as Readonly<
    Record<string, readonly Told[]>
  >;
