import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const kitFolder = join(projectRoot, "test/host/kit");
/** Artifacts of test runs: bundles, pictures, logs. */
export const outFolder = join(projectRoot, "out/host");
/** The project's Node 22, which runs the servers of both versions, whichever Node the machine has. */
export const node22 = join(projectRoot, "node_modules/node/bin/node");
/** The packaged extension. */
export const vsixFile = join(projectRoot, "out/spark-k8s.vsix");

/** The newest VS Code in the kit, or the oldest one that the extension supports. */
export type VersionName = "newest" | "oldest";

export const serverMain = (version: VersionName): string =>
  join(kitFolder, version, "node_modules/code-server/lib/vscode/out/server-main.js");
