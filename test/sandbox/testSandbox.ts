import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxClock } from "../../src/sandbox/clock.ts";
import { nodeWith } from "../../src/sandbox/node/startNode.ts";
import { startSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";

export interface TestSandbox {
  readonly sandbox: Sandbox;
  /** Private folder; the caller deletes it after `stop`. */
  readonly folder: string;
  /** Path of a kubeconfig whose current context is this sandbox. */
  readonly kubeconfig: string;
}

/**
 * Returns the folders in SPARK_K8S_SPARK_HOMES, a list separated by white space. Each folder contains a Spark
 * distribution and is named by its version. Throws if the list is empty.
 */
export function sparkHomes(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  const homes = (environment["SPARK_K8S_SPARK_HOMES"] ?? "")
    .split(/\s+/)
    .filter((one) => one !== "");
  if (homes.length > 0) return homes;
  throw new Error(
    "The sandbox's tests run real Spark: set SPARK_K8S_SPARK_HOMES to folders of Spark distributions, named by their versions.",
  );
}

/** Starts a sandbox with these Spark distributions in this process, and writes a kubeconfig for it. */
export async function openTestSandbox(homes: readonly string[]): Promise<TestSandbox> {
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-sandbox-"));
  const sandbox = await startSandbox({
    clock: sandboxClock,
    folder,
    graceMs: 3_600_000,
    contents: [],
    log: (line) => {
      console.log(line);
    },
    startNode: nodeWith({
      distributions: homes,
      images: {},
      download: undefined,
      simulate: false,
      javaHome: undefined,
      python: undefined,
      cores: 16,
      memoryBytes: undefined,
    }),
  });
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(sandbox)), { mode: 0o600 });
  return { sandbox, folder, kubeconfig };
}

function kubeconfigOf({ url, authority, token }: Sandbox): unknown {
  const certificate = Buffer.from(authority).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "s", cluster: { server: url, "certificate-authority-data": certificate } }],
    users: [{ name: "s", user: { token } }],
    contexts: [{ name: "s", context: { cluster: "s", user: "s", namespace: "default" } }],
    "current-context": "s",
  };
}
