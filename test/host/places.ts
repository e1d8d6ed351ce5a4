import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const kitFolder = join(projectRoot, "test/host/kit");
/** Artifacts of test runs: bundles, pictures, logs. */
export const outFolder = join(projectRoot, "out/host");
/**
 * Node 22 of the project. It runs the servers of both versions, independent of the machine's Node.
 */
export const node22 = join(projectRoot, "node_modules/node/bin/node");
/** The packaged extension. */
export const vsixFile = join(projectRoot, "out/spark-k8s.vsix");

/** The newest available VS Code, and the oldest one that the extension declares. */
export type VersionName = "newest" | "oldest";

export const serverMain = (version: VersionName): string =>
  join(kitFolder, version, "node_modules/code-server/lib/vscode/out/server-main.js");
