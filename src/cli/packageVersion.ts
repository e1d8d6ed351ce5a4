import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the version in the package.json of the package that contains the bundle. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, "../package.json"), "utf8"),
  );
  const version = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return version ? String(manifest.version) : "";
}
