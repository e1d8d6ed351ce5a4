import { build } from "esbuild";
import { basename, dirname, join } from "node:path";
import { outFolder, projectRoot } from "./places.ts";

/** Makes one file of a suite that runs inside an extension host; gives its path. */
export const bundleInside = (entry: "extensionHost" | "webWorker"): Promise<string> =>
  bundle(`test/host/inside/${entry}.ts`, entry === "webWorker" ? "browser" : "node");

/** Makes one file of what an extension host shall run. */
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
