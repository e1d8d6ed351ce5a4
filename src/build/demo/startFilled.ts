import { homedir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../engine/systemClock.ts";
import { openSandboxes } from "../../sandbox/life/openSandboxes.ts";
import type { PreparedSpark } from "./prepareSpark.ts";
import { submitTokens } from "./submitTokens.ts";

interface FilledOptions extends PreparedSpark {
  readonly root: string;
  /** The extension's global storage folder, where its windows find the sandbox. */
  readonly storage: string;
}

/** Starts a sandbox cluster and submits the program pi to it. The sandbox runs until `stop` is called. */
export async function startFilled(
  { root, storage, environment, version, isReal }: FilledOptions,
  say: (line: string) => void,
): Promise<{ stop(): Promise<void> }> {
  const folder = join(storage, "sandbox");
  const sandboxes = openSandboxes({
    folder,
    downloads: join(storage, "spark"),
    program: join(root, "dist/sandbox.cjs"),
    node: process.execPath,
    environment,
    untrusted: () => [],
  });
  const machine = await sandboxes.look();
  const wish = { simulate: !isReal, mayDownload: false };
  const started = await machine.start(wish, AbortSignal.timeout(30_000));
  if (!started.ok) throw new Error(`Cannot start the sandbox cluster: ${started.error}`);
  say("The sandbox cluster runs");
  const driver = await submitPi(join(folder, "kubeconfig"), version);
  say(`Submitted pi as ${driver}${isReal ? "" : " (simulated)"}`);
  // Use `end`, which reads no file, because VS Code's folder may be deleted by then.
  return { stop: () => started.value.end() };
}

async function submitPi(kubeconfig: string, version: string): Promise<string> {
  const { openClusters } = await import("../../cluster/door.ts");
  const clusters = openClusters({
    clock: systemClock,
    random: Math.random,
    env: {},
    homeDirectory: homedir(),
    userAgent: "spark-k8s-demo",
    log: () => undefined,
  });
  try {
    const settings = { kubeconfigFiles: [kubeconfig], mayRunPlugins: false };
    const connected = await clusters.connect(undefined, settings, AbortSignal.timeout(10_000));
    if (!connected.ok) throw new Error(connected.error.detail);
    const submitted = await submitTokens(connected.value, version, piOf(version), "demo");
    return submitted.driverPod.name;
  } finally {
    clusters.dispose();
  }
}

/** The number of slices, an argument of the program pi. With this number, a run takes about a minute. */
const slices = "600";

function piOf(version: string): readonly string[] {
  const conf = {
    "spark.kubernetes.namespace": "default",
    "spark.kubernetes.container.image": `apache/spark:${version}`,
    "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
    "spark.kubernetes.driver.request.cores": "0.1",
    "spark.kubernetes.executor.request.cores": "0.1",
    "spark.kubernetes.submission.waitAppCompletion": "false",
    "spark.driver.memory": "600m",
    "spark.executor.memory": "512m",
    "spark.executor.instances": "2",
  };
  return [
    ...["--master", "k8s://https://kubernetes.default.svc", "--deploy-mode", "cluster"],
    ...["--name", "pi"],
    ...Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
    "local:///opt/spark/examples/src/main/python/pi.py",
    slices,
  ];
}
