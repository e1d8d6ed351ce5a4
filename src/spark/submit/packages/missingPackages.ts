import { satisfies, valid } from "@renovatebot/pep440";
import type { ImagePython } from "./imagePython.ts";
import { neededPackages, type NeededPackage, type PythonNeeds } from "./pythonNeeds.ts";

/** A package that a program needs and the image does not have. */
export interface MissingPackage {
  readonly needed: NeededPackage;
  /** The installed version. Undefined if the image does not have the package. */
  readonly installed: string | undefined;
}

/** Packages that Spark itself adds to the Python path. Another version of them would break the driver. */
export const packagesOfSpark: readonly string[] = [
  "py4j",
  "pyspark",
  "pyspark-client",
  "pyspark-connect",
];

/** Returns the needed packages that the image lacks or has in a version that does not fit. */
export function missingPackages(
  needs: Pick<PythonNeeds, "direct" | "locked">,
  { environment, installed }: Pick<ImagePython, "environment" | "installed">,
): readonly MissingPackage[] {
  return neededPackages(needs, environment)
    .filter(({ name }) => !packagesOfSpark.includes(name))
    .flatMap((needed) => {
      const found = Object.hasOwn(installed, needed.name) ? installed[needed.name] : undefined;
      return found !== undefined && fits(found, needed) ? [] : [{ needed, installed: found }];
    });
}

function fits(version: string, { specifier, url }: NeededPackage): boolean {
  // The version of a package from a URL is unknown, so any installed version is accepted.
  if (url !== undefined || specifier === "" || valid(version) === null) return true;
  return satisfies(version, specifier, { prereleases: true });
}
