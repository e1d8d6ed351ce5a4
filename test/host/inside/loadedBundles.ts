import { basename, dirname } from "node:path";

/** Returns the file names of the extension's bundles that the host has loaded, in alphabetical order. */
export const loadedBundles = (): readonly string[] =>
  Object.keys(require.cache)
    .filter((path) => basename(dirname(path)) === "dist" && path.endsWith(".cjs"))
    .map((path) => basename(path))
    .sort();
