import { minorVersion, platformTags, uvPlatform, type ImagePython } from "./imagePython.ts";
import { packagesOfSpark, type MissingPackage } from "./missingPackages.ts";
import type { PythonNeeds } from "./pythonNeeds.ts";
import { requirementText } from "./requirement.ts";

/** The input of the user's package installer. */
export interface InstallPlan {
  /** Lines of a requirements file. */
  readonly requirements: readonly string[];
  /** Lines of a constraints file. */
  readonly constraints: readonly string[];
  /** True if `requirements` is complete, so nothing else is installed. */
  readonly isComplete: boolean;
  /** True if every package has hashes. */
  readonly hasHashes: boolean;
  readonly python: ImagePython;
}

export type InstallTool = "uv" | "pip";

/** Plans the installation of the missing packages. Without a lock file the tool also installs their dependencies. */
export function installPlan(
  needs: Pick<PythonNeeds, "locked" | "options" | "constraints">,
  missing: readonly MissingPackage[],
  python: ImagePython,
): InstallPlan {
  const packages = missing.map(({ needed }) => needed);
  const isComplete = needs.locked !== undefined;
  const hasHashes = packages.every(({ hashes }) => hashes.length > 0);
  const lines = packages.map((one) => requirementText(hasHashes ? one : { ...one, hashes: [] }));
  return {
    requirements: [
      ...needs.options,
      ...indexLines(packages.map(({ registry }) => registry)),
      ...lines,
    ],
    constraints: needs.constraints.map((one) => requirementText({ ...one, hashes: [] })),
    isComplete,
    hasHashes,
    python,
  };
}

/** Returns the options for the indexes of a lock file. PyPI stays the first index if any package comes from it. */
function indexLines(registries: readonly (string | undefined)[]): readonly string[] {
  const others = [...new Set(registries.filter((url) => url !== undefined))];
  const [first, ...rest] = others;
  if (first === undefined) return [];
  const isOnly = !registries.includes(undefined);
  return [
    `${isOnly ? "--index-url" : "--extra-index-url"} ${first}`,
    ...rest.map((url) => `--extra-index-url ${url}`),
  ];
}

/** The paths of the files and folders for `installArguments`. */
export interface InstallPlace {
  readonly target: string;
  readonly requirements: string;
  readonly constraints: string;
  /** The file with `overrideLines`, for uv. */
  readonly overrides: string;
}

/** Requirements that never apply, so uv omits Spark's own packages. pip has no such option. */
export const overrideLines = packagesOfSpark.map((name) => `${name} ; python_version < "0"`);

/** Returns the arguments after `uv` or `python -m pip`. Allows wheels only: a local build would not fit the image. */
export function installArguments(
  tool: InstallTool,
  { constraints, isComplete, hasHashes, python }: InstallPlan,
  place: InstallPlace,
): readonly string[] {
  const shared = [
    ...["--target", place.target, "--only-binary", ":all:"],
    ...["--python-version", tool === "uv" ? python.version : minorVersion(python)],
    ...(constraints.length === 0 ? [] : ["--constraint", place.constraints]),
    ...(isComplete ? ["--no-deps"] : []),
    ...(hasHashes && isComplete ? ["--require-hashes"] : []),
    ...["--requirement", place.requirements],
  ];
  if (tool === "uv") {
    return [
      ...["pip", "install", "--no-progress", "--color", "never", "--link-mode", "copy"],
      ...["--python-platform", uvPlatform(python)],
      ...(isComplete ? [] : ["--override", place.overrides]),
      ...shared,
    ];
  }
  const tag = `cp${minorVersion(python).replace(".", "")}`;
  return [
    ...["install", "--no-input", "--no-color", "--disable-pip-version-check", "--no-compile"],
    ...["--progress-bar", "off", "--implementation", "cp"],
    ...["--abi", tag, "--abi", "abi3", "--abi", "none"],
    ...platformTags(python).flatMap((platform) => ["--platform", platform]),
    ...shared,
  ];
}

/** Returns the text that is hashed to identify the archive of a plan. Equal plans have equal texts. */
export const planText = ({ requirements, constraints, isComplete, python }: InstallPlan): string =>
  JSON.stringify([
    requirements,
    constraints,
    isComplete,
    minorVersion(python),
    python.machine,
    python.libc,
  ]);
