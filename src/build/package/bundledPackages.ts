import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** An npm package with code in `dist/`. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX license expression. */
  readonly license: string;
  /** The hash in the lock file: `sha512-` and Base64. */
  readonly integrity: string;
  /** The full texts of the package's license and notice files. */
  readonly texts: readonly string[];
}

/** Returns the bundled packages, sorted by name. Throws if one has no license text or is not in the lock file. */
export function bundledPackages(
  root: string,
  metafiles: readonly Metafile[],
): readonly BundledPackage[] {
  const lock = readJson(join(root, "package-lock.json"));
  const places = new Set(
    metafiles.flatMap(({ outputs }) =>
      Object.values(outputs).flatMap(({ inputs }) =>
        Object.entries(inputs)
          .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
          .flatMap(([path]) => placeOf(path) ?? []),
      ),
    ),
  );
  return [...places].sort().map((place) => readPackage(root, place, lock));
}

/**
 * Returns the key of the file's package in the lock file: `node_modules/a/node_modules/@b/c`. Undefined for a file of
 * the project.
 */
function placeOf(path: string): string | undefined {
  return /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function readPackage(root: string, place: string, lock: unknown): BundledPackage {
  const folder = join(root, place);
  const manifest = readJson(join(folder, "package.json"));
  const locked = fieldOf(fieldOf(lock, "packages"), place);
  const name = textOf(manifest, "name");
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (!texts.some((text) => text !== "")) {
    throw new Error(`The package "${name}" is bundled and has no license text in ${place}.`);
  }
  const version = textOf(manifest, "version");
  if (textOf(locked, "version") !== version) {
    throw new Error(`The lock file has another version of "${name}" than ${version}. Run npm ci.`);
  }
  const license = textOf(manifest, "license");
  return { name, version, license, integrity: textOf(locked, "integrity"), texts };
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined;

function textOf(value: unknown, key: string): string {
  const text = fieldOf(value, key);
  if (typeof text !== "string") throw new Error(`A bundled package has no "${key}".`);
  return text;
}
