import { basename, dirname } from "node:path";

/** The extension's bundles that the host has loaded so far. */
export const loadedBundles = (): readonly string[] =>
  Object.keys(require.cache)
    .filter((path) => basename(dirname(path)) === "dist" && path.endsWith(".cjs"))
    .map((path) => basename(path))
    .sort();
