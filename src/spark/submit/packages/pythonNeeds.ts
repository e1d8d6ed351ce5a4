import { appliesIn, type MarkerEnvironment } from "./marker.ts";
import type { LockedPackage } from "./lockFile.ts";
import type { Requirement } from "./requirement.ts";

/**
 * The files that declare the packages of a Python program. If a folder has several, the first one of this list is used.
 */
export const needsFileNames = [
  "uv.lock",
  "poetry.lock",
  "requirements.txt",
  "pyproject.toml",
  "environment.yml",
  "environment.yaml",
] as const;
export type NeedsFormat = (typeof needsFileNames)[number];

/** The packages that a file declares. */
export interface PythonNeeds {
  /** The absolute path of the file. */
  readonly path: string;
  readonly format: NeedsFormat;
  /** The direct requirements, with their markers. */
  readonly direct: readonly Requirement[];
  /** The packages of a lock file. Undefined if the file is not a lock file. */
  readonly locked: readonly LockedPackage[] | undefined;
  /** Versions that other packages must have if they are installed (`-c`). */
  readonly constraints: readonly Requirement[];
  /** Options for the package index, as lines of a requirements file. */
  readonly options: readonly string[];
  /** Lines that could not be parsed. */
  readonly unread: readonly string[];
  readonly conda: readonly string[];
}

/** A package that applies to an interpreter. */
export interface NeededPackage extends Requirement {
  /** True if the lock entry is not from a package index, but for example from a Git repository or a URL. */
  readonly isUnsendable: boolean;
  /** The index of the lock entry. */
  readonly registry: string | undefined;
}

/**
 * Returns the packages that the interpreter needs, sorted by name. With a lock file, includes indirect dependencies;
 * each package occurs once, with its exact version.
 */
export function neededPackages(
  { direct, locked }: Pick<PythonNeeds, "direct" | "locked">,
  environment: MarkerEnvironment,
): readonly NeededPackage[] {
  const applying = direct.filter(({ marker }) => appliesIn(marker, environment));
  const needed =
    locked === undefined
      ? applying.map((requirement) => ({
          ...requirement,
          isUnsendable: false,
          registry: undefined,
        }))
      : lockedClosure(applying, locked, environment);
  return needed.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function lockedClosure(
  direct: readonly Requirement[],
  locked: readonly LockedPackage[],
  environment: MarkerEnvironment,
): readonly NeededPackage[] {
  const byName = new Map<string, LockedPackage[]>();
  for (const entry of locked) {
    const same = byName.get(entry.name);
    if (same === undefined) byName.set(entry.name, [entry]);
    else same.push(entry);
  }
  const found = new Map<string, NeededPackage>();
  const seen = new Set<string>();
  const queue = [...direct];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { name, extras, specifier } = next;
    // If a lock has several versions of a package, each dependency names its version.
    const entries = byName.get(name) ?? [];
    const entry = entries.find(({ version }) => specifier === `==${version}`) ?? entries[0];
    if (entry === undefined) continue;
    if (entry.source !== "project") found.set(name, neededOf(entry));
    for (const extra of ["", ...extras]) {
      const key = `${name}[${extra}]`;
      if (seen.has(key)) continue;
      seen.add(key);
      const dependencies = extra === "" ? entry.dependencies : (entry.extras.get(extra) ?? []);
      queue.push(
        ...dependencies.filter(({ marker }) =>
          appliesIn(marker, environment, extra === "" ? [] : [extra]),
        ),
      );
    }
  }
  return [...found.values()];
}

const neededOf = ({ name, version, hashes, source, registry }: LockedPackage): NeededPackage => ({
  name,
  extras: [],
  specifier: `==${version}`,
  marker: undefined,
  url: undefined,
  hashes,
  isUnsendable: source !== "index",
  registry,
});
