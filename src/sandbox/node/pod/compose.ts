// Builds the local command, environment and folders of a container from its spec.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "../../../base/result.ts";
import { containerEnv } from "../env/containerEnv.ts";
import { expand } from "../env/expand.ts";
import { holdingsOf } from "../configSources.ts";
import { entryPointCommand } from "../image/entryPoint.ts";
import type { LocalImage } from "../image/images.ts";
import { rewriteHosts, rewritePaths } from "../paths/rewriteText.ts";
import type { ProgramStart } from "../run/localRun.ts";
import type { ContainerSpec } from "../spec/podSpec.ts";
import { makeFolder } from "../volumes/containedFiles.ts";
import {
  factsOf,
  makeContainerFolder,
  sparkHomeInside,
  type ContainerFolder,
} from "./containerFolder.ts";
import { hostNames } from "./hostNames.ts";
import type { PodPlace, PodWorld } from "./world.ts";

export interface Composed {
  readonly start: ProgramStart;
  /** Prepares the start of another command in the container. */
  readonly inside: (command: readonly string[]) => ProgramStart;
  readonly terminationMessage: string;
}

const accountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Creates a container's folder, command and environment. The error is the message for `CreateContainerConfigError`. */
export async function compose(
  container: ContainerSpec,
  attempt: number,
  image: Exclude<LocalImage, { kind: "simulation" }>,
  world: PodWorld,
  place: PodPlace,
): Promise<Result<Composed, string>> {
  const namespace = place.pod.metadata.namespace ?? "";
  const given = await givenEnv(image, world, place);
  const wanted = containerEnv(
    container,
    given,
    holdingsOf(world.objects, namespace),
    factsOf(world, place),
  );
  if (!wanted.ok) return wanted;
  const hosts = hostNames(world, place);
  const around = { env: wanted.value, hosts, world, place };
  const made = await makeContainerFolder(container, attempt, image, around);
  if (!made.ok) return made;
  const { paths, real, folder, workingDirectory } = made.value;
  const here = (text: string): string => rewriteHosts(rewritePaths(text, paths), hosts);
  const env = new Map(
    [...wanted.value].map(([name, value]) => [
      name,
      isOfMachine(name, value, given) ? value : here(value),
    ]),
  );
  env.set("HOME", env.get("HOME") ?? (await makeFolder(folder, ["home"])));
  env.set("TMPDIR", env.get("TMPDIR") ?? (await makeFolder(folder, ["tmp"])));
  const hasAccount = container.mounts.some(({ path }) => path === accountFolder);
  if (hasAccount) env.set("KUBECONFIG", await writeKubeconfig(made.value, world, place));
  // Expand variables with the pod's values first, and rewrite paths afterwards.
  const words = [...(container.command ?? []), ...container.args].map((word) =>
    here(expand(word, wanted.value)),
  );
  const runsEntryPoint = container.command === undefined || words[0]?.endsWith("/entrypoint.sh");
  const { javaHome } = await world.programs();
  const args = container.command === undefined ? words : words.slice(1);
  const ownConf = driverConf(hasAccount, made.value, world);
  // Other programs of Spark's image, such as its shells, take the conf of the sandbox from this variable.
  if (image.kind === "spark") env.set("SPARK_SUBMIT_OPTS", submitOptions(ownConf, env));
  const command =
    image.kind === "spark" && runsEntryPoint === true
      ? entryPointCommand(args, Object.fromEntries(env), {
          sparkVersion: image.distribution.version,
          sparkHome: real(sparkHomeInside),
          workingDirectory,
          javaHome: env.get("JAVA_HOME") ?? javaHome,
          driverConf: ownConf,
        })
      : words;
  if (command.length === 0) return err("no command specified");
  const inside = (own: readonly string[]): ProgramStart => ({
    command: own.map(here),
    env,
    workingDirectory,
  });
  return ok({
    start: { command, env, workingDirectory },
    inside,
    terminationMessage: real(container.terminationMessagePath),
  });
}

/**
 * Returns the variables of every container: those that a real image sets, such as PATH and JAVA_HOME, and the address
 * of the API server.
 */
async function givenEnv(
  image: LocalImage,
  world: PodWorld,
  { pod, spec, address }: PodPlace,
): Promise<Readonly<Record<string, string>>> {
  const { javaHome, python } = await world.programs();
  const folders = [
    ...(python === undefined ? [] : [dirname(python)]),
    ...(javaHome === undefined ? [] : [join(javaHome, "bin")]),
    process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
  ];
  const { hostname, port } = new URL(world.api.url);
  const language = ["LANG", "LC_ALL", "TZ"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(language),
    PATH: folders.join(":"),
    HOSTNAME: spec.hostname ?? pod.metadata.name,
    // Without SPARK_LOCAL_IP, Spark binds its UI to all interfaces, and a second driver gets another port.
    ...(image.kind === "spark" ? { SPARK_HOME: sparkHomeInside, SPARK_LOCAL_IP: address } : {}),
    ...(javaHome === undefined ? {} : { JAVA_HOME: javaHome }),
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    KUBERNETES_SERVICE_PORT_HTTPS: port,
  };
}

// True for a variable of this machine, such as `PATH`. It is not rewritten, because it may contain a folder that is
// also mounted in the container, such as `/home`.
const isOfMachine = (
  name: string,
  value: string,
  given: Readonly<Record<string, string>>,
): boolean => name !== "SPARK_HOME" && given[name] === value;

/** Returns the conf that points Spark's Kubernetes client to the API server and to the files of the service account. */
function driverConf(
  hasAccount: boolean,
  { real }: ContainerFolder,
  { api }: PodWorld,
): Readonly<Record<string, string>> {
  const mounted = "spark.kubernetes.authenticate.driver.mounted";
  return {
    "spark.kubernetes.driver.master": api.url,
    ...(hasAccount
      ? {
          [`${mounted}.oauthTokenFile`]: join(real(accountFolder), "token"),
          [`${mounted}.caCertFile`]: join(real(accountFolder), "ca.crt"),
        }
      : {}),
  };
}

function submitOptions(
  conf: Readonly<Record<string, string>>,
  env: ReadonlyMap<string, string>,
): string {
  const own = Object.entries(conf).map(([key, value]) => `"-D${key}=${value}"`);
  return [...own, env.get("SPARK_SUBMIT_OPTS") ?? ""].join(" ").trim();
}

/** Writes a kubeconfig for other Kubernetes clients in the container. Returns its path. */
async function writeKubeconfig(
  { folder }: ContainerFolder,
  { api }: PodWorld,
  { pod, spec }: PodPlace,
): Promise<string> {
  const namespace = pod.metadata.namespace ?? "";
  const file = join(folder, "kubeconfig");
  const named = { cluster: "sandbox", user: "account", namespace };
  const authority = Buffer.from(api.authority).toString("base64");
  const token = api.tokenFor(namespace, spec.serviceAccountName);
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "sandbox", cluster: { server: api.url, "certificate-authority-data": authority } },
    ],
    users: [{ name: "account", user: { token } }],
    contexts: [{ name: "pod", context: named }],
    "current-context": "pod",
  };
  await writeFile(file, JSON.stringify(kubeconfig), { mode: 0o600 });
  return file;
}
