import { KubeConfig } from "@kubernetes/client-node/dist/config.js";
import { delimiter, join } from "node:path";
import { ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { nextEventLoopTurn } from "../../engine/eventLoop.ts";
import { throwIfAborted } from "../../io/abort.ts";
import { configurationFailure } from "../failure.ts";
import { isRecord } from "../../base/json.ts";
import { readTextFile } from "../textFile.ts";
import type { ProxyEnvironment } from "../../io/proxy/proxyOfEnvironment.ts";
import { inClusterConfig } from "./inCluster.ts";
import {
  decodeKubeconfig,
  type ClusterEntry,
  type KubeconfigFile,
  type UserEntry,
} from "./kubeconfigFile.ts";
import { parseKubeconfigYaml } from "./kubeconfigYaml.ts";

/** The merged content of all kubeconfig files. */
export interface Kubeconfig {
  readonly model: KubeConfig;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly currentContext: string | undefined;
  readonly files: readonly string[];
}

export interface KubeconfigPlaces {
  /** Files named in the settings. If empty, kubectl's default locations apply. */
  readonly named: readonly string[];
  readonly env: ProxyEnvironment;
  readonly homeDirectory: string;
  /** The extension's own kubeconfig files. Read last, so they cannot override entries of other files. */
  readonly own: readonly string[];
  readonly serviceAccountFolder: string;
}

/**
 * Loads and merges the files of `kubeconfigPaths`. Skips missing files. If they define nothing and the settings name no
 * file, falls back to the in-cluster configuration.
 */
export async function loadKubeconfig(
  places: KubeconfigPlaces,
  signal: AbortSignal,
): Promise<Result<Kubeconfig, ClusterError>> {
  const paths = kubeconfigPaths(places);
  const files: KubeconfigFile[] = [];
  for (const path of paths) {
    const text = await readTextFile(path);
    throwIfAborted(signal);
    if (!text.ok && (text.error === "ENOENT" || text.error === "ENOTDIR")) continue;
    const file = text.ok
      ? parseFile(text.value, path)
      : refuse(path, `cannot be read (${text.error})`);
    if (!file.ok) return file;
    files.push(file.value);
    // The first YAML parse takes as long as a UI frame, so yield to the event loop.
    await nextEventLoopTurn();
    throwIfAborted(signal);
  }
  const isEmpty = files.every(({ contexts, clusters }) => contexts.length + clusters.length === 0);
  if (isEmpty && places.named.length === 0) {
    const own = await inClusterConfig(places.env, places.serviceAccountFolder);
    throwIfAborted(signal);
    if (own) return ok({ ...merge([own]), files: [] });
  }
  if (files.length > 0) return ok(merge(files));
  return configurationFailure(
    "noKubeconfig",
    `there is no kubeconfig at ${paths.join(", ")}. Create one, set KUBECONFIG, or specify the file in the settings`,
  );
}

/** Returns the paths of the kubeconfig files, in order of precedence. */
export function kubeconfigPaths({
  named,
  env,
  homeDirectory,
  own,
}: KubeconfigPlaces): readonly string[] {
  const atHome = (path: string): string =>
    /^~(?=$|[/\\])/.test(path) ? join(homeDirectory, path.slice(1)) : path;
  const fromEnvironment = (env["KUBECONFIG"] ?? "").split(delimiter);
  const paths = (named.length > 0 ? named.map(atHome) : fromEnvironment).filter(
    (path) => path.trim() !== "",
  );
  const asked = paths.length > 0 ? paths : [join(homeDirectory, ".kube", "config")];
  return [...new Set([...asked, ...own])];
}

function parseFile(text: string, path: string): Result<KubeconfigFile, ClusterError> {
  const config = parseKubeconfigYaml(text);
  if (!config.ok) return refuse(path, `is not valid YAML: ${config.error}`);
  const isEmpty = config.value === null || config.value === undefined;
  if (!isEmpty && !isRecord(config.value)) return refuse(path, "is not a kubeconfig");
  return ok(decodeKubeconfig(config.value, path));
}

const refuse = (path: string, why: string): Result<never, ClusterError> =>
  configurationFailure(
    "invalidKubeconfig",
    `the kubeconfig file ${path} ${why}. Correct it, or remove it from KUBECONFIG or the settings`,
  );

// As in kubectl, the first file that defines a name or a current context takes precedence.
function merge(files: readonly KubeconfigFile[]): Kubeconfig {
  const clusters = firstByName(files.flatMap((file) => file.clusters));
  const users = firstByName(files.flatMap((file) => file.users));
  const contexts = firstByName(files.flatMap((file) => file.contexts));
  const currentContext = files.find((file) => file.currentContext !== undefined)?.currentContext;
  const model = new KubeConfig();
  model.loadFromOptions({
    clusters: [...clusters.values()],
    users: [...users.values()],
    contexts: [...contexts.values()],
    currentContext: currentContext ?? "",
  });
  return { model, clusters, users, currentContext, files: files.map(({ path }) => path) };
}

function firstByName<T extends { readonly name: string }>(entries: readonly T[]): Map<string, T> {
  const first = new Map<string, T>();
  for (const entry of entries) if (!first.has(entry.name)) first.set(entry.name, entry);
  return first;
}
