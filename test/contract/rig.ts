// Connects to a server as the extension does: through the lazy bundle, with a kubeconfig file.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openClusters } from "../../src/cluster/door.ts";
import type { ClusterError } from "../../src/engine/clusterError.ts";
import type { Clock } from "../../src/engine/ports/clock.ts";
import type { Connection } from "../../src/engine/ports/connection.ts";
import type { LogItem } from "../../src/engine/ports/logs.ts";
import type { Result } from "../../src/base/result.ts";
import type { LogLine } from "../../src/spark/logs/logLine.ts";
import { realClock } from "./clocks.ts";

export const never: AbortSignal = new AbortController().signal;

export interface RigOptions {
  /** `users[0].user` of the kubeconfig. */
  readonly user?: unknown;
  /** Fields to add to `clusters[0].cluster`. */
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly clock?: Clock;
  readonly env?: Readonly<Record<string, string>>;
  readonly mayRunPlugins?: boolean;
}

export interface Rig {
  readonly connection: Connection;
  /** All lines written to the log. */
  readonly log: readonly string[];
  readonly folder: string;
  readonly kubeconfig: string;
}

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "contract-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the text of a kubeconfig with one context. It is JSON, which is valid YAML. */
export const kubeconfigOf = (server: string, { user = {}, cluster = {} }: RigOptions): string =>
  JSON.stringify({
    clusters: [{ name: "c", cluster: { server, ...cluster } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "ns" } }],
    "current-context": "x",
  });

export async function tryConnect(
  t: TestContext,
  server: string,
  options: RigOptions = {},
): Promise<{ readonly result: Result<Connection, ClusterError> } & Omit<Rig, "connection">> {
  const folder = await temporaryFolder(t);
  const kubeconfig = join(folder, "config");
  await writeFile(kubeconfig, kubeconfigOf(server, options));
  const log: string[] = [];
  const clusters = openClusters({
    clock: options.clock ?? realClock,
    random: () => 0,
    env: { PATH: process.env["PATH"], ...options.env },
    homeDirectory: folder,
    userAgent: "contract-test/1",
    log: (line) => log.push(line),
  });
  t.after(() => {
    clusters.dispose();
  });
  const settings = { kubeconfigFiles: [kubeconfig], mayRunPlugins: options.mayRunPlugins ?? true };
  const result = await clusters.connect(undefined, settings, never);
  return { result, log, folder, kubeconfig };
}

export async function connectTo(
  t: TestContext,
  server: string,
  options: RigOptions = {},
): Promise<Rig> {
  const { result, ...rig } = await tryConnect(t, server, options);
  return { ...rig, connection: valueOf(result) };
}

export function valueOf<T>(result: Result<T, ClusterError>): T {
  assert.ok(result.ok, result.ok ? "" : JSON.stringify(result.error));
  return result.value;
}

export function errorOf<T>(result: Result<T, ClusterError>): ClusterError {
  assert.ok(!result.ok, "an error was expected");
  return result.error;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export type ReadItem =
  | { readonly kind: "lines"; readonly lines: readonly LogLine[] }
  | Extract<LogItem, { kind: "failed" }>;

export const withLines = (item: LogItem): ReadItem =>
  item.kind === "lines" ? { kind: "lines", lines: item.take().map((line) => ({ ...line })) } : item;

/** Collects all items of a log and decodes their lines. */
export async function collectLog(items: AsyncIterable<LogItem>): Promise<ReadItem[]> {
  const all: ReadItem[] = [];
  for await (const item of items) all.push(withLines(item));
  return all;
}

/** Reads the namespace, a request that most test scripts can serve with `namespaceJson`. */
export const readNamespace = (
  { objects }: Connection,
  signal: AbortSignal = never,
): ReturnType<Connection["objects"]["read"]> =>
  objects.read({ apiVersion: "v1", kind: "Namespace", namespace: "", name: "ns" }, signal);

export const namespaceJson = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "ns", uid: "1", resourceVersion: "7" },
};

export const statusJson = (
  code: number,
  reason: string,
  message: string,
  details = {},
): unknown => ({
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message,
  reason,
  details,
  code,
});
