import { build } from "esbuild";
import { basename, dirname, join } from "node:path";
import { outFolder, projectRoot } from "./places.ts";

/** Bundles the suites of an extension host; returns the path of the bundle. */
export const bundleInside = (entry: "extensionHost" | "webWorker"): Promise<string> =>
  bundle(`test/host/inside/${entry}.ts`, entry === "webWorker" ? "browser" : "node");

/** Bundles an entry file and its imports into one CommonJS file; returns its path. */
export async function bundle(entry: string, platform: "node" | "browser"): Promise<string> {
  const name = `${basename(dirname(entry))}-${basename(entry, ".ts")}.cjs`;
  const outfile = join(outFolder, name);
  await build({
    absWorkingDir: projectRoot,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "cjs",
    platform,
    target: platform === "browser" ? "es2023" : "node22",
    external: ["vscode"],
    sourcemap: "inline",
    logLevel: "warning",
  });
  return outfile;
}
